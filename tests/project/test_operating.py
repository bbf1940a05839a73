"""Follows the instructions of docs/operating.md with a busy server."""

import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from shiji.record.v1 import record_service_pb2 as pb

from records.log.sqlite import SqliteLog
from service.config import OPTIONS
from tests.project.places import ROOT
from tests.service.observed import observed_server
from tests.service.servers import Running, serving
from tests.tools.running import run
from tools.dev.playing import Table

PAGE = (ROOT / "docs/operating.md").read_text()
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))
COPIES = re.findall(r"^(sqlite3 .+)$", SECTIONS["Backup and restore"], re.MULTILINE)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with serving(tmp_path / "shiji.db") as running:
        yield running


def play_while_copying(server: Running, command: str) -> Table:
    """Play a match while the command copies the archive."""
    if shutil.which("sqlite3") is None:
        pytest.skip("there is no sqlite3 command")
    table = Table.begin(server.stub, "under way", pb.CHANCE_SERVICE)
    table.move()
    done = threading.Event()

    def play() -> None:
        while not done.is_set() and not table.over:
            table.move()

    player = threading.Thread(target=play)
    player.start()
    subprocess.run(["sh", "-c", command], cwd=server.db.parent, check=True)  # noqa: S607 - as an operator types it
    done.set()
    player.join()
    return table


def copy_of(command: str, folder: Path) -> Path:
    name = re.search(r"'(.+\.db)'", command)
    assert name is not None
    return folder / name[1]


@pytest.mark.parametrize("command", COPIES)
def test_a_copy_made_while_the_server_appends_verifies_and_can_be_continued(
    server: Running, command: str
) -> None:
    table = play_while_copying(server, command)
    server.signal(signal.SIGTERM)
    server.exit_code()
    copy = copy_of(command, server.db.parent)

    audited = run("audit", copy)
    with SqliteLog.open(server.db, read_only=True) as log, SqliteLog.open(copy, read_only=True) as copied:
        entries = list(copied.archive())
        assert entries == list(log.archive(limit=len(entries)))
    shutil.copy(server.db.with_name("shiji.db.secret"), copy.with_name(f"{copy.name}.secret"))
    with serving(copy) as restored:
        resumed = Table(restored.stub, "resumed", table.chance, table.match, entries[-1].sequence, over=False)
        resumed.move()

    assert audited.exit_code == 0, audited.stdout
    assert entries
    assert resumed.acknowledged


def test_both_ways_to_copy_are_tested() -> None:
    assert len(COPIES) == 2


def test_every_option_that_the_page_names_exists() -> None:
    named = set(re.findall(r"`--([a-z-]+)[ `]", PAGE)) - {"json", "check-config"}

    assert named <= OPTIONS.keys()


def test_every_metric_is_described(tmp_path: Path) -> None:
    with observed_server(tmp_path) as served:
        measured = set(re.findall(r"^# TYPE (shiji_\w+) ", served.page(), re.MULTILINE))
    kept = {name for name in measured if not name.endswith(("_created", "_info"))}

    assert set(re.findall(r"`(shiji_\w+)", SECTIONS["What to watch"])) == kept
