"""The published adjudication cases of Qin, put to a real server by an app that only wants a referee."""

from collections.abc import Iterator

import pytest
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from rules.qin.game import QIN
from service.messages import actor_message
from service.methods.asking import MOST_LEGAL
from tests.rules.adjudication import Case
from tests.rules.qin.test_adjudication import each_case
from tests.service.asking import text
from tests.service.servers import serving


@pytest.fixture(scope="module")
def referee(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RecordServiceStub]:
    with serving(tmp_path_factory.mktemp("referee") / "archive.db") as server:
        yield server.stub


def position(case: Case) -> pb.PositionLine:
    return pb.PositionLine(game="qin", line=case.position)


@each_case
def test_the_verdict_is_the_one_published(referee: RecordServiceStub, case: Case) -> None:
    answer = referee.CheckMove(pb.CheckMoveRequest(position=position(case), move=text(case.move)))

    assert answer.legal == (case.verdict == "legal")
    assert tuple(broken.rule_id for broken in answer.violations) == case.rules
    assert answer.position == (case.result or "")
    assert tuple(answer.outcome.winners) == case.winners


@each_case
def test_a_move_is_listed_exactly_when_it_is_legal(referee: RecordServiceStub, case: Case) -> None:
    state = QIN.notation.read_position(case.position)
    actor, move = QIN.notation.read_move(state, case.move)
    said = QIN.notation.write_move(state, actor, move)

    request = pb.ListLegalMovesRequest(
        position=position(case), actor=actor_message(actor), page_size=MOST_LEGAL
    )
    listed = [each.text for each in referee.ListLegalMoves(request).moves]

    assert (said in listed) == (case.verdict == "legal")
