"""Limits of calls per client: how many at once, and how many per second."""

import math
import time
from collections.abc import Callable
from typing import Final

from service.errors import CallError, Reason

MAX_IDLE_CLIENTS: Final = 4096
"""Clients whose rates are kept; beyond this, those that have been idle are dropped from time to time."""


class ConcurrencyLimit:
    """Limits the calls of one kind that are in progress, in total and per account. Not thread-safe.

    When all places are taken, an account that has fewer than its share, which is the same for all that call,
    still gets in; the others are refused.
    """

    def __init__(self, option: str, max_total: int, max_per_account: int, retry: float) -> None:
        self._option: Final = option
        self._max_total: Final = max_total
        self._max_per_account: Final = max_per_account
        self._retry: Final = retry
        """Seconds after which a refused caller should try again."""
        self._by_account: Final[dict[str, int]] = {}
        self.size = 0
        self.refused = 0
        """Calls that were refused."""

    def enter(self, account: str) -> bool:
        """Count a call; whether it takes more than the places there are. Raises CallError if it may not."""
        own = self._by_account.get(account, 0)
        if own >= self._max_per_account:
            raise self._limit_reached(f"{self._option}-per-client", f"this client already has {own}")
        full = self.size >= self._max_total
        if full and own >= self._max_total // (len(self._by_account) + (not own)):
            raise self.full()
        self._by_account[account] = own + 1
        self.size += 1
        return full

    def leave(self, account: str) -> None:
        """A call that was counted has ended."""
        left = self._by_account[account] - 1
        if left:
            self._by_account[account] = left
        else:
            del self._by_account[account]
        self.size -= 1

    def of(self, account: str) -> int:
        """The calls of an account that are in progress."""
        return self._by_account.get(account, 0)

    @property
    def heaviest(self) -> str:
        """The account that has most calls in progress."""
        return max(self._by_account, key=self._by_account.__getitem__, default="")

    def full(self) -> CallError:
        """The error for a call that would be one too many."""
        return self._limit_reached(self._option, f"all clients together already have {self.size}")

    def _limit_reached(self, option: str, current: str) -> CallError:
        self.refused += 1
        message = f"{current} in progress, which is the maximum ({option})"
        return CallError(Reason.TOO_MANY_CALLS, message, {"limit": option}, retry=self._retry)


class RateLimit:
    """Limits how often each client calls, by the generic cell rate algorithm. Not thread-safe."""

    def __init__(
        self,
        per_second: float,
        burst: int,
        *,
        max_delay: float = math.inf,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._interval: Final = 1 / per_second if per_second else 0.0
        self._slack: Final = self._interval * (burst - 1)
        """Seconds that a client may be ahead of calling evenly."""
        self._max_ahead: Final = self._slack + max_delay
        """Maximum seconds that a client is counted as ahead."""
        self._clock: Final = clock
        self._due: Final[dict[str, float]] = {}
        """When each client's next call would come if it called evenly."""
        self._forget_above = MAX_IDLE_CLIENTS

    def admit(self, client: str) -> None:
        """Count a call; raises CallError where it is too early."""
        if self._interval:
            now = self._clock()
            early = self._early(client, now)
            if early > 0:
                message = f"this client calls too often (calls-per-second); wait {early:.3f} seconds"
                raise CallError(Reason.TOO_MANY_CALLS, message, {"limit": "calls-per-second"}, retry=early)
            self._count(client, now)

    def delay(self, client: str) -> float:
        """Count a call in any case; the seconds that it must wait."""
        if not self._interval:
            return 0.0
        now = self._clock()
        early = self._early(client, now)
        self._count(client, now)
        return max(early, 0.0)

    def _early(self, client: str, now: float) -> float:
        return self._due.get(client, now) - now - self._slack

    def _count(self, client: str, now: float) -> None:
        due = max(self._due.get(client, now), now) + self._interval
        self._due[client] = min(due, now + self._max_ahead)
        if len(self._due) > self._forget_above:
            self._forget(now)

    def __len__(self) -> int:
        """Clients whose rate is kept."""
        return len(self._due)

    def _forget(self, now: float) -> None:
        for client in [client for client, due in self._due.items() if due <= now]:
            del self._due[client]
        self._forget_above = MAX_IDLE_CLIENTS + 2 * len(self._due)
