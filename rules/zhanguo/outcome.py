"""Who has won, and with which points."""

from rules.kernel.actors import Seat
from rules.kernel.game import Outcome, Score
from rules.zhanguo.scoring import score
from rules.zhanguo.state import State


def scores(state: State) -> tuple[Score, ...]:
    """The points of every seat by category; Li Si's palace tiles are one of their own (AMB-37)."""
    return tuple(_points(state, seat) for seat in state.table.seats)


def _points(state: State, seat: Seat) -> Score:
    counted = score(state, seat)
    categories = [
        ("track", counted.track),
        ("governors", counted.governors),
        ("alchemy", counted.alchemy),
        ("lines", counted.lines),
        ("walls", counted.walls),
        ("entrance", counted.entrance),
    ]
    if state.table.rival is not None:
        categories.append(("palace tiles", counted.tiles))
    return Score(seat, counted.total, tuple(categories))


def outcome(state: State) -> Outcome | None:
    """How the match ended; None while it is in progress."""
    if state.agenda:
        return None
    counted = scores(state)
    points = [each.points for each in counted]
    ranking = tuple(
        tuple(seat for seat in state.table.seats if points[seat] == level)
        for level in sorted(set(points), reverse=True)
    )
    reason = ", ".join(f"{name} {total}" for name, total in zip(state.table.names, points, strict=True))
    return Outcome(ranking[0], ranking, reason, scores=counted)
