"""Points, bonuses and who has won."""

from collections.abc import Sequence
from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.game import Outcome, Score, ranked
from rules.khan.state import REASON, Over, State

BONUSES: Final = (10, 6, 3)


def share(value: int, owners: int) -> int:
    """What each owner of a piece scores, rounded up (KHAN-SCORE-1)."""
    return -(-value // owners)


def piece_points(state: State, seat: Seat) -> int:
    """What the pieces of a seat are worth to it."""
    shapes = state.table.parts.shapes
    return sum(
        share(shapes[piece.shape].value, len(piece.owners)) for piece in state.placed if seat in piece.owners
    )


def territories(state: State, seat: Seat) -> tuple[int, ...]:
    """The sizes of a seat's territories, largest first (KHAN-BONUS-1)."""
    owned = 0
    for piece in state.placed:
        if seat in piece.owners:
            owned |= piece.cells
    return tuple(sorted((group.bit_count() for group in state.table.parts.board.groups(owned)), reverse=True))


def bonuses(sizes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The bonus of each list of sizes; equal lists have equal ones, an empty one has none (KHAN-BONUS-2)."""
    # A shorter list that is equal so far ranks lower, as tuples do (AMB-16).
    ranks = sorted({each for each in sizes if each}, reverse=True)
    awarded = dict(zip(ranks, BONUSES, strict=False))
    return tuple(awarded.get(each, 0) for each in sizes)


def scores(state: State) -> tuple[Score, ...]:
    """Every seat's points: of its pieces, and its bonus."""
    seats = state.table.seats
    extra = bonuses([territories(state, seat) for seat in seats])
    pieces = [piece_points(state, seat) for seat in seats]
    return tuple(
        Score(seat, pieces[seat] + extra[seat], (("pieces", pieces[seat]), ("bonus", extra[seat])))
        for seat in seats
    )


def points(state: State) -> tuple[int, ...]:
    """Every seat's points, bonuses included."""
    return tuple(score.points for score in scores(state))


def ranking(state: State) -> tuple[tuple[Seat, ...], ...]:
    """Seats from first to last: by points, then by largest territory (KHAN-WIN-1)."""
    counted = points(state)
    return ranked(
        {seat: (counted[seat], max(territories(state, seat), default=0)) for seat in state.table.seats}
    )


def outcome(state: State) -> Outcome | None:
    """How the match ended; None while it is in progress."""
    if not isinstance(state.turn, Over):
        return None
    order = ranking(state)
    return Outcome(order[0], order, REASON, scores=scores(state))
