"""Shutdown of the server: calls that wait for something are released, so that they can end."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar
from weakref import WeakSet

Result = TypeVar("Result")


class Shutdown:
    """Whether the server is stopping, and which tasks are to be released when it does. For one event loop."""

    def __init__(self) -> None:
        self.begun = False
        """Whether the server is stopping."""
        self._waiting: Final[set[asyncio.Task[object]]] = set()
        self._released: Final[WeakSet[asyncio.Task[object]]] = WeakSet()

    def begin(self) -> None:
        """Release every task that is in wait_for(); what is being answered is left alone."""
        self.begun = True
        for task in self._waiting:
            task.cancel()

    async def wait_for(self, wait: Callable[[], Awaitable[Result]]) -> Result | None:
        """The result of a wait of any length; None once the server is stopping or needs the room."""
        task = asyncio.current_task()
        if self.begun or task is None:
            return None
        self._waiting.add(task)
        try:
            return await wait()
        except asyncio.CancelledError:
            # gRPC, for instance, may have cancelled the task as well: then it must end.
            if not self._is_released(task) or task.uncancel():
                raise
            return None
        finally:
            self._waiting.discard(task)

    def release(self, task: "asyncio.Task[object]") -> bool:
        """Release one task from wait_for(), to make room for others; False if it is not waiting."""
        if task not in self._waiting or task in self._released:
            return False
        self._released.add(task)
        task.cancel()
        return True

    @property
    def released(self) -> bool:
        """Whether the task that asks was released to make room, and should end."""
        return asyncio.current_task() in self._released

    def _is_released(self, task: "asyncio.Task[object]") -> bool:
        """Whether begin() or release() was called while a task waited."""
        return self.begun or task in self._released
