"""How matches end at every table: each condition, who has won, and nobody where all have lost."""

import pytest
from msgspec import structs

from records.files.transcript import read_transcript
from rules.great_wall.game import GREAT_WALL
from rules.great_wall.kinds import QIN, Ending
from rules.great_wall.pending import EndCheck, NextYear, TakeShame
from rules.great_wall.state import State
from rules.kernel.actors import Seat
from tests.rules.great_wall.positions import GREEN, asking, begun, holding, settled, wall
from tools.dev.golden import POSITION
from tools.dev.golden_matches import GOLDEN

EVERYBODY_HAS = 10
"""Honour of the other seats, and of Qin."""


def late(state: State) -> State:
    """On the last slot of the time track."""
    return structs.replace(state, time=state.table.final_slot)


def drained(state: State) -> State:
    """With an empty pool."""
    return structs.replace(state, pool=0, removed=state.table.shame)


def walled(state: State, sections: int) -> State:
    """With this number of walls at the highest level."""
    for section in state.table.sections[:sections]:
        state = wall(state, section, level=3)
    return state


def honoured(state: State, honour: int) -> State:
    """With this honour of green's, and no artefacts that could add to it."""
    for seat in state.table.seats:
        state = holding(state, seat, honour=honour if seat == GREEN else EVERYBODY_HAS)
    if state.qin is not None:
        state = structs.replace(state, qin=structs.replace(state.qin, honour=EVERYBODY_HAS))
    return structs.replace(state, artefacts=())


def ended(state: State) -> tuple[Ending, tuple[Seat, ...]] | None:
    """The cause and the winners after the end check."""
    state = settled(asking(state, EndCheck(), NextYear(), clan=None))
    outcome = GREAT_WALL.outcome(state)
    if state.result is None or outcome is None:
        return None
    assert GREAT_WALL.awaiting(state) == ()
    assert outcome.winners == state.result.winners
    return state.result.cause, state.result.winners


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(("honour", "winner"), [(30, 0), (0, 1)])
def test_players_end_a_match_by_time_by_the_pool_and_by_walls_and_most_honour_wins(
    seats: int, honour: int, winner: int
) -> None:
    state = honoured(begun(seats), honour)
    best = max(state.seats_in_tea_order, key=lambda seat: state.players[seat].honour)
    walls = 3 if seats == 4 else 2

    assert (best == GREEN) == (winner == 0)
    assert ended(late(state)) == (Ending.TIME, (best,))
    assert ended(drained(state)) == (Ending.POOL, (best,))
    assert ended(walled(state, walls)) == (Ending.WALLS, (best,))
    assert ended(walled(state, walls - 1)) is None
    assert ended(state) is None


@pytest.mark.parametrize(("honour", "winners"), [(11, (GREEN,)), (10, ()), (0, ())])
def test_solo_is_won_with_more_honour_than_qin_and_lost_otherwise(
    honour: int, winners: tuple[Seat, ...]
) -> None:
    state = honoured(begun(1), honour)

    assert ended(late(state)) == (Ending.TIME, winners)
    assert ended(walled(state, 2)) == (Ending.WALLS, winners)
    assert ended(drained(state)) == (Ending.POOL, ())
    assert ended(state) is None


@pytest.mark.parametrize(("seats", "goal"), [(2, 6), (3, 7), (4, 9)])
def test_co_op_is_won_by_all_with_enough_requests_whatever_else_holds(seats: int, goal: int) -> None:
    state = begun(seats, coop=True)
    assert state.coop is not None
    names = state.table.parts.request_names.number_of
    fit = [each for each in names.values() if seats > 2 or state.table.parts.requests[each].two_players]
    done = structs.replace(state, coop=structs.replace(state.coop, requests=(), fulfilled=tuple(fit[:goal])))
    short = structs.replace(
        state, coop=structs.replace(state.coop, requests=(), fulfilled=tuple(fit[: goal - 1]))
    )

    for won in (done, late(done), drained(done)):
        assert ended(won) == (Ending.REQUESTS, tuple(state.table.seats))
    assert ended(late(short)) == (Ending.TIME, ())
    assert ended(drained(short)) == (Ending.POOL, ())
    assert ended(walled(short, 3)) is None
    assert ended(short) is None


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_gain_of_shame_from_an_empty_pool_loses_co_op_at_once(seats: int) -> None:
    state = drained(begun(seats, coop=True))
    state = settled(asking(state, TakeShame(GREEN, 1)))

    assert state.result is not None
    assert (state.result.cause, state.result.winners) == (Ending.SHAME, ())
    assert state.agenda == ()


_MISSING = {(3, True, Ending.TIME, False)}
"""No match of three was found that lasts until the end of time and is lost: tested from a position above."""


def _ways_to_end() -> set[tuple[int, bool, Ending, bool]]:
    """Seats, whether they play together, the cause, and whether anybody wins."""
    time, pool, walls = Ending.TIME, Ending.POOL, Ending.WALLS
    apart = {(seats, False, cause, True) for seats in (2, 3, 4) for cause in (time, pool, walls)}
    alone = {(1, False, cause, won) for cause in (time, walls) for won in (True, False)}
    lost = {(seats, True, cause, False) for seats in (2, 3, 4) for cause in (time, pool, Ending.SHAME)}
    won = {(seats, True, Ending.REQUESTS, True) for seats in (2, 3, 4)}
    return (apart | alone | {(1, False, pool, False)} | lost | won) - _MISSING


def test_golden_transcripts_end_in_every_way_at_every_table() -> None:
    found = set()
    for path in (GOLDEN / "great_wall").glob("*.shiji"):
        transcript = read_transcript(path.read_text())
        end = GREAT_WALL.notation.read_position(
            next(tag.value for tag in transcript.tags if tag.name == POSITION)
        )
        if end.result is not None:
            found.add((len(end.table.seats), end.table.coop, end.result.cause, bool(end.result.winners)))

    assert found == _ways_to_end()


def test_qin_is_paid_for_artefacts_at_the_end() -> None:
    state = structs.replace(honoured(begun(1), 100), artefacts=begun(1).artefacts)
    state = settled(asking(late(state), EndCheck(), NextYear(), clan=None))

    assert state.honour(QIN) == EVERYBODY_HAS + 3 * 20
