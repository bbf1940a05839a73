"""What chance brings from shuffled seats and cards."""

from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.chance import Chance, Take, any_order
from rules.khan.moves import DrawCard, DrawFirstPlayer, Move, TurnCard
from rules.khan.state import Beginning, Drawing, State, Turning

_SEATS: Final = "seats"
_CARDS: Final = "cards"


def _stock(state: State, deck: str) -> tuple[str, ...]:
    """The seats; or every card that was shuffled and has not been laid open since."""
    if deck == _SEATS:
        return state.table.names
    # Cards drawn into hands are among them: otherwise hands would show in what the stock is.
    faces = state.table.parts.faces
    return tuple(faces.names[card] for card in faces.each for _ in range(state.fresh(card)))


def _due(state: State) -> tuple[Take, ...]:
    if state.proposal is not None:
        return ()
    match state.turn:
        case Beginning():
            return (Take(_SEATS, 0, 0),)
        case Turning() | Drawing():
            return (Take(_CARDS, state.shuffles, state.pile, from_end=True),)
        case _:
            return ()


def _bring(state: State, names: tuple[str, ...]) -> Move:
    match state.turn:
        case Beginning():
            return DrawFirstPlayer(Seat(state.table.names.index(names[0])))
        case Turning():
            return TurnCard(state.table.parts.faces.number_of[names[0]])
        case _:
            return DrawCard(state.table.parts.faces.number_of[names[0]])


CHANCE: Final[Chance[State, Move]] = Chance(
    decks=(_SEATS, _CARDS), due=_due, stock=_stock, fits=any_order, bring=_bring
)
