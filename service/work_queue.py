"""Work that waits for a process: fair between owners by time used, with short work in a lane of its own."""

from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Generic, TypeVar

SHORT_WORK_BYTES: Final = 65_536
SHORT_WORK_ENTRIES: Final = 500
"""Files up to this size and records up to this length are short work: about a tenth of a second."""

Job = TypeVar("Job")


class WorkLane(Enum):
    """How long a piece of work may take."""

    SHORT = "short"
    """Milliseconds: a question about a position, a picture, a record of usual length."""
    LONG = "long"
    """Possibly seconds: a record of thousands of entries, the audit of an archive."""


def lane_for(entries: int) -> WorkLane:
    """The lane for work on a record of this length."""
    return WorkLane.LONG if entries > SHORT_WORK_ENTRIES else WorkLane.SHORT


def lane_for_bytes(size: int) -> WorkLane:
    """The lane for work on a file or message of this size."""
    return WorkLane.LONG if size > SHORT_WORK_BYTES else WorkLane.SHORT


@dataclass(slots=True)
class _Owner(Generic[Job]):
    """The work of one owner."""

    used: float
    """Seconds of work, counted from when others had used as much."""
    waiting: dict[WorkLane, deque[Job]] = field(default_factory=lambda: {lane: deque() for lane in WorkLane})
    running: dict[WorkLane, int] = field(default_factory=lambda: dict.fromkeys(WorkLane, 0))

    @property
    def waits(self) -> int:
        return sum(map(len, self.waiting.values()))

    @property
    def runs(self) -> int:
        return sum(self.running.values())


class WorkQueue(Generic[Job]):
    """Jobs by owner: next is the owner with the fewest at work, and of these the one that has used least."""

    def __init__(self, max_waiting: int, max_long_per_owner: int) -> None:
        self._max_waiting: Final = max_waiting
        self._max_long_per_owner: Final = max_long_per_owner
        """Long jobs of one owner at a time, so that another owner's finds a process free."""
        self._owners: Final[dict[str, _Owner[Job]]] = {}
        self._now = 0.0
        """What the owner that was served last had used: a newcomer begins there."""
        self._size = 0

    def __len__(self) -> int:
        """Jobs that wait."""
        return self._size

    def push(self, owner: str, lane: WorkLane, job: Job) -> Job | None:
        """Let a job wait; returns the job that is refused for it where too many wait.

        That is this one, unless another owner has more: then the newest of the owner that has most.
        """
        refused: Job | None = None
        if self._size >= self._max_waiting:
            most = max(self._owners, key=lambda name: self._owners[name].waits)
            own = self._owners.get(owner)
            if own is not None and own.waits + 1 >= self._owners[most].waits:
                return job
            refused = self._drop_newest(most)
        entry = self._owners.setdefault(owner, _Owner(self._now))
        entry.waiting[lane].append(job)
        self._size += 1
        return refused

    def pop(self, lanes: Collection[WorkLane]) -> tuple[str, WorkLane, Job] | None:
        """The next job for a process that takes these lanes; None if nothing waits for it."""
        best = min(self._candidates(lanes), key=lambda found: (found[1].runs, found[1].used), default=None)
        if best is None:
            return None
        owner, entry, lane = best
        self._now = max(self._now, entry.used)
        self._size -= 1
        entry.running[lane] += 1
        return owner, lane, entry.waiting[lane].popleft()

    def finished(self, owner: str, lane: WorkLane, seconds: float) -> None:
        """A job that was popped has taken this long."""
        entry = self._owners[owner]
        entry.running[lane] -= 1
        entry.used += seconds
        if not entry.waits and not entry.runs:
            del self._owners[owner]

    def drain(self) -> Iterator[Job]:
        """Take out everything that waits."""
        for entry in self._owners.values():
            for jobs in entry.waiting.values():
                while jobs:
                    self._size -= 1
                    yield jobs.popleft()

    def _candidates(self, lanes: Collection[WorkLane]) -> Iterator[tuple[str, _Owner[Job], WorkLane]]:
        for owner, entry in self._owners.items():
            for lane in lanes:
                if lane is WorkLane.LONG and entry.running[lane] >= self._max_long_per_owner:
                    continue
                if entry.waiting[lane]:
                    yield owner, entry, lane
                    break

    def _drop_newest(self, owner: str) -> Job:
        entry = self._owners[owner]
        self._size -= 1
        jobs = max(entry.waiting.values(), key=len)
        dropped = jobs.pop()
        if not entry.waits and not entry.runs:
            del self._owners[owner]
        return dropped
