"""The event loop's time for work that takes longer than a call: in slices, with rests while others call."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, Protocol, TypeVar
from weakref import WeakValueDictionary

from records.ledger.loading import MAX_LOADING_TRIES, CacheTooSmall, NotLoaded
from records.replay.steps import Steps
from service.garbage import collect_youngest

SHARED_SLICE_SECONDS: Final = 0.001
"""Length of a slice while others call: a call takes several passes of the event loop, and so may have to wait
for several slices."""

LONE_SLICE_SECONDS: Final = 0.003
"""Length of a slice of an account that is alone: only what has just begun to call waits for it."""

RESTS_PER_SLICE: Final = 4
"""Ratio of the time for which an account's long work rests while others call to the time that it took before:
one account has a fifth of the event loop for it."""

MESSAGE_SECONDS: Final = 0.0001
"""Event-loop time that gRPC needs to send one message of a stream."""

COLLECTED_SECONDS: Final = 0.004
"""Long work after which its garbage is collected, which takes a millisecond or two."""

MAX_CHARGE_SECONDS: Final = 0.01
"""Maximum charge for one piece of work of a stream: where it had to wait, others have used that time."""

_MAX_KEPT_RESTS: Final = 1024
"""Accounts that rest or have rested; beyond that, the latter are forgotten."""

Done = TypeVar("Done")


class OffLoop(Protocol):
    """Does some work in the event loop, or elsewhere if it may wait for a network."""

    def __call__(self, work: Callable[[], Done], /) -> Awaitable[Done]:
        """What the work returns."""


class LoopShare:
    """Gives long work in the event loop its time, per account. For one event loop."""

    def __init__(self, is_alone: Callable[[str], bool]) -> None:
        self._is_alone: Final = is_alone
        """Whether no other account than this one calls."""
        self._rested: Final[dict[str, float]] = {}
        """By account: when its long work may go on, on the loop's clock."""
        self._order: Final[WeakValueDictionary[str, asyncio.Lock]] = WeakValueDictionary()
        """By account: held by the work in steps that is under way."""
        self._beginning: Final[WeakValueDictionary[str, asyncio.Lock]] = WeakValueDictionary()
        """By account: held by the stream that waits to begin a page."""
        self._uncollected = 0.0
        """Seconds of work since its garbage was collected."""

    async def load(self, account: str, work: Callable[[], Done]) -> Done:
        """What the work returns; long records that it needs are read first, in slices."""
        try:
            return work()
        except NotLoaded as missing:
            return await self.retry(account, missing, partial(_at_once, work))

    async def attempt(self, account: str, attempt: Callable[[], Awaitable[Done]]) -> Done:
        """What an attempt returns; the long records that it misses are read, and it is made again."""
        try:
            return await attempt()
        except NotLoaded as missing:
            return await self.retry(account, missing, attempt)

    async def retry(self, account: str, missing: NotLoaded, attempt: Callable[[], Awaitable[Done]]) -> Done:
        """What a further attempt returns, after what the first one missed is read; raises CacheTooSmall."""
        for _ in range(MAX_LOADING_TRIES):
            await self.run(account, missing.steps())
            try:
                return await attempt()
            except NotLoaded as again:
                missing = again
        raise CacheTooSmall

    async def run(self, account: str, steps: Steps[Done]) -> Done:
        """What the steps return. Of one account, the first that came is done first."""
        order = self._order.setdefault(account, asyncio.Lock())
        async with order:
            while True:
                began = time.perf_counter()
                end = began + (LONE_SLICE_SECONDS if self._is_alone(account) else SHARED_SLICE_SECONDS)
                try:
                    next(steps)
                    while time.perf_counter() < end:
                        next(steps)
                except StopIteration as last:
                    done: Done = last.value
                    return done
                await self.rest(account, time.perf_counter() - began)

    async def rest(self, account: str, seconds: float) -> None:
        """Let others go first, after work of this account that took some seconds of the event loop."""
        self._uncollected += seconds
        if self._uncollected > COLLECTED_SECONDS:
            self._uncollected = 0.0
            collect_youngest()
        if self._is_alone(account):
            await asyncio.sleep(0)
            return
        now = asyncio.get_running_loop().time()
        until = max(self._rested.get(account, 0.0), now) + RESTS_PER_SLICE * seconds
        self._rested[account] = until
        await asyncio.sleep(until - now)
        if self._rested.get(account) == until:
            del self._rested[account]

    async def begin(self, account: str) -> float:
        """Wait until the account has rested, while others call; the first that came begins first.

        Returns the seconds of work that are charged for already, so that the next one waits for them.
        """
        if self._is_alone(account):
            self._rested.pop(account, None)
            return 0.0
        if len(self._rested) > _MAX_KEPT_RESTS:
            now = asyncio.get_running_loop().time()
            for rested in [each for each, until in self._rested.items() if until <= now]:
                del self._rested[rested]
        turns = self._beginning.setdefault(account, asyncio.Lock())
        async with turns:
            await self._rest_of(account)
            self._rested[account] = asyncio.get_running_loop().time() + RESTS_PER_SLICE * SHARED_SLICE_SECONDS
        return SHARED_SLICE_SECONDS

    async def _rest_of(self, account: str) -> None:
        while True:
            now = asyncio.get_running_loop().time()
            left = self._rested.get(account, 0.0) - now
            if left <= 0:
                break
            await asyncio.sleep(left)


class StreamThrottle:
    """Charges an account for what it takes to read a stream from the log."""

    def __init__(self, share: LoopShare, account: str, off_loop: OffLoop) -> None:
        self._share: Final = share
        self._account: Final = account
        self._off_loop: Final = off_loop
        """Does work where reading the archive may wait."""
        self._seconds = 0.0

    async def do(self, work: Callable[[], Done]) -> Done:
        """What the work returns, whose time is charged; long records that it needs are read in slices."""
        began = time.perf_counter()
        try:
            return await self._off_loop(work)
        except NotLoaded as missing:
            return await self._share.retry(self._account, missing, partial(_at_once, work))
        finally:
            self._seconds += min(time.perf_counter() - began, MAX_CHARGE_SECONDS)

    async def begin_page(self) -> None:
        """Wait until the account has rested from the pages of its other streams: those open at once, too."""
        self._seconds -= await self._share.begin(self._account)

    async def rest_when_due(self) -> None:
        """Rest if what was done since the last rest has taken a slice."""
        if self._seconds >= SHARED_SLICE_SECONDS:
            await self.rest(0)

    async def rest(self, messages: int) -> None:
        """Rest for what was done since the last rest, and for sending some messages."""
        seconds = max(self._seconds + messages * MESSAGE_SECONDS, 0.0)
        self._seconds = 0.0
        await self._share.rest(self._account, seconds)


async def _at_once(work: Callable[[], Done]) -> Done:
    return work()
