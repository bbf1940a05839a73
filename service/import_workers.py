"""Records that callers bring are judged in processes of their own, so that others are answered meanwhile."""

import asyncio
import logging
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Final

from records.audit.workers import Processes
from records.ledger.transfer import RejectedRecord, VerifiedImport, judge
from service.observability.logs import note


class ImportWorkers:
    """Judges records beside the loop. For one event loop.

    The processes begin with the first record; until one of them is there, and where there shall be none, a
    thread of the server judges.
    """

    def __init__(self, count: int) -> None:
        self._count: Final = count
        self._processes: Processes | None = None
        self._begun: Future[None] = Future()

    async def judge(self, content: bytes) -> VerifiedImport | RejectedRecord:
        """The verdict on a record; raises what `judge` raises."""
        processes = self._ready()
        if processes is not None:
            try:
                judged = await asyncio.wrap_future(processes.submit(partial(_judged, content)))
            except BrokenProcessPool:
                self._lost(processes)
            else:
                if judged is not None:
                    return judged
        return await asyncio.to_thread(judge, content)

    def close(self) -> None:
        """End the processes."""
        if self._processes is not None:
            self._processes.close()
            self._processes = None

    def begin(self) -> "Future[None]":
        """Start the processes, unless they are there; done as soon as one can judge."""
        if self._processes is None:
            self._processes = Processes(self._count)
            self._begun = self._processes.submit(_begin)
        return self._begun

    def _ready(self) -> Processes | None:
        return self._processes if self._count and self.begin().done() else None

    def _lost(self, processes: Processes) -> None:
        """Somebody has killed one, or there was no memory for it; the next record begins others."""
        if processes is self._processes:
            note(logging.WARNING, "a process that judges records was lost", {})
            self.close()


def _begin() -> None:
    """What a process does first: nothing, but by then it has begun."""


def _judged(content: bytes) -> VerifiedImport | RejectedRecord | None:
    """The verdict; None where there is none, and whoever asks again hears why."""
    try:
        return judge(content)
    except Exception:  # noqa: BLE001 - not every exception finds its way to another process
        return None
