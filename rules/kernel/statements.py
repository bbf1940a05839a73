"""What a game states about its moves and events: one statement for each class, checked at import.

A game writes statements with phrase and fact (phrases.py); this module has what they are and their checks.
"""

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from types import NoneType, UnionType
from typing import Final, Generic, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from msgspec import Struct
from typing_extensions import TypeForm

from rules.kernel.terms import Term

Table = TypeVar("Table", contravariant=True)
Made = TypeVar("Made", covariant=True)
Alternatives = TypeVar("Alternatives")


class Misstated(TypeError):
    """A statement does not agree with its class, or the statements not with their union."""


class Statement(Generic[Table, Made]):
    """A class of moves, events or parts: its terms in order, and for a move its words."""

    def __init__(
        self,
        pattern: str,
        make: type[Made],
        terms: "tuple[Term[Table, object], ...]",
        *,
        chance: bool = False,
        arm: str = "",
    ) -> None:
        self.make: Final = make
        self.build: Final = cast("Callable[[*tuple[object, ...]], Made]", make)
        """The constructor; the overloads of phrase and fact have checked that the terms suit it."""
        self.terms: Final = terms
        self.names: Final = part_names(make)
        self.parts: Final = parts_of(self.names)
        """The parts of a value, in order."""
        self.chance: Final = chance
        self.arm: Final = arm or snake_case(make.__name__)
        """Its field in the message of all moves or events."""
        if len(self.names) != len(terms):
            raise Misstated(
                f"{make.__name__} has {len(self.names)} parts ({', '.join(self.names)})"
                f" and {len(terms)} terms"
            )
        self._require_terms_in_order()
        self._require_wide_terms()
        self.words: Final = _words(pattern, make, len(terms))
        """By place: the words before this term; those of the last place stand at the end."""
        optional = [term.optional for term in terms]
        if optional != sorted(optional) or (any(optional) and any(self.words[optional.index(True) + 1 :])):
            raise Misstated(f"{make.__name__}: what may be left out stands at the end")
        self.simple: Final = not any(self.words[1:]) and not any(term.wide for term in terms)
        """Whether all its words come first, and each term then takes one."""
        self.least: Final = sum(map(len, self.words)) + optional.count(False)
        """Minimum number of words."""
        self.most: Final = (
            None if any(term.wide for term in terms) else sum(map(len, self.words)) + len(terms)
        )
        """Words at most, where that is known."""

    def _require_terms_in_order(self) -> None:
        """Two terms that are called like each other's parts are swapped."""
        called = [term.what for term in self.terms]
        for place, name in enumerate(self.names):
            other = called.index(name) if name in called else place
            if other != place and called[place] == self.names[other] != name:
                raise Misstated(
                    f"{self.make.__name__} has the term {name} for its part {called[place]},"
                    f" and the other way around: its parts are {', '.join(self.names)}"
                )

    def _require_wide_terms(self) -> None:
        """A term that can never be None, for a part that may be, passes the type checker."""
        for name, term in zip(self.names, self.terms, strict=True):
            if _may_be_none(self.make, name) and not term.can_be_none:
                raise Misstated(
                    f"{self.make.__name__}.{name} may be None and the term {term.what} never is:"
                    " say or_unknown, or_nothing or or_word"
                )


def part_names(kind: type[object]) -> tuple[str, ...]:
    """The names of its parts, in the order in which its constructor takes them."""
    return tuple(map(str, cast("tuple[object, ...]", getattr(kind, "__match_args__", ()))))


def parts_of(names: tuple[str, ...]) -> Callable[[object], tuple[object, ...]]:
    """What takes a value apart."""
    if not names:
        return lambda _: ()
    if len(names) == 1:
        only = attrgetter(names[0])
        return lambda value: (only(value),)
    return attrgetter(*names)


def snake_case(name: str) -> str:
    """'TurnCard' as 'turn_card'."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).removeprefix("_")


def _may_be_none(kind: type[object], name: str) -> bool:
    """Classes that were compiled have no annotations, and are taken on trust."""
    if not (issubclass(kind, Struct) or dataclasses.is_dataclass(kind)):
        return False
    hint = get_type_hints(kind).get(name)
    return get_origin(hint) in {Union, UnionType} and NoneType in get_args(hint)


def _words(pattern: str, make: type[object], terms: int) -> tuple[tuple[str, ...], ...]:
    """Words by the place of the term that follows them: 'lose {} save {}' gives (lose) (save) ()."""
    if not pattern:
        return ((),) * (terms + 1)
    if "{}" not in pattern:
        pattern += " {}" * terms
    found = tuple(tuple(between.split()) for between in pattern.split("{}"))
    if len(found) != terms + 1:
        raise Misstated(f"{make.__name__}: {pattern!r} has {len(found) - 1} places and {terms} terms")
    if not found[0]:
        raise Misstated(f"{make.__name__}: a phrase begins with a word")
    return found


class Statements(Generic[Table, Alternatives]):
    """A statement for every alternative of a union, and for nothing else.

    Annotate the name that it is bound to, or the type checker lets a foreign class widen the union:
    `MOVES: Final[Statements[Table, Move]] = Statements(Move, phrase(…), …)`.
    """

    def __init__(self, union: TypeForm[Alternatives], *each: Statement[Table, Alternatives]) -> None:
        kinds = alternatives(union)
        stated: list[type[object]] = [one.make for one in each]
        for kind in kinds:
            if stated.count(kind) != 1:
                times = "not" if kind not in stated else "more than once"
                raise Misstated(f"{kind.__name__} is {times} stated")
        for kind in stated:
            if kind not in kinds:
                raise Misstated(f"{kind.__name__} is stated and is no alternative of the union")
        self.each: Final = each
        self.of: Final[dict[type[object], Statement[Table, Alternatives]]] = {one.make: one for one in each}


def alternatives(union: object) -> tuple[type[object], ...]:
    """The classes of a union, or the one class that it is."""
    if isinstance(union, type):
        return (union,)
    return tuple(kind for kind in get_args(union) if isinstance(kind, type))
