"""The published adjudication cases, judged by a real server."""

from collections.abc import Iterator
from typing import TypeVar

import pytest
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from rules.great_wall.game import GREAT_WALL
from rules.kernel.game import Game
from rules.khan.game import KHAN
from rules.qin.game import QIN
from service.messages import actor_message
from service.methods.query import MAX_PAGE_MOVES
from tests.rules.adjudication import Case, published, read
from tests.rules.great_wall.test_adjudication import each_case as each_case_of_the_great_wall
from tests.rules.khan.test_adjudication import each_case as each_case_of_khan
from tests.rules.qin.test_adjudication import each_case as each_case_of_qin
from tests.service.calls import text
from tests.service.servers import serving

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")


@pytest.fixture(scope="module")
def referee(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RecordServiceStub]:
    with serving(tmp_path_factory.mktemp("referee") / "archive.db") as server:
        yield server.stub


def verdict_on(referee: RecordServiceStub, game: Game[State, Move, Event], case: Case) -> dict[str, object]:
    """The server's verdict on a case, with the same keys as published()."""
    line = pb.PositionLine(game=game.about.key, line=case.position)
    state, actor, move = read(game, case)
    answer = referee.CheckMove(pb.CheckMoveRequest(position=line, move=text(case.move)))
    legal = referee.ListLegalMoves(
        pb.ListLegalMovesRequest(position=line, actor=actor_message(actor, ()), page_size=MAX_PAGE_MOVES)
    )
    assert not legal.next_page_token
    return {
        "verdict": "legal" if answer.legal else "illegal",
        "rules": tuple(broken.rule_id for broken in answer.violations),
        "result": answer.position or None,
        "winners": tuple(answer.outcome.winners),
        "is listed": game.notation.write_move(state, actor, move) in {each.text for each in legal.moves},
    }


@each_case_of_qin
def test_the_server_judges_the_case_of_qin_as_published(referee: RecordServiceStub, case: Case) -> None:
    assert verdict_on(referee, QIN, case) == published(case)


@each_case_of_khan
def test_the_server_judges_the_case_of_khan_as_published(referee: RecordServiceStub, case: Case) -> None:
    assert verdict_on(referee, KHAN, case) == published(case)


@each_case_of_the_great_wall
def test_the_server_judges_the_case_of_the_great_wall_as_published(
    referee: RecordServiceStub, case: Case
) -> None:
    assert verdict_on(referee, GREAT_WALL, case) == published(case)
