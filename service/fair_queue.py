"""A queue that is fair between clients: each has its share per round while several call."""

import asyncio
import math
from collections.abc import Callable
from heapq import heappop, heappush
from typing import Final, Generic, TypeVar

SHARE_MOVES: Final = 16
"""Moves that each client may have judged per round while several clients call; the rest are parked."""

SHARE_MOVES_BESIDE_LIGHT: Final = 6
"""The same while a light client is among them, which may have to wait for as many moves of every other."""

MAX_LIGHT_CALLS: Final = 1
"""Maximum calls in progress of a light client: nobody waits long for one. Of several,
gRPC hands over so few at a time that two are a sign of many."""

LIGHT_SECONDS: Final = 0.05
"""Time after its last call in which a light client makes the shares of others smaller: a round at most."""

MAX_LIGHT_MOVES: Final = 64
"""Moves per round beyond which a light client is parked, too: its calls take a quarter of the time."""

DRAIN_SECONDS: Final = 0.003
"""A round ends when nothing has arrived for this long: longer than gRPC takes to hand over a call it has."""

ROUND_SECONDS: Final = 0.05
"""Maximum length of a round, so that parked requests are never starved by steady arrivals."""

ALONE_SECONDS: Final = 1.0
"""A client is alone, and has no share to keep to, when no other has called for this long."""


Request = TypeVar("Request")


class _Lately:
    """Clients of which something was last true less than some seconds ago."""

    def __init__(self, seconds: float) -> None:
        self._seconds: Final = seconds
        self._times: Final[dict[str, float]] = {}
        """When it was last true, the earliest first."""

    def add(self, client: str, now: float) -> None:
        """It is true of a client now."""
        self._times.pop(client, None)
        self._times[client] = now
        self._forget(now)

    def discard(self, client: str) -> None:
        """It is not true of a client any more."""
        self._times.pop(client, None)

    def has(self, client: str, now: float) -> bool:
        """Whether it was true of a client."""
        return now - self._times.get(client, -math.inf) < self._seconds

    def any(self, now: float) -> bool:
        """Whether it was true of any client."""
        self._forget(now)
        return bool(self._times)

    def _forget(self, now: float) -> None:
        """Forget the clients of which it was last true before."""
        while self._times:
            client = next(iter(self._times))
            if self.has(client, now):
                return
            del self._times[client]

    def clear(self) -> None:
        """Forget everything."""
        self._times.clear()


class FairQueue(Generic[Request]):
    """Requests in the order of how many moves their client has asked for before them, in rounds.

    Ordering our own queue is not enough: gRPC hands calls over first come, first served, so the victim of a
    flood waits in front of us. But a flood whose answers are held back sends nothing new. So while several
    clients call, each has SHARE_MOVES per round, and the rest of its requests is parked. A client that is
    alone never waits.

    A light client is parked only after MAX_LIGHT_MOVES. While one calls, the shares of the others are
    smaller, so that it waits for fewer of their requests, and a round ends when all have had their share.
    """

    def __init__(self, unparked: Callable[[], None]) -> None:
        self._unparked: Final = unparked
        """Called when a new round has made parked requests ready."""
        self.calls_of: Callable[[str], float] = lambda _: math.inf
        """Returns the number of calls that a client has in progress."""
        self._heap: Final[list[tuple[int, int, Request]]] = []
        self._number = 0
        self._next_tag: Final[dict[str, int]] = {}
        """Moves that each client has asked for, counted from the start of the round."""
        self.ready = 0
        """Requests that may be taken; the others are parked."""
        self._base = 0
        self._limit: float = math.inf
        """Requests with a tag below this are ready."""
        self._round_began = 0.0
        self._closed = False
        self._heavy: Final = _Lately(ALONE_SECONDS)
        """Clients that had more than MAX_LIGHT_CALLS in progress while several called."""
        self._light: Final = _Lately(LIGHT_SECONDS)
        """The others that have called meanwhile."""
        self._below_share: Final = _Lately(ALONE_SECONDS)
        """Clients that have called and have not had their share of the round yet: gRPC may hold calls of them
        that came behind many others."""
        self._parked: Final = set[str]()
        """Clients that have had it."""
        self._latest_client = ""
        self.lone_client = ""
        """The client that is alone, whose requests need no order and may be taken without being queued."""
        self._shared_until = 0.0
        """Until when clients must share, on the loop's clock; 0 while one client is alone."""
        self._arrivals = 0
        self._drain: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._heap)

    def push(self, client: str, request: Request, cost: int) -> bool:
        """Queue a request with its number of moves; whether it is ready, or parked until a later round."""
        tag = self._tag(client, cost)
        if tag >= self._limit:
            self._park(tag, client, request)
            return False
        self._number += 1
        heappush(self._heap, (tag, self._number, request))
        self.ready += 1
        return True

    def passes(self, client: str, request: Request, cost: int) -> bool:
        """Whether the request needs no queueing; otherwise it is parked until a later round."""
        tag = self._tag(client, cost)
        if tag < self._limit:
            return True
        self._park(tag, client, request)
        return False

    def _tag(self, client: str, cost: int) -> int:
        """The moves that the client has asked for before, or the start of the round if it is not parked."""
        self._arrivals += 1
        if client != self._latest_client or self._shared_until:
            self._share(client, asyncio.get_running_loop().time())
        tag = max(self._base, self._next_tag.get(client, 0))
        if self._limit < math.inf:
            self._next_tag[client] = tag + cost
            return self._weighed(client, tag)
        return tag

    def _weighed(self, client: str, tag: int) -> int:
        """Note whether the client is light, and has had its share; its tag, lower if it is not parked."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        if self.calls_of(client) > MAX_LIGHT_CALLS:
            self._heavy.add(client, now)
            self._light.discard(client)
        elif not self._heavy.has(client, now):
            self._light.add(client, now)
            if self._limit <= tag < self._base + MAX_LIGHT_MOVES:
                self._had_its_share(client, now)
                return self._base
        if tag < self._limit and client not in self._parked:
            self._below_share.add(client, now)
        return tag

    def _park(self, tag: int, client: str, request: Request) -> None:
        self._number += 1
        heappush(self._heap, (tag, self._number, request))
        loop = asyncio.get_running_loop()
        now = loop.time()
        self._wait_if_contended(loop, now)
        self._had_its_share(client, now)

    def _had_its_share(self, client: str, now: float) -> None:
        """Beside a light client, end the round if it was the last one that had not."""
        self._below_share.discard(client)
        self._parked.add(client)
        if self.contended and self._light.any(now) and not self._below_share.any(now):
            self._end_round(now)

    def _end_round(self, now: float) -> None:
        if self._drain is not None:
            self._drain.cancel()
            self._drain = None
        self._new_round(now)
        self._unparked()

    def pop(self) -> Request:
        """The next request that is ready."""
        self.ready -= 1
        return heappop(self._heap)[2]

    @property
    def contended(self) -> bool:
        """Whether requests of some client are parked."""
        return self.ready < len(self._heap)

    @property
    def urgent(self) -> bool:
        """Whether no request should wait for others, because a client floods or a light one calls."""
        if self._limit == math.inf:
            return False
        return self.contended or self._light.any(asyncio.get_running_loop().time())

    def close(self) -> None:
        """Make everything ready: what was taken in is answered before the server stops."""
        self._closed, self._limit, self.ready = True, math.inf, len(self._heap)
        if self._drain is not None:
            self._drain.cancel()
            self._drain = None

    def _share(self, client: str, now: float) -> None:
        if self._closed:
            return
        if client != self._latest_client:
            if self._latest_client:
                self._shared_until, self.lone_client = now + ALONE_SECONDS, ""
            self._latest_client = client
        if self._drain is None:
            if now > self._shared_until:
                self._shared_until, self._base, self._limit = 0.0, 0, math.inf
                self._next_tag.clear()
                for clients in (self._heavy, self._light, self._below_share):
                    clients.clear()
                self._parked.clear()
                self.ready, self.lone_client = len(self._heap), client
            elif now - self._round_began > ROUND_SECONDS:
                self._new_round(now)

    def _wait_if_contended(self, loop: asyncio.AbstractEventLoop, now: float) -> None:
        if self.contended and self._drain is None:
            self._wait_for_quiet(loop, now)

    def _wait_for_quiet(self, loop: asyncio.AbstractEventLoop, began: float) -> None:
        self._drain = loop.call_later(DRAIN_SECONDS, self._look_for_quiet, self._arrivals, began)

    def _look_for_quiet(self, arrivals: int, began: float) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        if self._arrivals != arrivals and now - began < ROUND_SECONDS:
            self._wait_for_quiet(loop, began)
            return
        self._end_round(now)

    def _new_round(self, now: float) -> None:
        self._round_began = now
        if self._heap:
            self._base = max(self._base, self._heap[0][0])
        else:
            self._base = 0
            self._next_tag.clear()
        self._limit = self._base + (SHARE_MOVES_BESIDE_LIGHT if self._light.any(now) else SHARE_MOVES)
        for client in self._parked:
            self._below_share.add(client, now)
        self._parked.clear()
        self.ready = sum(tag < self._limit for tag, _, _ in self._heap)
        self._wait_if_contended(asyncio.get_running_loop(), now)
