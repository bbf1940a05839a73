"""What a run of the fuzzer has found, and the bounds that must hold."""

import asyncio
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import active_children
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Final

SLOW_SECONDS: Final = 1.0
"""Nothing may take longer, when nothing else is going on."""

TRIES: Final = 3
"""How often something is measured again that took too long, while the machine may have been busy."""

_SCHEDULING: Final = "/proc/{process}/schedstat"
"""Where Linux says how long a process had to wait for a processor, in nanoseconds, as the second number."""

_QUIET_LOOKS: Final = 4
_LOOK_SECONDS: Final = 0.05
"""How often, and how long after each other, all workers must be found idle."""


class Stopwatch:
    """Measures time, without that in which this process or its workers had to wait for a processor."""

    def __init__(self) -> None:
        self._delay: Final = _delay()
        self._began: Final = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Seconds since it was made."""
        return time.perf_counter() - self._began - (_delay() - self._delay)


async def settled() -> None:
    """Wait until no worker has anything to do: one that is still starting would spoil what is measured."""
    quiet = 0
    while quiet < _QUIET_LOOKS:
        quiet = 0 if any(map(_runs, active_children())) else quiet + 1
        await asyncio.sleep(_LOOK_SECONDS)


def _runs(process: BaseProcess) -> bool:
    try:
        state = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state in {"R", "D"}


def _delay() -> float:
    delays = 0.0
    for process in ("self", *(child.pid for child in active_children())):
        with suppress(OSError):  # no such file on other systems, or no such process any more
            delays += int(Path(_SCHEDULING.format(process=process)).read_bytes().split()[1]) / 1e9
    return delays


@dataclass
class Findings:
    """What a run has found."""

    done: int = 0
    slowest: float = 0.0
    """Seconds of the slowest, as far as it was measured."""
    slow: list[str] = field(default_factory=list)
    """What took too long."""
    crashes: list[str] = field(default_factory=list)
    """What went wrong, in full."""
    reasons: Counter[str] = field(default_factory=Counter)
    """Of calls: how often each method had each answer, OK or the reason of a refusal."""
    visits: Counter[str] = field(default_factory=Counter)
    """Of requests for pages: how often each address had each answer."""
    verified: int = 0
    """Records that were stored on the way, and verify."""
    rendered: int = 0
    """Records of those that were exported, read and rendered in every way."""
    data: dict[str, bytes] = field(default_factory=dict)
    """Files that crashed something or took too long, by name."""

    def took(self, seconds: float, what: str) -> bool:
        """Count how long something took; returns whether that is too long."""
        self.slowest = max(self.slowest, seconds)
        if seconds > SLOW_SECONDS:
            self.slow.append(f"{seconds:.1f} s: {what}")
        return seconds > SLOW_SECONDS
