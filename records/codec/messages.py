"""Messages and unions of messages, bound from the statements of a game to the fields of its .proto.

Totality is checked here, at import: a class without a message, a part without a field, or one of another
name, place or type is a Mismatch that names both sides.
"""

from collections.abc import Callable, Iterable
from typing import Final, Generic, TypeVar

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from typing_extensions import override

from records.codec.fields import (
    SIZED,
    VARINT,
    AbsentField,
    CountField,
    EnumField,
    Field,
    NameField,
    PackedField,
    PresentField,
    RepeatedField,
    SpelledField,
    TruthField,
    Unusual,
    read_varint,
    varint,
)
from rules.kernel.forms import Absence, Composite, Count, Enumeration, Form, Name, Repetition, Spelling, Truth
from rules.kernel.statements import Statement, Statements, part_names, parts_of

Table = TypeVar("Table")
Made = TypeVar("Made", covariant=True)
Alternatives = TypeVar("Alternatives")

_FIRST_LONG_VARINT: Final = 0x80
"""The smallest number that takes more than one byte in a message."""
_TYPES: Final = {
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_UINT32: "uint32",
    FieldDescriptor.TYPE_BOOL: "bool",
    FieldDescriptor.TYPE_ENUM: "enum",
    FieldDescriptor.TYPE_MESSAGE: "message",
}


class Mismatch(TypeError):
    """A statement and its message differ."""


class Body(Generic[Made]):
    """A message made of fields."""

    def __init__(
        self,
        build: Callable[[*tuple[object, ...]], Made],
        parts: Callable[[object], tuple[object, ...]],
        fields: tuple[Field, ...],
    ) -> None:
        self._build: Final = build
        self._parts: Final = parts
        self._fields: Final = fields
        self._writers: Final = tuple(field.write for field in fields)
        self._by_tag: Final = {field.tag[0]: (place, field) for place, field in enumerate(fields)}
        self._collecting: Final = tuple(
            (place, field) for place, field in enumerate(fields) if field.collects
        )
        self._all: Final = (1 << len(fields)) - 1

    def write(self, table: object, value: object) -> bytes:
        """Its fields, in order."""
        data = b""
        for write, part in zip(self._writers, self._parts(value), strict=True):
            data += write(table, part)
        return data

    def read(self, table: object, data: bytes) -> Made:
        """The value; raises Garbled or Unusual."""
        found: list[object] = [None] * len(self._fields)
        by_tag, end = self._by_tag, len(data)
        seen = at = last = 0
        while at < end:
            entry = by_tag.get(data[at])
            if entry is None or entry[0] < last:
                raise Unusual
            last, field = entry
            at += 1
            # Nearly every number and length is one byte.
            if at < end and data[at] < _FIRST_LONG_VARINT:
                size, at = data[at], at + 1
            else:
                size, at = read_varint(data, at)
            if field.wire_type == VARINT:
                if seen >> last & 1 or (not size and not field.has_zero):
                    raise Unusual
                found[last] = field.read_number(table, size)
            else:
                after = at + size
                if after > end:
                    raise Unusual
                found[last] = field.read_bytes(table, data[at:after], found[last])
                at = after
            seen |= 1 << last
        for place, field in self._collecting:
            if seen >> place & 1:
                found[place] = field.finish(table, found[place])
        if seen != self._all:
            for place, field in enumerate(self._fields):
                if not seen >> place & 1:
                    found[place] = field.missing(table)
        return self._build(*found)


class MessageField(Field):
    """A message within a message."""

    def __init__(self, number: int, body: Body[object]) -> None:
        super().__init__(number)
        self._body: Final = body

    @override
    def write(self, table: object, value: object) -> bytes:
        data = self._body.write(table, value)
        return self.tag + varint(len(data)) + data

    @override
    def read_bytes(self, table: object, data: bytes, before: object) -> object:
        if before is not None:
            raise Unusual
        return self._body.read(table, data)

    @override
    def missing(self, table: object) -> object:
        return self._body.read(table, b"")


class Arms(Generic[Alternatives]):
    """A message that is one of several."""

    def __init__(self, arms: Iterable[tuple[type[object], int, Body[Alternatives]]]) -> None:
        tagged = [(kind, varint(number << 3 | SIZED), body) for kind, number, body in arms]
        self._writers: Final = {kind: (tag, body) for kind, tag, body in tagged}
        self._readers: Final = {tag: body for _, tag, body in tagged}

    def write(self, table: object, value: object) -> bytes:
        """The arm of the value's class."""
        tag, body = self._writers[type(value)]
        data = body.write(table, value)
        return tag + varint(len(data)) + data

    def read(self, table: object, data: bytes) -> Alternatives:
        """The value of the one arm that is there; raises Garbled or Unusual."""
        at = 2 if data and data[0] >= _FIRST_LONG_VARINT else 1
        body = self._readers.get(data[:at])
        if body is None:
            raise Unusual
        size, at = read_varint(data, at)
        if at + size != len(data):
            raise Unusual
        return body.read(table, data[at:])


def bind(stated: Statements[Table, Alternatives], message: Descriptor) -> Arms[Alternatives]:
    """The statements of a union and the message with an arm for each."""
    if len(message.oneofs) != 1 or len(message.oneofs[0].fields) != len(message.fields):
        raise Mismatch(f"{message.full_name} is no message of one oneof")
    arms = {arm.name: arm for arm in message.oneofs[0].fields}
    stated_arms = {one.arm: one.make.__name__ for one in stated.each}
    for arm in arms.keys() - stated_arms.keys():
        raise Mismatch(f"{message.full_name} has an arm {arm}, and no class is stated for it")
    for arm in stated_arms.keys() - arms.keys():
        raise Mismatch(f"{stated_arms[arm]} is stated, and {message.full_name} has no arm {arm}")
    return Arms([(one.make, arms[one.arm].number, _stated(one, arms[one.arm])) for one in stated.each])


def _stated(one: Statement[Table, Made], arm: FieldDescriptor) -> Body[Made]:
    message = _message(arm)
    if message.name != one.make.__name__:
        raise Mismatch(f"{arm.full_name} is a {message.name}, and {one.make.__name__} is stated for it")
    forms = zip(one.names, [term.form() for term in one.terms], strict=True)
    return Body(one.build, one.parts, _fields(one.make, tuple(forms), message))


def _fields(
    make: type[object], parts: tuple[tuple[str, Form], ...], message: Descriptor
) -> tuple[Field, ...]:
    names = [name for name, _ in parts]
    found = [field.name for field in message.fields]
    if names != found:
        raise Mismatch(
            f"{message.full_name} has the fields ({', '.join(found)}), and {make.__name__} the parts"
            f" ({', '.join(names)})"
        )
    if any(field.number << 3 >= _FIRST_LONG_VARINT for field in message.fields):
        raise Mismatch(f"{message.full_name} has a field with a number above 15")
    return tuple(
        _field(form, field, f"{make.__name__}.{field.name}")
        for (_, form), field in zip(parts, message.fields, strict=True)
    )


def _message(at: FieldDescriptor) -> Descriptor:
    if at.message_type is None:
        raise Mismatch(f"{at.full_name} is no message")
    return at.message_type


def _field(form: Form, at: FieldDescriptor, part: str) -> Field:
    if isinstance(form, Repetition) != at.is_repeated:
        found = "repeated" if at.is_repeated else "not repeated"
        raise Mismatch(f"{at.full_name} is {found}, and {part} is not")
    match form:
        case Repetition():
            of = _plain(form.of, at, part)
            if of.wire_type == SIZED:
                return RepeatedField(of, at.name, form)
            return PackedField(of, at.name, form, _encoder(form.of, part))
        case Absence():
            return _absent(form, at, part)
        case _:
            if at.has_presence and not isinstance(form, Composite):
                raise Mismatch(f"{at.full_name} is optional, and {part} is never None")
            return _plain(form, at, part)


def _absent(form: Absence, at: FieldDescriptor, part: str) -> Field:
    of = _plain(form.of, at, part)
    is_text = isinstance(form.of, Name | Spelling)
    is_optional = at.has_presence and not isinstance(form.of, Composite)
    if isinstance(form.of, Count | Truth) != is_optional:
        found = "optional" if is_optional else "not optional"
        raise Mismatch(f"{at.full_name} is {found}, and {part} is not")
    return AbsentField(of, form) if is_text and form.absent else PresentField(of)


def _plain(form: Form, at: FieldDescriptor, part: str) -> Field:
    expected, field = _unchecked(form, at, part)
    if at.type != expected:
        has = _TYPES.get(at.type, f"of type {at.type}")
        raise Mismatch(f"{at.full_name} is {has}, and {part} is {_TYPES[expected]}")
    return field()


def _unchecked(form: Form, at: FieldDescriptor, part: str) -> tuple[int, Callable[[], Field]]:
    number = at.number
    match form:
        case Name():
            return FieldDescriptor.TYPE_STRING, lambda: NameField(number, form)
        case Spelling():
            return FieldDescriptor.TYPE_STRING, lambda: SpelledField(number, at.name, form)
        case Count():
            return FieldDescriptor.TYPE_UINT32, lambda: CountField(number, form)
        case Truth():
            return FieldDescriptor.TYPE_BOOL, lambda: TruthField(number)
        case Enumeration():
            return FieldDescriptor.TYPE_ENUM, lambda: _enumerated(form, at, part)
        case Composite():
            return FieldDescriptor.TYPE_MESSAGE, lambda: _composed(form, at)
        case Repetition():
            raise Mismatch(f"{part}: several within several, or several or none, is no field")
        case Absence():
            if not isinstance(form.of, Name | Spelling) or not form.absent:
                raise Mismatch(f"{part}: several of which some are None need a word for None")
            return FieldDescriptor.TYPE_STRING, lambda: AbsentField(_plain(form.of, at, part), form)


def _enumerated(form: Enumeration, at: FieldDescriptor, part: str) -> Field:
    enum = at.enum_type
    names = [] if enum is None else [value.name for value in enum.values_by_number.values()]
    expected = enum_names(form)
    if enum is None or [enum.values_by_number[n].name for n in sorted(enum.values_by_number)] != expected:
        raise Mismatch(f"{at.full_name} has the values {names}, and {part} {expected}")
    return EnumField(at.number, form)


def enum_names(form: Enumeration) -> list[str]:
    """REGION_UNSPECIFIED, REGION_ROCK and so on."""
    prefix = "".join(f"_{letter}" if letter.isupper() else letter for letter in form.title).upper()[1:]
    words = [word.upper().replace("-", "_").replace(".", "_") for word in (*form.words, *form.beyond)]
    return [f"{prefix}_{word}" for word in ("UNSPECIFIED", *words)]


def _composed(form: Composite, at: FieldDescriptor) -> Field:
    message = _message(at)
    if message.name != form.make.__name__:
        raise Mismatch(f"{at.full_name} is a {message.name}, and {form.make.__name__} is stated for it")
    build: Callable[[*tuple[object, ...]], object] = form.make
    parts = parts_of(part_names(form.make))
    return MessageField(at.number, Body(build, parts, _fields(form.make, form.parts, message)))


def _encoder(form: Form, part: str) -> Callable[[object], int]:
    """From a value that is packed to its number."""
    if isinstance(form, Enumeration):
        places = {member: place for place, member in enumerate(form.members, start=1)}
        return places.__getitem__
    if isinstance(form, Count | Truth):
        return _number
    raise Mismatch(f"{part} cannot be packed")


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is no number")
    return value


def split(data: bytes) -> list[bytes]:
    """The messages of a repeated field number 1, which is all that there is; raises Unusual."""
    messages = []
    at, end = 0, len(data)
    while at < end:
        if data[at] != 1 << 3 | SIZED:
            raise Unusual
        size, at = read_varint(data, at + 1)
        if at + size > end:
            raise Unusual
        messages.append(data[at : at + size])
        at += size
    return messages
