"""What is wrong with a request in JSON, in words: protobuf's parser reports in those of Python."""

import re
from collections.abc import Sequence
from typing import Final, cast

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

_FIELD: Final = re.compile(r"Failed to parse (\w+) field: ")
_UNKNOWN: Final = re.compile(r'has no field named "(.*?)" at "')
_ONE_OF: Final = re.compile(r'should not have multiple "(\w+)" oneof fields')

_MAX_NAME_CHARS: Final = 100
"""Characters of an unknown name that are repeated."""

_WORDS: Final = {
    FieldDescriptor.CPPTYPE_BOOL: "true or false",
    FieldDescriptor.CPPTYPE_STRING: "a text",
    FieldDescriptor.CPPTYPE_DOUBLE: "a number",
    FieldDescriptor.CPPTYPE_FLOAT: "a number",
    FieldDescriptor.CPPTYPE_MESSAGE: "an object",
}
"""What JSON has for a field, by its kind; whole numbers for all others."""

_TIME: Final = 'a time such as "2026-03-31T12:00:00Z"'


def json_fault(kind: type[Message], fault: Exception) -> str:
    """What is wrong with the JSON of a message, in one line."""
    message = cast("Descriptor", kind.DESCRIPTOR)  # the stubs know its C form as another type
    text = " ".join(str(fault).split())
    if isinstance(fault, RecursionError):
        why = "it is nested too deeply"
    elif "Failed to parse" in text or _UNKNOWN.search(text) or _ONE_OF.search(text):
        why = _field_fault(message, text)
    else:
        why = text.replace("`str`", "`string`")  # of the JSON itself
    return f"the body is no {message.name} in JSON: {why}"


def _field_fault(message: Descriptor, text: str) -> str:
    path, within = list[FieldDescriptor](), message
    for name in _FIELD.findall(text):
        for field in _steps(within, name):
            path.append(field)
            within = field.message_type or within
    where = ".".join(field.camelcase_name for field in path)
    if (unknown := _UNKNOWN.search(text)) is not None:
        named = f"{where}.{unknown[1]}" if where else unknown[1]
        known = ", ".join(field.camelcase_name for field in within.fields)
        return f"there is no field {named[:_MAX_NAME_CHARS]}; known here: {known}"
    if (several := _ONE_OF.search(text)) is not None:
        names = [field.camelcase_name for field in within.oneofs_by_name[several[1]].fields]
        return f"{where}: give only one of {', '.join(names)}"
    return f"{where}: expected {_expected(path)}"


def _steps(message: Descriptor, name: str) -> tuple[FieldDescriptor, ...]:
    """The field of this name, in the message or in one of its own messages, which the parser may not name."""
    for field in message.fields:
        if name in {field.camelcase_name, field.name}:
            return (field,)
    for field in message.fields:
        inner = () if field.message_type is None else field.message_type.fields
        for each in inner:
            if name in {each.camelcase_name, each.name}:
                return field, each
    return ()


def _expected(path: Sequence[FieldDescriptor]) -> str:
    field = path[-1]
    words = _WORDS.get(field.cpp_type, "a whole number that the field has room for")
    if field.type == FieldDescriptor.TYPE_BYTES:
        words = "bytes in base64"
    elif field.enum_type is not None:
        words = f"one of {', '.join(each.name for each in field.enum_type.values)}"
    elif field.message_type is not None and field.message_type.full_name == "google.protobuf.Timestamp":
        words = _TIME
    return f"a list, each item {words}" if field.is_repeated else words
