"""What every call passes: who calls, how much he may ask for, how it ends, and what is noted of it."""

import asyncio
import re
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NoReturn, TypeAlias, TypeVar, cast

from google.protobuf.message import Message
from grpc import aio

from service.authorization import Caller
from service.error_mapping import refusal_of
from service.errors import CallError, Reason, stopping
from service.resources import Resources
from service.rounds import Storing

Request = TypeVar("Request")
Response = TypeVar("Response")
Reply = TypeVar("Reply", bound=Message)

Context: TypeAlias = "aio.ServicerContext[Message, Message]"
Unary: TypeAlias = Callable[[Resources, Caller, Request], Awaitable[Response]]
Quick: TypeAlias = Callable[[Resources, Caller, Request], Response | Storing[Response]]
"""Answers at once, or as soon as something is stored, and is called in rounds."""
Stream: TypeAlias = Callable[[Resources, Caller, Request], AsyncIterator[Response]]
Reject: TypeAlias = Callable[[Message, CallError], None]
"""Notes that a request of a stream was refused."""
Exchange: TypeAlias = Callable[[Resources, Caller, Reject, Request], Response | Storing[Response]]
"""As Quick, for one request of a stream."""

CALL_ID: Final = "x-request-id"
"""Metadata in which a caller may send an id of his own for the log."""

_CALL_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Gate(ABC):
    """Lets callers in."""

    @abstractmethod
    def enter(self, method: str, context: Context) -> Caller:
        """Who calls; Refused where he is not known, or asks for too much at once."""

    @abstractmethod
    def hold(self, context: Context) -> float:
        """For how many seconds a refusal is held back: whoever floods is not to be back at once."""

    @abstractmethod
    def turn(self, caller: Caller) -> Awaitable[None] | None:
        """What a caller that has entered must wait for; None where it is his turn."""

    @abstractmethod
    def again(self, caller: Caller) -> Awaitable[None] | None:
        """What the next request of a stream must wait for; None where it is its turn."""

    @abstractmethod
    def stay(self, caller: Caller) -> None:
        """Refused where a caller whose call is under way would not be let in any more."""

    @abstractmethod
    def leave(self, method: str, caller: Caller) -> None:
        """The call is over."""


@dataclass(slots=True)
class Call:
    """A call, for whoever takes note of it."""

    method: str
    request: object
    """The message, or the stream of them."""
    context: Context
    begun: float = field(default_factory=time.perf_counter)
    _id: str = ""

    @property
    def id(self) -> str:
        """What logs call it, and whoever reports a fault: his own x-request-id if he sent one, or any."""
        if not self._id:
            sent = self.metadata.get(CALL_ID, "")
            self._id = sent if _CALL_ID.fullmatch(sent) else secrets.token_hex(8)
        return self._id

    @property
    def metadata(self) -> Mapping[str, str]:
        """What was sent along with the call, without bytes; the last of each key."""
        sent = self.context.invocation_metadata() or ()
        return {key: value for key, value in sent if isinstance(value, str)}

    @property
    def seconds(self) -> float:
        """How long it has taken up to now."""
        return time.perf_counter() - self.begun


@dataclass(frozen=True, slots=True)
class Answered:
    """The call has ended well."""

    caller: Caller


@dataclass(frozen=True, slots=True)
class Rejected:
    """The call was refused; its caller is not known where the gate refused it."""

    caller: Caller | None
    error: CallError


@dataclass(frozen=True, slots=True)
class RejectedRequest:
    """One request of a stream was refused, and the stream goes on."""

    caller: Caller
    request: Message
    error: CallError


@dataclass(frozen=True, slots=True)
class Failed:
    """A fault of ours, and the error that the caller gets instead of it."""

    caller: Caller
    error: CallError
    fault: Exception


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The caller has gone, or waits no longer."""

    caller: Caller


CallOutcome: TypeAlias = Answered | Rejected | RejectedRequest | Failed | Cancelled


class Observer(ABC):
    """Notes what happens, for the operator."""

    @abstractmethod
    def ended(self, call: Call, outcome: CallOutcome) -> None:
        """A call has ended, or one request of its stream."""


class Door:
    """Between gRPC and the methods."""

    def __init__(self, resources: Resources, admission: Gate, observer: Observer) -> None:
        self._resources: Final = resources
        self._admission: Final = admission
        self._observer: Final = observer

    async def unary(
        self, method: str, do: Unary[Request, Response], request: Request, context: Context
    ) -> Response:
        """One answer to one request."""

        async def answer(caller: Caller) -> Response:
            _refuse_unreadable(request)
            return await do(self._resources, caller, request)

        return await self._seen_to(Call(method, request, context), answer)

    async def stream(
        self, method: str, do: Stream[Request, Reply], request: Request, context: Context
    ) -> None:
        """Any number of answers; one that is not taken in time ends the call."""

        async def answer(caller: Caller) -> None:
            _refuse_unreadable(request)
            await _begin(context)
            async for answer in do(self._resources, caller, request):
                self._admission.stay(caller)
                await self._write(context, answer)

        await self._seen_to(Call(method, request, context), answer)

    async def exchange(
        self, method: str, do: Exchange[Request, Reply], requests: object, context: Context
    ) -> None:
        """Any number of requests and an answer to each; a request counts as much as a call of its own.

        Whoever does not take the answers can ask for nothing more, and keeps nobody but himself waiting.
        """
        resources, admission = self._resources, self._admission
        call = Call(method, requests, context)
        # The stubs of gRPC do not know that it reads what the method takes.
        read = cast("Callable[[], Awaitable[Request]]", context.read)

        async def next_request(caller: Caller) -> Request | None:
            request = await read()
            _refuse_unreadable(request)
            admission.stay(caller)
            if request is aio.EOF:
                return None
            if (turn := admission.again(caller)) is not None:
                await turn
            return request

        async def answer(caller: Caller) -> None:
            await _begin(context)
            read_next = partial(next_request, caller)

            def reject(request: Message, error: CallError) -> None:
                self._observer.ended(call, RejectedRequest(caller, request, error))

            while (request := await resources.shutdown.wait_for(read_next)) is not None:
                answer = await resources.rounds.answer(partial(do, resources, caller, reject, request))
                admission.stay(caller)
                await context.write(answer)
            if resources.shutdown.begun:
                raise stopping()

        await self._seen_to(call, answer)

    async def _seen_to(self, call: Call, answer: Callable[[Caller], Awaitable[Response]]) -> Response:
        """The answer, where whoever calls may have one; however it ends, that is noted."""
        caller = await self._enter(call)
        try:
            if (turn := self._admission.turn(caller)) is not None:
                await turn
            answered = await answer(caller)
        except asyncio.CancelledError:
            self._observer.ended(call, Cancelled(caller))
            raise
        except Exception as fault:  # noqa: BLE001 - whatever it is, its caller hears of it
            await self._end(call, caller, fault)
        else:
            self._observer.ended(call, Answered(caller))
            return answered
        finally:
            self._admission.leave(call.method, caller)

    async def _write(self, context: Context, answer: Message) -> None:
        try:
            async with asyncio.timeout(self._resources.stall):
                await context.write(answer)
        except TimeoutError:
            raise CallError(
                Reason.SLOW_CONSUMER,
                "the answers were not taken in time; ask again from the last one",
            ) from None

    async def _enter(self, call: Call) -> Caller:
        try:
            return self._admit(call)
        except CallError as refused:
            self._observer.ended(call, Rejected(None, refused))
            if refused.reason is not Reason.DRAINING:
                await asyncio.sleep(self._admission.hold(call.context))
            await call.context.abort_with_status(refused.status())
            raise

    def _admit(self, call: Call) -> Caller:
        if self._resources.shutdown.begun:
            raise stopping()
        return self._admission.enter(call.method, call.context)

    async def _end(self, call: Call, caller: Caller, fault: Exception) -> NoReturn:
        refused = refusal_of(fault)
        if refused is None:
            refused = CallError(
                Reason.INTERNAL, f"a fault of ours; its id is {call.id}", {"call_id": call.id}
            )
            self._observer.ended(call, Failed(caller, refused, fault))
        else:
            self._observer.ended(call, Rejected(caller, refused))
        await call.context.abort_with_status(refused.status())
        raise refused


async def _begin(context: Context) -> None:
    """A follower knows that it follows before anything happens."""
    await context.send_initial_metadata(())


def _refuse_unreadable(request: object) -> None:
    """Bytes that are no message arrive as the refusal that they lead to."""
    if isinstance(request, CallError):
        raise request
