"""Rounds: requests that come together are answered together."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeAlias, TypeVar

from records.log.contract import Append, AppendResult
from service.committing import Committer

LARGEST: Final = 16
"""So many requests are waited for at most: with more, a round saves hardly more."""

_QUIET: Final = 0.001
"""A round begins when nobody has come for so many seconds; the event loop knows no shorter time."""

_CROWD: Final = 8
"""Fewer do not wait for each other."""

_SOON: Final = 8
_LATER: Final = 256
"""After so many rounds everybody is waited for, to see how many there are: after more and more of them, up to
this, as long as there are as many as before."""

_LONG: Final = 0.003
"""After so many seconds a round is broken off, and goes on when the loop has seen to others."""

Response = TypeVar("Response")


@dataclass(frozen=True, slots=True)
class Storing(Generic[Response]):
    """An answer that is given when something is stored."""

    append: Append
    then: Callable[[AppendResult | Exception], Response]
    """The answer, by what the log says."""


Work: TypeAlias = Callable[[], Response | Storing[Response]]
"""Answers one request, at once or as soon as something is stored."""


class _Gathered(Protocol):
    def judge(self, committer: Committer) -> None: ...


class _Request(Generic[Response]):
    """A request, and the call that waits for the answer."""

    __slots__ = ("_storing", "_work", "answered")

    def __init__(self, work: Work[Response], answered: "asyncio.Future[Response]") -> None:
        self._work: Final = work
        self._storing: Storing[Response] | None = None
        self.answered: Final = answered

    def judge(self, committer: Committer) -> None:
        if self.answered.done():
            return  # its caller has gone
        try:
            found = self._work()
        except Exception as fault:  # noqa: BLE001 - whatever it is, it belongs to the call
            self._fail(fault)
            return
        if isinstance(found, Storing):
            self._storing = found
            committer.submit(self)
        else:
            self.answered.set_result(found)

    @property
    def append(self) -> Append:
        if self._storing is None:
            raise TypeError("nothing is to be stored")
        return self._storing.append

    def given_up(self) -> bool:
        return self.answered.done()

    def answer(self, answer: AppendResult | Exception) -> None:
        if self._storing is None or self.answered.done():
            return
        try:
            response = self._storing.then(answer)
        except Exception as fault:  # noqa: BLE001 - as above
            self._fail(fault)
        else:
            self.answered.set_result(response)

    def _fail(self, fault: Exception) -> None:
        if isinstance(fault, StopIteration):  # which no future takes
            fault = RuntimeError(f"StopIteration: {fault}")
        self.answered.set_exception(fault)


class Rounds:
    """Which requests wait for each other. For one event loop.

    gRPC hands requests over one by one, with work of its own before and after each, which leaves little of
    ours in the processor's caches: a move that is judged right after another takes less than half the time.
    So requests that come at the same time are gathered, judged one right after the other, and what they
    store is written together; all that gRPC does to send the answers comes after that. Half of a crowd is
    waited for: the other half has its answers meanwhile, or is on its way again.

    A few callers do not wait for each other, but for a moment now and then, in which they are counted.
    """

    def __init__(self, committer: Committer) -> None:
        self._committer: Final = committer
        self._gathered: list[_Gathered] = []
        self._crowd = 1
        """So many seem to call at the same time."""
        self._wanted = 1
        """With so many a round begins."""
        self._counting = False
        """Whether everybody is waited for, to see how many there are."""
        self._since = 0
        self._trust = _SOON
        """So many rounds ago that was done, and after so many it is done again."""
        self._waiting: asyncio.Handle | None = None

    def answer(self, work: Work[Response]) -> "asyncio.Future[Response]":
        """The answer to a request; what the work raises, the future raises."""
        loop = asyncio.get_running_loop()
        request = _Request(work, loop.create_future())
        self._gathered.append(request)
        came = len(self._gathered)
        if came < self._wanted:
            if self._waiting is None:
                self._waiting = loop.call_later(_QUIET, self._listen, came)
        elif self._counting:
            self._count(came)
        else:
            self._begin()
        return request.answered

    def _listen(self, before: int) -> None:
        """Go on waiting as long as others come."""
        came = len(self._gathered)
        if came > before:
            self._waiting = asyncio.get_running_loop().call_later(_QUIET, self._listen, came)
        else:
            self._count(came)

    def _count(self, came: int) -> None:
        """So many have come, and nobody else does."""
        if self._counting:
            as_before = _part(came) == _part(self._crowd)
            self._trust = min(2 * self._trust, _LATER) if as_before else _SOON
            self._crowd, self._since = came, 0
        else:
            self._since = self._trust  # there are fewer than there were
        self._begin()

    def _begin(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        gathered = self._gathered
        self._gathered = []
        self._since += 1
        self._counting = self._since >= self._trust
        self._wanted = 2 * LARGEST if self._counting else _part(self._crowd)
        self._judge(deque(gathered))

    def _judge(self, requests: deque[_Gathered]) -> None:
        together = len(requests) > 1
        end = time.perf_counter() + _LONG
        while requests:
            requests.popleft().judge(self._committer)
            if requests and time.perf_counter() > end:
                asyncio.get_running_loop().call_soon(self._judge, requests)
                break
        if together:
            self._committer.flush()


def _part(crowd: int) -> int:
    """So many of a crowd a round waits for."""
    return min(crowd // 2, LARGEST) if crowd >= _CROWD else 1
