"""Group commit: appends of many callers share one write, and each is answered once it is durable."""

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from types import TracebackType
from typing import Final, Generic, Protocol, Self, TypeAlias, TypeVar

from records.entry import Entry
from records.log import Answer, Append, Log, LogBusy, LogUnavailable, Refusal

GROUP: Final = 512
"""So many appends share a write at most."""

ROOM: Final = 4096
"""So many appends wait for the writer at most; whoever comes later waits to hand his in."""

PATIENCE: Final = 1 / 8
"""The part of the last write's time that the writer waits for as many appends as it had in that write.

Whoever is answered tends to come back with the next append. Without the wait the first of them go alone and
the others behind them: up to half of the speed is lost where an fsync takes 5 ms. A lone caller never waits.
"""

Stored: TypeAlias = Future[tuple[Entry, ...]]


Result = TypeVar("Result")
Then: TypeAlias = Callable[[Answer], Result]
"""What is made of the log's answer."""


class _Waiting(Protocol):
    """An append, and somebody who waits for what becomes of it."""

    @property
    def append(self) -> Append: ...

    def begin(self) -> bool:
        """Whether anybody still waits; from now on nobody can give up."""

    def answer(self, answer: Answer | Exception) -> None: ...


class _Job(Generic[Result]):
    __slots__ = ("append", "result", "then")

    def __init__(self, append: Append, then: Then[Result]) -> None:
        self.append: Final = append
        self.then: Final = then
        self.result: Final[Future[Result]] = Future()

    def begin(self) -> bool:
        return self.result.set_running_or_notify_cancel()

    def answer(self, answer: Answer | Exception) -> None:
        if isinstance(answer, Exception) and not isinstance(answer, Refusal):
            self.result.set_exception(answer)
            return
        try:
            result = self.then(answer)
        except Exception as fault:  # noqa: BLE001 - whatever it is, it belongs to whoever waits
            self.result.set_exception(fault)
        else:
            self.result.set_result(result)


def _stored(answer: Answer) -> tuple[Entry, ...]:
    if isinstance(answer, Refusal):
        raise answer
    return answer


class Writer:
    """Writes to a log from one thread; closing it does not close the log."""

    def __init__(self, log: Log, *, group: int = GROUP, room: int = ROOM, linger: float = 0.0) -> None:
        """Linger is how many seconds the writer always waits before it writes less than a full group."""
        self._log: Final = log
        self._group: Final = group
        self._room: Final = room
        self._linger: Final = linger
        self._queue: Final[deque[_Waiting]] = deque()
        self._lock: Final = threading.Lock()
        self._work: Final = threading.Condition(self._lock)
        """The writer waits here for appends."""
        self._space: Final = threading.Condition(self._lock)
        """Callers wait here for room."""
        self._wanted = 0
        """The writer sleeps until so many appends are queued; 0 while it is awake."""
        self._crowd = 0
        """So many callers wait for room."""
        self._company = 1
        """So many appends were written the last time."""
        self._spent = 0.0
        """So many seconds it took."""
        self._closing = False
        self._thread: Final = threading.Thread(target=self._run, name="shiji-writer", daemon=True)
        self._thread.start()

    def submit(self, append: Append) -> Stored:
        """The entries once they are durable; the exception is a Refusal or a LogFault.

        Waits while there is no room. An append whose future is cancelled in time is never written.
        """
        return self.submit_then(append, _stored)

    def submit_then(self, append: Append, then: Then[Result]) -> "Future[Result]":
        """As submit; the result is what is made of the log's answer, in the writer's thread: be quick."""
        job = _Job(append, then)
        with self._lock:
            while len(self._queue) >= self._room and not self._closing:
                self._crowd += 1
                self._space.wait()
                self._crowd -= 1
            if self._closing:
                raise LogUnavailable("the writer is closed")
            self._queue.append(job)
            if 0 < self._wanted <= len(self._queue):
                self._wanted = 0
                self._work.notify()
        return job.result

    def close(self) -> None:
        """Take nothing more, write all that was handed in, and answer it; a second call does nothing."""
        with self._lock:
            self._closing = True
            self._work.notify()
            self._space.notify_all()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _run(self) -> None:
        while taken := self._take():
            jobs = [job for job in taken if job.begin()]
            if jobs:
                begun = time.monotonic()
                self._write(jobs)
                self._company, self._spent = len(jobs), time.monotonic() - begun

    def _take(self) -> list[_Waiting]:
        """The next group; nothing once all is written and nothing more can come."""
        with self._lock:
            self._sleep(until=1, timeout=None)
            if self._linger:
                self._sleep(until=self._group, timeout=self._linger)
            else:
                self._sleep(until=self._company, timeout=self._spent * PATIENCE)
            jobs = [self._queue.popleft() for _ in range(min(self._group, len(self._queue)))]
            if self._crowd:
                self._space.notify(len(jobs))
            return jobs

    def _sleep(self, until: int, timeout: float | None) -> None:
        self._wanted = until
        self._work.wait_for(lambda: self._closing or len(self._queue) >= until, timeout)
        self._wanted = 0

    def _write(self, jobs: Sequence[_Waiting]) -> None:
        answers = write_each(self._log, [job.append for job in jobs])
        for job, answer in zip(jobs, answers, strict=True):
            job.answer(answer)


def write_each(log: Log, appends: Sequence[Append], *, wait: bool = True) -> list[Answer | Exception]:
    """Store several appends in one go: for each the log's answer, or what was raised instead.

    Whoever will not wait until others have written gets LogBusy; he may hand all of them in again.
    """
    try:
        return [*log.write(appends, wait=wait)]
    except LogUnavailable as fault:
        if isinstance(fault, LogBusy) and not wait:
            raise
        return [_likewise(fault) for _ in appends]
    except Exception as fault:  # noqa: BLE001 - its caller must hear of it, and the writer must live on
        if len(appends) == 1:
            return [fault]
        # One of them did it, and the others must not suffer.
        return [answer for append in appends for answer in write_each(log, [append], wait=wait)]


def _likewise(fault: LogUnavailable) -> LogUnavailable:
    """The same fault for another caller: an exception that several threads raise has all their traces."""
    other = type(fault)(*fault.args)
    other.__cause__ = fault
    return other
