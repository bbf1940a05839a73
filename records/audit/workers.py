"""A pool of processes that returns results in order and queues only a little work at a time."""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Final, TypeVar

from records.closeable import Closeable

_QUEUED_PER_PROCESS: Final = 4
"""Pieces of work that are queued per process: enough to keep it busy, few enough to bound memory."""

Work = TypeVar("Work")
Done = TypeVar("Done")


class Processes(Closeable):
    """A pool of newly spawned processes; work and results must be picklable."""

    def __init__(self, count: int, begin: Callable[[], None] | None = None) -> None:
        """Start `count` processes, each of which first calls `begin`."""
        self._count: Final = count
        self._executor: Final = ProcessPoolExecutor(
            count, multiprocessing.get_context("spawn"), initializer=_initialize, initargs=(begin,)
        )

    def submit(self, do: Callable[[], Done]) -> "Future[Done]":
        """Run one piece of work."""
        return self._executor.submit(do)

    def spread(self, do: Callable[[Work], Done], work: Iterable[Work]) -> Iterator[Done]:
        """The results of all pieces of work, in order; the work is consumed only as needed."""
        return in_order(lambda piece: self._executor.submit(do, piece).result, work, self._count)

    def close(self) -> None:
        """Stop the processes, and wait for them to end; work that has not begun is cancelled."""
        self._executor.shutdown(cancel_futures=True)


def in_order(
    submit: Callable[[Work], Callable[[], Done]], work: Iterable[Work], processes: int
) -> Iterator[Done]:
    """The results of all pieces of work, in order; a few more are submitted than there are processes.

    `submit` begins a piece of work, and returns what waits for its result.
    """
    waiting: deque[Callable[[], Done]] = deque()
    for piece in work:
        waiting.append(submit(piece))
        if len(waiting) >= _QUEUED_PER_PROCESS * processes:
            yield waiting.popleft()()
    while waiting:
        yield waiting.popleft()()


def cores() -> int:
    """The number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def begin_worker() -> None:
    """Make this process one that ends with its parent, and with nothing else that the user does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _initialize(begin: Callable[[], None] | None) -> None:
    begin_worker()
    if begin is not None:
        begin()


def _end_with_parent() -> None:
    """Exit with the parent process: a parent that is killed cannot stop its children."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
