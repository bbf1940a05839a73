"""A function run in a process of its own, for what must not befall the tests themselves."""

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

NOBODY = 65534


def apart(work: Callable[[Path], None], path: Path) -> None:
    """Run it in a new process; whatever it raises is raised here."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        pool.submit(work, path).result(timeout=120)


def without_privileges() -> None:
    """Be nobody: to root, no file is read-only."""
    if os.geteuid() == 0:
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
