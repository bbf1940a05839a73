"""Fields of protobuf messages, written and read as bytes without the generated code.

Only the shortest form of a message is read here, which is the one that everybody writes; anything else is
Unusual, and the generated code must look at it first.
"""

from collections.abc import Callable, Iterable
from typing import Final

from typing_extensions import override

from records.codec.wire import Garbled
from rules.kernel.forms import Absence, Count, Enumeration, Name, Repetition, Spelling, Unnamed
from rules.kernel.text import Unreadable, Word

VARINT: Final = 0
SIZED: Final = 2
"""Wire types of protobuf: a number, and bytes after their length."""

_MORE: Final = 0x80
"""The bit of a byte that says that a number goes on."""
_VARINT_BITS: Final = 64
"""Maximum bits of a number in a message."""
_LARGEST_NUMBER: Final = (1 << 32) - 1
"""No number of a field is larger; only a negative enumeration value is written so."""


class Unusual(Exception):
    """The bytes are not the shortest form of a message."""


def varint(number: int) -> bytes:
    """A number as protobuf writes it."""
    if number < _MORE:
        return _BYTES[number]
    parts = []
    while number >= _MORE:
        parts.append(number & 0x7F | _MORE)
        number >>= 7
    return bytes((*parts, number))


_BYTES: Final = tuple(bytes((number,)) for number in range(_MORE))


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """The number at this place, and the place after it."""
    number = shift = 0
    while at < len(data) and shift < _VARINT_BITS:
        byte = data[at]
        at += 1
        number |= (byte & 0x7F) << shift
        if byte < _MORE:
            if not byte and shift:
                raise Unusual
            return number, at
        shift += 7
    raise Unusual


class Field:
    """One field of a message: from a value to bytes and back."""

    wire_type: int = SIZED
    has_zero: bool = False
    """Whether a number 0 is written, because leaving it out means something else."""
    collects: bool = False
    """Whether its value is put together once the message is read."""

    def __init__(self, number: int) -> None:
        self.number: Final = number
        self.tag: Final = varint(number << 3 | self.wire_type)

    def write(self, table: object, value: object) -> bytes:
        """Its bytes, the tag included; empty where the value is the default."""
        raise NotImplementedError

    def read_number(self, table: object, number: int) -> object:  # noqa: ARG002 - not every field is one
        """The value of a number."""
        raise Unusual

    def read_bytes(self, table: object, data: bytes, before: object) -> object:  # noqa: ARG002 - likewise
        """The value of some bytes, given what was read of the same field before, or None."""
        raise Unusual

    def finish(self, _: object, found: object) -> object:
        """The value, once the message is read."""
        return found

    def missing(self, table: object) -> object:
        """The value of a field that is not there."""
        raise NotImplementedError


class NameField(Field):
    """The name of a thing."""

    def __init__(self, number: int, form: Name) -> None:
        super().__init__(number)
        self._names: Final = form.names
        self._fault: Final = form.fault

    @override
    def write(self, table: object, value: object) -> bytes:
        if not isinstance(value, int):
            raise TypeError(f"{value!r} is no number of a name")
        return self.tag + self._names(table).packed[value]

    @override
    def read_bytes(self, table: object, data: bytes, before: object) -> object:
        found = self._names(table).unpacked.get(data)
        if found is None:
            raise Garbled(self._fault(table, _text(data)))
        if before is not None:
            raise Unusual
        return found

    @override
    def missing(self, table: object) -> object:
        return self.read_bytes(table, b"", None)


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Unusual from None


class SpelledField(Field):
    """The text of a thing."""

    def __init__(self, number: int, what: str, form: Spelling) -> None:
        super().__init__(number)
        self._what: Final = what
        self._form: Final = form

    @override
    def write(self, table: object, value: object) -> bytes:
        data = self._form.write(table, value).encode()
        return self.tag + varint(len(data)) + data

    @override
    def read_bytes(self, table: object, data: bytes, before: object) -> object:
        if before is not None:
            raise Unusual
        try:
            return self._form.read(table, Word(_text(data), 1))
        except Unreadable as fault:
            raise Garbled(f"{self._what}: {fault.why}") from None

    @override
    def missing(self, table: object) -> object:
        return self.read_bytes(table, b"", None)


class CountField(Field):
    """A whole number."""

    wire_type = VARINT

    def __init__(self, number: int, form: Count) -> None:
        super().__init__(number)
        self._form: Final = form

    @override
    def write(self, table: object, value: object) -> bytes:
        if not isinstance(value, int):
            raise TypeError(f"{value!r} is no number")
        return self.tag + varint(value) if value else b""

    @override
    def read_number(self, table: object, number: int) -> object:
        if number > _LARGEST_NUMBER:
            raise Unusual
        if number > self._form.most(table):
            raise Garbled(self._form.fault(number))
        return number

    @override
    def missing(self, table: object) -> object:
        return self.read_number(table, 0)


class TruthField(Field):
    """Yes or no."""

    wire_type = VARINT

    @override
    def write(self, table: object, value: object) -> bytes:
        return self.tag + b"\1" if value else b""

    @override
    def read_number(self, table: object, number: int) -> object:
        if number > 1:
            raise Unusual
        return number == 1

    @override
    def missing(self, table: object) -> object:
        return False


class EnumField(Field):
    """A member of a closed list, by its place from 1."""

    wire_type = VARINT

    def __init__(self, number: int, form: Enumeration) -> None:
        super().__init__(number)
        self._members: Final = tuple(form.members)
        self._fault: Final = form.fault
        self._written: Final = {
            member: self.tag + varint(place) for place, member in enumerate(form.members, start=1)
        }

    @override
    def write(self, table: object, value: object) -> bytes:
        return self._written[value]

    @override
    def read_number(self, table: object, number: int) -> object:
        if 1 <= number <= len(self._members):
            return self._members[number - 1]
        if number >> (_VARINT_BITS - 1):
            number -= 1 << _VARINT_BITS
        elif number > _LARGEST_NUMBER >> 1:
            raise Unusual
        raise Garbled(self._fault(number))

    @override
    def missing(self, table: object) -> object:
        return self.read_number(table, 0)


class PresentField(Field):
    """Something or None, where None is a field that is left out."""

    def __init__(self, of: Field) -> None:
        self.wire_type = of.wire_type
        self.has_zero = True
        super().__init__(of.number)
        self._of: Final = of

    @override
    def write(self, table: object, value: object) -> bytes:
        if value is None:
            return b""
        return self._of.write(table, value) or self.tag + b"\0"

    @override
    def read_number(self, table: object, number: int) -> object:
        return self._of.read_number(table, number)

    @override
    def read_bytes(self, table: object, data: bytes, before: object) -> object:
        return self._of.read_bytes(table, data, before)

    @override
    def missing(self, table: object) -> object:
        return None


class AbsentField(Field):
    """Something or None, where None is written as a word: `?`."""

    def __init__(self, of: Field, form: Absence) -> None:
        super().__init__(of.number)
        self._of: Final = of
        self._absent: Final = form.absent.encode()
        self._written: Final = self.tag + varint(len(self._absent)) + self._absent

    @override
    def write(self, table: object, value: object) -> bytes:
        return self._written if value is None else self._of.write(table, value)

    @override
    def read_bytes(self, table: object, data: bytes, before: object) -> object:
        return None if data == self._absent else self._of.read_bytes(table, data, before)

    @override
    def missing(self, table: object) -> object:
        return self._of.missing(table)


class RepeatedField(Field):
    """Names, texts or messages, one by one."""

    collects = True

    def __init__(self, of: Field, what: str, form: Repetition) -> None:
        super().__init__(of.number)
        self._of: Final = of
        self._what: Final = what
        self._form: Final = form

    @override
    def write(self, table: object, value: object) -> bytes:
        write = self._of.write
        return b"".join([write(table, part) for part in self._form.each(table, value)])

    @override
    def read_bytes(self, table: object, data: bytes, before: object) -> object:
        part = self._of.read_bytes(table, data, None)
        if isinstance(before, list):
            before.append(part)
            return before
        return [part]

    @override
    def finish(self, table: object, found: object) -> object:
        return joined(self._form, self._what, table, found if isinstance(found, list) else ())

    @override
    def missing(self, table: object) -> object:
        return joined(self._form, self._what, table, ())


class PackedField(Field):
    """Numbers, all of them in one string of bytes."""

    collects = True

    def __init__(self, of: Field, what: str, form: Repetition, encode: Callable[[object], int]) -> None:
        super().__init__(of.number)
        self._of: Final = of
        self._what: Final = what
        self._form: Final = form
        self._encode: Final = encode

    @override
    def write(self, table: object, value: object) -> bytes:
        encode = self._encode
        data = b"".join([varint(encode(part)) for part in self._form.each(table, value)])
        return self.tag + varint(len(data)) + data if data else b""

    @override
    def read_bytes(self, table: object, data: bytes, before: object) -> object:
        if not data or before is not None:
            raise Unusual
        read, at = self._of.read_number, 0
        parts = []
        while at < len(data):
            number, at = read_varint(data, at)
            parts.append(read(table, number))
        return parts

    @override
    def finish(self, table: object, found: object) -> object:
        return joined(self._form, self._what, table, found if isinstance(found, list) else ())

    @override
    def missing(self, table: object) -> object:
        return joined(self._form, self._what, table, ())


def joined(form: Repetition, what: str, table: object, found: Iterable[object]) -> object:
    """The value that was collected item by item, in the type of its field."""
    try:
        return form.join(table, tuple(found))
    except Unnamed as fault:
        raise Garbled(f"{what}: {fault.in_messages}") from None
