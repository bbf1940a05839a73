"""What calls cost: the event loop's time that earlier ones of the same account and method have taken."""

import time
from collections.abc import Awaitable, Generator
from typing import Final, TypeVar

MOVE_SECONDS: Final = 0.0002
"""Event-loop time of a usual move, its part of the write and its answer included; what takes longer costs as
much as several."""

MAX_COST_MOVES: Final = 64
"""Moves that a call counts as at most: one that took a second, for whatever reason, parks none for long."""

NEWEST_COST_WEIGHT: Final = 0.2
"""Weight of the newest call in the moving average of what the calls of a method take."""

_MAX_KEPT_COSTS: Final = 4096
"""Accounts times methods whose costs are kept; beyond that, the oldest is forgotten."""

Done = TypeVar("Done")


class CallCosts:
    """Measures what calls take of the event loop, and charges the next ones for it. For one event loop."""

    def __init__(self) -> None:
        self._seconds: Final[dict[tuple[str, str], float]] = {}
        """Moving average, by account and method."""

    def moves(self, account: str, method: str) -> int:
        """How many moves the next call counts as."""
        seconds = self._seconds.get((account, method), 0.0)
        return max(round(seconds / MOVE_SECONDS), 1)

    async def measured(self, account: str, method: str, call: Awaitable[Done]) -> Done:
        """What a call returns, whose time in the event loop is measured, without that for which it waits."""
        timed = _Timed(call)
        try:
            return await timed
        finally:
            self._note(account, method, timed.seconds)

    def _note(self, account: str, method: str, seconds: float) -> None:
        seconds = min(seconds, MAX_COST_MOVES * MOVE_SECONDS)
        before = self._seconds.pop((account, method), seconds)
        if len(self._seconds) >= _MAX_KEPT_COSTS:
            del self._seconds[next(iter(self._seconds))]
        self._seconds[account, method] = before + NEWEST_COST_WEIGHT * (seconds - before)


class _Timed(Awaitable[Done]):
    """Awaits something, and adds up how long its steps take."""

    def __init__(self, awaited: Awaitable[Done]) -> None:
        self._awaited: Final = awaited
        self.seconds = 0.0

    def __await__(self) -> Generator[object, None, Done]:
        steps = self._awaited.__await__()
        fault: BaseException | None = None
        while True:
            began = time.perf_counter()
            try:
                waits_for = next(steps) if fault is None else steps.throw(fault)
            except StopIteration as last:
                done: Done = last.value
                return done
            finally:
                self.seconds += time.perf_counter() - began
            fault = None
            try:
                yield waits_for
            except BaseException as raised:  # noqa: BLE001 - what is awaited gets it, whatever it is
                fault = raised
