"""Canonical bytes of a state of Qin, over which its digest is computed.

In this order: the territories of each colour as sets of cells; the owner of each province, by colour and
first cell; the owner of each village; supplies; tiles placed by kind; the turn and passes; each hand; draws
by pile; and, once the match is over, the pagodas on each province.
"""

from typing import Final, assert_never

from rules.qin.state import Dealing, Drawing, EndReason, Over, Placing, State, Turn

_DRAWING: Final = 0x10
_DEALING: Final = 0x20
_OVER: Final = 0x30
"""The turn is one byte: the seat that places, or one of these plus the seat or the reason of the end."""
_REASONS: Final = {EndReason.LAST_PAGODA: 0, EndReason.NO_PLACEMENT: 1}


def state_bytes(state: State) -> bytes:
    """Everything that changes during a match; the rest is in its header."""
    width = state.table.board.octets
    red, yellow, blue = state.territories
    turn = state.turn
    code = turn.seat if type(turn) is Placing else _turn(turn)
    of_red, of_yellow, of_blue = state.provinces
    owners = [province.owner for province in of_red + of_yellow + of_blue]
    return b"".join(
        [
            red.to_bytes(width),
            yellow.to_bytes(width),
            blue.to_bytes(width),
            bytes(owners),
            state.villages,
            bytes(state.supplies),
            state.placed,
            bytes((code, state.passes)),
            *state.hands,
            state.drawn,
            _pagodas(state) if code >= _OVER else b"",
        ]
    )


def _pagodas(state: State) -> bytes:
    return bytes([province.pagodas for of_colour in state.provinces for province in of_colour])


def _turn(turn: Turn) -> int:
    match turn:
        case Placing():
            return turn.seat
        case Drawing():
            return _DRAWING + turn.seat
        case Dealing():
            return _DEALING
        case Over():
            return _OVER + _REASONS[turn.reason]
        case _:
            assert_never(turn)
