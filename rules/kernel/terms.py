"""The nouns of a game: each is stated once, and from that read and written everywhere.

A term knows the text of its things, given the table (what never changes in a match: seats, components), and
the form in which they travel in messages. nouns.py has the simple terms, composed.py those made of others.
"""

from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar, cast

from typing_extensions import override

from rules.kernel.forms import Absence, Form, Repetition, Spelling, Unnamed
from rules.kernel.text import Unreadable, Word, quoted, words

Table = TypeVar("Table", contravariant=True)
Thing = TypeVar("Thing")
Part = TypeVar("Part")

UNKNOWN: Final = "?"
"""Stands for a thing that the record does not show."""
NOTHING: Final = "-"


class Term(Generic[Table, Thing]):
    """A noun. A subclass says how its things are written, read and sent."""

    what: str
    """'card', as messages call it."""
    lead: str = ""
    """A word of its own that comes before its things."""
    wide: bool = False
    """Whether it can take more than one word."""
    layout: tuple[str, int] = ("", 1)
    """The sign between its parts, and how many there are."""

    @property
    def article(self) -> str:
        """'a card', where a message says what is missing."""
        return f"{'an' if self.what[0] in 'aeiou' else 'a'} {self.what}"

    def write(self, table: Table, thing: Thing) -> str:
        """As a transcript has it."""
        raise NotImplementedError

    def read(self, table: Table, word: Word) -> Thing:
        """What a word says; raises Unreadable at the column."""
        thing, used = self.prefix(table, word, 0)
        if used < len(word.text):
            raise Unreadable(
                f"{quoted(word.text[used:])} stands after {self.article}; expected nothing",
                word.column + used,
            )
        return thing

    def prefix(self, table: Table, word: Word, at: int) -> tuple[Thing, int]:
        """The thing whose text begins at this place of a word, and the place after it."""
        raise NotImplementedError

    def reach(self, given: Sequence[Word], at: int) -> int:  # noqa: ARG002 - for those that take several words
        """How many words it takes, from this one on."""
        return 1

    def holds(self, thing: object) -> bool:
        """Whether the thing is one of this kind, where a term could be either of two."""
        raise NotImplementedError

    def rank(self, thing: Thing) -> int:  # noqa: ARG002 - for those that have one
        """Where the thing comes among others, in canonical order."""
        raise TypeError(f"{self.what} has no canonical order")

    def form(self) -> Form:
        """How it travels: as a string with its text, unless a subclass knows better."""
        plain = self.erased()
        return Spelling(plain.write, plain.read)

    def erased(self) -> "Term[object, object]":
        """The same term for those who know neither the table nor the things."""
        return cast("Term[object, object]", self)

    def or_unknown(self) -> "Term[Table, Thing | None]":
        """The thing, or `?` where the record does not show it."""
        return Maybe(self, UNKNOWN)

    def or_nothing(self) -> "Term[Table, Thing | None]":
        """The thing, or no word at all, at the end of a phrase."""
        return Maybe(self, "")

    def or_word(self, word: str) -> "Term[Table, Thing | None]":
        """The thing, or a word that says that there is none: `reserve`, `-`."""
        return Maybe(self, word)

    def several(  # noqa: PLR0913 - all of them have defaults
        self,
        joined: str = "+",
        *,
        nothing: str = NOTHING,
        canonical: bool = False,
        distinct: bool = False,
        count: int | None = None,
        optional: bool = False,
    ) -> "Term[Table, tuple[Thing, ...]]":
        """Several of them, joined by a sign or (for a stated count) by blanks; `-` for none.

        Canonical ones are read in any order and written in theirs; distinct ones stand once each. With
        `optional`, none are no word at all, at the end of a phrase.
        """
        return Several(
            self,
            joined,
            "" if optional else nothing,
            canonical=canonical,
            distinct=distinct,
            count=count,
            optional=optional,
        )

    def unless(self, fault: "Callable[[Table, Thing], str | None]") -> "Term[Table, Thing]":
        """The thing, refused where it is read and `fault` says why it cannot stand there."""
        return Unless(self, fault)

    def known(self: "Term[Table, Part | None]", why: str) -> "Term[Table, Part]":
        """The thing; where the word says that it is not known, it is refused."""
        return Known(self, why)

    def expecting(self, expected: str) -> "Term[Table, Thing]":
        """The thing; where a word is none, the fault says what was expected in these words."""
        return Expecting(self, expected)

    @property
    def optional(self) -> bool:
        """Whether a phrase may leave it out at the end."""
        return False

    @property
    def can_be_none(self) -> bool:
        """Whether None is one of its things."""
        return False


class Maybe(Term[Table, Thing | None]):
    """A thing, or None."""

    def __init__(self, of: Term[Table, Thing], absent: str) -> None:
        self.what = of.what
        self.wide = of.wide
        self.of: Final = of
        self.absent: Final = absent

    @property
    @override
    def article(self) -> str:
        return self.of.article

    @override
    def write(self, table: Table, thing: Thing | None) -> str:
        return self.absent if thing is None else self.of.write(table, thing)

    @override
    def read(self, table: Table, word: Word) -> Thing | None:
        return None if word.text == self.absent else self.of.read(table, word)

    @override
    def prefix(self, table: Table, word: Word, at: int) -> tuple[Thing | None, int]:
        if self.absent and word.text.startswith(self.absent, at):
            return None, at + len(self.absent)
        return (None, at) if at == len(word.text) and not self.absent else self.of.prefix(table, word, at)

    @override
    def reach(self, given: Sequence[Word], at: int) -> int:
        return 1 if given[at].text == self.absent else self.of.reach(given, at)

    @override
    def holds(self, thing: object) -> bool:
        return thing is None or self.of.holds(thing)

    @override
    def rank(self, thing: Thing | None) -> int:
        """Those that are not there come last."""
        return _LAST if thing is None else self.of.rank(thing)

    @override
    def form(self) -> Form:
        return Absence(self.of.form(), self.absent)

    @property
    @override
    def optional(self) -> bool:
        return not self.absent

    @property
    @override
    def can_be_none(self) -> bool:
        return True


_LAST: Final = 1 << 30


class Narrowed(Term[Table, Thing]):
    """The things of another term, read in a way of its own."""

    def __init__(self, of: Term[Table, Thing]) -> None:
        self.what = of.what
        self.of: Final = of

    @override
    def write(self, table: Table, thing: Thing) -> str:
        return self.of.write(table, thing)

    @override
    def prefix(self, table: Table, word: Word, at: int) -> tuple[Thing, int]:
        return self.read(table, Word(word.text[at:], word.column + at)), len(word.text)

    @override
    def holds(self, thing: object) -> bool:
        return self.of.holds(thing)

    @override
    def rank(self, thing: Thing) -> int:
        return self.of.rank(thing)

    @property
    @override
    def can_be_none(self) -> bool:
        return self.of.can_be_none


class Unless(Narrowed[Table, Thing]):
    """A thing that cannot stand everywhere."""

    def __init__(self, of: Term[Table, Thing], fault: Callable[[Table, Thing], str | None]) -> None:
        super().__init__(of)
        self.fault: Final = fault

    @override
    def read(self, table: Table, word: Word) -> Thing:
        thing = self.of.read(table, word)
        why = self.fault(table, thing)
        if why is not None:
            raise word.fault(why)
        return thing


class Known(Term[Table, Thing]):
    """A thing that cannot be None, read by a term that can."""

    def __init__(self, of: Term[Table, Thing | None], why: str) -> None:
        self.what = of.what
        self.of: Final = of
        self.why: Final = why

    @override
    def write(self, table: Table, thing: Thing) -> str:
        return self.of.write(table, thing)

    @override
    def read(self, table: Table, word: Word) -> Thing:
        thing = self.of.read(table, word)
        if thing is None:
            raise word.fault(f"{quoted(word.text)}; {self.why}")
        return thing

    @override
    def holds(self, thing: object) -> bool:
        return thing is not None and self.of.holds(thing)

    @override
    def rank(self, thing: Thing) -> int:
        return self.of.rank(thing)


class Expecting(Narrowed[Table, Thing]):
    """A thing whose faults say what was expected in words of the game."""

    def __init__(self, of: Term[Table, Thing], expected: str) -> None:
        super().__init__(of)
        self.expected: Final = expected

    @override
    def read(self, table: Table, word: Word) -> Thing:
        try:
            return self.of.read(table, word)
        except Unreadable:
            raise word.fault(f"{quoted(word.text)}; expected {self.expected}") from None


class Several(Term[Table, tuple[Thing, ...]]):
    """Any number of things, or a stated one."""

    def __init__(  # noqa: PLR0913 - `several` has defaults for them
        self,
        of: Term[Table, Thing],
        joined: str,
        nothing: str,
        *,
        canonical: bool,
        distinct: bool,
        count: int | None,
        optional: bool,
    ) -> None:
        if joined == " " and count is None:
            raise ValueError(f"{of.what}: several in words of their own need a count")
        self.what = f"{of.what}s"
        self.wide = joined == " "
        self.of: Final = of
        self.joined: Final = joined
        self.nothing: Final = nothing
        self.canonical: Final = canonical
        self.distinct: Final = distinct
        self.count: Final = count
        self._optional: Final = optional

    @property
    @override
    def article(self) -> str:
        return self.what if self.count is None else f"{self.count} {self.what}"

    @override
    def write(self, table: Table, thing: tuple[Thing, ...]) -> str:
        parts = [self.of.write(table, part) for part in self._ordered(thing)]
        return self.joined.join(parts) or self.nothing

    def _ordered(self, things: tuple[Thing, ...]) -> tuple[Thing, ...]:
        return tuple(sorted(things, key=self.of.rank)) if self.canonical else things

    @override
    def read(self, table: Table, word: Word) -> tuple[Thing, ...]:
        if word.text == self.nothing and not self.count:
            return ()
        things: list[Thing] = []
        for thing, column in self._parts(table, word):
            if self.distinct and thing in things:
                raise Unreadable(f"{self.of.write(table, thing)} stands twice", column)
            things.append(thing)
        if self.count is not None and len(things) != self.count:
            raise word.fault(f"{len(things)} {self.what}; expected {self.count}")
        return self._ordered(tuple(things))

    def _parts(self, table: Table, word: Word) -> list[tuple[Thing, int]]:
        if self.wide:
            return [(self.of.read(table, part), part.column) for part in words(word.text, word.column)]
        if self.joined:
            return [(self.of.read(table, part), part.column) for part in word.split(self.joined)]
        found: list[tuple[Thing, int]] = []
        at = 0
        while at < len(word.text) or not found:
            thing, after = self.of.prefix(table, word, at)
            found.append((thing, word.column + at))
            at = after
        return found

    @override
    def prefix(self, table: Table, word: Word, at: int) -> tuple[tuple[Thing, ...], int]:
        return self.read(table, Word(word.text[at:], word.column + at)), len(word.text)

    @override
    def reach(self, given: Sequence[Word], at: int) -> int:
        return min(self.count or 1, len(given) - at) if self.wide else 1

    @override
    def holds(self, thing: object) -> bool:
        return isinstance(thing, tuple) and all(map(self.of.holds, thing))

    @property
    @override
    def optional(self) -> bool:
        return self._optional

    @override
    def form(self) -> Form:
        plain = cast("Several[object, object]", self)
        return Repetition(self.of.form(), lambda _, things: _each(things), plain._joined)  # noqa: SLF001 - its own

    def _joined(self, _: object, things: tuple[Thing, ...]) -> tuple[Thing, ...]:
        if self.distinct and len(set(things)) < len(things):
            raise Unnamed("one of them stands twice")
        if self.count is not None and len(things) != self.count:
            raise Unnamed(f"there are {len(things)} of them; expected {self.count}")
        return self._ordered(things)


def _each(things: object) -> tuple[object, ...]:
    assert isinstance(things, tuple)  # noqa: S101 - what the term has read or the game has made
    return things
