"""Virtual environments that know nothing of this repository, with what wheels install."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.project.places import ROOT
from tests.tools.running import Done


class Environment:
    """A fresh virtual environment, and a folder of its own to work in."""

    def __init__(self, folder: Path, *what: str | Path) -> None:
        self.venv = folder / "venv"
        self.folder = folder / "work"
        self.folder.mkdir()
        _checked([sys.executable, "-m", "venv", "--without-pip", str(self.venv)])
        _install(self.venv / "bin/python", [str(each) for each in what])

    @property
    def packages(self) -> Path:
        """The folder of what is installed."""
        (found,) = (self.venv / "lib").glob("python*/site-packages")
        return found

    @property
    def megabytes(self) -> float:
        """Size of what is installed."""
        return sum(path.stat().st_size for path in self.packages.rglob("*") if path.is_file()) / 1_000_000

    def python(self, *arguments: str) -> str:
        """Run Python, isolated from the work tree, and return what it prints."""
        return _checked([str(self.venv / "bin/python"), "-I", *arguments], cwd=self.folder)

    def shiji(self, *arguments: str | Path) -> Done:
        """Run the command."""
        command = [self.venv / "bin/shiji", *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        return Done(done.returncode, done.stdout, done.stderr)

    @contextmanager
    def server(self, archive: Path) -> Iterator[str]:
        """A server over the archive, by its address."""
        with subprocess.Popen(
            [self.venv / "bin/shiji", "serve", "--db", archive, "--listen", "127.0.0.1:0", "--no-web"],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                greeting = process.stdout.readline() if process.stdout else ""
                address = re.search(r"listens on (\S+)\.$", greeting)
                assert address is not None, greeting
                yield address[1]
            finally:
                process.terminate()
                process.wait(30)


def _install(python: Path, what: list[str]) -> None:
    """Install with all that it depends on: with uv from what it has downloaded before, or with pip."""
    constraints = ("--constraint", str(ROOT / "constraints.txt"))
    uv = shutil.which("uv")
    if uv is None:
        command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
        _checked([*command, *constraints, *what])
        return
    command = [uv, "pip", "install", "--quiet", "--python", str(python), *constraints]
    offline = subprocess.run([*command, "--offline", *what], cwd="/", capture_output=True, check=False)
    if offline.returncode:
        _checked([*command, *what], cwd=Path("/"))


def _checked(command: list[str], cwd: Path | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
