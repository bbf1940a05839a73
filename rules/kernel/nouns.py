"""The simple nouns: things that the table names, cells, seats, numbers, flags and closed lists."""

import re
from collections.abc import Callable, Sequence
from typing import Final, TypeVar, cast

from typing_extensions import override

from rules.kernel.actors import Seat
from rules.kernel.cells import COLUMNS, ROWS, Cell, cell_name, read_cell, read_cell_at
from rules.kernel.forms import Count, Enumeration, Form, Name, Names, Truth
from rules.kernel.terms import Term
from rules.kernel.text import Unreadable, Word, quoted

Table = TypeVar("Table", contravariant=True)
Thing = TypeVar("Thing")
Number = TypeVar("Number", bound=int)

_DIGITS: Final = re.compile(r"[0-9]{1,9}")


class Named(Term[Table, Number]):
    """Things that the table names, by number."""

    def __init__(self, what: str, names: Callable[[Table], Names[Number]], *, too_many: bool = False) -> None:
        """`too_many`: a message gives one name as an example and does not list them all."""
        self.what = what
        self.names: Final = names
        self._too_many: Final = too_many

    @override
    def write(self, table: Table, thing: Number) -> str:
        return self.names(table).names[thing]

    @override
    def read(self, table: Table, word: Word) -> Number:
        names = self.names(table)
        found = names.number_of.get(word.text)
        if found is None:
            raise word.fault(f"{quoted(word.text)} is no {self._expected(names)}")
        return found

    def _expected(self, names: Names[Number]) -> str:
        if self._too_many:
            return f"{self.what} of {names.source}; expected one such as {names.names[0]}"
        return f"{self.what}; expected {', '.join(names.names)}"

    @override
    def prefix(self, table: Table, word: Word, at: int) -> tuple[Number, int]:
        names = self.names(table)
        longest = longest_prefix(names.names, word.text, at)
        if longest is None:
            raise Unreadable(
                f"{quoted(word.text[at:])} begins with no {self._expected(names)}",
                word.column + at,
            )
        return names.number_of[longest], at + len(longest)

    @override
    def holds(self, thing: object) -> bool:
        return type(thing) is int

    @override
    def rank(self, thing: Number) -> int:
        return thing

    @override
    def form(self) -> Form:
        names = cast("Callable[[object], Names[int]]", self.names)

        def fault(table: object, text: str) -> str:
            return f"{self.what}: {quoted(text)} is no {self.what} of {names(table).source}"

        return Name(names, fault)


def longest_prefix(names: Sequence[str], text: str, at: int) -> str | None:
    """The longest of the names that the text has at this place."""
    return max((name for name in names if text.startswith(name, at)), key=len, default=None)


class _Cells(Named[object, Cell]):
    """Cells of a square grid, which say where in a word they go wrong."""

    @override
    def read(self, table: object, word: Word) -> Cell:
        return read_cell(word)

    @override
    def prefix(self, table: object, word: Word, at: int) -> tuple[Cell, int]:
        return read_cell_at(word, at)

    @override
    def form(self) -> Form:
        names = cast("Callable[[object], Names[int]]", self.names)
        return Name(names, lambda _, text: f"cell: {quoted(text)} is no cell; expected one such as g7")


_GRID: Final = Names((cell_name(Cell(number)) for number in range(ROWS * COLUMNS)), Cell)
CELL: Final[Named[object, Cell]] = _Cells("cell", lambda _: _GRID)
"""A cell of a square grid, on any board: g7."""


class Seats(Term[Table, Seat]):
    """Seats: a name in a text, a number from 0 in a message."""

    def __init__(self, names: Callable[[Table], tuple[str, ...]]) -> None:
        self.what = "seat"
        self.names: Final = names

    @override
    def write(self, table: Table, thing: Seat) -> str:
        return self.names(table)[thing]

    @override
    def read(self, table: Table, word: Word) -> Seat:
        names = self.names(table)
        if word.text not in names:
            raise word.fault(f"{quoted(word.text)} is no seat; expected {', '.join(names)}")
        return Seat(names.index(word.text))

    @override
    def prefix(self, table: Table, word: Word, at: int) -> tuple[Seat, int]:
        names = self.names(table)
        longest = longest_prefix(names, word.text, at)
        if longest is None:
            why = f"{quoted(word.text[at:])} begins with no seat; expected {', '.join(names)}"
            raise Unreadable(why, word.column + at)
        return Seat(names.index(longest)), at + len(longest)

    @override
    def holds(self, thing: object) -> bool:
        return type(thing) is int

    @override
    def rank(self, thing: Seat) -> int:
        return thing

    @override
    def form(self) -> Form:
        names = cast("Callable[[object], tuple[str, ...]]", self.names)
        return Count(
            lambda table: len(names(table)) - 1,
            lambda number: f"seat: there is no seat {number}, counting from 0",
        )


class SeatNumber(Term[Table, Seat]):
    """A seat by its number from 1."""

    def __init__(self, names: Callable[[Table], tuple[str, ...]]) -> None:
        self.what = "seat"
        self.names: Final = names

    @override
    def write(self, table: Table, thing: Seat) -> str:
        return str(thing + 1)

    @override
    def read(self, table: Table, word: Word) -> Seat:
        return Seat(word.whole_number(1, len(self.names(table)), self.what) - 1)

    @override
    def prefix(self, table: Table, word: Word, at: int) -> tuple[Seat, int]:
        return self.read(table, Word(word.text[at : at + 1], word.column + at)), at + 1

    @override
    def holds(self, thing: object) -> bool:
        return type(thing) is int

    @override
    def rank(self, thing: Seat) -> int:
        return thing


class SeatNumbers(Term[Table, tuple[Seat, ...]]):
    """Seats by their numbers from 1, at least one, in order: `13`."""

    def __init__(self, names: Callable[[Table], tuple[str, ...]]) -> None:
        self.what = "seats"
        self.names: Final = names

    @override
    def write(self, table: Table, thing: tuple[Seat, ...]) -> str:
        return "".join([str(seat + 1) for seat in thing])

    @override
    def read(self, table: Table, word: Word) -> tuple[Seat, ...]:
        known = [str(number) for number in range(1, len(self.names(table)) + 1)]
        marks = list(word.text)
        if not marks or any(mark not in known for mark in marks) or marks != sorted(set(marks)):
            raise word.fault(f"{quoted(word.text)}; expected seats by number, in order, of {''.join(known)}")
        return tuple(Seat(int(mark) - 1) for mark in marks)

    @override
    def prefix(self, table: Table, word: Word, at: int) -> tuple[tuple[Seat, ...], int]:
        digits = _DIGITS.match(word.text, at)
        text = digits[0] if digits else word.text[at : at + 1]
        return self.read(table, Word(text, word.column + at)), at + len(text)

    @override
    def holds(self, thing: object) -> bool:
        return isinstance(thing, tuple) and all(type(seat) is int for seat in thing)


class Whole(Term[object, Number]):
    """A whole number in a range, of a type of its own or a plain one."""

    def __init__(self, what: str, most: int, make: Callable[[int], Number], least: int = 0) -> None:
        self.what = what
        self.least: Final = least
        self.most: Final = most
        self.make: Final = make

    @override
    def write(self, table: object, thing: Number) -> str:
        return str(int(thing))

    @override
    def read(self, table: object, word: Word) -> Number:
        return self.make(word.whole_number(self.least, self.most, self.what))

    @override
    def prefix(self, table: object, word: Word, at: int) -> tuple[Number, int]:
        digits = _DIGITS.match(word.text, at)
        text = digits[0] if digits else word.text[at : at + 1]
        return self.read(table, Word(text, word.column + at)), at + len(text)

    @override
    def holds(self, thing: object) -> bool:
        return type(thing) is int

    @override
    def rank(self, thing: Number) -> int:
        return thing

    @override
    def form(self) -> Form:
        return Count(
            lambda _: self.most,
            lambda number: (
                f"{self.what}: {number} is no {self.what}; expected a number from 0 to {self.most}"
            ),
        )


def number(what: str, most: int, *, least: int = 0) -> Whole[int]:
    """A plain whole number; in messages any from 0."""
    return Whole(what, most, int, least)


class Flag(Term[object, bool]):
    """Yes or no: a word that stands there or does not, or one word for each."""

    def __init__(self, what: str, yes: str = "yes", no: str = "no") -> None:
        self.what = what
        self.yes: Final = yes
        self.no: Final = no

    @override
    def write(self, table: object, thing: bool) -> str:
        return self.yes if thing else self.no

    @override
    def read(self, table: object, word: Word) -> bool:
        if word.text not in {self.yes, self.no}:
            either = f"{self.yes} or {self.no}" if self.no else f"{self.yes} or nothing"
            raise word.fault(f"{quoted(word.text)}; expected {either}")
        return word.text == self.yes

    @override
    def prefix(self, table: object, word: Word, at: int) -> tuple[bool, int]:
        longest = longest_prefix((self.yes, self.no), word.text, at)
        if longest is None:
            raise Unreadable(f"expected {self.yes} or {self.no}", word.column + at)
        return longest == self.yes, at + len(longest)

    @override
    def holds(self, thing: object) -> bool:
        return isinstance(thing, bool)

    @override
    def rank(self, thing: bool) -> int:
        return thing

    @override
    def form(self) -> Form:
        return Truth()

    @property
    @override
    def optional(self) -> bool:
        return not self.no


class Choice(Term[object, Thing]):
    """One of a closed list that belongs to the rules, such as an enumeration."""

    def __init__(
        self,
        what: str,
        members: Sequence[Thing],
        words: Sequence[str],
        noun: str = "",
        beyond: Sequence[str] = (),
    ) -> None:
        self.what = what
        self.noun: Final = noun or what
        self.members: Final = tuple(members)
        self.words: Final = tuple(words)
        self._beyond: Final = tuple(beyond)
        self.word_of: Final = dict(zip(members, words, strict=True))
        self.member_of: Final = dict(zip(words, members, strict=True))
        self._place: Final = {member: place for place, member in enumerate(members)}
        if len(self.member_of) < len(self.words) or len(self.word_of) < len(self.words) or not self.words:
            raise ValueError(f"{what}: a word or a member stands twice, or there is none")

    @override
    def write(self, table: object, thing: Thing) -> str:
        return self.word_of[thing]

    @override
    def read(self, table: object, word: Word) -> Thing:
        if word.text not in self.member_of:
            raise word.fault(f"{quoted(word.text)} is no {self.noun}; expected {', '.join(self.words)}")
        return self.member_of[word.text]

    @override
    def prefix(self, table: object, word: Word, at: int) -> tuple[Thing, int]:
        longest = longest_prefix(self.words, word.text, at)
        if longest is None:
            why = f"{quoted(word.text[at:])} begins with no {self.noun}; expected {', '.join(self.words)}"
            raise Unreadable(why, word.column + at)
        return self.member_of[longest], at + len(longest)

    @override
    def holds(self, thing: object) -> bool:
        return type(thing) is type(self.members[0]) and thing in self._place

    @override
    def rank(self, thing: Thing) -> int:
        return self._place[thing]

    @override
    def form(self) -> Form:
        title = "".join(part.capitalize() for part in self.what.split())
        return Enumeration(
            title,
            self.members,
            self.words,
            lambda number: f"{self.what}: {number} is no {self.noun}",
            self._beyond,
        )

    def first(self, count: int) -> "Choice[Thing]":
        """The same list without what it has last: messages have one enumeration for both."""
        return Choice(
            self.what, self.members[:count], self.words[:count], self.noun, self.words[count:] + self._beyond
        )
