"""The .proto of a game, derived from its statements: as text, and as classes of messages without protoc.

Numbers follow from the order of the statements and of the parts of each class, so both are permanent once a
game is released: what is new comes last.
"""

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Final, TypeVar

from google.protobuf import descriptor_pb2 as pb
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from records.codec.messages import enum_names
from rules.kernel.forms import Absence, Composite, Count, Enumeration, Form, Name, Repetition, Spelling, Truth
from rules.kernel.statements import Statement, Statements, snake_case

Table = TypeVar("Table")
Move = TypeVar("Move")
Event = TypeVar("Event")
Alternatives = TypeVar("Alternatives")

_LINE_CHARACTERS: Final = 100
"""Characters of a line of comment in a .proto file, as in those of Shiji."""
_MOVE, _EVENT, _EVENTS = "Move", "Event", "Events"
_SCALARS: Final = {
    pb.FieldDescriptorProto.TYPE_STRING: "string",
    pb.FieldDescriptorProto.TYPE_UINT32: "uint32",
    pb.FieldDescriptorProto.TYPE_BOOL: "bool",
}


@dataclass(slots=True)
class Schema:
    """The messages of a game, and what each is for."""

    file: pb.FileDescriptorProto
    comments: dict[str, str] = field(default_factory=dict)
    """By message, or by message and field."""

    def text(self) -> str:
        """The .proto file."""
        return "\n".join(_lines(self)) + "\n"

    def classes(self) -> tuple[type[Message], type[Message]]:
        """The classes of moves and of the events of an entry, in a pool of their own."""
        pool = DescriptorPool()
        pool.Add(self.file)
        package = self.file.package
        return (
            GetMessageClass(pool.FindMessageTypeByName(f"{package}.{_MOVE}")),
            GetMessageClass(pool.FindMessageTypeByName(f"{package}.{_EVENTS}")),
        )


def schema(package: str, moves: Statements[Table, Move], events: Statements[Table, Event]) -> Schema:
    """The messages of all moves and events of a game."""
    path = package.replace(".", "/") + "/" + package.split(".")[-2] + ".proto"
    made = Schema(pb.FileDescriptorProto(name=path, package=package, syntax="proto3"))
    _union(made, _MOVE, moves)
    _union(made, _EVENT, events)
    whole = made.file.message_type.add(name=_EVENTS)
    whole.field.add(
        name="events",
        number=1,
        label=pb.FieldDescriptorProto.LABEL_REPEATED,
        type=pb.FieldDescriptorProto.TYPE_MESSAGE,
        type_name=f".{package}.{_EVENT}",
    )
    made.comments |= {
        _MOVE: "What an actor asks for.",
        _EVENT: "One fact of an entry.",
        _EVENTS: "The events of one entry.",
        f"{_EVENTS}.events": "In the order in which they happened.",
    }
    for one in (*moves.each, *events.each):
        forms = zip(one.names, [term.form() for term in one.terms], strict=True)
        _message(made, one.make, tuple(forms))
        for name, term in zip(one.names, one.terms, strict=True):
            made.comments[f"{one.make.__name__}.{name}"] = _sentence(term.article)
    return made


def _union(made: Schema, title: str, stated: Statements[Table, Alternatives]) -> None:
    message = made.file.message_type.add(name=title)
    message.oneof_decl.add(name=title.lower())
    for number, one in enumerate(stated.each, start=1):
        message.field.add(
            name=one.arm,
            number=number,
            label=pb.FieldDescriptorProto.LABEL_OPTIONAL,
            type=pb.FieldDescriptorProto.TYPE_MESSAGE,
            type_name=f".{made.file.package}.{one.make.__name__}",
            oneof_index=0,
        )
        made.comments[f"{title}.{one.arm}"] = _described(one)


def _described(one: Statement[Table, Alternatives]) -> str:
    words = " ".join(word for before in one.words for word in before)
    return f"`{words}`." if words else _first_line(one.make)


def _first_line(make: type[object]) -> str:
    """Of its own docstring: an inherited one is about another class."""
    own = vars(make).get("__doc__")
    return inspect.cleandoc(own if isinstance(own, str) else f"{make.__name__}.").split("\n")[0]


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _message(made: Schema, make: type[object], parts: tuple[tuple[str, Form], ...]) -> None:
    if any(message.name == make.__name__ for message in made.file.message_type):
        return
    message = made.file.message_type.add(name=make.__name__)
    made.comments[make.__name__] = _first_line(make)
    for number, (name, form) in enumerate(parts, start=1):
        at = message.field.add(name=name, number=number, label=pb.FieldDescriptorProto.LABEL_OPTIONAL)
        made.comments.setdefault(f"{make.__name__}.{name}", _sentence(name.replace("_", " ")))
        if isinstance(form, Repetition):
            at.label = pb.FieldDescriptorProto.LABEL_REPEATED
            form = form.of  # noqa: PLW2901 - the rest is the same for one of them
        if isinstance(form, Absence):
            form = form.of  # noqa: PLW2901 - likewise
            if isinstance(form, Count | Truth):
                at.proto3_optional = True
                at.oneof_index = len(message.oneof_decl)
                message.oneof_decl.add(name=f"_{name}")
        _set_type(made, at, form)


def _set_type(made: Schema, at: pb.FieldDescriptorProto, form: Form) -> None:
    match form:
        case Name() | Spelling():
            at.type = pb.FieldDescriptorProto.TYPE_STRING
        case Count():
            at.type = pb.FieldDescriptorProto.TYPE_UINT32
        case Truth():
            at.type = pb.FieldDescriptorProto.TYPE_BOOL
        case Enumeration():
            at.type = pb.FieldDescriptorProto.TYPE_ENUM
            at.type_name = f".{made.file.package}.{form.title}"
            _enumeration(made, form)
        case Composite():
            at.type = pb.FieldDescriptorProto.TYPE_MESSAGE
            at.type_name = f".{made.file.package}.{form.make.__name__}"
            _message(made, form.make, form.parts)
        case Repetition() | Absence():
            raise TypeError(f"{at.name}: several within several, or none of none, is no field")


def _enumeration(made: Schema, form: Enumeration) -> None:
    if any(enum.name == form.title for enum in made.file.enum_type):
        return
    enum = made.file.enum_type.add(name=form.title)
    made.comments[form.title] = _sentence(snake_case(form.title).replace("_", " "))
    for number, (name, word) in enumerate(
        zip(enum_names(form), ("", *form.words, *form.beyond), strict=True)
    ):
        enum.value.add(name=name, number=number)
        comment = _sentence(word.replace("_", " ")) if word else "None, or never sent."
        made.comments[f"{form.title}.{name}"] = comment


def _lines(made: Schema) -> Iterator[str]:
    yield 'syntax = "proto3";'
    yield ""
    yield f"package {made.file.package};"
    for enum in made.file.enum_type:
        yield ""
        yield from _comment(made, enum.name, 0)
        yield f"enum {enum.name} {{"
        for value in enum.value:
            yield from _comment(made, f"{enum.name}.{value.name}", 2)
            yield f"  {value.name} = {value.number};"
        yield "}"
    for message in made.file.message_type:
        yield ""
        yield from _comment(made, message.name, 0)
        if not message.field:
            yield f"message {message.name} {{}}"
            continue
        yield f"message {message.name} {{"
        one_of = message.name in {_MOVE, _EVENT}
        if one_of:
            yield f"  // Exactly one is set.\n  oneof {message.oneof_decl[0].name} {{"
        for at in message.field:
            yield from _comment(made, f"{message.name}.{at.name}", 4 if one_of else 2)
            yield f"{'    ' if one_of else '  '}{_declared(made, at)} {at.name} = {at.number};"
        if one_of:
            yield "  }"
        yield "}"


def _comment(made: Schema, of: str, indent: int) -> Iterator[str]:
    for line in wrap(made.comments[of], _LINE_CHARACTERS - indent):
        yield f"{' ' * indent}// {line}"


def _declared(made: Schema, at: pb.FieldDescriptorProto) -> str:
    kind = _SCALARS.get(at.type) or at.type_name.removeprefix(f".{made.file.package}.")
    if at.label == pb.FieldDescriptorProto.LABEL_REPEATED:
        return f"repeated {kind}"
    return f"optional {kind}" if at.proto3_optional else kind
