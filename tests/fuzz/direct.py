"""Makes calls to the handlers of a server without a transport, which takes a fraction of the time."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Final, Never

import grpc
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from grpc import StatusCode

from service.method_table import METHODS
from service.rpc import DESCRIPTOR, CallHandler, Serve, binary_decoder

Metadata = tuple[tuple[str, str], ...]
_DETAILS: Final = "grpc-status-details-bin"
"""The key of the details of an error in metadata."""


class Aborted(Exception):
    """A method ended its call with an error."""

    def __init__(self, status: grpc.Status) -> None:
        super().__init__(status.details)
        self.code: Final = status.code
        self.reason: Final = reason_in(status.trailing_metadata or ()) or f"{status.code} {status.details}"


class DirectContext:
    """A call as its method sees it: the requests, and what is sent in return."""

    def __init__(self, requests: Iterable[bytes], metadata: Metadata) -> None:
        self._requests: Final = iter(requests)
        self._metadata: Final = metadata
        self.answered: Final = asyncio.Event()
        self.responses: list[Message] = []

    def peer(self) -> str:
        """Always the same address."""
        return "ipv4:127.0.0.1:1"

    def invocation_metadata(self) -> Metadata:
        """What the caller sent beside its requests."""
        return self._metadata

    def auth_context(self) -> Mapping[str, Iterable[bytes]]:
        """Nothing: there is no certificate."""
        return {}

    async def read(self) -> object:
        """The next request; None if there are no more."""
        return next(self._requests, None)

    async def send_initial_metadata(self, _: tuple[()], /) -> None:
        """Nothing: whatever is sent arrives."""

    async def write(self, message: Message, /) -> None:
        """Keep a response, which is encoded as a transport would."""
        message.SerializeToString()
        self.responses.append(message)
        self.answered.set()
        await asyncio.sleep(0)

    async def abort_with_status(self, status: grpc.Status, /) -> Never:
        """Raises Aborted."""
        raise Aborted(status)


class DirectCalls:
    """Every method of a server."""

    def __init__(self, handler: CallHandler) -> None:
        self._served: Final[Mapping[str, Serve]] = {
            method.name: METHODS[method.name](handler, method.name, binary_decoder(method))
            for method in DESCRIPTOR.methods
        }

    async def answer(
        self, method: str, data: bytes, metadata: Metadata, first_seconds: float | None = None
    ) -> tuple[StatusCode, str, list[Message]]:
        """The code, the reason of a refusal, and all responses, or the first if it comes within some time."""
        context = DirectContext([data], metadata)
        call = asyncio.ensure_future(self._served[method](None, context))
        if first_seconds is not None:
            first = asyncio.ensure_future(context.answered.wait())
            await asyncio.wait((call, first), timeout=first_seconds, return_when=asyncio.FIRST_COMPLETED)
            first.cancel()
            call.cancel()
        try:
            response = await call
        except Aborted as refusal:
            return refusal.code, refusal.reason, []
        except asyncio.CancelledError:
            return StatusCode.OK, "OK", context.responses
        if response is not None:
            response.SerializeToString()
        return StatusCode.OK, "OK", [*context.responses, *([] if response is None else [response])]


def reason_in(metadata: Iterable[tuple[str, str | bytes]]) -> str:
    """The reason of an error; empty if it has none."""
    for key, value in metadata:
        if key == _DETAILS and isinstance(value, bytes):
            for detail in Status.FromString(value).details:
                info = ErrorInfo()
                if detail.Unpack(info):
                    return info.reason
    return ""
