"""Requests that wait in the intake: what each is judged to, and what the queue knows of it."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, Generic, NoReturn, Protocol, TypeAlias, TypeVar

from records.entry import MatchId
from records.log.contract import Append, AppendRejected, AppendResult
from service.feed import KnownStates

Response = TypeVar("Response")

Prefetch: TypeAlias = Callable[[Sequence[MatchId]], None]
"""Loads the states of several matches at once."""


class Pending(ABC, Generic[Response]):
    """A request that was judged, and is answered once its append is durable."""

    __slots__ = ()

    @property
    @abstractmethod
    def append(self) -> Append:
        """What is to be stored."""

    @abstractmethod
    def respond(self, result: AppendResult | Exception) -> Response:
        """The response, from what the log answered or raised."""

    @property
    def known_states(self) -> KnownStates | None:
        """The states around the entries, where they are at hand, for those who follow the match."""
        return None


Prepare: TypeAlias = Callable[[], Response | Pending[Response]]
"""Judges one request: the response, or what must be stored before there is one."""


class Queued(Protocol):
    """A request of any type, as the queue sees it."""

    @property
    def cost(self) -> int:
        """Its number of moves."""

    @property
    def match(self) -> MatchId | None:
        """The match whose state judging needs, if it is known."""

    @property
    def abandoned(self) -> bool:
        """Whether nobody waits for the answer any more; such a request is never stored."""

    @property
    def known_states(self) -> KnownStates | None:
        """The states around what was stored, if they are at hand."""

    def judge_ahead(self) -> None:
        """Judge the request now, in any thread; judge() then takes note of the result."""

    def judge(self) -> Append | None:
        """What must be stored first; None where the request is answered already."""

    def respond_ahead(self, result: AppendResult | Exception) -> None:
        """Compute the response now, in any thread; respond() then delivers it."""

    def respond(self, result: AppendResult | Exception) -> None:
        """Answer the caller, from what the log answered or raised."""


class Commit(Pending[AppendResult]):
    """An append that was judged elsewhere; answered with the log's result."""

    __slots__ = ("_append", "_known")

    def __init__(self, append: Append, known: KnownStates | None) -> None:
        self._append: Final = append
        self._known: Final = known

    @property
    def append(self) -> Append:
        """The entries."""
        return self._append

    @property
    def known_states(self) -> KnownStates | None:
        """What the caller knows."""
        return self._known

    def respond(self, result: AppendResult | Exception) -> AppendResult:
        """The result of the log itself; what it raised is raised."""
        if isinstance(result, Exception) and not isinstance(result, AppendRejected):
            raise result
        return result


def done_ahead(work: Callable[[], Response]) -> Callable[[], Response]:
    """Do some work; what is returned then returns its result, or raises what it raised."""
    try:
        result = work()
    except Exception as fault:  # noqa: BLE001 - raised for the caller, whatever it is
        return partial(_raise, fault)
    return lambda: result


def _raise(fault: Exception) -> NoReturn:
    raise fault


class JudgingThread:
    """Judges requests in a thread, as that may wait for a network."""

    def __init__(self, prefetch: Prefetch | None) -> None:
        self._prefetch: Final = prefetch
        self._thread: Final = ThreadPoolExecutor(1, "judge")

    async def judge(self, taken: Sequence[Queued]) -> None:
        """Judge the requests ahead; the event loop then only takes note of the results."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._judge, taken)

    def _judge(self, taken: Sequence[Queued]) -> None:
        if self._prefetch is not None:
            self._prefetch([request.match for request in taken if request.match is not None])
        for request in taken:
            if not request.abandoned:
                request.judge_ahead()

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown()
