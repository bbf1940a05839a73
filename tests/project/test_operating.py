"""Follows the instructions of docs/operating.md with a busy server."""

import os
import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import MatchId
from records.log.sqlite import SqliteLog
from service.config import OPTIONS
from tests.project.places import ROOT, SHIJI
from tests.service.observed import observed_server
from tests.service.servers import Running, serving
from tests.tools.running import run
from tools.dev.playing import Table

PAGE = (ROOT / "docs/operating.md").read_text()
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))
COPIES = re.findall(r"^((?:shiji backup|sqlite3) .+)$", SECTIONS["Backup and restore"], re.MULTILINE)
BLOCKS = re.findall(r"^```sh\n(.+?)^```$", SECTIONS["Backup and restore"], re.DOTALL | re.MULTILINE)
OPERATOR = {**os.environ, "PATH": f"{SHIJI.parent}:{os.environ['PATH']}"}
"""The environment of somebody who has installed Shiji."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with serving(tmp_path / "shiji.db") as running:
        yield running


def play_while_copying(server: Running, command: str) -> Table:
    """Play a match while the command copies the archive."""
    if command.startswith("sqlite3") and shutil.which("sqlite3") is None:
        pytest.skip("there is no sqlite3 command")
    table = Table.begin(server.stub, "under way", pb.CHANCE_SERVICE)
    table.move()
    done = threading.Event()

    def play() -> None:
        while not done.wait(0.2) and not table.over:
            table.move()

    player = threading.Thread(target=play)
    player.start()
    type_in(command, server.db.parent)
    done.set()
    player.join()
    return table


def type_in(commands: str, folder: Path) -> None:
    """Run commands as an operator types them; each must succeed."""
    subprocess.run(["sh", "-ec", commands], cwd=folder, env=OPERATOR, check=True)  # noqa: S607 - as above


def copy_of(command: str, folder: Path) -> Path:
    name = re.search(r"(?:'| )([a-z]+\.db)'?\"?$", command)
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


def test_all_ways_to_copy_are_tested() -> None:
    assert len(COPIES) == 3


def test_an_archive_is_restored_and_continued_by_the_commands_of_the_page(server: Running) -> None:
    backup, _, restore = BLOCKS
    table = play_while_copying(server, backup)
    server.signal(signal.SIGTERM)
    server.exit_code()
    type_in(restore, server.db.parent)

    with SqliteLog.open(server.db) as log:
        last = list(log.read(MatchId(table.match)))[-1]
    with serving(server.db) as restored:
        resumed = Table(restored.stub, "resumed", table.chance, table.match, last.sequence, over=False)
        resumed.move()

    assert resumed.acknowledged
    assert (server.db.parent / "replaced/shiji.db").exists()
    assert server.db.stat().st_mode & 0o777 == 0o600


def test_a_copy_can_be_tried_before_an_upgrade(server: Running) -> None:
    table = Table.begin(server.stub, "one")
    table.move()
    for command in re.findall(r"`(shiji [a-z]+ [^`]+)`", SECTIONS["Upgrading"]):
        type_in(command, server.db.parent)

    with SqliteLog.open(server.db.with_name("copy.db")) as copied:
        assert len(list(copied.archive())) == 2


def test_every_option_that_the_page_names_exists() -> None:
    named = set(re.findall(r"`--([a-z-]+)[ `]", PAGE)) - {"json", "check-config"}

    assert named <= OPTIONS.keys()


def test_every_metric_is_described(tmp_path: Path) -> None:
    with observed_server(tmp_path, "--web", "127.0.0.1:0") as served:
        measured = set(re.findall(r"^# TYPE (shiji_\w+) ", served.page(), re.MULTILINE))
    kept = {name for name in measured if not name.endswith(("_created", "_info"))}

    assert set(re.findall(r"`(shiji_\w+)", SECTIONS["What to watch"])) == kept
