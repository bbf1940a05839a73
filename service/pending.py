"""What a request of the intake is judged to: its response, or what must be stored before there is one."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Final, Generic, NoReturn, TypeAlias, TypeVar

from records.log.contract import Append, AppendRejected, AppendResult
from service.feed import KnownStates

Response = TypeVar("Response")
Response_co = TypeVar("Response_co", covariant=True)


class Pending(ABC, Generic[Response_co]):
    """A request that was judged, and is answered once its append is durable."""

    __slots__ = ()

    @property
    @abstractmethod
    def append(self) -> Append:
        """What is to be stored."""

    @abstractmethod
    def respond(self, result: AppendResult | Exception) -> Response_co:
        """The response, from what the log answered or raised."""

    @property
    def known_states(self) -> KnownStates | None:
        """The states around the entries, where they are at hand, for those who follow the match."""
        return None


Prepare: TypeAlias = Callable[[], Response | Pending[Response]]
"""Judges one request: the response, or what must be stored before there is one."""


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
