"""The page of an archive: its filters with their counts, and matches that nobody can read."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from shiji.record.v1 import record_service_pb2 as pb

from records.games.headline import headline
from records.ledger.ledger import Ledger
from records.log.memory import MemoryLog
from records.log.sqlite import SqliteLog
from service.http.pages.archive_view import ArchiveView
from tests.project.places import ROOT
from tests.records.archives import add
from tests.records.matches import MOVES, forged, played
from tests.service.calls import begin
from tests.service.http_calls import ask
from tests.service.running import InProcessService, serving_in_process

BROWSER = "text/html,application/xhtml+xml"
GOLDEN = ROOT / "tests/records/golden"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessService]:
    """Four matches of Qin, one of them over and one damaged, and one of Khan that is over and was audited."""
    path = tmp_path_factory.mktemp("archive") / "shiji.db"
    add(path, forged(played(*MOVES), 3, actor=7))
    with SqliteLog.open(path) as log, serving_in_process(Ledger(log)) as running:
        for _ in range(2):
            begin(running.stub)
        imported = [
            running.stub.ImportRecord(pb.ImportRecordRequest(content=(GOLDEN / file).read_bytes()))
            for file in ("qin/forced-pass-on-bird.shiji", "khan/shared-victory.shiji")
        ]
        running.stub.AuditMatch(pb.AuditMatchRequest(match_id=imported[-1].match_id))
        yield running


def view(running: InProcessService, query: str = "") -> ArchiveView:
    return msgspec.json.decode(ask(running.web, f"/index.json?{query}").body, type=ArchiveView)


def page(running: InProcessService, query: str = "") -> str:
    return ask(running.web, f"/?{query}", accept=BROWSER).body.decode()


@pytest.mark.parametrize("query", ["", "game=qin", "state=over", "game=qin&state=over", "audit=none"])
def test_each_count_is_the_number_of_matches_that_its_filter_lists(
    archive: InProcessService, query: str
) -> None:
    counts = view(archive, query).counts
    assert counts is not None

    given = dict(part.split("=") for part in query.split("&") if part)
    for name, found in (("game", counts.games), ("state", counts.states), ("audit", counts.audits)):
        for value, count in found.items():
            wanted = "&".join(f"{key}={each}" for key, each in {**given, name: value}.items())
            assert view(archive, wanted).total == count, wanted


@pytest.mark.parametrize("query", ["q=green", "from=2020-01-01", "to=2999-01-01", "id=0"])
def test_a_search_has_filters_without_counts(archive: InProcessService, query: str) -> None:
    shown = page(archive, query)

    assert view(archive, query).counts is None
    assert 'class="count"' not in shown
    assert f'href="/?{query}&amp;game=qin"' in shown


def test_a_game_that_nobody_knows_is_refused_with_those_that_are_known(archive: InProcessService) -> None:
    refused = ask(archive.web, "/?game=chess", accept=BROWSER)

    assert refused.status == 400
    assert "known: qin, khan, zhanguo, great-wall" in refused.body.decode()


def test_a_row_has_the_id_of_its_match(archive: InProcessService) -> None:
    for each in view(archive).matches:
        assert f'<code class="id">{each.match_id}</code>' in page(archive)


def test_a_result_is_said_with_the_points_that_led_to_it(archive: InProcessService) -> None:
    (khan,) = view(archive, "game=khan").matches
    words = "yellow and blue won: nobody can conquer any more (red 10, yellow 29, blue 29, green 17)"

    assert khan.headline == words
    assert ask(archive.web, f"/matches/{khan.match_id}.json").json()["headline"] == words


def test_points_that_a_game_says_itself_are_not_said_twice() -> None:
    assert headline("green won: green 5, red 3", [("green", 5), ("red", 3)]) == "green won: green 5, red 3"
    assert headline("green to place", []) == "green to place"


def test_the_track_of_zhanguo_is_not_taken_for_the_points_of_a_finished_match() -> None:
    file = (GOLDEN / "zhanguo/emperor-tiles.shiji").read_bytes()
    with serving_in_process(Ledger(MemoryLog())) as running:
        match = running.stub.ImportRecord(pb.ImportRecordRequest(content=file)).match_id
        board = ask(running.web, f"/matches/{match}.json").json()["board"]

    assert isinstance(board, dict)
    assert board["seats"][0]["facts"][0][0] == "points on the track"


def test_a_match_without_a_readable_header_has_a_name_and_no_filter(tmp_path: Path) -> None:
    entries = forged(played(*MOVES[:2]), 0, move=b"\xff")
    add(tmp_path / "shiji.db", entries)
    with SqliteLog.open(tmp_path / "shiji.db") as log, serving_in_process(Ledger(log)) as running:
        shown, found = page(running), view(running)
        dispute = ask(running.web, f"/matches/{entries[0].match}/dispute", accept=BROWSER)

    assert ">unreadable header</a>" in shown
    assert entries[0].match in shown
    assert found.choices.games == ()
    assert dispute.status == 200
    assert "The header of the record is damaged" in dispute.body.decode()
