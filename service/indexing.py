"""Keeps the index of the archive up to date in the background, with a small share of the machine."""

import asyncio
import logging
import time
from functools import partial
from typing import Final

from records.index.index import ArchiveIndex
from records.ledger.ledger import Ledger
from records.ledger.loading import loaded
from records.log.contract import LogFault
from service.observability.logs import log_event
from service.shutdown import Shutdown

_BUSY_SHARE: Final = 0.02
"""Share of the time that the index takes while entries are appended: appends must not become 3 % slower."""

_IDLE_SHARE: Final = 0.5
"""Share of the time that the index takes while nothing is appended."""

_POLL_SECONDS: Final = 1.0
"""Time between two looks for something to do: lists bring themselves up to date anyway."""

_POSITIONS_PER_STEP: Final = 500
_MATCHES_PER_STEP: Final = 4
"""Positions looked through and matches folded in one step, which the event loop may have to wait for: a few
milliseconds."""

_SETTLED_SECONDS: Final = 30
"""Time without a move after which entries of a match under way are put into words: each time, the whole
record is folded."""


class IndexKeeper:
    """Brings an index up to date, step by step."""

    def __init__(self, index: ArchiveIndex, ledger: Ledger) -> None:
        self._index: Final = index
        self._ledger: Final = ledger
        self._last = 0
        """The last position of the archive at the step before."""

    async def run(self, shutdown: Shutdown) -> None:
        """Work until the server stops."""
        while not shutdown.begun:
            start = time.perf_counter()
            busy, left = True, False
            try:
                busy, left = await asyncio.to_thread(self._step)
            except LogFault:
                pass  # the archive is not available now: it is tried again
            except Exception as fault:  # noqa: BLE001 - the server works without its index
                log_event(logging.ERROR, "the index cannot be brought up to date", {}, fault)
            took = time.perf_counter() - start
            share = _BUSY_SHARE if busy else _IDLE_SHARE
            pause = max(took / share, 0.0 if left else _POLL_SECONDS)
            await shutdown.wait_for(partial(asyncio.sleep, pause))

    def _step(self) -> tuple[bool, bool]:
        """One step; returns whether something was appended since the last, and whether anything is left."""
        index = self._index
        last = self._ledger.log.last_position()
        busy, self._last = last != self._last, last
        if not index.catch_up(_POSITIONS_PER_STEP):
            return busy, True
        stale = index.stale(_MATCHES_PER_STEP)
        for row in stale:
            loaded(partial(index.refresh, row))
        if stale:
            return busy, True
        if busy:
            return True, False
        before = self._ledger.clock() - _SETTLED_SECONDS * 1_000_000
        return False, loaded(partial(index.describe, 1, before)) > 0
