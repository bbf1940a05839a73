"""Worker processes judge records as the server itself does, and may be killed at any time."""

import asyncio
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import MatchId
from records.ledger.ledger import Ledger
from records.ledger.transfer import RejectedRecord, judge
from records.log.contract import Append
from records.log.memory import MemoryLog
from service.error_mapping import error_for
from service.errors import CallError, Reason
from service.methods.imports import JudgedImport, RejectedImport, judge_file
from service.work_queue import WorkLane
from service.worker_process import WorkFailed
from service.workers import MAX_WAITING_WORK, Workers
from tests.apart import run_apart
from tests.project.places import ROOT
from tests.service.observed import wait_until
from tests.service.servers import TIMEOUT_SECONDS, serving
from tools.dev.golden_version_2 import SECRET

GOLDEN = ROOT / "tests" / "records" / "golden"
RECORDS = sorted(path for suffix in ("shiji", "jsonl") for path in GOLDEN.rglob(f"*.{suffix}"))

SEALED = GOLDEN / "version-2" / "sealed-spectator.jsonl"
"""A match in progress, sealed with SECRET, as a spectator sees it."""


def secret_of(_: MatchId) -> bytes:
    return SECRET


def comparable(judged: JudgedImport | RejectedImport | Exception) -> object:
    """A verdict without the id and time, which are new for every transcript."""
    match judged:
        case JudgedImport():
            assert isinstance(judged.outcome, Append)
            return [(entry.kind, entry.actor, entry.move, entry.events) for entry in judged.outcome.entries]
        case Exception():
            error = error_for(judged)
            return error and (error.reason, error.message, error.metadata)
        case _:
            return judged


def judge_here(content: bytes) -> JudgedImport | RejectedImport | Exception:
    try:
        return judge_file(memory_ledger(), content=content)
    except Exception as fault:  # noqa: BLE001 - to be compared
        return fault


def children(pid: int | None = None) -> set[int]:
    """The worker processes of this process or of another."""
    path = Path(f"/proc/{pid or os.getpid()}/task")
    found = {int(child) for task in path.iterdir() for child in (task / "children").read_text().split()}
    return {child for child in found if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()}


def test_a_worker_process_gives_the_same_verdict_as_the_server_itself() -> None:
    contents = [path.read_bytes() for path in RECORDS]
    assert {type(judge_here(content)) for content in contents} >= {JudgedImport, RejectedImport}
    assert any(isinstance(judge_here(content), Exception) for content in contents)

    async def work() -> list[JudgedImport | RejectedImport | BaseException]:
        with closing(Workers(1, memory_ledger(), memory_ledger)) as workers:
            room = asyncio.Semaphore(MAX_WAITING_WORK // 2)

            async def judged(content: bytes) -> JudgedImport | RejectedImport:
                async with room:
                    return await workers.run("a", partial(judge_file, content=content), WorkLane.LONG)

            return await asyncio.gather(*map(judged, contents), return_exceptions=True)

    for path, content, judged in zip(RECORDS, contents, run_apart(work()), strict=True):
        assert not isinstance(judged, asyncio.CancelledError)
        assert isinstance(judged, JudgedImport | RejectedImport | Exception)
        assert comparable(judged) == comparable(judge_here(content)), path


def test_a_worker_process_derives_what_the_server_dealt() -> None:
    content = SEALED.read_bytes()

    async def work() -> JudgedImport | RejectedImport:
        with closing(Workers(1, memory_ledger(), memory_ledger)) as workers:
            deriving = partial(judge_file, content=content, secrets=secret_of)
            return await workers.run("a", deriving, WorkLane.LONG)

    judged = run_apart(work())

    assert isinstance(judged, JudgedImport)
    assert not judged.lacks_parts
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


def own_priority(_: Ledger) -> tuple[int, int]:
    return os.sched_getscheduler(0), os.nice(0)


def test_worker_processes_yield_to_a_server_also_to_one_in_real_time() -> None:
    niceness = os.nice(0)

    async def work() -> tuple[int, int]:
        try:
            os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))  # of this thread
        except PermissionError:
            pytest.skip("only root may run in real time")
        with closing(Workers(1, memory_ledger(), memory_ledger)) as workers:
            return await workers.run("a", own_priority, WorkLane.LONG)

    policy, niceness_there = run_apart(work())

    assert policy == os.SCHED_OTHER
    assert niceness_there > niceness


def do_nothing(_: Ledger) -> None:
    """Shows that the process works."""


def wait_for_ever(_: Ledger, *, marker: Path) -> None:
    marker.touch()
    signal.pause()


def test_work_that_is_being_done_when_the_server_stops_is_given_up_and_starts_no_process(
    tmp_path: Path,
) -> None:
    marker = tmp_path / "marker"

    async def work() -> tuple[Reason | None, set[int]]:
        workers = Workers(1, memory_ledger(), memory_ledger)
        await workers.run("a", do_nothing, WorkLane.LONG)  # however long the process takes to start
        running = asyncio.create_task(workers.run("a", partial(wait_for_ever, marker=marker), WorkLane.LONG))
        await asyncio.to_thread(wait_until, marker.exists)
        workers.close()
        with pytest.raises(CallError) as raised:
            await asyncio.wait_for(running, TIMEOUT_SECONDS)
        return raised.value.reason, children()

    assert run_apart(work()) == (Reason.DRAINING, set())


LARGE = 20_000_000


def return_much(_: Ledger) -> bytes:
    return bytes(LARGE)


def send_the_beginning(connection: "Connection[bytes, bytes]", data: bytes) -> None:
    os.write(connection.fileno(), bytes(data[:1000]))
    os.kill(os.getpid(), signal.SIGKILL)


def be_killed_while_returning(_: Ledger, *, marker: Path) -> bytes:
    """Return much; the first time, the process is killed when the beginning of it is sent."""
    if not marker.exists():
        marker.touch()
        setattr(Connection, "_send", send_the_beginning)  # noqa: B010 - a method that the type does not show
    return bytes(LARGE)


def test_a_process_that_is_killed_in_the_middle_of_its_answer_gives_back_its_place(tmp_path: Path) -> None:
    async def work() -> tuple[int, int]:
        with closing(Workers(1, memory_ledger(), memory_ledger)) as workers:
            returning = partial(be_killed_while_returning, marker=tmp_path / "marker")
            done = await asyncio.wait_for(workers.run("a", returning, WorkLane.LONG), TIMEOUT_SECONDS)
            return len(done), workers.lost

    assert run_apart(work()) == (LARGE, 1)


def test_workers_stop_while_a_process_returns_much() -> None:
    async def work() -> list[object]:
        workers = Workers(2, memory_ledger(), memory_ledger)
        await workers.run("a", do_nothing, WorkLane.LONG)
        running = [asyncio.create_task(workers.run("a", return_much, WorkLane.LONG)) for _ in range(8)]
        await running[0]
        await asyncio.to_thread(workers.close)  # would wait for ever for the rest of an answer
        ended = await asyncio.wait_for(asyncio.gather(*running, return_exceptions=True), TIMEOUT_SECONDS)
        return [each.reason if isinstance(each, CallError) else type(each) for each in ended]

    assert set(run_apart(work())) <= {bytes, Reason.DRAINING}


def test_when_too_much_work_waits_the_owner_with_most_is_refused_with_the_limit_and_when_to_come_back() -> (
    None
):
    may_end = threading.Event()

    def wait(_: Ledger) -> str:
        assert may_end.wait(TIMEOUT_SECONDS)
        return "done"

    async def work() -> tuple[CallError, str, int]:
        with closing(Workers(0, memory_ledger(), memory_ledger)) as workers:
            running = [asyncio.create_task(workers.run("a", wait)) for _ in range(2)]
            await asyncio.sleep(0)
            waiting = [asyncio.create_task(workers.run("a", wait)) for _ in range(MAX_WAITING_WORK)]
            await asyncio.sleep(0)
            with pytest.raises(CallError) as raised:
                await workers.run("a", wait)
            other = asyncio.create_task(workers.run("b", wait))
            await asyncio.sleep(0)
            may_end.set()
            answered = await other
            results = await asyncio.gather(*running, *waiting, return_exceptions=True)
            return raised.value, answered, results.count("done")

    refused, answered, done = run_apart(work())

    assert (refused.reason, refused.metadata) == (Reason.TOO_MANY_CALLS, {"limit": "waiting-work"})
    assert refused.retry
    assert (answered, done) == ("done", 2 + MAX_WAITING_WORK - 1)  # the newest of the first owner made room


def own_pid(_: Ledger) -> int:
    return os.getpid()


def test_a_process_without_work_ends_and_another_does_what_comes_next() -> None:
    async def work() -> tuple[int, int, int]:
        with closing(Workers(1, memory_ledger(), memory_ledger, idle_seconds=0.01)) as workers:
            first = await workers.run("a", own_pid, WorkLane.LONG)
            await asyncio.to_thread(wait_until, lambda: not Path(f"/proc/{first}").exists())
            return first, await workers.run("a", own_pid, WorkLane.LONG), workers.lost

    first, second, lost = run_apart(work())

    assert first != second
    assert lost == 0


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
