"""Canonical bytes of a state of Khan, over which its digest is computed.

In this order: yurts by seat, neutral yurts, covered cells and leaders as sets; camps; hands; discards; cards
apart, and held since before the last shuffle; special cards; restrictions; the turn; pieces; proposals; cards
laid aside that may have been held since then or not.
"""

from functools import lru_cache
from typing import Final

from rules.khan import state as s
from rules.khan.state import State

_TURNS: Final[dict[type[s.Turn], int]] = {
    s.Beginning: 0,
    s.Opening: 1,
    s.Drawing: 2,
    s.Turning: 3,
    s.Acting: 4,
    s.Discarding: 5,
    s.Choosing: 6,
    s.Conquering: 7,
    s.Over: 8,
}
_NONE: Final = 0xFF
"""The byte for a leader, special card or region that is not set; higher than any of their numbers."""


def state_bytes(state: State) -> bytes:
    """Everything that changes during a match; the rest is in its header."""
    board = state.table.parts.board
    width = (board.stride * board.height + 7) // 8
    turn = state.turn
    leader = turn.leader if isinstance(turn, s.Turning) and turn.leader is not None else _NONE
    proposal = state.proposal
    parts = [
        *[cells.to_bytes(width) for cells in (*state.yurts, state.covered, *state.leaders)],
        state.camps,
        bytes(map(len, state.hands)),
        *state.hands,
        state.discard,
        state.apart,
        state.old,
        *state.specials,
        bytes([number for active in state.active for number in _restriction(active)]),
        bytes(
            (
                _TURNS[type(turn)],
                getattr(turn, "seat", 0),
                leader,
                state.left,
                state.morale,
                state.shuffles,
                _NONE if state.retired is None else state.retired,
                len(state.placed),
                0 if proposal is None else sum(1 << seat for seat in proposal.waiting),
            )
        ),
        _placed(width, state.placed),
        len(state.refused).to_bytes(4),
        *[_site(width, site) for site in state.refused],
    ]
    if proposal is not None:
        parts.append(_site(width, proposal.site))
    parts += [bytes((laid.seat, laid.card, laid.most)) for laid in state.either]
    return b"".join(parts)


@lru_cache(maxsize=256)
def _placed(width: int, pieces: tuple[s.Piece, ...]) -> bytes:
    """Cached because many consecutive states have the same pieces."""
    return b"".join(
        _site(width, piece.site) + bytes((sum(1 << seat for seat in piece.owners),)) for piece in pieces
    )


def _site(width: int, site: s.Site) -> bytes:
    return bytes((site.shape,)) + site.cells.to_bytes(width)


def _restriction(active: s.Restriction | None) -> tuple[int, int]:
    match active:
        case None:
            return 0, 0
        case s.Protection():
            return 1, 0
        case s.Support():
            return 2, _NONE if active.region is None else active.region
        case s.Reservation():
            return 3, active.shape
