"""One worker process, which is asked over a pipe of its own.

Each end of the pipe is open in one process only, so that whatever happens to the worker, and whenever, the
server reads to the end of what it has sent, and waits for nothing more.
"""

import multiprocessing
import os
import pickle
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Final, TypeAlias, TypeVar

from records.audit.workers import begin_worker
from records.games.registry import GAMES
from records.ledger.ledger import Ledger
from service.error_mapping import error_for
from service.errors import CallError
from service.memory import return_large_blocks

Done = TypeVar("Done")

Work: TypeAlias = Callable[[Ledger], Done]
"""Work on the archive, given a ledger for reading; picklable, as is what it returns."""

OpenLedger: TypeAlias = Callable[[], Ledger]
"""Opens the archive in a worker process; picklable."""

_NICENESS: Final = 10
"""How much the processes yield to the server, which answers everybody."""

_END_SECONDS: Final = 2.0
"""Time for a process to end once it is asked to; then it is killed."""


class ProcessLost(RuntimeError):
    """The process has ended before it had answered."""


class WorkFailed(RuntimeError):
    """A piece of work raised an exception that is no answer; has the text of its traceback."""


class WorkerProcess:
    """A newly spawned process with the archive, which does one piece of work at a time."""

    def __init__(self, open_ledger: OpenLedger) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process: Final = context.Process(
            target=_work, args=(theirs, open_ledger), name="worker", daemon=True
        )
        self._process.start()
        theirs.close()
        self._thread: Final = ThreadPoolExecutor(1, "worker pipe")
        """Waits for what the process answers."""

    def ready(self) -> "Future[object]":
        """Done when the process can work; raises ProcessLost if it ends before that."""
        return self.submit(_nothing)

    def submit(self, work: Work[object]) -> "Future[object]":
        """What the work returns; raises CallError, WorkFailed and ProcessLost."""
        return self._thread.submit(self._ask, work)

    def _ask(self, work: Work[object]) -> object:
        data = pickle.dumps(work)
        try:
            self._connection.send_bytes(data)
            answer = self._connection.recv_bytes()
        except (EOFError, OSError) as fault:
            raise ProcessLost from fault
        result: object = pickle.loads(answer)  # noqa: S301 - the process is ours
        if isinstance(result, CallError):
            raise result
        if isinstance(result, _Traceback):
            raise WorkFailed(result)
        return result

    def terminate(self) -> None:
        """Let the process end, whatever it is doing."""
        self._process.terminate()

    def close(self) -> None:
        """End the process, and wait for that."""
        self._process.terminate()
        self._process.join(_END_SECONDS)
        self._process.kill()
        self._process.join()
        self._thread.shutdown(cancel_futures=True)
        self._connection.close()

    def close_idle(self) -> None:
        """Let a process that has no work end by itself, without waiting for it."""
        self._connection.close()
        self._thread.submit(self._process.join)
        self._thread.shutdown(wait=False)


class _Traceback(str):
    """The text of an exception that is no answer."""

    __slots__ = ()


# In a worker process.


def _work(connection: "Connection[bytes, bytes]", open_ledger: OpenLedger) -> None:
    """Do what comes over the pipe until it is closed."""
    begin_worker()
    yield_to_server()
    return_large_blocks()
    GAMES.load_all()
    ledger = open_ledger()
    while True:
        try:
            data = connection.recv_bytes()
        except (EOFError, OSError):
            return
        connection.send_bytes(_answer(data, ledger))


def yield_to_server() -> None:
    """Let the server go first, also one that runs in real time, whose priority a process inherits."""
    if hasattr(os, "sched_getscheduler") and os.sched_getscheduler(0) in {os.SCHED_FIFO, os.SCHED_RR}:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    os.nice(_NICENESS)


def _answer(data: bytes, ledger: Ledger) -> bytes:
    """What the work returns, or the error that it raises, pickled."""
    try:
        work: Work[object] = pickle.loads(data)  # noqa: S301 - the server is ours
        return pickle.dumps(work(ledger))
    except Exception as fault:  # noqa: BLE001 - not every exception can be pickled
        return pickle.dumps(error_for(fault) or _Traceback("".join(traceback.format_exception(fault))))


def _nothing(_: Ledger) -> None:
    """The first work of a process: when it is done, the process is ready."""
