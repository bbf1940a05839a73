"""Memory that was freed goes back to the system."""

import ctypes
import subprocess
import sys

import pytest

USE_MEMORY = """
import os
from service.memory import return_freed, return_large_blocks

def megabytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

def use(sizes, count):
    '''Frees blocks, and keeps a small one behind each.'''
    blocks, kept = [], []
    for number in range(count):
        blocks.append(bytes(sizes[number % len(sizes)]).replace(b"\\0", b"x"))
        kept.append(bytes(700 + number % 100))
    blocks.clear()
    return kept

before = megabytes()
"""

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not hasattr(ctypes.CDLL(None), "malloc_trim"),
    reason="only glibc can be asked to give memory back",
)


def growth(program: str) -> float:
    """Megabytes by which a program that frees all but a little has grown at its end."""
    run = [sys.executable, "-c", f"{USE_MEMORY}\n{program}\nprint(megabytes() - before)"]
    return float(subprocess.run(run, check=True, capture_output=True, text=True).stdout)


def test_large_blocks_go_back_as_soon_as_they_are_freed() -> None:
    grows = "first = bytes(30_000_000)\ndel first\nkept = use([200_000], 500)"

    assert growth(grows) > 30
    assert growth(f"return_large_blocks()\n{grows}") < 20


def test_what_is_free_between_blocks_in_use_goes_back_when_it_is_asked_for() -> None:
    fragments = "kept = use([60_000], 1500)"

    assert growth(fragments) > 50
    assert growth(f"{fragments}\nreturn_freed()") < 20
