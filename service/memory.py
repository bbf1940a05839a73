"""Gives memory that was freed back to the system.

The C library of most Linux systems keeps much of it: up to eight arenas per core, and every large block of
a request, once a larger one was freed.
"""

import ctypes
from typing import Final

_TRIM_THRESHOLD: Final = -1
_MMAP_THRESHOLD: Final = -3
_ARENA_MAX: Final = -8
"""Numbers of glibc's options, as malloc.h has them."""

MAX_ARENAS: Final = 2
"""Arenas of a process: one for the event loop's thread, and one for the others, which allocate little."""

LARGE_BLOCK_BYTES: Final = 131_072
"""Blocks from this size on go back to the system as soon as they are freed. It is glibc's own initial value,
which grows with the blocks that are freed unless it is set."""


def return_large_blocks() -> None:
    """Let this process keep little of what it frees; has no effect where the C library is not glibc."""
    _call("mallopt", _ARENA_MAX, MAX_ARENAS)
    _call("mallopt", _MMAP_THRESHOLD, LARGE_BLOCK_BYTES)
    _call("mallopt", _TRIM_THRESHOLD, LARGE_BLOCK_BYTES)


def return_freed() -> None:
    """Give back what is free now between blocks in use, which takes some milliseconds, in any thread."""
    _call("malloc_trim", 0)


def _call(name: str, *numbers: int) -> None:
    function = getattr(ctypes.CDLL(None), name, None)
    if function is not None:
        function(*numbers)
