"""Worker processes judge records as the server itself does, and may be killed at any time."""

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import MatchId
from records.ledger.ledger import Ledger
from records.ledger.transfer import RejectedRecord, VerifiedImport, judge
from records.log.memory import MemoryLog
from service.error_mapping import error_for
from service.errors import CallError, Reason
from service.methods.imports import judge_file
from service.work_queue import WorkLane
from service.workers import MAX_WAITING_WORK, Workers, WorkFailed
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
            error = error_for(judged)
            return error and (error.reason, error.message, error.metadata)
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
        with closing(Workers(1, memory_ledger(), memory_ledger)) as workers:
            room = asyncio.Semaphore(MAX_WAITING_WORK // 2)

            async def judged(content: bytes) -> VerifiedImport | RejectedRecord:
                async with room:
                    return await workers.run("a", partial(judge_file, content=content), WorkLane.LONG)

            return await asyncio.gather(*map(judged, contents), return_exceptions=True)

    for path, content, judged in zip(RECORDS, contents, run_apart(work()), strict=True):
        assert not isinstance(judged, asyncio.CancelledError)
        assert isinstance(judged, VerifiedImport | RejectedRecord | Exception)
        assert comparable(judged) == comparable(judge_here(content)), path


def test_a_worker_process_derives_what_the_server_dealt() -> None:
    content = SEALED.read_bytes()

    async def work() -> VerifiedImport | RejectedRecord:
        with closing(Workers(1, memory_ledger(), memory_ledger)) as workers:
            deriving = partial(judge_file, content=content, secrets=secret_of)
            return await workers.run("a", deriving, WorkLane.LONG)

    judged = run_apart(work())

    assert isinstance(judged, VerifiedImport)
    assert not judged.lacking
    assert isinstance(judge(content), RejectedRecord)


def memory_ledger() -> Ledger:
    return Ledger(MemoryLog())


def fail(_: Ledger) -> None:
    raise ZeroDivisionError


def die(_: Ledger, *, marker: Path) -> str:
    """Kill the process the first time."""
    if marker.exists():
        return "done"
    marker.touch()
    os.kill(os.getpid(), signal.SIGKILL)
    return ""


def die_always(_: Ledger) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_work_that_loses_its_process_is_done_by_another(tmp_path: Path) -> None:
    async def work() -> tuple[str, int]:
        with closing(Workers(1, memory_ledger(), memory_ledger)) as workers:
            done = await workers.run("a", partial(die, marker=tmp_path / "marker"), WorkLane.LONG)
            return done, workers.lost

    assert run_apart(work()) == ("done", 1)


def test_work_that_loses_two_processes_is_refused_and_others_go_on() -> None:
    async def work() -> str:
        with closing(Workers(1, memory_ledger(), memory_ledger)) as workers:
            with pytest.raises(CallError) as raised:
                await workers.run("a", die_always, WorkLane.LONG)
            assert raised.value.reason is Reason.WORKER_LOST
            assert raised.value.retry
            return await workers.run("b", say_done, WorkLane.LONG)

    assert run_apart(work()) == "done"


def say_done(_: Ledger) -> str:
    return "done"


def test_a_fault_in_a_process_is_raised_with_its_traceback() -> None:
    async def work() -> None:
        with closing(Workers(1, memory_ledger(), memory_ledger)) as workers:
            await workers.run("a", fail, WorkLane.LONG)

    with pytest.raises(WorkFailed, match="ZeroDivisionError"):
        run_apart(work())


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
    with serving(tmp_path / "archive.db", "--worker-processes=1") as server:
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
    with serving(tmp_path / "archive.db", "--worker-processes=0") as server:
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
