"""Reads single key presses from a terminal."""

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
"""Reported as a key when the window has a new size."""

CLOSED: Final = "closed"
"""Reported as a key when the terminal has been closed."""

_SEQUENCE_SECONDS: Final = 0.1
"""Timeout for the rest of an escape sequence, which a slow connection may deliver in pieces; too short to
be noticed after a lone Escape."""

_KEY_NAMES: Final = {
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
"""Names of keys by the end of their escape sequence; terminals differ in what they send."""

_CONTROL_NAMES: Final = {
    "\r": "enter",
    "\n": "enter",
    "\x7f": "backspace",
    "\b": "backspace",
    "\x04": CLOSED,
}
"""Names of keys that send a control character."""

_KEY_PATTERN: Final = re.compile(r"\x1b[\[O]([0-9;]*[A-Za-z~])|\x1b|.", re.DOTALL)
"""One key: an escape sequence, a lone Escape or a character."""

_INCOMPLETE_SEQUENCE: Final = re.compile(r"\x1b([\[O][0-9;]*)?")
"""The beginning of an escape sequence."""


def parse_keys(text: str) -> list[str]:
    """The keys in what a terminal sent: the names of special keys, other keys as their characters."""
    return [
        _KEY_NAMES.get(found[1], "escape")
        if found[1]
        else _CONTROL_NAMES.get(found[0], found[0].replace("\x1b", "escape"))
        for found in _KEY_PATTERN.finditer(text)
    ]


@contextmanager
def key_presses(terminal: int) -> Iterator[Iterator[str]]:
    """Yields an iterator over keys as they are pressed, with RESIZED on a new size and CLOSED at the end."""
    before = termios.tcgetattr(terminal)
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)

    def ignore(_signal: int, _frame: FrameType | None) -> None:
        """Does nothing: the wakeup pipe is what interrupts the wait for a key."""

    # After Ctrl-Z and `fg` the terminal may have another size and must be redrawn.
    handlers = {name: signal.signal(name, ignore) for name in (signal.SIGWINCH, signal.SIGCONT)}
    previous_wakeup = signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    try:
        tty.setcbreak(terminal)
        yield _keys(terminal, read_end)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
        signal.set_wakeup_fd(previous_wakeup)
        for name, handler in handlers.items():
            signal.signal(name, handler)
        os.close(read_end)
        os.close(write_end)


def _keys(terminal: int, wakeup: int) -> Iterator[str]:
    while True:
        ready, _, _ = select.select([terminal, wakeup], [], [])
        if wakeup in ready:
            os.read(wakeup, 64)
            yield RESIZED
        if terminal in ready:
            text = _read(terminal)
            while _INCOMPLETE_SEQUENCE.fullmatch(text[text.rfind("\x1b") :]) and _has_input(terminal):
                text += _read(terminal)
            if not text:
                yield CLOSED
                return
            yield from parse_keys(text)


def _has_input(terminal: int) -> bool:
    return bool(select.select([terminal], [], [], _SEQUENCE_SECONDS)[0])


def _read(terminal: int) -> str:
    try:
        return os.read(terminal, 256).decode(errors="replace")
    except OSError:  # the terminal is gone
        return ""
