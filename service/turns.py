"""Turns: when several clients call at once, a flood from one keeps no other waiting."""

import asyncio
from collections import deque
from collections.abc import Awaitable
from typing import Final

BATCH: Final = 16
"""So many calls a client has in a round; the next ones wait for the next round."""

_PAUSE: Final = 0.003
_LONGEST: Final = 0.05
"""A round lasts until nobody has called for so many seconds, which is longer than gRPC takes to hand over a
call that it has; and no longer than this."""

_MEMORY: Final = 1.0
"""For so many seconds after another has called a client is not alone."""


class Turns:
    """Who must wait for whom. For one event loop.

    gRPC hands calls over one by one, as they came: whoever sends a thousand has the next caller wait for all
    of them. So the calls of a client that has had its share are put aside at once, which is quick, and are
    answered in later rounds; as long as they are put aside it sends no others in their place. A client that
    is alone never waits.
    """

    def __init__(self) -> None:
        self._latest = ""
        self._others = False
        """Whether more than one client has called lately."""
        self._changed = self._begun = 0.0
        """When the calling client was last another one than before, and when the round began."""
        self._came = 0
        self._had: Final[dict[str, int]] = {}
        self._waiting: Final[dict[str, deque[asyncio.Future[None]]]] = {}
        self._rounds: asyncio.Task[None] | None = None

    def turn(self, client: str) -> Awaitable[None] | None:
        """What a client must wait for; None where it is its turn."""
        if client == self._latest and not self._others:
            return None
        loop = asyncio.get_running_loop()
        now = loop.time()
        if client != self._latest:
            self._others, self._latest, self._changed = bool(self._latest), client, now
        elif now - self._changed > _MEMORY and not self._waiting:
            self._others = False
            return None
        if not self._waiting and now - self._begun > _LONGEST:
            self._had.clear()
            self._begun = now
        self._came += 1
        had = self._had[client] = self._had.get(client, 0) + 1
        if had <= BATCH:
            return None
        turn = loop.create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        if self._rounds is None:
            self._rounds = loop.create_task(self._go_round())
        return turn

    async def _go_round(self) -> None:
        while self._waiting:
            await self._quiet()
            self._had.clear()
            for client, turns in list(self._waiting.items()):
                self._had[client] = _let_go(turns)
                if not turns:
                    del self._waiting[client]
        self._rounds = None

    async def _quiet(self) -> None:
        """Until nobody new comes, or the round has lasted long enough."""
        loop = asyncio.get_running_loop()
        end = loop.time() + _LONGEST
        came = -1
        while came != self._came and loop.time() < end:
            came = self._came
            await asyncio.sleep(_PAUSE)


def _let_go(turns: deque[asyncio.Future[None]]) -> int:
    """Let as many go on as have a turn; how many that were."""
    went = 0
    while turns and went < BATCH:
        turn = turns.popleft()
        if not turn.done():  # its caller may have gone
            turn.set_result(None)
            went += 1
    return went
