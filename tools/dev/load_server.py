"""Runs a server whose event loop measures its callbacks, for `make load`.

The loop of asyncio instead of uvloop runs every callback through Handle._run, where its processor time can be
taken. The longest since the file was removed are written to it twice a second, each with what it was doing
after some milliseconds.
"""

import asyncio
import gc
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

_WRITE_SECONDS: Final = 0.5
"""Time between two writes of the file."""

_longest: Final[dict[str, float]] = {}
"""Milliseconds of processor time of the longest callbacks, by what they ran."""

_SAMPLED_SECONDS: Final = 0.004
"""Processor time after which a callback is looked at."""

_LOOK_SECONDS: Final = 0.001
"""Time between two looks."""

_FRAMES: Final = 3
"""Functions of ours that are named, the innermost first."""


class _Running:
    """The callback that is running."""

    began: float | None = None
    """Processor time of the event loop's thread at which it began."""
    doing = ""
    """What it was doing when it was looked at."""


_run: Final = cast("Callable[[events.Handle], None]", vars(events.Handle)["_run"])


def _timed_run(handle: events.Handle) -> None:
    callback: object = getattr(handle, "_callback", None)  # none is left of a timer that cancels itself
    _Running.doing, _Running.began = "", time.thread_time()
    began = _Running.began
    _run(handle)
    took, _Running.began = (time.thread_time() - began) * 1000, None
    if took > min(_longest.values(), default=0.0) or len(_longest) < _KEPT:
        name = f"{_name_of(callback)}{_Running.doing}"
        _longest[name] = max(took, _longest.get(name, 0.0))
        while len(_longest) > _KEPT:
            del _longest[min(_longest, key=_longest.__getitem__)]


def _name_of(callback: object) -> str:
    """The function or coroutine that a callback runs."""
    task = getattr(callback, "__self__", None)
    if isinstance(task, asyncio.Task):
        coroutine: object = task.get_coro()
        return str(getattr(coroutine, "__qualname__", coroutine))
    return str(getattr(callback, "__qualname__", callback))


class _Collections:
    """Notes the collections of garbage that take long, as a part of the callback that they interrupt."""

    def __init__(self) -> None:
        self._began = 0.0

    def __call__(self, phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            self._began = time.thread_time()
        elif (took := time.thread_time() - self._began) > _SAMPLED_SECONDS:
            _Running.doing = f" (garbage of generation {info['generation']}, {1000 * took:.1f} ms)"


def _sample(loop_thread: int) -> None:
    """Note what long callbacks are doing."""
    clock = time.pthread_getcpuclockid(loop_thread)
    while True:
        time.sleep(_LOOK_SECONDS)
        began = _Running.began
        if began is None or _Running.doing or time.clock_gettime(clock) - began < _SAMPLED_SECONDS:
            continue
        frame, names = sys._current_frames().get(loop_thread), list[str]()  # noqa: SLF001 - no other way to see a thread
        while frame is not None and len(names) < _FRAMES:
            if not frame.f_code.co_filename.startswith((sys.prefix, sys.base_prefix)):
                names.append(frame.f_code.co_qualname)
            frame = frame.f_back
        _Running.doing = f" ({' of '.join(names)})"


def _write(path: Path) -> None:
    begun = False
    while True:
        time.sleep(_WRITE_SECONDS)
        if begun and not path.exists():  # what comes now is counted anew
            _longest.clear()
        begun = True
        lines = sorted(((took, name) for name, took in list(_longest.items())), reverse=True)
        draft = path.with_suffix(".new")
        draft.write_text("".join(f"{took:.1f} {name}\n" for took, name in lines), "utf-8")
        draft.replace(path)


if __name__ == "__main__":
    uvloop.new_event_loop = asyncio.new_event_loop  # type: ignore[assignment] # the loop that can be measured
    setattr(events.Handle, "_run", _timed_run)  # noqa: B010 - a method that the type does not show
    gc.callbacks.append(_Collections())
    threading.Thread(target=_sample, args=(threading.get_ident(),), daemon=True).start()
    threading.Thread(target=_write, args=(Path(os.environ[LONGEST_FILE]),), daemon=True).start()
    sys.exit(command(prog_name="load_server"))
