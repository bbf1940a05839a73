"""Drops calls of gRPC that cannot be ended otherwise."""

import asyncio
import gc
from typing import Final

_WATCHER: Final = "_schedule_rpc_coro"
"""The coroutine of gRPC that waits for the end of a call, and keeps the call until then."""


class UndroppableCall(Exception):
    """gRPC has no coroutine that is known to keep the call: this version of grpcio works in another way."""

    def __init__(self) -> None:
        super().__init__(
            f"no task {_WATCHER} of grpcio keeps the call: answers that nobody reads stay in memory until "
            "their connection is closed, and are counted until the server is started again"
        )


def can_drop_call() -> bool:
    """Whether drop_call would find the call that the current task answers; its caller must not have left."""
    return _watcher() is not None


def drop_call() -> bool:
    """Let gRPC forget the call that the current task answers, when that task ends; whether it was found.

    gRPC keeps a response until its caller has taken it or closes the connection, also after the call has
    ended, and offers no way to cancel a call. It cancels one that nobody refers to any more. A call is not
    found either if its caller has left, and then there is nothing to drop.
    """
    watcher = _watcher()
    return watcher is not None and watcher.cancel()


def _watcher() -> asyncio.Task[object] | None:
    """The task of gRPC that keeps the call that the current task answers.

    grpcio has no name for it, so it is found by what its coroutine refers to, itself or by the variables that
    Cython keeps in an object of their own. Only tasks of the event loop are
    searched, not all objects: that takes 2 ms where 1,000 calls are in progress, and only answers that were
    not taken in time are searched for.
    """
    answering = asyncio.current_task()
    for task in asyncio.all_tasks():
        coroutine: object = task.get_coro()
        if getattr(coroutine, "__name__", "") != _WATCHER:
            continue
        kept = gc.get_referents(coroutine)
        if any(answering is each for each in (*kept, *gc.get_referents(*kept))):
            return task
    return None
