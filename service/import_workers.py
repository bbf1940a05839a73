"""Worker processes that verify imported records, so that the event loop can answer other calls meanwhile."""

import asyncio
import logging
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Final

from records.audit.workers import Processes
from records.ledger.ledger import Secrets
from records.ledger.transfer import RejectedRecord, VerifiedImport, judge
from service.observability.logs import log_event


class ImportWorkers:
    """Verifies records outside of the event loop. For one event loop.

    The processes start with the first record. Until the first of them is ready, and where the count is 0, a
    thread of the server does the work.
    """

    def __init__(self, count: int) -> None:
        self._count: Final = count
        self._processes: Processes | None = None
        self._started: Future[None] = Future()

    async def judge(
        self, content: bytes, *, as_shown: bool = False, secrets: Secrets | None = None
    ) -> VerifiedImport | RejectedRecord:
        """The verdict on a record; raises what `judge` raises."""
        processes = self._ready()
        if processes is not None:
            try:
                work = partial(_judge_or_none, content, as_shown=as_shown, secrets=secrets)
                verdict = await asyncio.wrap_future(processes.submit(work))
            except BrokenProcessPool:
                self._discard(processes)
            else:
                if verdict is not None:
                    return verdict
        return await asyncio.to_thread(judge, content, as_shown=as_shown, secrets=secrets)

    def close(self) -> None:
        """Stop the processes."""
        if self._processes is not None:
            self._processes.close()
            self._processes = None

    def start(self) -> "Future[None]":
        """Start the processes unless they are running; the future is done when the first is ready."""
        if self._processes is None:
            self._processes = Processes(self._count)
            self._started = self._processes.submit(_do_nothing)
        return self._started

    def _ready(self) -> Processes | None:
        return self._processes if self._count and self.start().done() else None

    def _discard(self, processes: Processes) -> None:
        """Drop a pool of which a process was killed or ran out of memory; the next record starts another."""
        if processes is self._processes:
            log_event(logging.WARNING, "a process that judges records was lost", {})
            self.close()


def _do_nothing() -> None:
    """The first task of a process: when it is done, the process is ready."""


def _judge_or_none(
    content: bytes, *, as_shown: bool, secrets: Secrets | None
) -> VerifiedImport | RejectedRecord | None:
    """The verdict; None if judging raised, and then the server judges again to raise the same itself."""
    try:
        return judge(content, as_shown=as_shown, secrets=secrets)
    except Exception:  # noqa: BLE001 - not every exception can be pickled
        return None
