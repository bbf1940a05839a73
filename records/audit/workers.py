"""Work spread over processes: results come in order, and little of it waits at a time."""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from types import TracebackType
from typing import Final, Self, TypeVar

_AHEAD: Final = 4
"""So many pieces of work wait for each process: enough to keep it busy, and no more."""

Work = TypeVar("Work")
Done = TypeVar("Done")


class Processes:
    """So many processes, each begun afresh; what they are given and answer must be picklable."""

    def __init__(self, count: int, begin: Callable[[], None] | None = None) -> None:
        """Each process begins with a call of `begin`."""
        self._count: Final = count
        self._executor: Final = ProcessPoolExecutor(
            count, multiprocessing.get_context("spawn"), initializer=_begun, initargs=(begin,)
        )

    def submit(self, do: Callable[[], Done]) -> "Future[Done]":
        """One piece of work."""
        return self._executor.submit(do)

    def spread(self, do: Callable[[Work], Done], work: Iterable[Work]) -> Iterator[Done]:
        """The result of every piece of work, in order; no more is taken from the work than is needed."""
        waiting: deque[Future[Done]] = deque()
        for piece in work:
            waiting.append(self._executor.submit(do, piece))
            if len(waiting) >= _AHEAD * self._count:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def close(self) -> None:
        """End them; what has not begun is left undone."""
        self._executor.shutdown(cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def cores() -> int:
    """How many processes can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _begun(begin: Callable[[], None] | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if begin is not None:
        begin()


def _end_with_parent() -> None:
    """Whoever is killed cannot end the processes that it started."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
