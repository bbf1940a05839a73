"""The service's one queue: fair between clients, judged in batches, written once per batch.

gRPC hands requests over one by one, with work of its own around each, which leaves little of ours in the
processor's caches: a move judged right after another takes less than half the time. So requests that arrive
together are gathered, judged one after the other, written together and then answered. fair_queue.py says in
which order. docs/speed.md has the measurements behind the constants.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, TypeAlias, TypeVar, cast

from records.entry import MatchId
from records.log.contract import Append, AppendResult, Log, LogBusy, write_each
from service.fair_queue import FairQueue
from service.feed import EntryFeed, KnownStates
from service.pending import Commit, Pending, Prepare, done_ahead

GATHER_SECONDS: Final = 0.002
"""A batch starts when nothing has arrived for this long. Counted from the last arrival: the requests of 16
callers take about 4 ms to arrive, with pauses of a millisecond while their program reads our answers."""

GATHER_REQUESTS: Final = 16
"""Maximum requests that a batch waits for; waiting for more saves hardly anything."""

MIN_CALLERS_TO_GATHER: Final = 8
"""With fewer concurrent callers than this, no request waits for another: there is too little to gain."""

FIRST_COUNT_BATCHES: Final = 8
LAST_COUNT_BATCHES: Final = 256
"""Batches between two counts of the callers. Starts at the first and doubles up to the last while the number
stays about the same: a count makes its batch wait for GATHER_SECONDS."""

MAX_BATCH_MOVES: Final = 256
"""Moves judged and written together in the event loop; a larger write would hold up other calls."""

MAX_BATCH_BYTES: Final = 65_536
"""Bytes of moves and headers written together in the event loop: a header may have a thousand tags."""

JUDGING_SLICE_SECONDS: Final = 0.003
"""Judging yields to the event loop after this long, so that a large batch does not stall other calls."""

SLOW_WRITE_SECONDS: Final = 0.004
"""Where writes take longer than this on average, a thread does them and the event loop continues."""

NEWEST_WRITE_WEIGHT: Final = 0.2
"""Weight of the newest write in the moving average: a few slow ones in a row count, a single one does not."""

Response = TypeVar("Response")

Prefetch: TypeAlias = Callable[[Sequence[MatchId]], None]
"""Loads the states of several matches at once."""


class _Request:
    """A request of any type, and the future that its caller waits for."""

    __slots__ = ("_pending", "_prepare", "_response", "answered", "cost", "match")

    def __init__(
        self,
        prepare: Prepare[object],
        cost: int,
        answered: "asyncio.Future[object]",
        match: MatchId | None = None,
    ) -> None:
        self._prepare = prepare
        self._pending: Pending[object] | None = None
        self._response: Callable[[], object] | None = None
        """Returns or raises what respond_ahead() has computed."""
        self.answered: Final = answered
        self.cost: Final = cost
        """Its number of moves."""
        self.match: Final = match
        """The match whose state judging needs, if it is known."""

    @property
    def abandoned(self) -> bool:
        """Whether nobody waits for the answer any more; such a request is never stored."""
        return self.answered.done()

    @property
    def known_states(self) -> KnownStates | None:
        """The states around what was stored, if they are at hand."""
        return None if self._pending is None else self._pending.known_states

    def judge_ahead(self) -> None:
        """Judge the request now, in any thread; judge() then uses the result."""
        self._prepare = done_ahead(self._prepare)

    def judge(self) -> Append | None:
        """What must be stored first; None where the request is answered already."""
        try:
            judged = self._prepare()
        except Exception as fault:  # noqa: BLE001 - raised for the caller, whatever it is
            self._fail(fault)
            return None
        if isinstance(judged, Pending):
            self._pending = judged
            return judged.append
        self.answered.set_result(judged)
        return None

    def respond_ahead(self, result: AppendResult | Exception) -> None:
        """Compute the response now, in any thread; respond() then delivers it."""
        if self._pending is not None:
            self._response = done_ahead(partial(self._pending.respond, result))

    def respond(self, result: AppendResult | Exception) -> None:
        """Answer the caller, from what the log answered or raised."""
        if self._pending is None or self.answered.done():
            return
        try:
            response = self._pending.respond(result) if self._response is None else self._response()
        except Exception as fault:  # noqa: BLE001 - as above
            self._fail(fault)
        else:
            self.answered.set_result(response)

    def _fail(self, fault: Exception) -> None:
        if isinstance(fault, StopIteration):  # a future cannot hold one
            fault = RuntimeError(f"StopIteration: {fault}")
        self.answered.set_exception(fault)


class _CallerCount:
    """Counts the concurrent callers, and so decides for how many requests a batch waits.

    Unary calls reach us almost one at a time, so other callers do not show without waiting: from time to time
    one batch waits until no more requests arrive, and its size is the count.
    """

    def __init__(self) -> None:
        self._callers = 1
        self._counting = False
        self._since_count = 0
        self._interval = FIRST_COUNT_BATCHES
        self._streams = 0
        self.wanted = 1
        """Requests that start a batch at once: half of the callers, as the others are being answered."""

    def learn(self, size: int, streams: int, *, quiet: bool) -> None:
        """A batch of this size starts; quiet: because nothing more arrived, not because it was full.

        With more or fewer callers than at the last count, the next batch counts again. That there are more
        shows in a batch that grew while it waited to start, and in streams that were opened. No count is less
        than half of the one before: a pause of all callers does not mean that they have gone.
        """
        self._streams = min(self._streams, streams)
        if self._counting:
            self._streams = streams
            callers = max(size, self._callers // 2)
            unchanged = _gathered(callers) == _gathered(self._callers)
            self._interval = min(2 * self._interval, LAST_COUNT_BATCHES) if unchanged else FIRST_COUNT_BATCHES
            self._callers, self._since_count = callers, 0
        elif quiet or size > self._callers or streams > self._streams + 1:
            self._since_count = self._interval
        self._since_count += 1
        self._counting = self._since_count >= self._interval
        self.wanted = 2 * GATHER_REQUESTS if self._counting else _gathered(self._callers)


def _gathered(callers: int) -> int:
    return min(callers // 2, GATHER_REQUESTS) if callers >= MIN_CALLERS_TO_GATHER else 1


class Intake:
    """Takes requests, judges and writes them in batches, and answers each. For one event loop."""

    def __init__(self, log: Log, feed: EntryFeed, prefetch: Prefetch | None = None) -> None:
        """`prefetch` loads the states of several matches at once, where the log is not local."""
        self._log: Final = log
        self._feed: Final = feed
        self._prefetch: Final = prefetch
        self._judging_thread: Final = None if log.local else ThreadPoolExecutor(1, "judge")
        """Judges where that may wait for a network; another thread writes meanwhile."""
        self._judging_apart: asyncio.Task[None] | None = None
        self._queue: Final = FairQueue[_Request](self._wake)
        self._lone: Final = deque[_Request]()
        """Requests of a client that is alone, which need no order; they came before what is in the queue."""
        self._count: Final = _CallerCount()
        """Callers of methods that are judged in batches."""
        self._commits: list[_Request] = []
        """Appends that were judged elsewhere, to be written with the next batch."""
        self._commit_count: Final = _CallerCount()
        """Callers of the methods that have such appends. Counted apart: one caller that starts a match after
        the other does not mean that the many callers of AppendMove have gone."""
        self._start: asyncio.Handle | None = None
        """Starts the next batch, or looks whether anything more has arrived."""
        self._starting = False
        self._batched_in_pass = False
        """Whether a batch was started in this pass of the event loop. Requests that arrive later in the same
        pass are gathered for its end: written one by one, the first requests of many callers would keep the
        loop from accepting the rest of them."""
        self._judging = False
        self._prepared: list[tuple[_Request, Append]] = []
        """Judged, and to be written."""
        self._prepared_moves = 0
        self._writing: asyncio.Task[None] | None = None
        self._write_seconds = 0.0
        """Moving average of how long a write takes."""
        self._thread: Final = ThreadPoolExecutor(1, "commit")
        """Its own, as the threads of the default executor may be busy for long."""
        self.streams = 0
        """Streams that are open, each of which may submit a request at any time."""
        self.observe_write: Callable[[int, float], None] | None = None
        """Called after each write with the number of appends and the seconds it took."""

    def submit(
        self, client: str, prepare: Prepare[Response], cost: int = 1, match: MatchId | None = None
    ) -> "asyncio.Future[Response]":
        """The response to a request, which costs its number of moves; raises what prepare() raises."""
        loop = asyncio.get_running_loop()
        request = _Request(prepare, cost, loop.create_future(), match)
        response = cast("asyncio.Future[Response]", request.answered)
        alone = client == self._queue.lone_client and not self._queue.ready
        if alone:
            self._lone.append(request)
        elif not self._queue.push(client, request, cost):
            return response
        if len(self._lone) + self._queue.ready == self._count.wanted and not (
            self._starting or self._judging or self._batched_in_pass
        ):
            self._batched_in_pass = True
            loop.call_soon(self._end_pass)
            self._batch()
        else:
            self._wake()
        return response

    def turn(self, client: str, cost: int = 1) -> "asyncio.Future[None]":
        """Done when it is the client's turn, for methods that are not answered in batches, at a cost."""
        request = _Request(lambda: None, 1, asyncio.get_running_loop().create_future())
        if self._queue.passes(client, request, cost):
            request.judge()
        return cast("asyncio.Future[None]", request.answered)

    def commit(self, append: Append, known: KnownStates | None = None) -> "asyncio.Future[AppendResult]":
        """The log's answer once the append is durable; what is cancelled in time is never written.

        With the states around the entries, nothing is folded again for followers.
        """
        commit = Commit(append, known)
        request = _Request(lambda: commit, 0, asyncio.get_running_loop().create_future())
        self._commits.append(request)
        self._wake()
        return cast("asyncio.Future[AppendResult]", request.answered)

    def is_alone(self, client: str) -> bool:
        """Whether no other client has called for some time."""
        return self._queue.lone_client == client

    def know_calls(self, calls_of: Callable[[str], int]) -> None:
        """Give the queue what returns how many calls a client has in progress."""
        self._queue.calls_of = calls_of

    @property
    def queued(self) -> int:
        """Requests that wait to be judged or written."""
        return len(self._lone) + len(self._queue) + len(self._commits) + len(self._prepared)

    async def close(self) -> None:
        """Answer everything that was taken in."""
        self._queue.close()
        while self.queued or self._judging or self._writing is not None:
            self._wake(at_once=True)
            await asyncio.sleep(GATHER_SECONDS)
        self._thread.shutdown()
        if self._judging_thread is not None:
            self._judging_thread.shutdown()

    def _end_pass(self) -> None:
        self._batched_in_pass = False

    def _wake(self, *, at_once: bool = False) -> None:
        """Start a batch if enough requests are ready, or they are urgent; otherwise when no more arrive."""
        ready, wanted = self._ready()
        if self._starting or self._judging or not ready:
            return
        loop = asyncio.get_running_loop()
        if at_once or ready >= wanted or self._queue.urgent:
            if self._start is not None:
                self._start.cancel()
            self._start, self._starting = loop.call_soon(self._batch), True
        elif self._start is None:
            self._start = loop.call_later(GATHER_SECONDS, self._look_for_more, ready)

    def _look_for_more(self, before: int) -> None:
        ready, _ = self._ready()
        if ready > before:
            loop = asyncio.get_running_loop()
            self._start = loop.call_later(GATHER_SECONDS, self._look_for_more, ready)
        else:
            self._batch(quiet=True)

    def _ready(self) -> tuple[int, int]:
        """How many requests are ready, and how many of them start a batch at once."""
        ready = len(self._lone) + self._queue.ready
        return (ready, self._count.wanted) if ready else (len(self._commits), self._commit_count.wanted)

    def _batch(self, *, quiet: bool = False) -> None:
        if self._start is not None:
            self._start.cancel()
        self._start, self._starting = None, False
        room = MAX_BATCH_MOVES - self._prepared_moves
        taken: deque[_Request] = deque()
        while room > 0 and (self._lone or self._queue.ready):
            request = self._lone.popleft() if self._lone else self._queue.pop()
            if not request.abandoned:
                room -= request.cost
                taken.append(request)
        if taken:
            self._count.learn(len(taken), self.streams, quiet=quiet)
        if self._commits:
            self._commit_count.learn(len(self._commits), 0, quiet=quiet)
            taken.extend(self._commits)
            self._commits.clear()
        if not taken:
            return
        if self._judging_thread is None:
            self._judge(taken)
        else:
            self._judging = True
            self._judging_apart = asyncio.get_running_loop().create_task(self._judge_apart(taken))

    async def _judge_apart(self, taken: deque[_Request]) -> None:
        """Judge in the thread; the event loop then only uses the results."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._judging_thread, self._judge_ahead, list(taken))
        self._judge(taken)

    def _judge_ahead(self, taken: Sequence[_Request]) -> None:
        if self._prefetch is not None:
            self._prefetch([request.match for request in taken if request.match is not None])
        for request in taken:
            if not request.abandoned:
                request.judge_ahead()

    def _judge(self, taken: deque[_Request]) -> None:
        self._judging = True
        end = time.perf_counter() + JUDGING_SLICE_SECONDS
        while taken:
            request = taken.popleft()
            if not request.abandoned and (append := request.judge()) is not None:
                self._prepared.append((request, append))
                self._prepared_moves += len(append.entries)
            if taken and time.perf_counter() > end:
                asyncio.get_running_loop().call_soon(self._judge, taken)
                return
        self._judging = False
        self._go_on()

    def _go_on(self) -> None:
        if self._prepared and self._writing is None:
            self._write()
        if self._prepared_moves < MAX_BATCH_MOVES:  # otherwise this is called again after the write
            self._wake()

    def _write(self) -> None:
        group = [(request, append) for request, append in self._prepared if not request.abandoned]
        self._prepared, self._prepared_moves = [], 0
        if not group:
            return
        entries = [entry for _, append in group for entry in append.entries]
        large = len(entries) > MAX_BATCH_MOVES or sum(len(each.move) for each in entries) > MAX_BATCH_BYTES
        apart = large or not self._log.local or self._write_seconds > SLOW_WRITE_SECONDS
        if apart or not self._wrote(group):
            self._writing = asyncio.get_running_loop().create_task(self._write_in_thread(group))

    def _wrote(self, group: Sequence[tuple[_Request, Append]]) -> bool:
        """Whether the group could be written in the loop, which never waits for another writer."""
        began = time.perf_counter()
        appends = [append for _, append in group]
        results: Sequence[AppendResult | Exception]
        try:
            results = self._log.write(appends, wait=False)
        except LogBusy:
            return False
        except Exception:  # noqa: BLE001 - one of them is at fault, and the others are stored
            results = write_each(self._log, appends)
        self._answer(group, results, time.perf_counter() - began)
        return True

    async def _write_in_thread(self, group: Sequence[tuple[_Request, Append]]) -> None:
        began = time.perf_counter()
        results = await asyncio.get_running_loop().run_in_executor(self._thread, self._store, group)
        self._writing = None
        self._answer(group, results, time.perf_counter() - began)
        if not self._judging:
            self._go_on()

    def _store(self, group: Sequence[tuple[_Request, Append]]) -> list[AppendResult | Exception]:
        results = write_each(self._log, [append for _, append in group])
        if not self._log.local:
            for (request, _), result in zip(group, results, strict=True):
                request.respond_ahead(result)
        return results

    def _answer(
        self,
        group: Sequence[tuple[_Request, Append]],
        results: Sequence[AppendResult | Exception],
        seconds: float,
    ) -> None:
        if sum(len(append.entries) for _, append in group) <= MAX_BATCH_MOVES:
            self._write_seconds += NEWEST_WRITE_WEIGHT * (seconds - self._write_seconds)
        if self.observe_write is not None:
            self.observe_write(len(group), seconds)
        for (request, _), result in zip(group, results, strict=True):
            request.respond(result)
        if self._feed.followers:
            for (request, _), result in zip(group, results, strict=True):
                if isinstance(result, tuple):
                    self._feed.stored(result, request.known_states)
