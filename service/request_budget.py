"""How many bytes of requests the server holds: while they arrive, and until they are answered."""

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from typing import Final

from service.errors import CallError, Reason

MAX_READS: Final = 32
MAX_READS_PER_ACCOUNT: Final = 16
"""Requests that are received at once. gRPC allocates a whole message before anybody knows its size, so that
these, times max-message-bytes, are what requests on their way can take; a usual request is there at once."""

MAX_REQUEST_BYTES: Final = 64 * 1024 * 1024
MAX_REQUEST_BYTES_PER_ACCOUNT: Final = 32 * 1024 * 1024
"""Bytes of requests that were received and are not answered yet: eight of the largest for one account."""

UNCOUNTED_BYTES: Final = 256
"""Requests up to this size are not counted: the limit of concurrent calls is enough for them."""

BYTES_RETRY_SECONDS: Final = 1.0
"""When a caller that was refused for the bytes of its account should try again."""


class RequestBudget:
    """Bounds the bytes of requests, per account and in total. For one event loop."""

    def __init__(self, max_bytes: int = MAX_REQUEST_BYTES) -> None:
        self._max_bytes: Final = max_bytes
        self._max_bytes_per_account: Final = min(max_bytes, MAX_REQUEST_BYTES_PER_ACCOUNT)
        self._reads: Final = Counter[str]()
        self._waiting: Final = deque[tuple[str, asyncio.Future[None]]]()
        self._bytes: Final = Counter[str]()
        self.reading = 0
        """Requests that are being received."""
        self.bytes = 0
        """Bytes of requests that are not answered yet."""

    async def receive(self, account: str, read: Callable[[], Awaitable[object]], seconds: float) -> object:
        """What `read` returns, once it may be called; raises TimeoutError if it takes too long."""
        if self.reading >= MAX_READS or self._reads[account] >= MAX_READS_PER_ACCOUNT:
            await self._wait(account)
        self._reads[account] += 1
        self.reading += 1
        try:
            async with asyncio.timeout(seconds):
                return await read()
        finally:
            self._reads[account] -= 1
            if not self._reads[account]:
                del self._reads[account]
            self.reading -= 1
            if self._waiting:
                self._wake()

    def take(self, account: str, size: int) -> None:
        """Count the bytes of a request until give(); raises CallError where they are too many."""
        if size <= UNCOUNTED_BYTES:
            return
        if self._bytes[account] + size > self._max_bytes_per_account:
            raise _too_many("request-bytes-per-account", self._max_bytes_per_account)
        if self.bytes + size > self._max_bytes:
            raise _too_many("request-bytes", self._max_bytes)
        self._bytes[account] += size
        self.bytes += size

    def give(self, account: str, size: int) -> None:
        """A request whose bytes were taken is answered."""
        if size <= UNCOUNTED_BYTES:
            return
        self.bytes -= size
        self._bytes[account] -= size
        if not self._bytes[account]:
            del self._bytes[account]

    async def _wait(self, account: str) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append((account, turn))
        await turn

    def _wake(self) -> None:
        """Let the account with the fewest reads go on, and of one account the request that came first."""
        waiting = [(account, turn) for account, turn in self._waiting if not turn.done()]
        self._waiting.clear()
        self._waiting.extend(waiting)
        account, turn = min(waiting, key=lambda each: self._reads[each[0]], default=("", None))
        if turn is not None and self._reads[account] < MAX_READS_PER_ACCOUNT:
            self._waiting.remove((account, turn))
            turn.set_result(None)


def _too_many(limit: str, most: int) -> CallError:
    return CallError(
        Reason.TOO_MANY_CALLS,
        f"requests of {most} bytes are in progress already, which is the maximum ({limit})",
        {"limit": limit},
        retry=BYTES_RETRY_SECONDS,
    )
