"""Limits of calls that need no token: health checks and reflection have a small budget of their own."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TypeAlias

from google.protobuf.message import Message
from grpc import aio

from service.admission import RequestBudget
from service.authentication import host_of
from service.errors import CallError, Reason, slow_consumer

MAX_PUBLIC_STREAMS: Final = 128
MAX_PUBLIC_STREAMS_PER_HOST: Final = 16
"""Open streams of Health.Watch and reflection, and as many calls of Health.Check: a load balancer needs one
per connection, and nobody must pay for those who hold thousands open without a token."""

PUBLIC_RETRY_SECONDS: Final = 5.0
"""When a refused caller should try again."""

MAX_PUBLIC_READS: Final = 8
MAX_PUBLIC_READS_PER_HOST: Final = 4
"""Requests that are received at once: gRPC allocates a whole message before anybody knows its size."""

MAX_PUBLIC_REQUEST_BYTES: Final = 1024
"""Size of a request: it has the name of a service, of a file or of a symbol."""

PUBLIC_SECONDS: Final = 5.0
"""Time for a request to arrive, and for its caller to take a response."""

PublicContext: TypeAlias = "aio.ServicerContext[bytes, Message]"


class PublicStreams:
    """Counts the open streams, or calls, of callers without a token. For one event loop."""

    def __init__(self, option: str = "public-streams") -> None:
        self._option: Final = option
        self._by_host: Final = Counter[str]()
        self._budget: Final = RequestBudget(
            max_reads=MAX_PUBLIC_READS, max_reads_per_account=MAX_PUBLIC_READS_PER_HOST
        )
        self.refused = 0
        """Streams that were refused."""

    @property
    def size(self) -> int:
        """Streams that are open."""
        return self._by_host.total()

    @property
    def arriving(self) -> int:
        """Requests that are being received."""
        return self._budget.reading

    @contextmanager
    def opened(self, peer: str) -> Iterator[None]:
        """Count a stream for the duration of the block; raises CallError where it would be one too many."""
        host = host_of(peer)
        for limit, current, most in (
            (f"{self._option}-per-host", self._by_host[host], MAX_PUBLIC_STREAMS_PER_HOST),
            (self._option, self.size, MAX_PUBLIC_STREAMS),
        ):
            if current >= most:
                self.refused += 1
                message = f"{current} calls without a token are open, which is the maximum ({limit})"
                raise CallError(Reason.TOO_MANY_CALLS, message, {"limit": limit}, retry=PUBLIC_RETRY_SECONDS)
        self._by_host[host] += 1
        try:
            yield
        finally:
            self._by_host[host] -= 1
            if not self._by_host[host]:
                del self._by_host[host]

    async def receive(self, context: PublicContext) -> bytes | None:
        """The next request of a stream that is counted; None if there is none. Raises CallError."""
        peer = context.peer
        try:
            data = await self._budget.receive(host_of(peer()), peer, context.read, PUBLIC_SECONDS)
        except TimeoutError:
            raise CallError(Reason.UNREADABLE_REQUEST, "the request did not arrive in time") from None
        if not isinstance(data, bytes):
            return None
        if (size := len(data)) > MAX_PUBLIC_REQUEST_BYTES:
            del data  # the error leads to this function, and would keep it
            self.refused += 1
            message = f"the request has {size} bytes, and at most {MAX_PUBLIC_REQUEST_BYTES} are taken"
            raise CallError(Reason.UNREADABLE_REQUEST, message)
        return data


async def write_public(context: PublicContext, response: Message) -> None:
    """Send a response of a stream to a caller without a token; raises CallError if it is not taken."""
    try:
        async with asyncio.timeout(PUBLIC_SECONDS):
            await context.write(response)
    except TimeoutError:
        raise slow_consumer() from None
