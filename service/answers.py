"""Answers that may be large: counted until their caller has taken them.

gRPC sends the response of other methods after their call has ended, when nobody counts what it holds.
These write it as a part of the call, which on the wire is the same.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar, cast

from google.protobuf.message import Message

from service.admission import Peer, RequestBudget
from service.authorization import Caller
from service.call import Call, Failed
from service.errors import CallError, Reason
from service.grpc_calls import UndroppableCall, can_drop_call
from service.rpc import CallHandler

LARGE_ANSWER_BYTES: Final = 65_536
"""Answers up to this size are not counted: the limit of concurrent calls is enough for them."""

ANSWER_RETRY_SECONDS: Final = 1.0
"""When a caller that does not take its answers should try again."""

Response = TypeVar("Response")


class AnswerWriter(CallHandler):
    """Takes calls through admission to their methods, and writes what they return."""

    async def handle(self, call: Call, answer: Callable[[Call, Caller], Awaitable[Response]]) -> Response:
        """The answer to an admitted caller, which it has taken."""

        async def written(call: Call, caller: Caller) -> Response:
            unsent, peer = self.admission.unsent, call.context.peer
            await self._room(caller.account, peer)
            response = await answer(call, caller)
            message = cast("Message", response)
            size = message.ByteSize()
            if size <= LARGE_ANSWER_BYTES:
                await self.write(call.context, message)
                return response
            with counted(unsent, caller.account, peer, size):
                try:
                    await self.write(call.context, message)
                except CallError as error:
                    if error.reason is Reason.SLOW_CONSUMER and not can_drop_call():
                        unsent.take(caller.account, peer, size)  # gRPC keeps it, and nobody knows how long
                        self.report(call, Failed(caller, error, UndroppableCall()))
                    raise
            return response

        return await super().handle(call, written)

    async def _room(self, account: str, peer: Peer) -> None:
        """Wait before the answer is made until those before it are taken; raises CallError."""
        unsent = self.admission.unsent
        if not unsent.bytes:
            return
        try:
            async with asyncio.timeout(self.resources.stall_seconds):
                await unsent.room(account, peer)
        except TimeoutError:
            raise too_much_unsent() from None


@contextmanager
def counted(unsent: RequestBudget, account: str, peer: Peer, size: int) -> Iterator[None]:
    """Count an answer for the duration of the block; raises CallError where it would be too much."""
    if not unsent.has_room_for_bytes(account, peer):
        raise too_much_unsent()
    unsent.take(account, peer, size)
    try:
        yield
    finally:
        unsent.give(account, peer, size)


def too_much_unsent() -> CallError:
    """The error for an answer that is not sent, because its caller does not take those before it."""
    return CallError(
        Reason.TOO_MANY_CALLS,
        "too many bytes of answers wait to be taken by this client (unsent-bytes); read them first",
        {"limit": "unsent-bytes"},
        retry=ANSWER_RETRY_SECONDS,
    )
