"""Health checks and reflection, which need no token, with a small limit of their own."""

from collections import Counter
from collections.abc import AsyncIterable, AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Final, TypeAlias, cast

from grpc import aio
from grpc_health.v1 import health
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_reflection.v1alpha import reflection
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest, ServerReflectionResponse

from service.authentication import host_of
from service.errors import CallError, Reason

HealthContext: TypeAlias = "aio.ServicerContext[HealthCheckRequest, HealthCheckResponse]"
ReflectionContext: TypeAlias = "aio.ServicerContext[ServerReflectionRequest, ServerReflectionResponse]"

MAX_PUBLIC_STREAMS: Final = 128
MAX_PUBLIC_STREAMS_PER_HOST: Final = 16
"""Open streams of Health.Watch and reflection: a load balancer needs one per connection, and nobody must pay
for those who hold thousands open without a token."""

PUBLIC_RETRY_SECONDS: Final = 5.0
"""When a refused caller should try again."""


class PublicStreams:
    """Counts the open streams of callers without a token. For one event loop."""

    def __init__(self) -> None:
        self._by_host: Final = Counter[str]()
        self.refused = 0
        """Streams that were refused."""

    @property
    def size(self) -> int:
        """Streams that are open."""
        return self._by_host.total()

    @contextmanager
    def opened(self, peer: str) -> Iterator[None]:
        """Count a stream for the duration of the block; raises CallError where it would be one too many."""
        host = host_of(peer)
        for limit, current, most in (
            ("public-streams-per-host", self._by_host[host], MAX_PUBLIC_STREAMS_PER_HOST),
            ("public-streams", self.size, MAX_PUBLIC_STREAMS),
        ):
            if current >= most:
                self.refused += 1
                message = f"{current} streams without a token are open, which is the maximum ({limit})"
                raise CallError(Reason.TOO_MANY_CALLS, message, {"limit": limit}, retry=PUBLIC_RETRY_SECONDS)
        self._by_host[host] += 1
        try:
            yield
        finally:
            self._by_host[host] -= 1
            if not self._by_host[host]:
                del self._by_host[host]


class LimitedHealth(health.aio.HealthServicer):
    """The health of the server, watched by a limited number of callers."""

    def __init__(self, streams: PublicStreams) -> None:
        super().__init__()
        self._streams: Final = streams

    async def Watch(self, request: HealthCheckRequest, context: HealthContext) -> None:  # noqa: N802 - gRPC's name
        """Every change of the status, until the caller goes away."""
        try:
            with self._streams.opened(context.peer()):
                await super().Watch(request, context)
        except CallError as error:
            await context.abort_with_status(error.status())


class LimitedReflection(reflection.aio.ReflectionServicer):
    """The description of the service, read by a limited number of callers at a time."""

    def __init__(self, names: tuple[str, ...], streams: PublicStreams) -> None:
        super().__init__(names)
        self._streams: Final = streams

    async def ServerReflectionInfo(  # type: ignore[override] # noqa: N802 - gRPC's stubs miss that it is a generator
        self, request_iterator: AsyncIterable[ServerReflectionRequest], context: ReflectionContext
    ) -> AsyncIterator[ServerReflectionResponse]:
        """One response per request."""
        try:
            with self._streams.opened(context.peer()):
                answers = super().ServerReflectionInfo(request_iterator, context)
                async for response in cast("AsyncIterator[ServerReflectionResponse]", answers):
                    yield response
        except CallError as error:
            await context.abort_with_status(error.status())
