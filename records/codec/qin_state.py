"""A state of Qin as bytes that are the same wherever the state is: what its digest is taken over.

In this order: the territories of each colour and the provinces of each seat as sets of cells; the owner of
each village; supplies; tiles placed by kind; each hand; draws by pile; the turn, the seat whose it is, and
passes; and, once the match is over, the pagodas on each province, by colour and first cell.
"""

from typing import Final

from rules.qin.state import Dealing, Drawing, Over, Placing, State, Turn

_TURNS: Final[dict[type[Turn], int]] = {Dealing: 0, Placing: 1, Drawing: 2, Over: 3}


def state_bytes(state: State) -> bytes:
    """Everything that changes in a match; what does not is in its header."""
    width = (state.table.board.bits + 7) // 8
    owned = [0] * len(state.supplies)
    for of_colour in state.provinces:
        for province in of_colour:
            owned[province.owner] |= province.cells
    sets = 0
    for cells in (*state.territories, *owned):
        sets = sets << 8 * width | cells
    turn = state.turn
    parts = [
        sets.to_bytes(width * (len(state.territories) + len(owned))),
        state.villages,
        bytes((*state.supplies, *state.placed)),
        *state.hands,
        state.drawn,
        bytes((_TURNS[type(turn)], getattr(turn, "seat", 0), state.passes)),
    ]
    if isinstance(turn, Over):
        parts.append(turn.reason.value.encode())
        parts.append(bytes(province.pagodas for of_colour in state.provinces for province in of_colour))
    return b"".join(parts)
