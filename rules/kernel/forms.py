"""How a term travels in a message: what a codec derives its fields from, with the types erased."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeAlias, TypeVar

from rules.kernel.text import Word, quoted

Thing = TypeVar("Thing", bound=int)

_SHORT: Final = 0x7F
"""The longest name in bytes whose length is one byte of a message."""


class Unnamed(ValueError):
    """What was read is nothing of the table."""

    def __init__(self, why: str, in_messages: str = "") -> None:
        super().__init__(why)
        self.in_messages: Final = in_messages or why
        """The same for those who read no text but a message."""


class Names(Generic[Thing]):
    """Things by number, each with its public name: made once for a component set, ready for every use."""

    def __init__(self, names: Iterable[str], make: Callable[[int], Thing], source: str = "") -> None:
        self.names: Final = tuple(names)
        self.source: Final = source
        """The set that they are of, for messages."""
        self.each: Final = tuple(make(number) for number in range(len(self.names)))
        """The things, in order."""
        self.number_of: Final = dict(zip(self.names, self.each, strict=True))
        self.packed: Final = tuple(map(_with_size, self.names))
        """As a message has them: a byte for the length, then the name."""
        self.unpacked: Final = {name.encode(): number for name, number in self.number_of.items()}
        if len(self.number_of) < len(self.names) or "" in self.number_of:
            raise ValueError("a name is empty or stands twice")


def _with_size(name: str) -> bytes:
    data = name.encode()
    if len(data) > _SHORT:
        raise ValueError(f"{quoted(name)} is longer than {_SHORT} bytes")
    return bytes((len(data),)) + data


@dataclass(frozen=True, slots=True)
class Name:
    """A string: the name of a thing that the table has."""

    names: Callable[[object], Names[int]]
    fault: Callable[[object, str], str]
    """Why a string is no such name."""


@dataclass(frozen=True, slots=True)
class Count:
    """A whole number from 0."""

    most: Callable[[object], int]
    fault: Callable[[int], str]
    """Why a number is too large."""


@dataclass(frozen=True, slots=True)
class Truth:
    """Yes or no."""


@dataclass(frozen=True, slots=True)
class Enumeration:
    """A member of a closed list; its number is its place from 1, and 0 is none of them."""

    title: str
    """'Region'."""
    members: Sequence[object]
    words: Sequence[str]
    fault: Callable[[int], str]
    beyond: Sequence[str] = ()
    """Words that the list has after these, of members that are none here."""


@dataclass(frozen=True, slots=True)
class Composite:
    """A message within a message."""

    make: type[object]
    parts: "tuple[tuple[str, Form], ...]"
    """By name, in order."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """Several, one after the other."""

    of: "Form"
    each: Callable[[object, object], Iterable[object]]
    """Apart, given the table."""
    join: Callable[[object, tuple[object, ...]], object]
    """And together again; raises Unnamed."""


@dataclass(frozen=True, slots=True)
class Absence:
    """Something, or None."""

    of: "Form"
    absent: str
    """What stands for None where a name is expected; without it the field is left out."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """A string: the text of a term that is made of others."""

    write: Callable[[object, object], str]
    read: Callable[[object, Word], object]
    """Raises Unreadable."""


Form: TypeAlias = Name | Count | Truth | Enumeration | Composite | Repetition | Absence | Spelling
