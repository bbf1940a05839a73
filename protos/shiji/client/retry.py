"""Decides how long to wait before a failed call is repeated, and when to give up."""

import random
import time
from collections.abc import Callable
from typing import Final

from shiji.client.errors import Refused, TimeUp

FIRST_DELAY_SECONDS: Final = 0.05
"""Maximum delay before the first retry, in seconds; short, because many failures are brief."""

MAX_DELAY_SECONDS: Final = 2.0
"""Maximum delay between retries, in seconds, unless the server asks for more; a client is back this soon."""

_MAX_DOUBLINGS: Final = 10
"""Maximum failures counted; the delay has reached its maximum by then, and the power stays small."""

STEADY_SECONDS: Final = 5.0
"""Seconds after which a stream counts as connected, even if nothing was received.

A stream that breaks off earlier is a failed attempt, so a server that hangs up at once is given up.
"""

_own_random: Final = random.Random().random  # noqa: S311 - delays are no secret
"""A generator of the client's own, so that the numbers which a program seeds for itself stay the same."""


class Backoff:
    """Exponential backoff with a deadline.

    Delays double, and up to half of each is random, so that the clients of a restarted server do not all
    return at once. The deadline is `seconds` after creation, and `later` seconds after each reset.
    """

    def __init__(
        self,
        seconds: float,
        later: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = _own_random,
    ) -> None:
        self._later: Final = seconds if later is None else later
        self._clock: Final = clock
        self._chance: Final = chance
        self._failures = 0
        self._last_error: Refused | None = None
        self._deadline = clock() + seconds
        self._connected: float | None = None

    @property
    def remaining(self) -> float:
        """Seconds until the deadline."""
        return max(self._deadline - self._clock(), 0.0)

    def connected(self) -> None:
        """Note that the server has accepted a stream."""
        self._connected = self._clock()

    def reset(self) -> None:
        """Start over, because something was received."""
        self._failures = 0
        self._last_error = None
        self._deadline = self._clock() + self._later

    def delay(self, error: Refused) -> float:
        """Seconds to wait before the next attempt; raises the error if there is to be none."""
        if self._connected is not None and self._clock() - self._connected >= STEADY_SECONDS:
            self.reset()
        self._connected = None
        bound = min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2.0**self._failures)
        self._failures = min(self._failures + 1, _MAX_DOUBLINGS)
        delay = max(bound * (1 + self._chance()) / 2, error.retry_after or 0.0)
        if isinstance(error, TimeUp) and self._last_error is not None:
            raise self._last_error  # it says why the time ran out
        if not error.retryable or delay >= self.remaining:
            raise error
        self._last_error = error
        return delay
