"""Lists are as long as section 22 of the digest says and cost no more than that; judging builds none."""

import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from types import CodeType, FrameType

import pytest

from rules.kernel.rule import Illegal
from rules.zhanguo import moves as m
from rules.zhanguo.game import ZHANGUO
from rules.zhanguo.state import State
from rules.zhanguo.tasks.playing import can_act
from tests.rules.zhanguo.positions import seat, table
from tools.dev.bench.games import listings

LISTS = {listing.what: listing.positions for listing in listings() if listing.game == "zhanguo"}
PLAYING, ACTING = LISTS["playing a card, hands unknown"], LISTS["taking a Court action"]
LISTERS = {"moves", "_unifications", "_court_cards", "_forfeits", "_playable", "listed", "listed_exactly"}
"""Functions that list moves of the frames `play` and `act`."""


def calls(work: Callable[[], object]) -> Counter[CodeType]:
    """How often each function was called; a generator is called for each item."""
    found: Counter[CodeType] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            found[frame.f_code] += 1

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return found


def listed(state: State) -> list[m.Move]:
    return [move for actor in ZHANGUO.awaiting(state) for move in ZHANGUO.legal_moves(state, actor)]


def test_with_unknown_hands_a_seat_may_play_any_of_120_cards_in_6_ways() -> None:
    assert len(listed(ZHANGUO.notation.read_position(PLAYING[-1]))) == 720


def test_the_longest_list_of_court_actions_on_the_reference_set_has_256() -> None:
    moves = listed(ZHANGUO.notation.read_position(ACTING[-1]))

    assert Counter(type(move).__name__ for move in moves) == {
        "Recruit": 15,
        "Search": 1,
        "Install": 15,
        "Hire": 3,
        "BuildPalace": 12,
        "BuildWall": 210,
    }


@pytest.mark.parametrize("positions", [PLAYING, ACTING], ids=["play", "act"])
def test_a_longer_list_takes_no_more_work_per_move(positions: tuple[str, ...]) -> None:
    short, long = (ZHANGUO.notation.read_position(position) for position in (positions[0], positions[-1]))
    work = [sum(calls(partial(listed, state)).values()) for state in (short, long)]

    assert work[1] / len(listed(long)) <= work[0] / len(listed(short))


@pytest.mark.parametrize("position", [PLAYING[-1], ACTING[-1]], ids=["play", "act"])
def test_judging_a_move_lists_nothing(position: str) -> None:
    state = ZHANGUO.notation.read_position(position)
    (actor,) = ZHANGUO.awaiting(state)
    for move in {type(move): move for move in listed(state)}.values():
        judged = calls(partial(ZHANGUO.decide, state, actor, move))

        assert not isinstance(ZHANGUO.decide(state, actor, move), Illegal)
        assert [code.co_name for code in judged if code.co_name in LISTERS and _of_frame(code)] == []


def _of_frame(code: CodeType) -> bool:
    """Whether it lists moves of `play` or `act`: what follows by itself may list the next choice."""
    return code.co_filename.endswith(("tasks/playing.py", "court/wall.py", "court/recruit.py"))


def test_the_question_whether_a_court_action_is_possible_stops_at_the_first() -> None:
    state = table()
    asked = calls(lambda: can_act(state, seat(state, "green")))
    files = {code.co_filename.rsplit("/", 1)[1] for code in asked if "/court/" in code.co_filename}

    assert files == {"recruit.py"}
