"""A call in progress and how it ended, as authentication, admission and observers see it."""

import re
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Never, Protocol, TypeAlias

import grpc
from google.protobuf.message import Message

from service.authorization import Caller
from service.errors import CallError


class Context(Protocol):
    """What a transport knows of a call, and how it is answered: the part of gRPC's context that is used."""

    def peer(self) -> str:
        """The address of the caller as gRPC writes it, `ipv4:192.0.2.7:50422`."""

    def invocation_metadata(self) -> Iterable[tuple[str, str | bytes]] | None:
        """What the caller sent beside its request, by names in lower case."""

    def auth_context(self) -> Mapping[str, Iterable[bytes]]:
        """What the caller's certificate says, if it presented one."""

    async def read(self) -> object:
        """The bytes of the next request; something else if there are no more."""

    async def send_initial_metadata(self, initial_metadata: tuple[()], /) -> None:
        """Let the caller of a stream know that it has begun."""

    async def write(self, message: Message, /) -> None:
        """Send one response of a stream, once the caller has taken enough of those before it."""

    async def abort_with_status(self, status: grpc.Status, /) -> Never:
        """End the call with an error; always raises."""


CALL_ID: Final = "x-request-id"
"""Metadata key in which a caller may send its own id for the log."""

_CALL_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
"""Ids that are safe in a log line; a call with any other gets a random one."""


@dataclass(slots=True)
class Call:
    """A call in progress."""

    method: str
    context: Context
    request: Message | None = None
    """The message, once it is decoded; None for a stream of them."""
    request_bytes: int = 0
    """The size of the request, once it is received."""
    begun: float = field(default_factory=time.perf_counter)
    _id: str = ""

    @property
    def id(self) -> str:
        """The id for logs and fault reports: the x-request-id that the caller sent, or a random one."""
        if not self._id:
            sent = self.metadata.get(CALL_ID, "")
            self._id = sent if _CALL_ID.fullmatch(sent) else secrets.token_hex(8)
        return self._id

    @property
    def metadata(self) -> Mapping[str, str]:
        """The text metadata of the call; of a repeated key the last value."""
        sent = self.context.invocation_metadata() or ()
        return {key: value for key, value in sent if isinstance(value, str)}

    @property
    def seconds(self) -> float:
        """How long the call has taken so far."""
        return time.perf_counter() - self.begun


@dataclass(frozen=True, slots=True)
class Answered:
    """The call was answered."""

    caller: Caller


@dataclass(frozen=True, slots=True)
class Rejected:
    """The call was refused; the caller is unknown if it was not admitted."""

    caller: Caller | None
    error: CallError


@dataclass(frozen=True, slots=True)
class RejectedRequest:
    """One request of a stream was refused, and the stream continues."""

    caller: Caller
    request: Message
    error: CallError


@dataclass(frozen=True, slots=True)
class Failed:
    """An internal error: the exception, and the error that the caller gets for it."""

    caller: Caller
    error: CallError
    fault: Exception


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The caller cancelled the call, or its deadline passed."""

    caller: Caller


CallOutcome: TypeAlias = Answered | Rejected | RejectedRequest | Failed | Cancelled


class Observer(ABC):
    """Records what happens to calls, for the operator."""

    wants_answers = True
    """Whether it wants to know of calls that were answered, and not only of the others."""

    @abstractmethod
    def ended(self, call: Call, outcome: CallOutcome) -> None:
        """Called when a call has ended, or one request of its stream."""
