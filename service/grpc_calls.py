"""Drops calls of gRPC that cannot be ended otherwise."""

import asyncio
import gc
from typing import Final

_WATCHER: Final = "_schedule_rpc_coro"
"""The coroutine of gRPC that waits for the end of a call, and keeps the call until then."""


def drop_call() -> bool:
    """Let gRPC forget the call that the current task answers, when that task ends; whether it was found.

    gRPC keeps a response until its caller has taken it or closes the connection, also after the call has
    ended, and offers no way to cancel a call. It cancels one that nobody refers to any more.
    """
    answering = asyncio.current_task()
    for task in asyncio.all_tasks():
        coroutine: object = task.get_coro()
        if getattr(coroutine, "__name__", "") != _WATCHER:
            continue
        if any(answering is each for kept in gc.get_referents(coroutine) for each in gc.get_referents(kept)):
            task.cancel()
            return True
    return False
