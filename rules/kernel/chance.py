"""How draws are taken from components that were shuffled outside of the rules."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

State = TypeVar("State")
Move = TypeVar("Move")


@dataclass(frozen=True, slots=True)
class Take:
    """Consecutive places of one shuffled order that a draw needs."""

    deck: str
    """The name of the deck, one of Chance.decks."""
    round: int
    """How often this deck has been shuffled before: 0 is its first shuffle."""
    first: int
    """The first place, from 0, or the number of places that are left, if the end is what is known."""
    count: int = 1
    from_end: bool = False
    """Whether `first` is the number of places that are left, this one included."""
    opened: bool = True
    """Whether those who see the draw see these components; otherwise they are only read, for their backs."""

    def places(self, size: int) -> range:
        """The places in an order of this size."""
        first = size - self.first if self.from_end else self.first
        return range(first, first + self.count)


@dataclass(frozen=True, slots=True)
class Chance(Generic[State, Move]):
    """How a game takes components from orders that the caller has shuffled; rules never shuffle.

    `due` and `stock` follow from public facts: the spectator's view of a state gives the same.
    """

    decks: tuple[str, ...]
    """The names of everything that is ever shuffled, which are part of the game's sealed records."""
    due: Callable[[State], tuple[Take, ...]]
    """What the next draw takes; nothing if chance is not awaited."""
    stock: Callable[[State, str], tuple[str, ...]]
    """The components of a deck, by public names in a defined order; called before any of them is taken."""
    fits: Callable[[State, str, tuple[str, ...]], bool]
    """Whether the rules accept this order of a deck; if not, it is shuffled again."""
    bring: Callable[[State, tuple[str, ...]], Move]
    """The move that deals or draws the components that are due, given in the order of the takes."""


def any_order(_: object, __: str, ___: tuple[str, ...]) -> bool:
    """For Chance.fits: the rules accept every order."""
    return True


def no_chance() -> Chance[State, Move]:
    """The chance of a game in which nothing is ever dealt or drawn."""

    def nothing_comes(_: State, names: tuple[str, ...]) -> Move:
        raise ValueError(f"nothing is drawn in this game, and {names} came")

    return Chance((), lambda _: (), lambda _, __: (), any_order, nothing_comes)
