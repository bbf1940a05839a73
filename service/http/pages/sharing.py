"""Makes pages that several callers see alike once: an entry changes all open pages of its match."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Final, Generic, TypeVar

Made = TypeVar("Made")

MAX_SHARED_PAGES: Final = 32
"""Pages that are kept, of some hundred KB each: those of the matches that are watched now."""


class SharedPages(Generic[Made]):
    """The last pages that were made, by everything that they depend on."""

    def __init__(self) -> None:
        self._tasks: Final = OrderedDict[Hashable, asyncio.Task[Made]]()

    async def get(self, key: Hashable, make: Callable[[], Awaitable[Made]]) -> Made:
        """The page for a key, made now unless it is kept or being made; raises what making it raises."""
        task = self._tasks.get(key)
        if task is None:
            task = asyncio.ensure_future(_awaited(make()))
            self._tasks[key] = task
            task.add_done_callback(lambda done: self._forget_failed(key, done))
            if len(self._tasks) > MAX_SHARED_PAGES:
                self._tasks.popitem(last=False)
        else:
            self._tasks.move_to_end(key)
        return await asyncio.shield(task)  # others may wait for it when this caller leaves

    def _forget_failed(self, key: Hashable, done: asyncio.Task[Made]) -> None:
        if (done.cancelled() or done.exception() is not None) and self._tasks.get(key) is done:
            del self._tasks[key]


async def _awaited(made: Awaitable[Made]) -> Made:
    return await made
