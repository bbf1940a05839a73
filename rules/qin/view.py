"""What a seat or an onlooker may know of a state."""

from msgspec import structs

from rules.kernel.actors import AUDITOR, Viewer
from rules.qin.state import State
from rules.qin.tiles import concealed


def view(state: State, viewer: Viewer) -> State:
    """The state with every hand that the viewer may not see turned face down (AMB-04)."""
    if viewer is AUDITOR or state.table.rulings.open_hands:
        return state
    hands = tuple(
        hand if seat == viewer else concealed(hand)
        for seat, hand in zip(state.table.seats, state.hands, strict=True)
    )
    return structs.replace(state, hands=hands)
