"""Makes .venv and installs Shiji in it, with uv where that can be had and with pip otherwise.

Runs before anything is installed, so it uses the standard library only.
"""

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
"""Root of the work tree."""

VENV: Final = ROOT / ".venv"
PYTHON: Final = VENV / "bin/python"

_SIGN_SECONDS: Final = 1.0
"""Time between two signs of life while a step is silent."""


def install(extras: Sequence[str]) -> None:
    """Install Shiji in .venv, made if there is none, with these extras."""
    if not PYTHON.exists():
        with _step("Making .venv"):
            _run(sys.executable, "-m", "venv", "--without-pip", str(VENV))
    what = f".[{','.join(extras)}]" if extras else "."
    projects = [what, "packaging/client"]
    if "test" in extras:
        projects.append("packaging/judge")  # whose files `make web` makes
    editable = (word for project in projects for word in ("--editable", project))
    arguments = ("--constraint", "constraints.txt", *editable)
    uv = _uv()
    if uv is None:
        sys.stdout.write("There is no uv, so pip installs Shiji into .venv, which takes a minute.\n")
        sys.stdout.flush()
        _ensure_pip()
        _run(str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", *arguments)
        return
    with _step("Installing Shiji into .venv with uv"):
        _run(uv, "pip", "install", "--quiet", "--python", str(PYTHON), *arguments)
    if "test" in extras:
        _ensure_pip()  # a test installs wheels with it


def _uv() -> str | None:
    """The program uv: as found, or as installed into .venv; None if it cannot be had."""
    own = VENV / "bin/uv"
    found = shutil.which("uv")
    if found is None and not own.exists():
        with _step("Fetching uv, which installs faster than pip"):
            command = (sys.executable, "-m", "pip", "--python", str(PYTHON), "install", "--quiet", "uv")
            if not _succeeds(*command):
                return None
    uv = str(own) if own.exists() else found
    return uv if uv is not None and _succeeds(uv, "--version") else None


def _ensure_pip() -> None:
    if not _succeeds(str(PYTHON), "-m", "pip", "--version"):
        with _step("Adding pip to .venv"):
            _run(str(PYTHON), "-m", "ensurepip")


def _run(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, check=False)
    if done.returncode:
        sys.exit(f"`{' '.join(command)}` failed; see above")


def _succeeds(*command: str) -> bool:
    try:
        done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True)
    except OSError:
        return False
    return done.returncode == 0


@contextmanager
def _step(what: str) -> Iterator[None]:
    """Shows what is being done, with a dot for every second that it takes."""
    done = threading.Event()

    def show() -> None:
        while not done.wait(_SIGN_SECONDS):
            os.write(sys.stdout.fileno(), b".")

    sys.stdout.write(f"{what} ...")
    sys.stdout.flush()
    signs = threading.Thread(target=show, daemon=True)
    signs.start()
    began = time.monotonic()
    try:
        yield
    finally:
        done.set()
        signs.join()
        sys.stdout.write(f" {time.monotonic() - began:.0f} s\n")
        sys.stdout.flush()


if __name__ == "__main__":
    install(sys.argv[1:])
