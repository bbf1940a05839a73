"""What a move may cause where the record, or a view of it, does not tell all hands."""

from collections.abc import Sequence
from itertools import combinations

from rules.kernel.actors import Seat
from rules.kernel.setup import RECORDED
from rules.qin.decide import stall, stalling_seats
from rules.qin.events import Event, TileDrawn, TilePlaced, TilesDealt
from rules.qin.evolve import fold
from rules.qin.placements import can_place
from rules.qin.state import State
from rules.qin.tiles import KINDS, UNKNOWN, Kind


def other_outcomes(state: State, events: tuple[Event, ...]) -> tuple[tuple[Event, ...], ...]:
    """The same events and the end by no placement, if by the unknown tiles nobody may be able to place."""
    table = state.table
    if table.draws is not RECORDED or table.rulings.open_hands:
        return ()  # nothing is hidden, so nothing is unknown but what the record itself does not tell
    if not isinstance(events[0], TilePlaced | TileDrawn | TilesDealt):
        return ()
    after = fold(state, events)
    return ((*events, stall(after)),) if _may_be_stalled(after) else ()


def _may_be_stalled(state: State) -> bool:
    """Whether the unknown tiles may all be of kinds that their seats cannot place."""
    asked = stalling_seats(state)
    useless: dict[Seat, set[Kind]] = {}
    for seat in asked:
        placeable = {kind for kind in KINDS if can_place(state, seat, 1 << kind)}
        if any(state.hands[seat][kind] for kind in placeable):
            return False
        useless[seat] = {kind for kind in KINDS if state.unseen(kind) > 0} - placeable
    return bool(asked) and all(
        _are_enough(state, seats, set().union(*(useless[seat] for seat in seats)))
        for count in range(1, len(asked) + 1)
        for seats in combinations(asked, count)
    )


def _are_enough(state: State, seats: Sequence[Seat], kinds: set[Kind]) -> bool:
    """Whether there are tiles of these kinds for all unknown ones of these seats."""
    return sum(state.hands[seat][UNKNOWN] for seat in seats) <= sum(state.unseen(kind) for kind in kinds)
