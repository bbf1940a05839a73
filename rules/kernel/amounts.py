"""Terms of amounts that a state keeps as bytes: a count for each place, and multisets of named things."""

import re
from collections.abc import Callable
from typing import Final, TypeVar

from typing_extensions import override

from rules.kernel.nouns import Named
from rules.kernel.terms import UNKNOWN, Term
from rules.kernel.text import Word, quoted

Table = TypeVar("Table", contravariant=True)
Number = TypeVar("Number", bound=int)


class Counts(Term[Table, bytes]):
    """A number for each place, joined by points: `5.5.0.4`; no text where all are 0, if the term says so."""

    def __init__(
        self, what: str, most: int, places: Callable[[Table], int], *, zeros_are_nothing: bool = False
    ) -> None:
        self.what = what
        self.most: Final = most
        self.places: Final = places
        self._zeros_are_nothing: Final = zeros_are_nothing

    @override
    def write(self, table: Table, thing: bytes) -> str:
        return "" if self._zeros_are_nothing and not any(thing) else ".".join(map(str, thing))

    @override
    def read(self, table: Table, word: Word) -> bytes:
        places = self.places(table)
        if self._zeros_are_nothing and not word.text:
            return bytes(places)
        parts = word.split(".")
        if len(parts) != places:
            raise word.fault(f"{len(parts)} numbers; expected {places}, joined by points")
        return bytes(part.whole_number(0, self.most, self.what) for part in parts)

    @override
    def holds(self, thing: object) -> bool:
        return isinstance(thing, bytes)


class Multiset(Term[Table, bytes]):
    """How many of each thing, by its number: `rus.E.ice,rus.E.ice`, in the order of the set."""

    def __init__(
        self, of: Named[Table, Number], most: Callable[[Table], bytes], *, nothing: str = ""
    ) -> None:
        """`most` says how many there are of each; an unknown one, `?`, is none of them."""
        self.what = f"{of.what}s"
        self.of: Final = of
        self.most: Final = most
        self.nothing: Final = nothing

    @override
    def write(self, table: Table, thing: bytes) -> str:
        if not any(thing):
            return self.nothing
        each = zip(self.of.names(table).names, thing, strict=True)
        return ",".join([name for name, count in each if count for _ in range(count)])

    @override
    def read(self, table: Table, word: Word) -> bytes:
        most = self.most(table)
        counts = bytearray(len(most))
        for part in word.split(",") if word.text != self.nothing else ():
            number = None if part.text == UNKNOWN else self.of.read(table, part)
            if number is None or counts[number] == most[number]:
                raise part.fault(f"{quoted(part.text)} cannot stand here so often")
            counts[number] += 1
        return bytes(counts)

    @override
    def holds(self, thing: object) -> bool:
        return isinstance(thing, bytes)


class Lettered(Term[object, bytes]):
    """How many of each kind, by one letter per kind in their order: `M2P1`; those that are 0 are left out."""

    def __init__(self, what: str, letters: str, example: str) -> None:
        self.what = what
        self.letters: Final = letters
        self.example: Final = example
        self._pattern: Final = re.compile("".join(f"(?:{re.escape(letter)}([1-9]))?" for letter in letters))

    @override
    def write(self, table: object, thing: bytes) -> str:
        each = zip(self.letters, thing, strict=True)
        return "".join([f"{letter}{count}" for letter, count in each if count])

    @override
    def read(self, table: object, word: Word) -> bytes:
        found = self._pattern.fullmatch(word.text)
        if found is None:
            why = f"{quoted(word.text)} counts no {self.what}; expected for instance {self.example}"
            raise word.fault(why)
        return bytes(int(count or 0) for count in found.groups())

    @override
    def holds(self, thing: object) -> bool:
        return isinstance(thing, bytes)
