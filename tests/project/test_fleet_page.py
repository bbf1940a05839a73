"""Every command of docs/fleet.md that can be run on one machine is run, in the order of the page."""

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import pytest
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from tests.postgres import Cluster, as_another_user, binaries, free_port
from tests.project.places import ROOT, SHIJI
from tests.records.archives import make
from tests.service.fleet.common import kept_size
from tools.dev.playing import Table

PAGE = (ROOT / "docs/fleet.md").read_text()
COMMANDS = re.findall(r"^\$ (.+)$", PAGE, re.MULTILINE)

ELSEWHERE = {
    "pip install 'shiji[dask]'": "needs a package index; make installs the same extra",
    "dask scheduler": "tests/tools/test_dask.py",
    "SHIJI_AUDIT_LOG=postgresql://auditor@b/shiji dask worker": "tests/tools/test_dask.py",
    "shiji audit postgresql://auditor@a,b/shiji --dask": "tests/tools/test_dask.py",
}
"""Beginnings of commands that are run elsewhere, or that need more than one machine."""

SETTINGS = {"shared_buffers": "16MB", "wal_retrieve_retry_interval": "100ms"}
SERVERS = 2
WAIT_SECONDS = 120.0


@dataclass
class Operator:
    """Types the commands of the page; machines a and b are two clusters on this one."""

    folder: Path
    stack: ExitStack
    primary: Cluster
    standby: Cluster
    restored: Cluster
    printed: dict[str, str] = field(default_factory=dict)
    """By command, what it printed."""
    addresses: list[str] = field(default_factory=list)
    """Of servers that listen."""
    published: int = 0
    """Entries of the newest checkpoint."""

    def __post_init__(self) -> None:
        programs = self.folder / "bin"
        programs.mkdir()
        for program in ("createdb", "pg_basebackup", "pg_ctl", "pg_verifybackup", "psql"):
            script = programs / program
            script.write_text(f'#!/bin/sh\nexec {" ".join(as_another_user())} {binaries() / program} "$@"\n')
            script.chmod(0o755)
        self.environment = {
            **os.environ,
            "PATH": f"{programs}:{SHIJI.parent}:{os.environ['PATH']}",
            "PGPORT": str(self.primary.port),
            "PGUSER": "owner",
            "PGDATABASE": "postgres",
            "PGHOST": "127.0.0.1",
            "XDG_CACHE_HOME": str(self.folder),
        }

    def here(self, command: str) -> str:
        """The command with the addresses of this machine."""
        both = f"@127.0.0.1:{self.primary.port},127.0.0.1:{self.standby.port}/shiji"
        key = self.printed.get("key", "")
        for there, here in {
            "@a,b/shiji?sslmode=verify-full": both,
            "@localhost/": "@127.0.0.1/",
            "-h a ": "",
            "host=a": f"host=127.0.0.1 port={self.primary.port}",
            "host=b": f"host=127.0.0.1 port={self.standby.port}",
            "localhost:5433": f"127.0.0.1:{self.restored.port}",
            '"-p 5433': f'"-p {self.restored.port}',
            "VKEY": key,
            ":50051": ":0",
            ":50052": ":0",
        }.items():
            command = command.replace(there, here)
        return command

    def type(self, command: str) -> None:
        """Run a command; a server goes on, every other must succeed."""
        if command.startswith("shiji serve"):
            self.serve(command)
            return
        done = subprocess.run(
            ["bash", "-euc", self.here(command)],  # noqa: S607 - where the operator has it
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=WAIT_SECONDS,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        self.printed[command] = done.stdout
        if command.startswith("shiji keygen"):
            self.printed["key"] = done.stdout.strip()
        if "-D DATA " in command:
            self.standby.start()

    def serve(self, command: str) -> None:
        """Start a server, and play at it when it listens."""
        process = subprocess.Popen(
            ["bash", "-euc", f"exec {self.here(command)}"],  # noqa: S607 - where the operator has it
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.stack.callback(process.wait, WAIT_SECONDS)
        self.stack.callback(process.terminate)
        assert process.stdout is not None
        self.stack.callback(process.stdout.close)
        found = re.search(r"127\.0\.0\.1:\d+", process.stdout.readline())
        assert found is not None
        self.addresses.append(found[0])
        self.play(f"at server {len(self.addresses)}")

    def play(self, request: str) -> None:
        """Store some entries, and wait until they are published."""
        with grpc.insecure_channel(self.addresses[-1]) as channel:
            table = Table.begin(RecordServiceStub(channel), request)
            table.move()
        self.published = self.primary.ask("SELECT count(*) FROM shiji.entry", "shiji")
        end = time.monotonic() + WAIT_SECONDS
        while kept_size(self.folder / "secret") < self.published:
            assert time.monotonic() < end
            time.sleep(0.05)


@pytest.fixture(scope="module")
def operator() -> Iterator[Operator]:
    """Who has typed all commands."""
    folder = Path(tempfile.mkdtemp(prefix="shiji-page-"))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        primary = Cluster.create(SETTINGS)
        stack.callback(primary.remove)
        shutil.chown(folder, primary.folder.owner(), primary.folder.group())
        with (primary.folder / "postgresql.conf").open("a") as settings:
            settings.write("listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\n")
        standby, restored = (Cluster(folder / name, free_port(), SETTINGS) for name in ("DATA", "backup"))
        for cluster in (standby, restored):
            stack.callback(cluster.stop, "immediate")
        primary.start()
        make(folder / "shiji.db", matches=2)
        found = Operator(folder, stack, primary, standby, restored)
        for command in COMMANDS:
            if not command.startswith(tuple(ELSEWHERE)):
                found.type(command)
        yield found


def test_what_is_not_run_here_is_on_the_page() -> None:
    assert all(any(command.startswith(each) for command in COMMANDS) for each in ELSEWHERE)


def test_every_command_succeeds(operator: Operator) -> None:
    assert len(operator.addresses) == SERVERS
    assert set(COMMANDS) - {*operator.printed} == {
        each for each in COMMANDS if each.startswith((*ELSEWHERE, "shiji serve"))
    }


def test_the_restored_backup_stands_alone_and_has_everything_that_was_published(operator: Operator) -> None:
    (audited,) = (text for command, text in operator.printed.items() if "--checkpoint" in command)

    assert operator.restored.ask("SELECT pg_is_in_recovery()::integer") == 0
    assert f"all {operator.published} entries that example.com/shiji promised are there" in audited
