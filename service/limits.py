"""How much a client may ask for: so many calls at once, so many followers, so many calls a second."""

import math
import time
from collections.abc import Callable
from typing import Final

from service.errors import CallError, Reason

_CROWD: Final = 4096
"""From so many clients on, those that called evenly are forgotten now and then."""


class ConcurrencyLimit:
    """How many calls of one kind are under way, all together and for each client. Not for several threads."""

    def __init__(self, option: str, most: int, most_per_client: int, retry: float) -> None:
        self._option: Final = option
        self._most: Final = most
        self._most_per_client: Final = most_per_client
        self._retry: Final = retry
        """After so many seconds there may be room again."""
        self._by_client: Final[dict[str, int]] = {}
        self.size = 0

    def enter(self, client: str) -> None:
        """Count a call; Refused where it would be one too many."""
        mine = self._by_client.get(client, 0)
        if mine >= self._most_per_client:
            raise self._full(f"{self._option}-per-client", mine, "this client has")
        if self.size >= self._most:
            raise self._full(self._option, self.size, "all clients together have")
        self._by_client[client] = mine + 1
        self.size += 1

    def leave(self, client: str) -> None:
        """A call that was counted is over."""
        left = self._by_client[client] - 1
        if left:
            self._by_client[client] = left
        else:
            del self._by_client[client]
        self.size -= 1

    def _full(self, option: str, many: int, who: str) -> CallError:
        message = f"{who} {many} of them under way, and more may not be ({option})"
        return CallError(Reason.TOO_MANY_CALLS, message, {"limit": option}, retry=self._retry)


class RateLimit:
    """How often each client calls, after the generic cell rate algorithm. Not for several threads."""

    def __init__(
        self,
        per_second: float,
        burst: int,
        *,
        furthest: float = math.inf,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._interval: Final = 1 / per_second if per_second else 0.0
        self._slack: Final = self._interval * (burst - 1)
        """So many seconds a client may be ahead of calling evenly."""
        self._furthest: Final = self._slack + furthest
        """It is never counted as further ahead."""
        self._clock: Final = clock
        self._due: Final[dict[str, float]] = {}
        """When each client's next call would come if it called evenly."""
        self._crowd = _CROWD

    def admit(self, client: str) -> None:
        """Count a call; Refused where it is too early."""
        if self._interval:
            now = self._clock()
            early = self._early(client, now)
            if early > 0:
                message = f"a client may not call so often (calls-per-second); wait {early:.3f} seconds"
                raise CallError(Reason.TOO_MANY_CALLS, message, {"limit": "calls-per-second"}, retry=early)
            self._count(client, now)

    def wait(self, client: str) -> float:
        """Count a call, in any case; how many seconds it must wait for its turn."""
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
        self._due[client] = min(due, now + self._furthest)
        if len(self._due) > self._crowd:
            self._forget(now)

    def __len__(self) -> int:
        """How many clients are remembered."""
        return len(self._due)

    def _forget(self, now: float) -> None:
        for client in [client for client, due in self._due.items() if due <= now]:
            del self._due[client]
        self._crowd = _CROWD + 2 * len(self._due)
