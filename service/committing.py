"""Group commit in an event loop: what comes together shares one wait for the disk."""

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple, Protocol

from records.log.contract import Append, AppendRejected, AppendResult, Log, LogBusy, write_each
from service.feed import EntryFeed

_WORTH: Final = 4
_LONGEST: Final = 0.005
"""An append waits for others as long as so many writes take, and so many seconds at most: in the loop other
calls are answered meanwhile, and during a write they are not."""

_LATELY: Final = 8
"""As many are waited for as the largest of so many groups had; for one of them, whoever comes is."""

SLOW: Final = 0.004
"""Where a write takes longer than so many seconds, it is left to a thread, and the loop goes on meanwhile."""

_MANY: Final = 256
"""So many entries are written in the loop at most."""

_WEIGHT: Final = 0.2
"""Of the newest write in the average."""


class Job(Protocol):
    """An append, and whoever waits for what becomes of it."""

    @property
    def append(self) -> Append:
        """What is to be stored."""

    def given_up(self) -> bool:
        """Whether nobody waits any more; then it is never written."""

    def answer(self, answer: AppendResult | Exception) -> None:
        """What the log says, once it is durable; a refusal, or what was raised."""


class _Commit(NamedTuple):
    append: Append
    stored: "asyncio.Future[AppendResult]"

    def given_up(self) -> bool:
        return self.stored.cancelled()

    def answer(self, answer: AppendResult | Exception) -> None:
        if self.stored.cancelled():
            return
        if isinstance(answer, Exception) and not isinstance(answer, AppendRejected):
            self.stored.set_exception(answer)
        else:
            self.stored.set_result(answer)


class Committer:
    """Writes to a log from an event loop, one group at a time."""

    def __init__(self, log: Log, feed: EntryFeed) -> None:
        self._log: Final = log
        self._feed: Final = feed
        self._waiting: list[Job] = []
        self._lately: Final = deque([1], _LATELY)
        """How many appends the last groups had."""
        self._wanted: float = 1
        """With so many a group is written at once; a lone caller never waits."""
        self._groups = 0
        self._timer: asyncio.Handle | None = None
        self._writing: asyncio.Task[None] | None = None
        self._thread: Final = ThreadPoolExecutor(1, "commit")
        """Its own, since others may be busy for long."""
        self._average = 0.0
        """So many seconds a write takes, of not too many entries."""
        self.watch: Callable[[int, float], None] | None = None
        """Is told of each write: of how many appends, and how many seconds it took."""

    def commit(self, append: Append) -> "asyncio.Future[AppendResult]":
        """The log's answer once it is durable; what is cancelled in time is never written."""
        stored: asyncio.Future[AppendResult] = asyncio.get_running_loop().create_future()
        self.submit(_Commit(append, stored))
        return stored

    def submit(self, job: Job) -> None:
        """Have it written, with others that come soon."""
        self._waiting.append(job)
        if self._writing is not None:
            return
        loop = asyncio.get_running_loop()
        if len(self._waiting) == self._wanted:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = loop.call_soon(self.flush)
        elif self._timer is None:
            self._timer = loop.call_later(min(_WORTH * self._average, _LONGEST), self.flush)

    async def close(self) -> None:
        """Write all that was handed in."""
        while self._waiting or self._writing is not None:
            if self._writing is None:
                self.flush()
            else:
                await self._writing
        self._thread.shutdown()

    @property
    def queued(self) -> int:
        """How many appends wait."""
        return len(self._waiting)

    def _expect(self, came: int) -> None:
        """Learn from a group how many to wait for.

        Groups that are never waited for stay as small as they are, even where many call.
        """
        self._lately.append(came)
        self._groups += 1
        most = max(self._lately)
        self._wanted = math.inf if most > 1 and self._groups % _LATELY == 0 else most

    def flush(self) -> None:
        """Write all that waits; during a write it waits for the next."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._writing is not None:
            return
        group = [job for job in self._waiting if not job.given_up()]
        self._waiting = []
        if not group:
            return
        self._expect(len(group))
        if self._average > SLOW or _many(group) or not self._written_here(group):
            self._writing = asyncio.create_task(self._in_a_thread(group))

    def _written_here(self, group: Sequence[Job]) -> bool:
        """Whether it could be done in the loop, which never waits for another writer."""
        begun = time.perf_counter()
        try:
            answers = write_each(self._log, [job.append for job in group], wait=False)
        except LogBusy:
            return False
        self._answer(group, answers, time.perf_counter() - begun)
        return True

    async def _in_a_thread(self, group: Sequence[Job]) -> None:
        begun = time.perf_counter()
        appends = [job.append for job in group]
        answers = await asyncio.get_running_loop().run_in_executor(
            self._thread, write_each, self._log, appends
        )
        self._writing = None
        self._answer(group, answers, time.perf_counter() - begun)
        if self._waiting:
            self._timer = asyncio.get_running_loop().call_soon(self.flush)

    def _answer(
        self, group: Sequence[Job], answers: Sequence[AppendResult | Exception], spent: float
    ) -> None:
        if not _many(group):
            self._average += _WEIGHT * (spent - self._average)
        if self.watch is not None:
            self.watch(len(group), spent)
        for job, answer in zip(group, answers, strict=True):
            job.answer(answer)
        for answer in answers:
            if isinstance(answer, tuple):
                self._feed.stored(answer)


def _many(group: Sequence[Job]) -> bool:
    return sum(len(job.append.entries) for job in group) > _MANY
