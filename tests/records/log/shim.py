"""Counts fsyncs of other processes, and makes them slow or broken."""

import os
import shutil
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).with_name("fsync_shim.c")
COMPILER = shutil.which("cc") or shutil.which("gcc")

_NUMBERS = struct.Struct("=QQQ")


@dataclass(frozen=True, slots=True)
class Shim:
    """A compiled library that replaces fsync; it shares its numbers with the processes that use it."""

    library: Path
    control: Path

    def set(self, *, delay: float = 0.0, failing: bool = False) -> None:
        """Reset the count, and set the delay of each fsync in seconds."""
        with self.control.open("r+b") as file:
            file.write(_NUMBERS.pack(0, round(delay * 1e6), failing))

    @property
    def count(self) -> int:
        """The number of fsyncs since the last `set`."""
        count: int = _NUMBERS.unpack(self.control.read_bytes())[0]
        return count

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """Processes that are started within the block use the shim."""
        ours = {"LD_PRELOAD": str(self.library), "SHIJI_FSYNC_SHIM": str(self.control)}
        before = {name: os.environ.get(name) for name in ours}
        os.environ.update(ours)
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value


def compiled(folder: Path) -> Shim:
    """Compile the shim in this folder; needs a C compiler."""
    library, control = folder / "fsync_shim.so", folder / "fsync_shim.numbers"
    subprocess.run([str(COMPILER), "-shared", "-fPIC", "-O2", "-o", library, SOURCE, "-ldl"], check=True)
    control.write_bytes(bytes(_NUMBERS.size))
    return Shim(library, control)
