"""How much callers may ask for: whoever is known is let in as long as there is room, and in turn."""

import asyncio
from collections.abc import Awaitable
from typing import Final

from service.authentication import Authenticator, host_of
from service.authorization import Caller
from service.config import Config
from service.door import Context, Gate
from service.limits import ConcurrencyLimit, RateLimit
from service.turns import Turns

_FOLLOWING: Final = frozenset({"FollowRecord", "FollowArchive"})
"""Methods that wait rather than work, for hours maybe."""

_SOON: Final = 0.1
_LATER: Final = 5.0
"""Seconds after which there may be room again: calls are short, followers stay."""

_REFUSALS: Final = 100.0
_REFUSALS_BURST: Final = 50
_LONGEST_HOLD: Final = 5.0
"""So many refusals a second a host is told, after so many at one go; none is held longer than this."""


class Gatekeeper(Gate):
    """Lets in whom the doorman knows, as long as there is room."""

    def __init__(self, authenticator: Authenticator, config: Config) -> None:
        self._authenticator: Final = authenticator
        self._calls: Final = ConcurrencyLimit(
            "max-calls", config.max_calls, config.max_calls_per_client, _SOON
        )
        self._followers: Final = ConcurrencyLimit(
            "max-followers", config.max_followers, config.max_followers_per_client, _LATER
        )
        self._pace: Final = RateLimit(config.calls_per_second, config.calls_burst)
        self._refusals: Final = RateLimit(_REFUSALS, _REFUSALS_BURST, furthest=_LONGEST_HOLD)
        self._turns: Final = Turns()

    def enter(self, method: str, context: Context) -> Caller:
        """Whoever calls, if he is known and asks for no more than he may."""
        caller = self._authenticator.who(context)
        self._pace.admit(caller.name)
        (self._followers if method in _FOLLOWING else self._calls).enter(caller.name)
        return caller

    def hold(self, context: Context) -> float:
        """The first refusals are told at once, those of a flood one by one."""
        return self._refusals.wait(host_of(context.peer()))

    def turn(self, caller: Caller) -> Awaitable[None] | None:
        """Clients take turns."""
        return self._turns.turn(caller.name)

    def again(self, caller: Caller) -> Awaitable[None] | None:
        """It waits until it may be made, rather than be refused."""
        wait = self._pace.wait(caller.name)
        return asyncio.sleep(wait) if wait else self._turns.turn(caller.name)

    def stay(self, caller: Caller) -> None:
        """As long as the doorman knows him."""
        self._authenticator.still(caller)

    def renew(self) -> None:
        """Learn whom to let in; to be called now and then."""
        self._authenticator.renew()

    def leave(self, method: str, caller: Caller) -> None:
        """There is room for another."""
        (self._followers if method in _FOLLOWING else self._calls).leave(caller.name)
