"""Keys as they are pressed in a terminal, one at a time."""

import os
import re
import select
import signal
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

RESIZED: Final = "resized"
CLOSED: Final = "closed"
"""Nobody is there any more."""

_PATIENCE: Final = 0.1
"""Seconds to wait for the rest of a sequence, which a slow line may bring in pieces."""

_NAMED: Final = {
    "A": "up",
    "B": "down",
    "C": "right",
    "D": "left",
    "H": "home",
    "F": "end",
    "1~": "home",
    "4~": "end",
    "5~": "page-up",
    "6~": "page-down",
    "7~": "home",
    "8~": "end",
}
"""By what follows the escape; terminals differ."""

_CONTROLS: Final = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\b": "backspace", "\x04": CLOSED}
_KEY: Final = re.compile(r"\x1b[\[O]([0-9;]*[A-Za-z~])|\x1b|.", re.DOTALL)
_UNFINISHED: Final = re.compile(r"\x1b([\[O][0-9;]*)?")


def parsed(text: str) -> list[str]:
    """The keys that a terminal sends as this text: named ones, and others as they are."""
    return [
        _NAMED.get(found[1], "escape")
        if found[1]
        else _CONTROLS.get(found[0], found[0].replace("\x1b", "escape"))
        for found in _KEY.finditer(text)
    ]


@contextmanager
def pressed(terminal: int) -> Iterator[Iterator[str]]:
    """Every key pressed from now on, RESIZED where the window has another size, and at last CLOSED."""
    before = termios.tcgetattr(terminal)
    here, there = os.pipe()
    os.set_blocking(there, False)

    def woken(_signal: int, _frame: FrameType | None) -> None:
        """The pipe wakes whoever waits for a key."""

    # A terminal that was left with Ctrl-Z may have another size, and another picture, when it is back.
    handlers = {name: signal.signal(name, woken) for name in (signal.SIGWINCH, signal.SIGCONT)}
    waker = signal.set_wakeup_fd(there, warn_on_full_buffer=False)
    try:
        tty.setcbreak(terminal)
        yield _keys(terminal, here)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
        signal.set_wakeup_fd(waker)
        for name, handler in handlers.items():
            signal.signal(name, handler)
        os.close(here)
        os.close(there)


def _keys(terminal: int, waker: int) -> Iterator[str]:
    while True:
        ready, _, _ = select.select([terminal, waker], [], [])
        if waker in ready:
            os.read(waker, 64)
            yield RESIZED
        if terminal in ready:
            text = _read(terminal)
            while _UNFINISHED.fullmatch(text[text.rfind("\x1b") :]) and _waits(terminal):
                text += _read(terminal)
            if not text:
                yield CLOSED
                return
            yield from parsed(text)


def _waits(terminal: int) -> bool:
    return bool(select.select([terminal], [], [], _PATIENCE)[0])


def _read(terminal: int) -> str:
    try:
        return os.read(terminal, 256).decode(errors="replace")
    except OSError:  # the line is cut
        return ""
