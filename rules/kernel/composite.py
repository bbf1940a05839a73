"""Values with parts as terms: places in places, `C2b1`, and parts with signs between them, `3/w2/-`."""

from collections.abc import Callable
from typing import Final, TypeVar, cast, overload

from typing_extensions import override

from rules.kernel.forms import Composite, Form
from rules.kernel.statements import Statement
from rules.kernel.terms import Term
from rules.kernel.text import Word, quoted

Table = TypeVar("Table", contravariant=True)
Made = TypeVar("Made")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")
F = TypeVar("F")


class Record(Term[Table, Made]):
    """A value with parts, written one after the other: `C2b1`."""

    def __init__(
        self, what: str, of: Statement[Table, Made], joined: str, example: str, *, message: bool
    ) -> None:
        self.what = what
        self.of: Final = of
        self.joined: Final = joined
        self.example: Final = example
        self.message: Final = message
        self._parts: Final = tuple(part_count(term, joined) for term in of.terms)
        """How many parts each term takes."""
        self.layout = (joined, sum(self._parts))

    @override
    def write(self, table: Table, thing: Made) -> str:
        return self.joined.join(
            term.write(table, part) for term, part in zip(self.of.terms, self.of.parts(thing), strict=True)
        )

    @override
    def read(self, table: Table, word: Word) -> Made:
        if not self.joined:
            return super().read(table, word)
        given = word.split(self.joined) or [word]
        if len(given) != sum(self._parts):
            raise word.fault(self._expected(word))
        read: list[object] = []
        at = 0
        for term, parts in zip(self.of.terms, self._parts, strict=True):
            text = self.joined.join(part.text for part in given[at : at + parts])
            read.append(term.read(table, Word(text, given[at].column)))
            at += parts
        return self.of.build(*read)

    def _expected(self, word: Word) -> str:
        if self.example:
            return f"{quoted(word.text)}; expected {self.article} such as {self.example}"
        expected = self.joined.join(name.upper() for name in self.of.names)
        return f"{quoted(word.text)} is no {self.what}; expected {expected}"

    @override
    def prefix(self, table: Table, word: Word, at: int) -> tuple[Made, int]:
        if self.joined:
            return self.read(table, Word(word.text[at:], word.column + at)), len(word.text)
        parts: list[object] = []
        for term in self.of.terms:
            part, at = term.prefix(table, word, at)
            parts.append(part)
        return self.of.build(*parts), at

    @override
    def holds(self, thing: object) -> bool:
        return type(thing) is self.of.make

    @override
    def form(self) -> Form:
        if not self.message:
            return super().form()
        parts = zip(self.of.names, (term.form() for term in self.of.terms), strict=True)
        return Composite(self.of.make, tuple(parts))


def part_count(term: Term[Table, object], joined: str) -> int:
    """How many parts between these signs the term takes: a record within a record may have the same sign."""
    sign, parts = term.layout
    return parts if joined and sign == joined else 1


@overload
def record(
    what: str,
    make: Callable[[A], Made],
    a: Term[Table, A],
    /,
    *,
    joined: str = ...,
    example: str = ...,
    message: bool = ...,
) -> Record[Table, Made]: ...
@overload
def record(
    what: str,
    make: Callable[[A, B], Made],
    a: Term[Table, A],
    b: Term[Table, B],
    /,
    *,
    joined: str = ...,
    example: str = ...,
    message: bool = ...,
) -> Record[Table, Made]: ...
@overload
def record(
    what: str,
    make: Callable[[A, B, C], Made],
    a: Term[Table, A],
    b: Term[Table, B],
    c: Term[Table, C],
    /,
    *,
    joined: str = ...,
    example: str = ...,
    message: bool = ...,
) -> Record[Table, Made]: ...
@overload
def record(
    what: str,
    make: Callable[[A, B, C, D], Made],
    a: Term[Table, A],
    b: Term[Table, B],
    c: Term[Table, C],
    d: Term[Table, D],
    /,
    *,
    joined: str = ...,
    example: str = ...,
    message: bool = ...,
) -> Record[Table, Made]: ...
@overload
def record(
    what: str,
    make: Callable[[A, B, C, D, E], Made],
    a: Term[Table, A],
    b: Term[Table, B],
    c: Term[Table, C],
    d: Term[Table, D],
    e: Term[Table, E],
    /,
    *,
    joined: str = ...,
    example: str = ...,
    message: bool = ...,
) -> Record[Table, Made]: ...
@overload
def record(
    what: str,
    make: Callable[[A, B, C, D, E, F], Made],
    a: Term[Table, A],
    b: Term[Table, B],
    c: Term[Table, C],
    d: Term[Table, D],
    e: Term[Table, E],
    f: Term[Table, F],
    /,
    *,
    joined: str = ...,
    example: str = ...,
    message: bool = ...,
) -> Record[Table, Made]: ...
def record(
    what: str, make: object, /, *terms: object, joined: str = "", example: str = "", message: bool = False
) -> object:
    """A value with parts; in messages its text, or a message of its own. Faults may show an example."""
    return long_record(
        what, cast("type[object]", make), *terms, joined=joined, example=example, message=message
    )


def long_record(
    what: str, make: type[Made], /, *terms: object, joined: str = "", example: str = "", message: bool = False
) -> Record[Table, Made]:
    """A value with more parts than `record` has overloads for: only their number is checked, at import."""
    stated = Statement("", make, cast("tuple[Term[Table, object], ...]", terms))
    return Record(what, stated, joined, example, message=message)
