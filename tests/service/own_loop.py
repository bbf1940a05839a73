"""An event loop in the thread of the test, which runs only while the test waits for something."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import ParamSpec, TypeVar

from tests.service.running import TIMEOUT_SECONDS

Done = TypeVar("Done")
Asked = ParamSpec("Asked")


class Inline(ThreadPoolExecutor):
    """Does at once, in the thread of the test, what other threads would do."""

    def submit(
        self, function: Callable[Asked, Done], /, *arguments: Asked.args, **named: Asked.kwargs
    ) -> Future[Done]:
        """Done when this returns."""
        done: Future[Done] = Future()
        try:
            done.set_result(function(*arguments, **named))
        except Exception as fault:  # noqa: BLE001 - whatever it is, it is for the caller
            done.set_exception(fault)
        return done


class Loop:
    """An event loop that runs only while the test waits for something."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._loop.set_default_executor(Inline())

    def wait(self, awaited: Awaitable[Done]) -> Done:
        """What comes of it; nothing takes longer than a test may."""

        async def within() -> Done:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                return await awaited

        return self._loop.run_until_complete(within())

    def begin(self, awaited: Awaitable[Done]) -> "asyncio.Task[Done]":
        """A task that goes on whenever the loop runs."""

        async def whole() -> Done:
            return await awaited

        return self._loop.create_task(whole())

    def end(self, task: "asyncio.Task[Done]") -> None:
        """Cancel a task."""
        task.cancel()
        self._loop.run_until_complete(asyncio.wait({task}))
        if not task.cancelled():
            task.exception()  # nobody asks for it any more

    def close(self) -> None:
        self._loop.close()


async def first_of(*events: Awaitable[object], task: "asyncio.Task[object]") -> None:
    """Wait for one of these, or for the end of a task."""
    waiting = [asyncio.ensure_future(each) for each in events]
    await asyncio.wait({*waiting, task}, return_when=asyncio.FIRST_COMPLETED)
    for each in waiting:
        each.cancel()
        with suppress(asyncio.CancelledError):
            await each
