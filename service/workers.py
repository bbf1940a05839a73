"""Worker processes for work that would hold up the event loop, shared fairly between owners."""

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, TypeVar, cast

from records.audit.archive import OpenLog
from records.ledger.ledger import Ledger
from records.ledger.loading import loaded
from service.errors import CallError, Reason, stopping
from service.observability.logs import log_event
from service.work_queue import WorkLane, WorkQueue
from service.worker_process import OpenLedger, ProcessLost, Work, WorkerProcess

MAX_WAITING_WORK: Final = 256
"""Jobs that wait for a process, of all owners together. At 16 short jobs per 0.1 second and process, the last
of them waits for about a second; a longer queue would only outlast the deadlines of its callers."""

WORK_RETRY_SECONDS: Final = 1.0
"""When a caller whose work was refused should try again."""

_WORKING_THREADS: Final = 2
"""Threads that work where there are no processes; more would slow down the event loop, as all share one
interpreter."""

_MAX_LOST_PROCESSES: Final = 2
"""Processes that may be lost over one piece of work. Then the work itself is the likely cause."""

_RESTART_SECONDS: Final = 0.5
"""Time before another process is started in the place of one that did not get ready."""

_IDLE_SECONDS: Final = 30.0
"""Time without work after which a process ends, and gives back its memory. A thread does short work until the
next one is ready."""

_CACHED_MATCHES: Final = 64
"""Matches whose state a process keeps: those that are asked about again and again."""

_SHORT: Final = (WorkLane.SHORT,)
_ANY: Final = (WorkLane.SHORT, WorkLane.LONG)

Done = TypeVar("Done")


class _Job:
    __slots__ = ("done", "tries", "work")

    def __init__(self, work: Work[object], done: "asyncio.Future[object]") -> None:
        self.work: Final = work
        self.done: Final = done
        self.tries = 0


class _Worker(ABC):
    """Does one piece of work at a time."""

    def __init__(self, lanes: Sequence[WorkLane]) -> None:
        self.lanes: Final = lanes
        self.busy = False
        self.started = True
        self.ready = True

    def begin(self) -> None:
        """It is given work."""
        self.busy = True

    def end(self) -> None:
        """Its work is done."""
        self.busy = False

    @abstractmethod
    async def perform(self, work: Work[object]) -> object:
        """What the work returns; raises what it raises, or ProcessLost."""

    @abstractmethod
    def close(self) -> None:
        """Stop."""


class _ThreadWorker(_Worker):
    def __init__(self, lanes: Sequence[WorkLane], ledger: Ledger) -> None:
        super().__init__(lanes)
        self._ledger: Final = ledger
        self._thread: Final = ThreadPoolExecutor(1, "worker")

    async def perform(self, work: Work[object]) -> object:
        work_here = partial(loaded, partial(work, self._ledger))
        return await asyncio.get_running_loop().run_in_executor(self._thread, work_here)

    def close(self) -> None:
        self._thread.shutdown(cancel_futures=True)


class _ProcessWorker(_Worker):
    def __init__(
        self,
        lanes: Sequence[WorkLane],
        open_ledger: OpenLedger,
        on_ready: Callable[[], None],
        idle_seconds: float,
    ) -> None:
        super().__init__(lanes)
        self._open_ledger: Final = open_ledger
        self._on_ready: Final = on_ready
        self._idle_seconds: Final = idle_seconds
        self._resting: asyncio.TimerHandle | None = None
        """Ends the process when it has had no work for some time."""
        self._process: WorkerProcess | None = None
        self._closed = False
        self.started = self.ready = False

    def start(self) -> None:
        """Start the process, unless it is closed; it does work once it is ready."""
        if self._closed:
            return
        self.started, self.ready = True, False
        self._process = WorkerProcess(self._open_ledger)
        first = asyncio.wrap_future(self._process.ready())
        first.add_done_callback(self._is_ready)

    def _is_ready(self, first: "asyncio.Future[object]") -> None:
        if first.cancelled():
            return
        if first.exception() is None:
            self.ready = True
            self._rest_later()
            self._on_ready()
        else:  # it was killed before it was ready
            self._end()
            first.get_loop().call_later(_RESTART_SECONDS, self.start)

    def begin(self) -> None:
        super().begin()
        self._go_on()

    def end(self) -> None:
        super().end()
        self._rest_later()

    def _rest_later(self) -> None:
        self._go_on()
        if not self._closed:
            self._resting = asyncio.get_running_loop().call_later(self._idle_seconds, self._rest)

    def _go_on(self) -> None:
        if self._resting is not None:
            self._resting.cancel()
            self._resting = None

    def _rest(self) -> None:
        """End the process; it is started again when work waits."""
        if self.ready and self._process is not None:
            self.started = self.ready = False
            self._process.close_idle()
            self._process = None

    async def perform(self, work: Work[object]) -> object:
        if self._process is None:
            raise RuntimeError("the process was not started")
        return await asyncio.wrap_future(self._process.submit(work))

    def replace(self) -> None:
        """Start a process in the place of one that is lost."""
        self._end()
        self.start()

    def terminate(self) -> None:
        """Let the process end, whatever it is doing; close() waits for it."""
        self._closed = True
        if self._process is not None:
            self._process.terminate()

    def close(self) -> None:
        self._closed = True
        self._go_on()
        self._end()

    def _end(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None


class Workers:
    """Does work outside of the event loop. For one event loop.

    Processes start one after the other, when work waits for them, and end when they have had none for some
    time. The second takes only short work, and no owner has all of the others for its long work. Until the
    first is ready, a thread of the server does short work; where the count is 0, threads do everything.
    """

    def __init__(
        self, count: int, ledger: Ledger, open_ledger: OpenLedger, idle_seconds: float = _IDLE_SECONDS
    ) -> None:
        self._idle_seconds: Final = idle_seconds
        self._count: Final = count
        self._ledger: Final = ledger
        self._open_ledger: Final = open_ledger
        self._workers: list[_Worker] = []
        self._spare: _ThreadWorker | None = None
        """Does short work until a process is ready."""
        others = max(count, _WORKING_THREADS) - (count > 1)
        self._queue: Final = WorkQueue[_Job](MAX_WAITING_WORK, max(others - 1, 1))
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._closed = False
        self.lost = 0
        """Processes that were lost and replaced."""
        self.refused = 0
        """Jobs that were refused because too many waited."""

    @property
    def waiting(self) -> int:
        """Jobs that wait for a process."""
        return len(self._queue)

    @property
    def busy(self) -> int:
        """Jobs that are being done."""
        return len(self._tasks)

    async def run(self, owner: str, work: Work[Done], lane: WorkLane = WorkLane.SHORT) -> Done:
        """What the work returns; raises what it raises, as a CallError if a process has done it."""
        self._start()
        job = _Job(work, asyncio.get_running_loop().create_future())
        refused = self._queue.push(owner, lane, job)
        if refused is not None:
            self.refused += 1
            refused.done.set_exception(_too_much_work())
        if not any(worker.started for worker in self._workers):
            self._start_another()
        self._dispatch()
        return cast("Done", await job.done)  # one queue for work of all types

    def close(self) -> None:
        """Stop; what has not begun is refused, and what is being done is given up."""
        self._closed = True
        for job in self._queue.drain():
            if not job.done.done():
                job.done.set_exception(stopping())
        for worker in self._workers:
            if isinstance(worker, _ProcessWorker):
                worker.terminate()  # all of them, before any is waited for
        for worker in [*self._workers, *([self._spare] if self._spare else [])]:
            worker.close()

    def _start(self) -> None:
        if self._workers:
            return
        if not self._count:
            self._workers = [_ThreadWorker(_ANY, self._ledger) for _ in range(_WORKING_THREADS)]
            return
        self._spare = _ThreadWorker(_SHORT, self._ledger)
        self._workers = [
            _ProcessWorker(
                _SHORT if number == 1 else _ANY, self._open_ledger, self._dispatch, self._idle_seconds
            )
            for number in range(self._count)
        ]

    def _dispatch(self) -> None:
        """Give work to every worker that is free."""
        ready = [worker for worker in self._workers if worker.ready]
        if not ready and self._spare is not None:
            ready = [self._spare]
        for worker in ready:
            while not worker.busy and (found := self._queue.pop(worker.lanes)) is not None:
                owner, lane, job = found
                if job.done.done():  # nobody waits for it any more
                    self._queue.finished(owner, lane, 0.0)
                    continue
                worker.begin()
                task = asyncio.get_running_loop().create_task(self._perform(worker, owner, lane, job))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
        if len(self._queue) and all(worker.ready for worker in self._workers if worker.started):
            self._start_another()

    def _start_another(self) -> None:
        for worker in self._workers:
            if isinstance(worker, _ProcessWorker) and not worker.started:
                worker.start()
                return

    async def _perform(self, worker: _Worker, owner: str, lane: WorkLane, job: _Job) -> None:
        began = time.perf_counter()
        job.tries += 1
        fault: Exception | None = None
        result: object = None
        try:
            result = await worker.perform(job.work)
        except ProcessLost:
            if self._closed:  # close() has ended it
                fault = stopping()
            else:
                self._replace(worker)
                if job.tries < _MAX_LOST_PROCESSES:
                    self._queue.push(owner, lane, job)
                    self._end(worker, owner, lane, began)
                    return
                fault = _worker_lost()
        except Exception as raised:  # noqa: BLE001 - raised for the caller, whatever it is
            fault = raised
        self._end(worker, owner, lane, began)
        if job.done.done():
            return
        if fault is None:
            job.done.set_result(result)
        else:
            job.done.set_exception(fault)

    def _end(self, worker: _Worker, owner: str, lane: WorkLane, began: float) -> None:
        worker.end()
        self._queue.finished(owner, lane, time.perf_counter() - began)
        self._dispatch()

    def _replace(self, worker: _Worker) -> None:
        """Start a process in the place of one that was killed or ran out of memory."""
        self.lost += 1
        log_event(logging.WARNING, "a worker process was lost", {})
        if isinstance(worker, _ProcessWorker):
            worker.replace()


def _too_much_work() -> CallError:
    return CallError(
        Reason.TOO_MANY_CALLS,
        f"too much work waits, and this owner has the most of it (max {MAX_WAITING_WORK} in all)",
        {"limit": "waiting-work"},
        retry=WORK_RETRY_SECONDS,
    )


def _worker_lost() -> CallError:
    message = "the processes that worked on the request were lost; it may need more memory than there is"
    return CallError(Reason.WORKER_LOST, message, retry=WORK_RETRY_SECONDS)


def read_only_ledger(open_log: OpenLog) -> Ledger:
    """A ledger for a worker process, which keeps the states of few matches and has no secrets."""
    return Ledger(open_log(), cache=_CACHED_MATCHES)
