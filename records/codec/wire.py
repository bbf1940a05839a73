"""Strict protobuf parsing, which ignores no field; JSON for people."""

from typing import Final

import msgspec
from google.protobuf.json_format import MessageToJson
from google.protobuf.message import DecodeError, Message

_DEFAULTS: Final[tuple[object, ...]] = (0, "", "0", [])
"""What as_json prints for fields that are not set, apart from enums; False and 0.0 equal 0.

An empty object is not among them: it is a message that is set. Events have no maps.
"""

_UNSET_ENUM: Final = "_UNSPECIFIED"
"""The end of the name of every enum's zero value, as buf lint requires."""


class Garbled(ValueError):
    """The bytes are not a message of this kind, or its values are invalid."""


class UnknownField(Garbled):
    """The message has a field that this build does not know, and that may change its whole meaning."""


def parse(message: Message, data: bytes) -> None:
    """Fill an empty message; raises Garbled or UnknownField."""
    _fill(message, data)
    message.DiscardUnknownFields()
    if message.ByteSize() != len(data):
        # Unknown fields were discarded, or a field has a longer encoding than it needs, which is harmless.
        known = message.ByteSize()
        message.Clear()
        _fill(message, data)
        if message.ByteSize() != known:
            raise UnknownField("the message has a field that this build does not know")


def _fill(message: Message, data: bytes) -> None:
    try:
        message.ParseFromString(data)
    except DecodeError:
        raise Garbled("the bytes are not a protobuf message of this kind") from None


def as_json(message: Message) -> str:
    """The message as JSON on one line, for people; fields with their default are included."""
    return MessageToJson(
        message, indent=None, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )


def same_json(one: bytes, other: bytes) -> bool:
    """Whether two outputs of as_json, perhaps of different builds, stand for the same message.

    A build that knows a further field prints its default, so one text may lack fields that have their
    default in the other. It cannot happen in both directions, since fields are only ever added.
    """
    try:
        return _same(msgspec.json.decode(one), msgspec.json.decode(other))
    except (msgspec.DecodeError, ValueError, RecursionError):
        return False


def _same(one: object, other: object) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        more, fewer = (one, other) if len(one) > len(other) else (other, one)
        return fewer.keys() <= more.keys() and all(
            _same(value, fewer[name]) if name in fewer else _is_default(value) for name, value in more.items()
        )
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and one == other


def _is_default(value: object) -> bool:
    return value in _DEFAULTS or (isinstance(value, str) and value.endswith(_UNSET_ENUM))
