"""The server's pages: their addresses, their twins in JSON, and what they say when something is wrong."""

import pytest
from shiji.record.v1 import record_service_pb2 as pb

from tests.service.calls import Table, begin, seat
from tests.service.http_calls import Reply, ask
from tests.service.running import InProcessService

BROWSER = "text/html,application/xhtml+xml"


def page(running: InProcessService, path: str) -> Reply:
    return ask(running.web, path, accept=BROWSER)


@pytest.fixture(scope="module")
def table(running: InProcessService) -> Table:
    played = begin(running.stub, chance=pb.CHANCE_SERVICE)
    played.play(played.legal()[0])
    return played


def test_each_page_has_a_twin_in_json(running: InProcessService, table: Table) -> None:
    match = ask(running.web, f"/matches/{table.match}.json").json()
    archive = ask(running.web, "/index.json").json()
    found = archive["matches"]

    assert (match["match_id"], match["last"]) == (table.match, table.last)
    board = match["board"]
    assert isinstance(board, dict)
    assert board["position"] == table.state().position
    assert isinstance(found, list)
    assert table.match in [row["match_id"] for row in found]


def test_a_page_shows_a_spectators_view_unless_another_is_asked_for(
    running: InProcessService, table: Table
) -> None:
    spectator = page(running, f"/matches/{table.match}").body.decode()
    own = ask(running.web, f"/matches/{table.match}.json?as=0")

    assert table.state().position in spectator.replace("&#39;", "'")
    assert own.status in {200, 403}
    if own.status == 200:
        board = own.json()["board"]
        assert isinstance(board, dict)
        assert board["position"] == table.state(seat(0)).position


def test_a_page_loads_nothing_but_files_of_this_server(running: InProcessService, table: Table) -> None:
    for path in ("/", f"/matches/{table.match}", "/matches/nobody"):
        reply = page(running, path)
        policy = reply.headers["content-security-policy"]

        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert b"<style" not in reply.body
        assert b" style=" not in reply.body


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/matches/nobody", 404, "there is no match nobody"),
        ("/matches/MATCH?entry=999", 400, "999"),
        ("/matches/MATCH?entry=x", 400, "entry takes the sequence of an entry"),
        ("/matches/MATCH?as=9", 400, "seats 0 to 1"),
        ("/?state=asleep", 400, "state takes open, over, damaged"),
        ("/?colour=red", 400, "is not known here"),
        ("/nothing", 404, "there is nothing at"),
        ("/static/nothing.js", 404, "there is no file"),
    ],
)
def test_a_page_says_what_was_wrong_and_what_to_do(
    running: InProcessService, table: Table, path: str, status: int, words: str
) -> None:
    reply = page(running, path.replace("MATCH", table.match))

    assert reply.status == status
    assert reply.headers["content-type"].startswith("text/html")
    assert words in reply.body.decode()


def test_a_transcript_and_a_record_can_be_downloaded(running: InProcessService) -> None:
    match = begin(running.stub).match
    transcript = ask(running.web, f"/matches/{match}/transcript")
    record = ask(running.web, f"/matches/{match}/record")

    assert transcript.body.startswith(b'[Format "shiji/1"]')
    assert record.headers["content-disposition"].startswith("attachment; ")
    exported = running.stub.ExportRecord(
        pb.ExportRecordRequest(match_id=match, format=pb.RECORD_FORMAT_RECORD)
    )
    assert record.body == exported.content


def test_a_file_that_did_not_change_is_not_sent_again(running: InProcessService) -> None:
    first = ask(running.web, "/static/shiji.css")
    again = ask(running.web, "/static/shiji.css", if_none_match=first.headers["etag"])

    assert (first.status, again.status, again.body) == (200, 304, b"")
