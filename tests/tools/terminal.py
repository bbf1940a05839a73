"""A terminal of so many columns and rows, with the `shiji` command in it."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.project.places import SHIJI

COLOUR = re.compile(r"\x1b\[[0-9;]*[34][0-9](;[0-9;]*)?m")
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
PATIENCE = 30.0


@dataclass
class Terminal:
    """The reader's end of it."""

    end: int
    process: subprocess.Popen[bytes]
    told: str = ""
    """Everything since the last key."""

    def press(self, keys: str) -> None:
        self.told = ""
        os.write(self.end, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        self.told = ""
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process.send_signal(signal.SIGWINCH)

    def wait_for(self, text: str) -> str:
        """What is shown once the text is; escapes are left out."""
        until = time.monotonic() + PATIENCE
        while text not in (shown := ESCAPE.sub("", self.told)):
            assert self._read(until), f"{text!r} never came; there is {shown!r}"
        return shown

    def rest(self) -> str:
        """What is shown until the command ends."""
        while self._read(time.monotonic() + PATIENCE):
            pass
        return self.told

    def _read(self, until: float) -> bool:
        ready, _, _ = select.select([self.end], [], [], max(until - time.monotonic(), 0))
        try:
            part = os.read(self.end, 65_536) if ready else b""
        except OSError:  # the command has closed its end
            part = b""
        self.told += part.decode(errors="replace").replace("\r\n", "\n")
        return bool(part)


def _heed_ctrl_c() -> None:
    """Tests that run in the background ignore Ctrl-C, and what they start would too."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def terminal(
    *arguments: str | Path,
    columns: int = 80,
    rows: int = 24,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Terminal]:
    """The command in a terminal of its own."""
    here, there = pty.openpty()
    fcntl.ioctl(there, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    process = subprocess.Popen(
        [SHIJI, *arguments],
        stdin=there,
        stdout=there,
        stderr=there,
        env={"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **(environment or {})},
        preexec_fn=_heed_ctrl_c,  # noqa: PLW1509 - it only sets a signal, which needs no lock
    )
    os.close(there)
    try:
        yield Terminal(here, process)
        process.wait(PATIENCE)
    finally:
        process.kill()
        process.wait()
        os.close(here)


def on_terminal(
    *arguments: str | Path, columns: int = 60, environment: Mapping[str, str] | None = None
) -> str:
    """All that the command writes to a terminal."""
    with terminal(*arguments, columns=columns, environment=environment) as shown:
        return shown.rest()
