"""How long a client waits before it asks again, and when it gives up."""

import random
import time
from collections.abc import Callable
from typing import Final

from tools.client.errors import Refused, TimeUp

FIRST_DELAY_SECONDS: Final = 0.05
"""At most so many seconds pass before the first repetition; twice as many before each further one."""

MAX_DELAY_SECONDS: Final = 2.0
"""Never more than so many, unless the server asks for more."""

_MAX_DOUBLINGS: Final = 10
"""After so many failures the pauses are as long as they get."""

STEADY_SECONDS: Final = 5.0
"""A stream that lasted so many seconds was no failed attempt."""


class Backoff:
    """Repeats what failed for a passing reason, until the time is up.

    The pauses double, and are random by half, so that many clients of a server that comes back do not all ask
    at once. The time is `seconds` at first, and `later` from whenever something was received.
    """

    def __init__(
        self,
        seconds: float,
        later: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
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
        """So many seconds the next attempt may take."""
        return max(self._deadline - self._clock(), 0.0)

    def connected(self) -> None:
        """The server has taken up a stream."""
        self._connected = self._clock()

    def reset(self) -> None:
        """Something was received: the time begins anew."""
        self._failures = 0
        self._last_error = None
        self._deadline = self._clock() + self._later

    def delay(self, error: Refused) -> float:
        """So many seconds to wait before the next attempt; raises the error if there shall be none."""
        if self._connected is not None and self._clock() - self._connected >= STEADY_SECONDS:
            self.reset()
        self._connected = None
        bound = min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2.0**self._failures)
        self._failures = min(self._failures + 1, _MAX_DOUBLINGS)
        delay = max(bound * (1 + self._chance()) / 2, error.retry_after or 0.0)
        if isinstance(error, TimeUp) and self._last_error is not None:
            raise self._last_error  # it says why the time was not enough
        if not error.retryable or delay >= self.remaining:
            raise error
        self._last_error = error
        return delay
