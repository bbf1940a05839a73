"""The server that `make load` attacks: its addresses, its memory, its longest callbacks."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

import click

from tools.dev.load_server import LONGEST_FILE

_GREETING_LINES: Final = 3
"""Lines that the server prints before it says where its pages are, and that one."""


@dataclass(frozen=True, slots=True)
class LoadedServer:
    """A server under load."""

    address: str
    web: str
    pid: int
    callbacks: Path
    spent: dict[int, float] = field(default_factory=dict)
    """By process, also those that have ended: the processor time that it had used when last seen."""

    def memory(self) -> float:
        """Memory with its processes, in MB: resident, and where they share it, counted once."""
        return sum(map(_resident, self._pids()))

    def processor_seconds(self) -> float:
        """Processor time that it has used so far, with its processes."""
        self.spent.update({pid: _processor_seconds(pid) or self.spent.get(pid, 0.0) for pid in self._pids()})
        return sum(self.spent.values())

    def _pids(self) -> set[int]:
        pids = {self.pid}
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            with suppress(FileNotFoundError):  # the thread has ended
                pids |= set(map(int, (task / "children").read_text("ascii").split()))
        return pids

    def longest(self) -> list[str]:
        """The longest callbacks of its event loop since this was last asked, the longest first."""
        try:
            lines = self.callbacks.read_text("utf-8").splitlines()
        except FileNotFoundError:
            return []
        self.callbacks.unlink()
        return lines


def _resident(pid: int) -> float:
    try:
        usage = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii")
    except OSError:
        return 0.0
    return int(usage.partition("\nPss:")[2].split()[0]) / 1024


def _processor_seconds(pid: int) -> float:
    """Of all threads; the kernel counts it in nanoseconds."""
    spent = 0
    with suppress(FileNotFoundError, ProcessLookupError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            spent += int((task / "schedstat").read_text("ascii").split()[0])
    return spent / 1e9


@contextmanager
def loaded_server(folder: Path) -> Iterator[LoadedServer]:
    """Run a server over the archive that fill_archive has made."""
    callbacks = folder / "callbacks"
    command = [sys.executable, "-m", "tools.dev.load_server", "--db", str(folder / "load.db")]
    command += ["--listen", "127.0.0.1:0", "--web", "127.0.0.1:0"]
    command += ["--tokens", str(folder / "tokens"), "--log-level", "error"]
    environment = {**os.environ, LONGEST_FILE: str(callbacks)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            lines = [] if process.stdout is None else list(islice(process.stdout, _GREETING_LINES))
            found = re.search(r"on (\S+)\.\n(?:.*\n)?.*http://(\S+)/", "".join(lines))
            if found is None:
                raise click.ClickException(f"the server did not start: {lines}")
            yield LoadedServer(found[1], found[2], process.pid, callbacks)
        finally:
            process.terminate()
