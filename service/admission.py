"""How much callers may ask for: concurrent calls, streams, bytes of requests, calls per second."""

import asyncio
import math
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from service.authentication import Authenticator, host_of
from service.authorization import Caller
from service.byte_shares import ByteShares
from service.call import Context
from service.config import Config
from service.errors import CallError, Reason
from service.shutdown import Shutdown

_STREAMING_METHODS: Final = frozenset({"FollowRecord", "FollowArchive", "Play"})
"""Methods that wait rather than work, possibly for hours; they have a limit of their own."""

CALL_RETRY_SECONDS: Final = 0.1
FOLLOWER_RETRY_SECONDS: Final = 5.0
"""When a refused caller should try again: calls are short, followers stay."""

REFUSALS_PER_SECOND: Final = 100.0
REFUSALS_BURST: Final = 50
MAX_REFUSAL_DELAY_SECONDS: Final = 5.0
"""Refusals that one host gets per second after a first burst; the others are delayed, but never longer than
this. A client that floods should not be back at once."""

MAX_HELD_REFUSALS: Final = 256
"""Refusals that are delayed at once, of all hosts: beyond that, open calls would cost more than new ones."""

MAX_IDLE_CLIENTS: Final = 4096
"""Clients whose rates are kept; beyond this, those that have been idle are dropped from time to time."""

MAX_READS: Final = 16
MAX_READS_PER_ACCOUNT: Final = 8
"""Requests that are received at once. gRPC allocates a whole message before anybody knows its size, so that
these, times max-message-bytes, are what requests on their way can take; a usual request is there at once."""

PLACE_SECONDS: Final = 1.0
"""Time for which a request that arrives keeps its place when all are taken, others wait, and its account has
more places than theirs."""

MAX_REQUEST_BYTES: Final = 64 * 1024 * 1024
MAX_REQUEST_BYTES_PER_HOST: Final = 32 * 1024 * 1024
MAX_REQUEST_BYTES_PER_ACCOUNT: Final = 16 * 1024 * 1024
"""Bytes of requests that were received and are not answered yet, beyond which no further ones are received:
four of the largest for one account, eight for one host. Others wait in the client, which costs the server
nothing; an account that has less than its share of a full host, or of all, does not wait. What arrives at
once may exceed a bound by far: without shares, one account would keep all others of its host waiting."""

Peer: TypeAlias = Callable[[], str]
"""Returns the address that a call comes from."""

UNCOUNTED_BYTES: Final = 256
"""Requests up to this size are not counted: the limit of concurrent calls is enough for them."""


class Admission:
    """Admits callers that are known, within the limits of the configuration."""

    def __init__(self, authenticator: Authenticator, config: Config, shutdown: Shutdown) -> None:
        self._authenticator: Final = authenticator
        self._shutdown: Final = shutdown
        self._streams: Final[dict[asyncio.Task[object], str]] = {}
        """The accounts of open streams, the oldest stream first."""
        self._playing: Final = Counter[str]()
        """Streams of Play, by account."""
        self.ended_streams = 0
        """Idle streams that were ended to make room."""
        self._connected: Final[dict[str, Caller]] = {}
        """Callers by the address of their connection, where that is all there is to know them by."""
        self.calls: Final = ConcurrencyLimit(
            "max-calls", config.max_calls, config.max_calls_per_client, CALL_RETRY_SECONDS
        )
        self.followers: Final = ConcurrencyLimit(
            "max-followers", config.max_followers, config.max_followers_per_client, FOLLOWER_RETRY_SECONDS
        )
        self._rate: Final = RateLimit(config.calls_per_second, config.calls_burst)
        self._refusals: Final = RateLimit(
            REFUSALS_PER_SECOND, REFUSALS_BURST, max_delay=MAX_REFUSAL_DELAY_SECONDS
        )
        self.held_back = 0
        """Refusals that wait."""
        self.budget: Final = RequestBudget()
        self.unsent: Final = RequestBudget()
        """Bounds large answers that their callers have not taken yet."""

    def enter(self, method: str, context: Context) -> Caller:
        """The caller; raises CallError where it is not known or asks for too much."""
        caller = self._connected.get(context.peer()) if self._authenticator.by_address else None
        if caller is None:
            caller = self._identify(context)
        self._rate.admit(caller.account)
        if method in _STREAMING_METHODS:
            self._open_stream(caller.account)
            self._playing[caller.account] += method == "Play"
        else:
            self.calls.enter(caller.account)
        return caller

    def _open_stream(self, account: str) -> None:
        """Count a stream; where there are too many, an account below its share gets another's place."""
        if self.followers.enter(account) and not self._end_idle_stream():
            self.followers.leave(account)
            raise self.followers.full()
        task = asyncio.current_task()
        if task is not None:
            self._streams[task] = account

    def _end_idle_stream(self) -> bool:
        """End the oldest idle stream of the account that has most; False if it has none."""
        heaviest = self.followers.heaviest
        for task, account in self._streams.items():
            if account == heaviest and self._shutdown.release(task):
                self.ended_streams += 1
                return True
        return False

    def _identify(self, context: Context) -> Caller:
        caller = self._authenticator.authenticate(context)
        if self._authenticator.by_address:
            if len(self._connected) >= MAX_IDLE_CLIENTS:
                self._connected.clear()
            self._connected[context.peer()] = caller
        return caller

    def account_of(self, context: Context) -> str:
        """The account of a caller that was admitted; raises CallError if it is not known any more."""
        return self._authenticator.authenticate(context).account

    def leave(self, method: str, caller: Caller) -> None:
        """The call has ended."""
        if method in _STREAMING_METHODS:
            self.followers.leave(caller.account)
            self._playing[caller.account] -= method == "Play"
            if not self._playing[caller.account]:
                del self._playing[caller.account]
            task = asyncio.current_task()
            if task is not None:
                self._streams.pop(task, None)
        else:
            self.calls.leave(caller.account)

    def calls_of(self, account: str) -> int:
        """Calls of an account that are in progress, and streams that may ask for something at any time."""
        return self.calls.of(account) + self._playing[account]

    def require_valid(self, caller: Caller) -> None:
        """Raises CallError where the credentials of a caller in the middle of a call are no longer valid."""
        self._authenticator.require_valid(caller)

    def request_delay(self, caller: Caller) -> float:
        """Seconds that the next request of a stream must wait: it is delayed rather than refused."""
        return self._rate.delay(caller.account)

    async def hold_back(self, context: Context) -> None:
        """Wait before a refusal: not at first, longer and longer in a flood. No request is held meanwhile."""
        delay = self._refusals.delay(host_of(context.peer()))
        if not delay or self.held_back >= MAX_HELD_REFUSALS:
            return
        self.held_back += 1
        try:
            await asyncio.sleep(delay)
        finally:
            self.held_back -= 1

    def reload(self) -> None:
        """Reload credentials that have changed; to be called from time to time."""
        self._authenticator.reload()


class RequestBudget:
    """Bounds the bytes of requests, per account, per host and in total. For one event loop."""

    def __init__(
        self,
        max_bytes: int = MAX_REQUEST_BYTES,
        *,
        max_reads: int = MAX_READS,
        max_reads_per_account: int = MAX_READS_PER_ACCOUNT,
    ) -> None:
        self._shares: Final = ByteShares(max_bytes, MAX_REQUEST_BYTES_PER_HOST, MAX_REQUEST_BYTES_PER_ACCOUNT)
        self._max_reads: Final = max_reads
        self._max_reads_per_account: Final = max_reads_per_account
        self._reads: Final[dict[asyncio.Timeout, str]] = {}
        """The accounts of requests that are being received, the oldest first."""
        self._hurried: Final = set[asyncio.Timeout]()
        self._waiting: Final = deque[tuple[str, Peer, asyncio.Future[None]]]()
        self.given_up = 0
        """Requests that did not arrive before others needed their place."""

    @property
    def bytes(self) -> int:
        """Bytes of requests that are not answered yet."""
        return self._shares.total

    @property
    def reading(self) -> int:
        """Requests that are being received."""
        return len(self._reads)

    @property
    def hurried(self) -> int:
        """Those of them that must arrive soon, because others wait for their place."""
        return len(self._hurried)

    async def room(self, account: str, peer: Peer) -> None:
        """Wait until there is room for a further request."""
        if self._has_room(account, peer):
            return
        while not self._has_room(account, peer):
            await self._wait(account, peer)
        self._wake()  # there may be room for more than this one

    async def receive(
        self, account: str, peer: Peer, read: Callable[[], Awaitable[object]], seconds: float
    ) -> object:
        """What `read` returns, once there is room for it; raises TimeoutError if it takes too long."""
        waited = False
        while not self._has_room(account, peer):
            self._hurry(account, seconds)
            await self._wait(account, peer)
            waited = True
        deadline = asyncio.timeout(seconds)
        self._reads[deadline] = account
        if waited:
            self._wake()  # there may be room for more than this one
        try:
            async with deadline:
                return await read()
        finally:
            del self._reads[deadline]
            if self._hurried and deadline in self._hurried:
                self._hurried.remove(deadline)
                self.given_up += deadline.expired()
            self._wake()

    def _hurry(self, account: str, seconds: float) -> None:
        """If all places are taken, let the oldest request of the account that has most arrive soon or end."""
        counts = Counter(self._reads.values())
        if len(self._reads) < self._max_reads or not counts:
            return
        heaviest, most = counts.most_common(1)[0]
        hurried = sum(self._reads[each] == heaviest for each in self._hurried)
        if most - hurried <= counts[account] + 1:
            return
        oldest = next(
            each for each, name in self._reads.items() if name == heaviest and each not in self._hurried
        )
        end = oldest.when()
        if end is not None:
            self._hurried.add(oldest)
            oldest.reschedule(max(end - seconds + PLACE_SECONDS, asyncio.get_running_loop().time()))

    def take(self, account: str, peer: Peer, size: int) -> None:
        """Count the bytes of a request until give()."""
        if size > UNCOUNTED_BYTES:
            self._shares.take(account, host_of(peer()), size)

    def give(self, account: str, peer: Peer, size: int) -> None:
        """A request whose bytes were taken is answered."""
        if size > UNCOUNTED_BYTES:
            self._shares.give(account, host_of(peer()), size)
            self._wake()

    def _has_room(self, account: str, peer: Peer) -> bool:
        reads = len(self._reads)
        if reads >= self._max_reads_per_account and (
            reads >= self._max_reads or self._reads_of(account) >= self._max_reads_per_account
        ):
            return False
        return not self._shares.total or self.has_room_for_bytes(account, peer)

    def _reads_of(self, account: str) -> int:
        return sum(name == account for name in self._reads.values())

    def has_room_for_bytes(self, account: str, peer: Peer) -> bool:
        """Whether further bytes may be taken."""
        return self._shares.has_room(account, host_of(peer()))

    async def _wait(self, account: str, peer: Peer) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append((account, peer, turn))
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it was this one's turn already: the next one takes it
                self._wake()
            raise

    def _wake(self) -> None:
        """Let a request of the account with the fewest reads go on: of one account, the first that came."""
        if not self._waiting:
            return
        waiting = [each for each in self._waiting if not each[2].done()]
        self._waiting.clear()
        self._waiting.extend(waiting)
        ready = [each for each in waiting if self._has_room(each[0], each[1])]
        if ready:
            found = min(ready, key=lambda each: self._reads_of(each[0]))
            self._waiting.remove(found)
            found[2].set_result(None)


class ConcurrencyLimit:
    """Limits the calls of one kind that are in progress, in total and per account. Not thread-safe.

    When all places are taken, an account that has fewer than its share, which is the same for all that call,
    still gets in; the others are refused.
    """

    def __init__(self, option: str, max_total: int, max_per_account: int, retry: float) -> None:
        self._option: Final = option
        self._max_total: Final = max_total
        self._max_per_account: Final = max_per_account
        self._retry: Final = retry
        """Seconds after which a refused caller should try again."""
        self._by_account: Final[dict[str, int]] = {}
        self.size = 0
        self.refused = 0
        """Calls that were refused."""

    def enter(self, account: str) -> bool:
        """Count a call; whether it takes more than the places there are. Raises CallError if it may not."""
        own = self._by_account.get(account, 0)
        if own >= self._max_per_account:
            raise self._limit_reached(f"{self._option}-per-client", f"this client already has {own}")
        full = self.size >= self._max_total
        if full and own >= self._max_total // (len(self._by_account) + (not own)):
            raise self.full()
        self._by_account[account] = own + 1
        self.size += 1
        return full

    def leave(self, account: str) -> None:
        """A call that was counted has ended."""
        left = self._by_account[account] - 1
        if left:
            self._by_account[account] = left
        else:
            del self._by_account[account]
        self.size -= 1

    def of(self, account: str) -> int:
        """The calls of an account that are in progress."""
        return self._by_account.get(account, 0)

    @property
    def heaviest(self) -> str:
        """The account that has most calls in progress."""
        return max(self._by_account, key=self._by_account.__getitem__, default="")

    def full(self) -> CallError:
        """The error for a call that would be one too many."""
        return self._limit_reached(self._option, f"all clients together already have {self.size}")

    def _limit_reached(self, option: str, current: str) -> CallError:
        self.refused += 1
        message = f"{current} in progress, which is the maximum ({option})"
        return CallError(Reason.TOO_MANY_CALLS, message, {"limit": option}, retry=self._retry)


class RateLimit:
    """Limits how often each client calls, by the generic cell rate algorithm. Not thread-safe."""

    def __init__(
        self,
        per_second: float,
        burst: int,
        *,
        max_delay: float = math.inf,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._interval: Final = 1 / per_second if per_second else 0.0
        self._slack: Final = self._interval * (burst - 1)
        """Seconds that a client may be ahead of calling evenly."""
        self._max_ahead: Final = self._slack + max_delay
        """Maximum seconds that a client is counted as ahead."""
        self._clock: Final = clock
        self._due: Final[dict[str, float]] = {}
        """When each client's next call would come if it called evenly."""
        self._forget_above = MAX_IDLE_CLIENTS

    def admit(self, client: str) -> None:
        """Count a call; raises CallError where it is too early."""
        if self._interval:
            now = self._clock()
            early = self._early(client, now)
            if early > 0:
                message = f"this client calls too often (calls-per-second); wait {early:.3f} seconds"
                raise CallError(Reason.TOO_MANY_CALLS, message, {"limit": "calls-per-second"}, retry=early)
            self._count(client, now)

    def delay(self, client: str) -> float:
        """Count a call in any case; the seconds that it must wait."""
        if not self._interval:
            return 0.0
        now = self._clock()
        early = self._early(client, now)
        self._count(client, now)
        return max(early, 0.0)

    def _early(self, client: str, now: float) -> float:
        return self._due.get(client, now) - now - self._slack

    def _count(self, client: str, now: float) -> None:
        due = max(self._due.get(client, now), now) + self._interval
        self._due[client] = min(due, now + self._max_ahead)
        if len(self._due) > self._forget_above:
            self._forget(now)

    def __len__(self) -> int:
        """Clients whose rate is kept."""
        return len(self._due)

    def _forget(self, now: float) -> None:
        for client in [client for client, due in self._due.items() if due <= now]:
            del self._due[client]
        self._forget_above = MAX_IDLE_CLIENTS + 2 * len(self._due)
