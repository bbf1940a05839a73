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

    def __init__(self, what: str, of: Statement[Table, Made], joined: str, *, message: bool) -> None:
        self.what = what
        self.of: Final = of
        self.joined: Final = joined
        self.message: Final = message
        self.layout = (joined, len(of.terms))

    @override
    def write(self, table: Table, thing: Made) -> str:
        return self.joined.join(
            term.write(table, part) for term, part in zip(self.of.terms, self.of.parts(thing), strict=True)
        )

    @override
    def read(self, table: Table, word: Word) -> Made:
        if not self.joined:
            return super().read(table, word)
        said = word.split(self.joined) or [word]
        if len(said) != len(self.of.terms):
            expected = self.joined.join(name.upper() for name in self.of.names)
            raise word.fault(f"{quoted(word.text)} is no {self.what}; expected {expected}")
        return self.of.build(
            *[term.read(table, part) for term, part in zip(self.of.terms, said, strict=True)]
        )

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


@overload
def record(
    what: str, make: Callable[[A], Made], a: Term[Table, A], /, *, joined: str = ..., message: bool = ...
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
    message: bool = ...,
) -> Record[Table, Made]: ...
def record(what: str, make: object, /, *terms: object, joined: str = "", message: bool = False) -> object:
    """A value with parts; in messages its text, or a message of its own."""
    return _record(what, cast("type[object]", make), terms, joined, message=message)


def long_record(
    what: str, make: type[Made], /, *terms: object, joined: str = "", message: bool = False
) -> Record[Table, Made]:
    """A value with more parts than `record` has overloads for: only their number is checked, at import."""
    return _record(what, make, terms, joined, message=message)


def _record(
    what: str, make: type[Made], terms: tuple[object, ...], joined: str, *, message: bool
) -> Record[Table, Made]:
    stated = Statement("", make, cast("tuple[Term[Table, object], ...]", terms))
    return Record(what, stated, joined, message=message)
