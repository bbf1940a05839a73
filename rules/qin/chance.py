"""The tiles that chance brings from a shuffled stock."""

from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.chance import Chance, Take
from rules.qin.moves import DealTiles, DrawTile, Move
from rules.qin.state import Dealing, Drawing, State
from rules.qin.tiles import EACH, EMPTY, HAND, KIND_OF, KINDS, TILES, hand_of, tiles_in

_DECK: Final = "tiles"
_STOCK: Final = tuple(kind.name for kind in KINDS for _ in range(EACH))


def _fits(state: State, _: str, order: tuple[str, ...]) -> bool:
    """Whether the first hands are such as the match can begin with (QIN-SETUP-4)."""
    if not state.table.rulings.fair_start:
        return True
    hands = (order[seat * HAND : (seat + 1) * HAND] for seat in state.table.seats)
    return all(any(KIND_OF[name].plain for name in hand) for hand in hands)


def _due(state: State) -> tuple[Take, ...]:
    taken = TILES - state.stock
    match state.turn:
        case Dealing():
            return (Take(_DECK, 0, taken, HAND),)
        case Drawing():
            return (Take(_DECK, 0, taken),)
        case _:
            return ()


def _bring(state: State, names: tuple[str, ...]) -> Move:
    tiles = tuple(KIND_OF[name] for name in names)
    if isinstance(state.turn, Dealing):
        return DealTiles(_without_hand(state), tiles_in(hand_of(tiles)))
    return DrawTile(tiles[0])


def _without_hand(state: State) -> Seat:
    return next(seat for seat in state.table.seats if state.hands[seat] == EMPTY)


CHANCE: Final[Chance[State, Move]] = Chance(
    decks=(_DECK,), due=_due, stock=lambda _, __: _STOCK, fits=_fits, bring=_bring
)
