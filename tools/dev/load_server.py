"""Runs a server whose event loop measures its callbacks, for `make load`.

The loop of asyncio instead of uvloop runs every callback through Handle._run, where its processor time can be
taken. The longest are written to a file once a second.
"""

import asyncio
import os
import sys
import threading
import time
from asyncio import events
from collections.abc import Callable
from pathlib import Path
from typing import Final, cast

import uvloop

from service.__main__ import command

LONGEST_FILE: Final = "SHIJI_LOAD_CALLBACKS"
"""Environment variable with the file that gets the longest callbacks."""

_KEPT: Final = 10
"""Callbacks that are kept."""

_WRITE_SECONDS: Final = 1.0
"""Time between two writes of the file."""

_longest: Final[dict[str, float]] = {}
"""Milliseconds of processor time of the longest callbacks, by what they ran."""

_run: Final = cast("Callable[[events.Handle], None]", vars(events.Handle)["_run"])


def _timed_run(handle: events.Handle) -> None:
    began = time.thread_time()
    _run(handle)
    took = (time.thread_time() - began) * 1000
    if took > min(_longest.values(), default=0.0) or len(_longest) < _KEPT:
        name = _name_of(handle)
        _longest[name] = max(took, _longest.get(name, 0.0))
        while len(_longest) > _KEPT:
            del _longest[min(_longest, key=_longest.__getitem__)]


def _name_of(handle: events.Handle) -> str:
    """The function or coroutine that a callback runs."""
    callback: object = getattr(handle, "_callback", None)
    task = getattr(callback, "__self__", None)
    if isinstance(task, asyncio.Task):
        coroutine: object = task.get_coro()
        return str(getattr(coroutine, "__qualname__", coroutine))
    return str(getattr(callback, "__qualname__", callback))


def _write(path: Path) -> None:
    while True:
        time.sleep(_WRITE_SECONDS)
        lines = sorted(((took, name) for name, took in list(_longest.items())), reverse=True)
        draft = path.with_suffix(".new")
        draft.write_text("".join(f"{took:.1f} {name}\n" for took, name in lines), "utf-8")
        draft.replace(path)


if __name__ == "__main__":
    uvloop.new_event_loop = asyncio.new_event_loop  # type: ignore[assignment] # the loop that can be measured
    setattr(events.Handle, "_run", _timed_run)  # noqa: B010 - a method that the type does not show
    threading.Thread(target=_write, args=(Path(os.environ[LONGEST_FILE]),), daemon=True).start()
    sys.exit(command(prog_name="load_server"))
