"""What the service says of matches on invented components, in its answers and on its pages."""

from pathlib import Path

import pytest
from markupsafe import escape
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from tests.records.invented import INVENTED, Invented
from tests.service.http_calls import ask
from tests.service.running import InProcessService

BROWSER = "text/html,application/xhtml+xml"
ON_INVENTED_COMPONENTS = pytest.mark.parametrize("each", INVENTED, ids=lambda each: each.game)


def stored(stub: RecordServiceStub, record: Path) -> str:
    return stub.ImportRecord(pb.ImportRecordRequest(content=record.read_bytes())).match_id


@ON_INVENTED_COMPONENTS
def test_answers_about_a_match_say_that_its_components_are_invented(
    running: InProcessService, each: Invented
) -> None:
    stub = running.stub
    match = stored(stub, each.record)
    state = stub.GetState(pb.GetStateRequest(match_id=match, with_drawing=True, with_svg=True))

    assert stub.GetMatch(pb.GetMatchRequest(match_id=match)).match.caution == each.caution
    assert stub.AuditMatch(pb.AuditMatchRequest(match_id=match)).report.caution == each.caution
    assert state.caution == each.caution
    assert each.caution in state.drawing
    assert each.is_drawn_in(state.svg)


@ON_INVENTED_COMPONENTS
def test_pages_with_a_position_say_that_its_components_are_invented(
    running: InProcessService, each: Invented
) -> None:
    one, other = stored(running.stub, each.record), stored(running.stub, each.other)

    for path in (f"/matches/{one}", f"/matches/{one}/dispute", f"/compare?a={one}&b={other}"):
        page = ask(running.web, path, accept=BROWSER).body.decode()
        assert f'<p class="caution">{escape(each.caution)}</p>' in page, path
    board = ask(running.web, f"/matches/{one}.json").json()["board"]
    assert isinstance(board, dict)
    assert board["caution"] == each.caution
