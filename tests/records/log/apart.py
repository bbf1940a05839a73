"""Runs a function in a process of its own, so that it cannot harm the test run."""

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

NOBODY = 65534


def apart(work: Callable[[Path], None], path: Path) -> None:
    """Run it in a new process; an exception there is raised here."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        pool.submit(work, path).result(timeout=120)


def without_privileges() -> None:
    """Give up root's privileges: to root, no file is read-only."""
    if os.geteuid() == 0:
        Path.cwd().as_uri()  # imports a module late, which nobody can read where root has Python at home
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
