"""Worker processes judge imported records as the server itself does, and may be killed at any time."""

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import MatchId
from records.ledger.transfer import RejectedRecord, VerifiedImport, judge
from service.import_workers import ImportWorkers
from tests.apart import run_apart
from tests.project.places import ROOT
from tests.service.servers import TIMEOUT_SECONDS, serving
from tools.dev.golden_version_2 import SECRET

GOLDEN = ROOT / "tests" / "records" / "golden"
RECORDS = sorted(path for suffix in ("shiji", "jsonl") for path in GOLDEN.rglob(f"*.{suffix}"))

SEALED = GOLDEN / "version-2" / "sealed-spectator.jsonl"
"""A match in progress, sealed with SECRET, as a spectator sees it."""


def secret_of(_: MatchId) -> bytes:
    return SECRET


def comparable(judged: VerifiedImport | RejectedRecord | Exception) -> object:
    """A verdict without the id and time, which are new for every transcript."""
    match judged:
        case VerifiedImport():
            return [(entry.kind, entry.actor, entry.move, entry.events) for entry in judged.entries]
        case Exception():
            return type(judged), str(judged)
        case _:
            return judged


def judge_here(content: bytes) -> VerifiedImport | RejectedRecord | Exception:
    try:
        return judge(content)
    except Exception as fault:  # noqa: BLE001 - to be compared
        return fault


def children(pid: int | None = None) -> set[int]:
    """The worker processes of this process or of another."""
    path = Path(f"/proc/{pid or os.getpid()}/task")
    found = {int(child) for task in path.iterdir() for child in (task / "children").read_text().split()}
    return {child for child in found if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()}


def test_a_worker_process_gives_the_same_verdict_as_the_server_itself() -> None:
    contents = [path.read_bytes() for path in RECORDS]
    assert {type(judge_here(content)) for content in contents} >= {VerifiedImport, RejectedRecord}
    assert any(isinstance(judge_here(content), Exception) for content in contents)

    async def work() -> list[VerifiedImport | RejectedRecord | BaseException]:
        import_workers = ImportWorkers(1)
        await asyncio.wrap_future(import_workers.start())
        judged = await asyncio.gather(*map(import_workers.judge, contents), return_exceptions=True)
        import_workers.close()
        return judged

    for path, content, judged in zip(RECORDS, contents, run_apart(work()), strict=True):
        assert not isinstance(judged, asyncio.CancelledError)
        assert isinstance(judged, VerifiedImport | RejectedRecord | Exception)
        assert comparable(judged) == comparable(judge_here(content)), path


def test_a_worker_process_derives_what_the_server_dealt() -> None:
    async def work() -> VerifiedImport | RejectedRecord:
        import_workers = ImportWorkers(1)
        await asyncio.wrap_future(import_workers.start())
        judged = await import_workers.judge(SEALED.read_bytes(), secrets=secret_of)
        import_workers.close()
        return judged

    judged = run_apart(work())

    assert isinstance(judged, VerifiedImport)
    assert not judged.lacking
    assert isinstance(judge(SEALED.read_bytes()), RejectedRecord)


@pytest.fixture
def content() -> bytes:
    return (GOLDEN / "qin" / "shared-victory.shiji").read_bytes()


def import_request(content: bytes, number: int) -> pb.ImportRecordRequest:
    named = content.replace(b"\n\n", f'\n[Event "{number}"]\n\n'.encode(), 1)
    return pb.ImportRecordRequest(content=named)


def attempts() -> Iterator[int]:
    """Numbers of attempts; fails after TIMEOUT_SECONDS."""
    end = time.monotonic() + TIMEOUT_SECONDS
    number = 0
    while time.monotonic() < end:
        yield number
        number += 1
    pytest.fail("the expected state was not reached in time")


def test_a_server_whose_workers_are_killed_continues_to_import_and_starts_others(
    tmp_path: Path, content: bytes
) -> None:
    with serving(tmp_path / "archive.db", "--import-processes=1") as server:
        lost = set[int]()
        for number in attempts():
            assert server.stub.ImportRecord(import_request(content, number), timeout=TIMEOUT_SECONDS).added
            if number > 5 and (found := children(server.process.pid) - lost):
                if lost:
                    break
                lost = found
                for process in lost:
                    os.kill(process, signal.SIGKILL)


def test_a_server_without_processes_imports_too(tmp_path: Path, content: bytes) -> None:
    with serving(tmp_path / "archive.db", "--import-processes=0") as server:
        assert server.stub.ImportRecord(import_request(content, 0), timeout=TIMEOUT_SECONDS).added
        assert children(server.process.pid) == set()


@pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_worker_process_outlives_its_server(
    tmp_path: Path, content: bytes, signum: signal.Signals
) -> None:
    found = set[int]()
    with serving(tmp_path / "archive.db") as server:
        for number in attempts():
            server.stub.ImportRecord(import_request(content, number), timeout=TIMEOUT_SECONDS)
            if found := children(server.process.pid):
                break
        server.signal(signum)
        server.exit_code()

    for _ in attempts():
        if not any(Path(f"/proc/{process}").exists() for process in found):
            break
        time.sleep(0.01)
