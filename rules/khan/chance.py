"""What chance brings from shuffled seats and cards."""

from collections.abc import Iterator
from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.chance import Chance
from rules.khan.cards import CardKind
from rules.khan.moves import DrawCard, DrawFirstPlayer, Move, TurnCard
from rules.khan.state import Beginning, Drawing, State, Turning


def _shuffle(state: State) -> int:
    """The seats come first, then the cards, each time that they are shuffled."""
    return 0 if isinstance(state.turn, Beginning) else 1 + state.shuffles


def _stock(state: State) -> tuple[str, ...]:
    if isinstance(state.turn, Beginning):
        return state.table.names
    names = state.table.parts.card_names
    return tuple(names[card] for card in _in_the_pile(state))


def _in_the_pile(state: State) -> Iterator[CardKind]:
    """Every card that was shuffled and has not been laid open since, in the order of the set.

    Cards drawn into hands are among them: otherwise hands would show in what the stock is.
    """
    for card in range(len(state.table.parts.cards)):
        yield from [card] * state.fresh(card)


def _places(state: State, size: int) -> range:
    if state.proposal is not None:
        return range(0)
    match state.turn:
        case Beginning():
            return range(1)
        case Turning() | Drawing():
            return range(size - state.pile, size - state.pile + 1)
        case _:
            return range(0)


def _bring(state: State, names: tuple[str, ...]) -> Move:
    match state.turn:
        case Beginning():
            return DrawFirstPlayer(Seat(state.table.names.index(names[0])))
        case Turning():
            return TurnCard(state.table.parts.card_of[names[0]])
        case _:
            return DrawCard(state.table.parts.card_of[names[0]])


CHANCE: Final[Chance[State, Move]] = Chance(
    shuffle=_shuffle, stock=_stock, fits=lambda _, __: True, places=_places, bring=_bring
)
