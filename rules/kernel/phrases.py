"""One line per move and event: the class, and a term for each of its parts.

    phrase("invade", Invade, CELL, CARD)          green invade d5 seljuk.N.ice
    phrase("move worker", MoveWorker, REGION, REGION)
    phrase("lose {} save {}", Lose, LOSSES, LOSSES)
    fact(LeaderFled, LEADER, CELL, CELL, FROM_CAMP)

Terms are positional, so that the type checker compares each with the part that it is for. Words may stand
before the terms or, with {} for each term, between them; an `arm` is the field in the message of all moves,
where it is not the name of the class.
"""

from collections.abc import Callable
from typing import TypeVar, cast, overload

from rules.kernel.statements import Misstated, Statement
from rules.kernel.terms import Term

Table = TypeVar("Table", contravariant=True)
Made = TypeVar("Made", covariant=True)
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")
F = TypeVar("F")


@overload
def phrase(
    pattern: str, make: Callable[[], Made], /, *, chance: bool = ..., arm: str = ...
) -> Statement[object, Made]: ...
@overload
def phrase(
    pattern: str, make: Callable[[A], Made], a: Term[Table, A], /, *, chance: bool = ..., arm: str = ...
) -> Statement[Table, Made]: ...
@overload
def phrase(
    pattern: str,
    make: Callable[[A, B], Made],
    a: Term[Table, A],
    b: Term[Table, B],
    /,
    *,
    chance: bool = ...,
    arm: str = ...,
) -> Statement[Table, Made]: ...
@overload
def phrase(
    pattern: str,
    make: Callable[[A, B, C], Made],
    a: Term[Table, A],
    b: Term[Table, B],
    c: Term[Table, C],
    /,
    *,
    chance: bool = ...,
    arm: str = ...,
) -> Statement[Table, Made]: ...
@overload
def phrase(
    pattern: str,
    make: Callable[[A, B, C, D], Made],
    a: Term[Table, A],
    b: Term[Table, B],
    c: Term[Table, C],
    d: Term[Table, D],
    /,
    *,
    chance: bool = ...,
    arm: str = ...,
) -> Statement[Table, Made]: ...
@overload
def phrase(
    pattern: str,
    make: Callable[[A, B, C, D, E], Made],
    a: Term[Table, A],
    b: Term[Table, B],
    c: Term[Table, C],
    d: Term[Table, D],
    e: Term[Table, E],
    /,
    *,
    chance: bool = ...,
    arm: str = ...,
) -> Statement[Table, Made]: ...
@overload
def phrase(
    pattern: str,
    make: Callable[[A, B, C, D, E, F], Made],
    a: Term[Table, A],
    b: Term[Table, B],
    c: Term[Table, C],
    d: Term[Table, D],
    e: Term[Table, E],
    f: Term[Table, F],
    /,
    *,
    chance: bool = ...,
    arm: str = ...,
) -> Statement[Table, Made]: ...
def phrase(pattern: str, make: object, /, *terms: object, chance: bool = False, arm: str = "") -> object:
    """A move: its words, its class and its terms; by chance, or by a seat."""
    return Statement(pattern, _class(make), _terms(terms), chance=chance, arm=arm)


@overload
def fact(make: Callable[[], Made], /, *, arm: str = ...) -> Statement[object, Made]: ...
@overload
def fact(make: Callable[[A], Made], a: Term[Table, A], /, *, arm: str = ...) -> Statement[Table, Made]: ...
@overload
def fact(
    make: Callable[[A, B], Made], a: Term[Table, A], b: Term[Table, B], /, *, arm: str = ...
) -> Statement[Table, Made]: ...
@overload
def fact(
    make: Callable[[A, B, C], Made],
    a: Term[Table, A],
    b: Term[Table, B],
    c: Term[Table, C],
    /,
    *,
    arm: str = ...,
) -> Statement[Table, Made]: ...
@overload
def fact(
    make: Callable[[A, B, C, D], Made],
    a: Term[Table, A],
    b: Term[Table, B],
    c: Term[Table, C],
    d: Term[Table, D],
    /,
    *,
    arm: str = ...,
) -> Statement[Table, Made]: ...
@overload
def fact(
    make: Callable[[A, B, C, D, E], Made],
    a: Term[Table, A],
    b: Term[Table, B],
    c: Term[Table, C],
    d: Term[Table, D],
    e: Term[Table, E],
    /,
    *,
    arm: str = ...,
) -> Statement[Table, Made]: ...
@overload
def fact(
    make: Callable[[A, B, C, D, E, F], Made],
    a: Term[Table, A],
    b: Term[Table, B],
    c: Term[Table, C],
    d: Term[Table, D],
    e: Term[Table, E],
    f: Term[Table, F],
    /,
    *,
    arm: str = ...,
) -> Statement[Table, Made]: ...
def fact(make: object, /, *terms: object, arm: str = "") -> object:
    """An event: its class and its terms."""
    return Statement("", _class(make), _terms(terms), arm=arm)


# The overloads have compared the class with its terms; from here on they are any.


def _class(make: object) -> type[object]:
    if not isinstance(make, type):
        raise Misstated(f"{make!r} is no class")
    return make


def _terms(terms: tuple[object, ...]) -> tuple[Term[object, object], ...]:
    return cast("tuple[Term[object, object], ...]", terms)
