"""Terms made of other terms: unions, multisets, half-secret things, a game's own sets."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Generic, TypeVar, cast, overload

from typing_extensions import override

from rules.kernel.forms import Form, Repetition, Unnamed
from rules.kernel.terms import NOTHING, UNKNOWN, Term
from rules.kernel.text import Unreadable, Word, quoted

Table = TypeVar("Table", contravariant=True)
Thing = TypeVar("Thing")
Part = TypeVar("Part")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")


class Constant(Term[object, Thing]):
    """A word that stands for one thing: `area`."""

    def __init__(self, word: str, thing: Thing) -> None:
        self.what = word
        self.thing: Final = thing

    @property
    @override
    def article(self) -> str:
        return self.what

    @override
    def write(self, table: object, thing: Thing) -> str:
        return self.what

    @override
    def prefix(self, table: object, word: Word, at: int) -> tuple[Thing, int]:
        if not word.text.startswith(self.what, at):
            raise Unreadable(f"expected {self.what}, found {quoted(word.text[at:])}", word.column + at)
        return self.thing, at + len(self.what)

    @override
    def holds(self, thing: object) -> bool:
        return type(thing) is type(self.thing) and thing == self.thing

    @override
    def rank(self, thing: Thing) -> int:
        return 0


class Marked(Term[Table, Thing]):
    """A thing with a sign after it: `w?`."""

    def __init__(self, of: Term[Table, Thing], sign: str) -> None:
        self.what = f"{of.what} with {sign}"
        self.of: Final = of
        self.sign: Final = sign

    @override
    def write(self, table: Table, thing: Thing) -> str:
        return self.of.write(table, thing) + self.sign

    @override
    def prefix(self, table: Table, word: Word, at: int) -> tuple[Thing, int]:
        thing, after = self.of.prefix(table, word, at)
        if not word.text.startswith(self.sign, after):
            raise Unreadable(f"expected {self.sign} after {quoted(word.text[at:after])}", word.column + after)
        return thing, after + len(self.sign)

    @override
    def holds(self, thing: object) -> bool:
        return self.of.holds(thing)

    @override
    def rank(self, thing: Thing) -> int:
        return self.of.rank(thing)


class After(Term[Table, Thing]):
    """A thing with a word of its own before it: `rest R`."""

    def __init__(self, word: str, of: Term[Table, Thing]) -> None:
        self.what = f"{word} and {of.article}"
        self.lead = word
        self.wide = True
        self.of: Final = of

    @property
    @override
    def article(self) -> str:
        return self.what

    @override
    def write(self, table: Table, thing: Thing) -> str:
        return f"{self.lead} {self.of.write(table, thing)}"

    @override
    def prefix(self, table: Table, word: Word, at: int) -> tuple[Thing, int]:
        first, _, _ = word.text[at:].partition(" ")
        if first != self.lead:
            raise Unreadable(f"expected {self.lead}, found {quoted(first)}", word.column + at)
        rest = word.text[at + len(first) :].lstrip(" ")
        if not rest:
            why = f"expected {self.of.article} after {self.lead}"
            raise Unreadable(why, word.column + at + len(first))
        begin = len(word.text) - len(rest)
        return self.of.read(table, Word(rest, word.column + begin)), len(word.text)

    @override
    def reach(self, given: Sequence[Word], at: int) -> int:
        return 1 + self.of.reach(given, at + 1) if at + 1 < len(given) else 1

    @override
    def holds(self, thing: object) -> bool:
        return self.of.holds(thing)


class Either(Term[Table, Thing]):
    """A thing of one kind or another; the first term that can read it does."""

    def __init__(self, what: str, options: "tuple[Term[Table, Thing], ...]") -> None:
        self.what = what
        self.wide = any(option.wide for option in options)
        self.options: Final = options

    @override
    def write(self, table: Table, thing: Thing) -> str:
        return self._of(thing).write(table, thing)

    def _of(self, thing: Thing) -> Term[Table, Thing]:
        for option in self.options:
            if option.holds(thing):
                return option
        raise TypeError(f"{thing!r} is no {self.what}")

    @override
    def prefix(self, table: Table, word: Word, at: int) -> tuple[Thing, int]:
        faults: list[Unreadable] = []
        for option in self.options:
            try:
                return option.prefix(table, word, at)
            except Unreadable as fault:
                faults.append(fault)
        furthest = max(faults, key=lambda fault: fault.column)
        if furthest.column > word.column + at:
            raise furthest
        expected = " or ".join(option.article for option in self.options)
        why = f"{quoted(word.text[at:])} is no {self.what}; expected {expected}"
        raise Unreadable(why, word.column + at)

    @override
    def read(self, table: Table, word: Word) -> Thing:
        """The first that takes the whole word; else the fault of the one that came furthest."""
        for option in self.options:
            try:
                return option.read(table, word)
            except Unreadable:
                continue
        return super().read(table, word)

    @override
    def reach(self, given: Sequence[Word], at: int) -> int:
        for option in self.options:
            if option.lead and given[at].text == option.lead:
                return option.reach(given, at)
        return 1

    @override
    def holds(self, thing: object) -> bool:
        return any(option.holds(thing) for option in self.options)

    @override
    def rank(self, thing: Thing) -> int:
        """Those of an earlier kind come first."""
        option = self._of(thing)
        return (self.options.index(option) << 20) + option.rank(thing)


@overload
def either(what: str, a: Term[Table, A], b: Term[Table, B], /) -> Term[Table, A | B]: ...
@overload
def either(
    what: str, a: Term[Table, A], b: Term[Table, B], c: Term[Table, C], /
) -> Term[Table, A | B | C]: ...
def either(what: str, /, *options: object) -> object:
    """A thing of one kind or another: a numbered space or `area`; a kind or the id of a card."""
    return Either(what, cast("tuple[Term[object, object], ...]", options))


def half_secret(face: Term[Table, A], back: Term[Table, B]) -> Term[Table, A | B]:
    """A thing whose back is public: its face, or its back with `?` where the face is not shown."""
    return either(face.what, face, Marked(back, UNKNOWN))


class Tally(Term[object, tuple[int, ...]]):
    """How many of each kind, by one letter per kind: `wwc`, or with numbers `w2s1`; `-` for none.

    Any order is read; the order of the letters is canonical.
    """

    def __init__(self, what: str, letters: str, *, numbers: bool) -> None:
        self.what = what
        self.letters: Final = letters
        self.numbers: Final = numbers
        self._part: Final = re.compile(
            f"([{re.escape(letters)}])" + ("([1-9][0-9]{0,2})" if numbers else "()")
        )

    @property
    @override
    def article(self) -> str:
        return self.what

    @override
    def write(self, table: object, thing: tuple[int, ...]) -> str:
        parts = [
            f"{letter}{count}" if self.numbers else letter * count
            for letter, count in zip(self.letters, thing, strict=True)
            if count
        ]
        return "".join(parts) or NOTHING

    @override
    def prefix(self, table: object, word: Word, at: int) -> tuple[tuple[int, ...], int]:
        counts = [0] * len(self.letters)
        if word.text.startswith(NOTHING, at):
            return tuple(counts), at + len(NOTHING)
        begin = at
        while part := self._part.match(word.text, at):
            kind = self.letters.index(part[1])
            if counts[kind] and self.numbers:
                raise Unreadable(f"{part[1]} stands twice", word.column + at)
            counts[kind] += int(part[2] or 1)
            at = part.end()
        if at == begin or (at < len(word.text) and word.text[at] in self.letters):
            raise self._fault(word, at)
        return tuple(counts), at

    @override
    def read(self, table: object, word: Word) -> tuple[int, ...]:
        counts, at = self.prefix(table, word, 0)
        if at < len(word.text):
            raise self._fault(word, at)
        return counts

    def _fault(self, word: Word, at: int) -> Unreadable:
        example = (
            f"{self.letters[0]}2{self.letters[-1]}1"
            if self.numbers
            else f"{self.letters[0]}{self.letters[-1]}"
        )
        why = f"{quoted(word.text[at:])}; expected {self.what} such as {example}, of {self.letters}"
        return Unreadable(why, word.column + at)

    @override
    def holds(self, thing: object) -> bool:
        return isinstance(thing, tuple) and len(thing) == len(self.letters)


class Gathered(Term[Table, Thing], Generic[Table, Thing, Part]):
    """Several things that the state keeps in a form of its own: a set of cells as one integer, say."""

    def __init__(  # noqa: PLR0913 - the first four say what it is, the others how it is written
        self,
        what: str,
        of: Term[Table, Part],
        each: Callable[[Table, Thing], Iterable[Part]],
        gather: Callable[[Table, tuple[Part, ...]], Thing],
        *,
        joined: str = "",
        nothing: str = NOTHING,
        article: str = "",
    ) -> None:
        self.what = what
        self.of: Final = of
        self.each: Final = each
        """In canonical order."""
        self.gather: Final = gather
        """Raises Unnamed."""
        self._several: Final = of.several(joined, nothing=nothing)
        self._article: Final = article or what

    @property
    @override
    def article(self) -> str:
        return self._article

    @override
    def write(self, table: Table, thing: Thing) -> str:
        return self._several.write(table, tuple(self.each(table, thing)))

    @override
    def read(self, table: Table, word: Word) -> Thing:
        try:
            return self.gather(table, self._several.read(table, word))
        except Unnamed as fault:
            raise word.fault(str(fault)) from None

    @override
    def prefix(self, table: Table, word: Word, at: int) -> tuple[Thing, int]:
        return self.read(table, Word(word.text[at:], word.column + at)), len(word.text)

    @override
    def holds(self, thing: object) -> bool:
        return not isinstance(thing, tuple) or all(map(self.of.holds, thing))

    @override
    def form(self) -> Form:
        plain = cast("Gathered[object, object, object]", self)
        return Repetition(self.of.form(), plain.each, plain.gather)
