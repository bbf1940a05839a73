"""Runs the `shiji` command in a pseudo-terminal of a given size."""

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
TIMEOUT_SECONDS = 30.0
"""Timeout for output and for the end of the command; generous, for a busy machine."""


@dataclass
class Terminal:
    """A pseudo-terminal and the command that runs in it."""

    end: int
    """File descriptor of the user's side."""
    process: subprocess.Popen[bytes]
    output: str = ""
    """All output since the last key."""

    def press(self, keys: str) -> None:
        self.output = ""
        os.write(self.end, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        self.output = ""
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process.send_signal(signal.SIGWINCH)

    def wait_for(self, text: str) -> str:
        """Wait until the text is shown, and return all output without escape sequences."""
        until = time.monotonic() + TIMEOUT_SECONDS
        while text not in (shown := ESCAPE.sub("", self.output)):
            assert self._read(until), f"{text!r} was not shown; the output is {shown!r}"
        return shown

    def rest(self) -> str:
        """Wait until the command ends, and return all output."""
        while self._read(time.monotonic() + TIMEOUT_SECONDS):
            pass
        return self.output

    def _read(self, until: float) -> bool:
        ready, _, _ = select.select([self.end], [], [], max(until - time.monotonic(), 0))
        try:
            part = os.read(self.end, 65_536) if ready else b""
        except OSError:  # the command has closed its end
            part = b""
        self.output += part.decode(errors="replace").replace("\r\n", "\n")
        return bool(part)


def _enable_ctrl_c() -> None:
    """Tests in the background ignore Ctrl-C, and their child processes would inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def terminal(
    *arguments: str | Path,
    columns: int = 80,
    rows: int = 24,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Terminal]:
    """Run the command in a new terminal."""
    user_end, command_end = pty.openpty()
    fcntl.ioctl(command_end, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    process = subprocess.Popen(
        [SHIJI, *arguments],
        stdin=command_end,
        stdout=command_end,
        stderr=command_end,
        env={"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **(environment or {})},
        preexec_fn=_enable_ctrl_c,  # noqa: PLW1509 - it only sets a signal handler, which needs no lock
    )
    os.close(command_end)
    try:
        yield Terminal(user_end, process)
        process.wait(TIMEOUT_SECONDS)
    finally:
        process.kill()
        process.wait()
        os.close(user_end)


def on_terminal(
    *arguments: str | Path, columns: int = 60, environment: Mapping[str, str] | None = None
) -> str:
    """All output of the command in a terminal."""
    with terminal(*arguments, columns=columns, environment=environment) as shown:
        return shown.rest()
