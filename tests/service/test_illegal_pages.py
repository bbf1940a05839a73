"""Pages of stored matches in which something is wrong, as only a forger or a damaged disk makes them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from records.ledger.ledger import Ledger
from records.log.sqlite import SqliteLog
from records.replay.fold import open_record
from tests.records.archives import add
from tests.records.matches import MOVES, forged, played
from tests.service.http_calls import Reply, ask
from tests.service.running import InProcessService, serving_in_process

BROWSER = "text/html,application/xhtml+xml"


def page(running: InProcessService, path: str) -> str:
    return ask(running.web, path, accept=BROWSER).body.decode()


def twin(running: InProcessService, path: str) -> Reply:
    return ask(running.web, path)


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Path]:
    """An archive with a match whose third move, on a village and beside nothing, was never legal."""
    entries = played(*MOVES)
    move = open_record(entries[0]).start.parse_text("green Ra13Rb13").data
    path = tmp_path / "shiji.db"
    add(path, forged(entries, 3, move=move))
    return path


@pytest.fixture
def illegal(archive: Path) -> Iterator[InProcessService]:
    """A service over the archive."""
    with SqliteLog.open(archive) as log, serving_in_process(Ledger(log)) as running:
        yield running


def match_of(running: InProcessService) -> str:
    (found,) = ask(running.web, "/index.json").json()["matches"]
    return str(found["match_id"])


def test_a_match_that_was_found_illegal_says_so_on_its_page(illegal: InProcessService) -> None:
    match = match_of(illegal)
    before = page(illegal, f"/matches/{match}")
    page(illegal, f"/matches/{match}/dispute")

    after = page(illegal, f"/matches/{match}")

    assert "The last audit found it" not in before
    assert "The last audit found it illegal at entry 3" in after
    assert f'<a href="/matches/{match}/dispute">see why</a>' in after
    rows = [line for line in after.splitlines() if 'class="fault"' in line]
    assert len(rows) == 1
    assert f'href="/matches/{match}?entry=3"' in rows[0]
