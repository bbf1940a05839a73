"""Imported records are judged in processes of their own: as ever, and whatever becomes of the processes."""

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from shiji.record.v1 import record_service_pb2 as pb

from records.ledger.transfer import RejectedRecord, VerifiedImport, judge
from service.import_workers import ImportWorkers
from tests.apart import run_apart
from tests.project.places import ROOT
from tests.service.servers import PATIENCE, serving

GOLDEN = ROOT / "tests" / "records" / "golden"
RECORDS = sorted(path for suffix in ("shiji", "jsonl") for path in GOLDEN.rglob(f"*.{suffix}"))


def told(judged: VerifiedImport | RejectedRecord | Exception) -> object:
    """What can be compared: an id and a time are made anew for every transcript."""
    match judged:
        case VerifiedImport():
            return [(entry.kind, entry.actor, entry.move, entry.events) for entry in judged.entries]
        case Exception():
            return type(judged), str(judged)
        case _:
            return judged


def here(content: bytes) -> VerifiedImport | RejectedRecord | Exception:
    try:
        return judge(content)
    except Exception as fault:  # noqa: BLE001 - to be compared
        return fault


def children(pid: int | None = None) -> set[int]:
    """The processes that judge, of this process or of another."""
    path = Path(f"/proc/{pid or os.getpid()}/task")
    found = {int(child) for task in path.iterdir() for child in (task / "children").read_text().split()}
    return {child for child in found if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()}


def test_a_process_says_what_the_server_itself_would_say() -> None:
    contents = [path.read_bytes() for path in RECORDS]
    assert {type(here(content)) for content in contents} >= {VerifiedImport, RejectedRecord}
    assert any(isinstance(here(content), Exception) for content in contents)

    async def work() -> list[VerifiedImport | RejectedRecord | BaseException]:
        import_workers = ImportWorkers(1)
        await asyncio.wrap_future(import_workers.begin())
        judged = await asyncio.gather(*map(import_workers.judge, contents), return_exceptions=True)
        import_workers.close()
        return judged

    for path, content, judged in zip(RECORDS, contents, run_apart(work()), strict=True):
        assert not isinstance(judged, asyncio.CancelledError)
        assert isinstance(judged, VerifiedImport | RejectedRecord | Exception)
        assert told(judged) == told(here(content)), path


@pytest.fixture
def content() -> bytes:
    return (GOLDEN / "qin" / "shared-victory.shiji").read_bytes()


def bring(content: bytes, number: int) -> pb.ImportRecordRequest:
    named = content.replace(b"\n\n", f'\n[Event "{number}"]\n\n'.encode(), 1)
    return pb.ImportRecordRequest(content=named)


def waiting() -> Iterator[int]:
    """Numbers, until somebody's patience ends."""
    end = time.monotonic() + PATIENCE
    number = 0
    while time.monotonic() < end:
        yield number
        number += 1
    pytest.fail("nothing came of it")


def test_a_server_whose_processes_are_killed_goes_on_importing_and_begins_others(
    tmp_path: Path, content: bytes
) -> None:
    with serving(tmp_path / "archive.db", "--import-processes=1") as server:
        lost = set[int]()
        for number in waiting():
            assert server.stub.ImportRecord(bring(content, number), timeout=PATIENCE).added
            if number > 5 and (found := children(server.process.pid) - lost):
                if lost:
                    break
                lost = found
                for process in lost:
                    os.kill(process, signal.SIGKILL)


def test_a_server_without_processes_imports_too(tmp_path: Path, content: bytes) -> None:
    with serving(tmp_path / "archive.db", "--import-processes=0") as server:
        assert server.stub.ImportRecord(bring(content, 0), timeout=PATIENCE).added
        assert children(server.process.pid) == set()


@pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_process_outlives_its_server(tmp_path: Path, content: bytes, signum: signal.Signals) -> None:
    found = set[int]()
    with serving(tmp_path / "archive.db") as server:
        for number in waiting():
            server.stub.ImportRecord(bring(content, number), timeout=PATIENCE)
            if found := children(server.process.pid):
                break
        server.signal(signum)
        server.exit_code()

    for _ in waiting():
        if not any(Path(f"/proc/{process}").exists() for process in found):
            break
        time.sleep(0.01)
