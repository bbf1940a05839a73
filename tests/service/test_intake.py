"""The intake: fair between clients, judged and written in batches, each request answered by its own work."""

import asyncio
import statistics
import threading
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.ledger.ledger import Ledger
from records.log.contract import Append, AppendResult
from records.log.memory import MemoryLog
from records.log.sqlite import SqliteLog
from service.fair_queue import SHARE_MOVES
from service.feed import EntryFeed
from service.intake import GATHER_REQUESTS, LAST_COUNT_BATCHES, Intake
from service.pending import Pending
from tests.apart import run_apart
from tests.records.log.making import RecordWriter, whole

CALLERS = 32
EACH = 40
TIMEOUT_SECONDS = 60.0


class Trouble(Exception):
    """Something that a request may raise."""


class StoringRequest(Pending[str]):
    """Stores an append and answers with the number of entries; or raises when it is stored."""

    def __init__(self, append: Append, *, trouble: Trouble | None = None) -> None:
        self._append = append
        self._trouble = trouble

    @property
    def append(self) -> Append:
        return self._append

    def respond(self, result: AppendResult | Exception) -> str:
        if self._trouble is not None:
            raise self._trouble
        if isinstance(result, Exception):
            raise result
        return f"stored {len(result)}"


Work = Callable[[], str | Pending[str]]


def storing(append: Append) -> Work:
    return lambda: StoringRequest(append)


def over(log: MemoryLog | SqliteLog) -> Intake:
    return Intake(log, EntryFeed(Ledger(log)))


async def passes(many: int) -> None:
    """Runs the event loop for this number of passes."""
    for _ in range(many):
        await asyncio.sleep(0)


async def alone(intake: Intake, requests: int) -> None:
    """One caller, each of whose requests arrives after the response to the last."""
    for _ in range(requests):
        await intake.submit("a", lambda: "")
        await passes(1)


async def arriving(intake: Intake, callers: int, work: Callable[[int], object]) -> None:
    """Concurrent callers, each of which calls again some passes of the loop after its last response."""

    async def caller(number: int) -> None:
        for _ in range(EACH):
            await passes(number)
            await intake.submit("a", lambda: work(number))

    await asyncio.gather(*map(caller, range(callers)))


def test_requests_that_arrive_one_after_the_other_are_judged_in_batches() -> None:
    order = list[int]()

    async def run() -> None:
        intake = over(MemoryLog())

        async def caller(number: int) -> None:
            for _ in range(EACH):
                await passes(number)
                await intake.submit("a", lambda: order.append(number))
                order.append(-1)

        await asyncio.gather(*map(caller, range(CALLERS)))

    run_apart(run())

    runs = "".join("." if number < 0 else "x" for number in order).split(".")
    sizes = [len(batch) for batch in runs if batch]
    assert statistics.mode(sizes) == GATHER_REQUESTS == CALLERS / 2
    assert len(sizes) < CALLERS * EACH / 4


def written(path: Path, callers: int, *, pause: int, entries: int = 1) -> list[int]:
    """Appends per write, for concurrent callers that each append EACH times."""
    groups = list[int]()

    async def caller(intake: Intake, number: int) -> None:
        writer = RecordWriter(f"m{number}")
        for _ in range(EACH):
            await passes(pause * number)
            append = writer.next(entries)
            assert await intake.submit("a", storing(append), entries) == f"stored {entries}"
            writer.done(append)

    async def run(log: SqliteLog) -> None:
        intake = over(log)
        intake.observe_write = lambda appends, _: groups.append(appends)
        await asyncio.gather(*(caller(intake, number) for number in range(callers)))
        await intake.close()

    with SqliteLog.open(path) as log:
        run_apart(run(log))
        assert {len(record) for record in whole(log).values()} == {EACH * entries}
    assert sum(groups) == callers * EACH
    return groups


def test_what_a_batch_stores_is_written_together(tmp_path: Path) -> None:
    assert len(written(tmp_path / "archive.db", CALLERS, pause=1)) < CALLERS * EACH / 4


def test_a_lone_caller_has_writes_of_its_own(tmp_path: Path) -> None:
    assert written(tmp_path / "archive.db", 1, pause=1) == [1] * EACH


def test_many_entries_at_once_are_written_in_a_thread(tmp_path: Path) -> None:
    assert sum(written(tmp_path / "archive.db", 2, pause=1, entries=200)) == 2 * EACH


def test_a_lone_caller_waits_for_no_other_except_in_a_counting_batch() -> None:
    requests = 4 * LAST_COUNT_BATCHES

    async def run() -> list[bool]:
        intake, at_once = over(MemoryLog()), list[bool]()
        for number in range(requests):
            answered = intake.submit("a", answers(number))
            at_once.append(answered.done())
            assert await answered == f"answer {number}"
            await passes(1)
        return at_once

    at_once = run_apart(run())

    waited = [place for place, done in enumerate(at_once) if not done]
    assert 0 < len(waited) <= 8
    assert max(b - a for a, b in pairwise(waited)) >= LAST_COUNT_BATCHES


def test_first_requests_of_many_callers_share_a_write(tmp_path: Path) -> None:
    groups = list[int]()

    async def run(log: SqliteLog) -> None:
        intake = over(log)
        await alone(intake, 2 * LAST_COUNT_BATCHES)
        intake.observe_write = lambda appends, _: groups.append(appends)
        appends = [RecordWriter(f"m{number}").next(1) for number in range(CALLERS)]
        await asyncio.gather(*(intake.submit("a", storing(append)) for append in appends))

    with SqliteLog.open(tmp_path / "archive.db") as log:
        run_apart(run(log))

    assert groups == [1, CALLERS - 1]


@pytest.mark.parametrize(("streams", "waits"), [(1, False), (2, True)])
def test_opening_streams_makes_a_batch_count_the_callers(streams: int, *, waits: bool) -> None:
    async def run() -> bool:
        intake = over(MemoryLog())
        await alone(intake, 2 * LAST_COUNT_BATCHES)
        intake.streams = streams
        await alone(intake, 1)
        return not intake.submit("a", lambda: "").done()

    assert run_apart(run()) == waits


def test_matches_that_are_started_one_by_one_leave_the_count_of_other_callers_as_it_is() -> None:
    async def run() -> tuple[bool, bool]:
        intake = over(MemoryLog())
        for _ in range(EACH):
            await asyncio.gather(*(intake.submit("a", answers(number)) for number in range(CALLERS)))
        for number in range(LAST_COUNT_BATCHES):
            await intake.turn("a")
            await intake.commit(RecordWriter(f"m{number}").next(1))
        first = intake.submit("a", answers(0))
        others = [intake.submit("a", answers(number)) for number in range(1, GATHER_REQUESTS - 1)]
        waited = not any(answered.done() for answered in (first, *others))
        await intake.submit("a", answers(GATHER_REQUESTS))
        return waited, all(answered.done() for answered in (first, *others))

    assert run_apart(run()) == (True, True)


def test_a_turn_waits_only_while_its_client_has_had_its_share() -> None:
    async def run() -> tuple[bool, list[bool]]:
        intake = over(MemoryLog())
        await arriving(intake, CALLERS, lambda _: None)
        lone = intake.turn("a").done()
        await intake.turn("b")
        turns = [intake.turn("a") for _ in range(2 * SHARE_MOVES)]
        at_once = [turn.done() for turn in turns]
        await asyncio.gather(*turns)
        return lone, at_once

    lone, at_once = run_apart(run())

    assert lone
    assert at_once == sorted(at_once, reverse=True)
    assert SHARE_MOVES - 1 <= sum(at_once) <= SHARE_MOVES


def test_callers_that_have_gone_are_no_longer_waited_for() -> None:
    async def run() -> bool:
        intake = over(MemoryLog())
        await arriving(intake, CALLERS, lambda _: None)
        await alone(intake, EACH)
        counted = intake.submit("a", lambda: None)
        await passes(1)
        at_once = intake.submit("a", lambda: None)
        return counted.done() or at_once.done()

    assert run_apart(run())


def test_callers_that_pause_together_are_still_waited_for() -> None:
    async def run() -> list[bool]:
        intake = over(MemoryLog())
        for _ in range(EACH):
            await asyncio.gather(*(intake.submit("a", answers(number)) for number in range(CALLERS)))
        await alone(intake, 2)  # of all callers, one is quick: a batch that ends early, and a count of one
        first = [intake.submit("a", answers(number)) for number in range(CALLERS // 4 - 1)]
        waited = not any(answered.done() for answered in first)
        await intake.submit("a", answers(CALLERS))
        return [waited, *(answered.done() for answered in first)]

    assert all(run_apart(run()))


def test_a_long_batch_yields_to_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.intake.JUDGING_SLICE_SECONDS", -1.0)
    seen, turn = list[int](), 0

    async def run() -> None:
        nonlocal turn
        callers = asyncio.create_task(arriving(over(MemoryLog()), CALLERS, lambda _: seen.append(turn)))
        while not callers.done():
            await asyncio.sleep(0)
            turn += 1
        await callers

    run_apart(run())

    assert len(seen) == CALLERS * EACH
    assert len(set(seen)) > len(seen) / 2


def answers(number: int) -> Work:
    return lambda: f"answer {number}"


def raises(number: int) -> Work:
    def work() -> str:
        raise Trouble(number)

    return work


def stops(number: int) -> Work:
    def work() -> str:
        raise StopIteration(number)

    return work


def stores(number: int) -> Work:
    return storing(RecordWriter(f"m{number}").next(2))


def stores_what_follows_nothing(number: int) -> Work:
    writer = RecordWriter(f"m{number}")
    writer.done(writer.next(1))
    return storing(writer.next(1))


def raises_when_stored(number: int) -> Work:
    append = RecordWriter(f"m{number}").next(1)
    return lambda: StoringRequest(append, trouble=Trouble(number))


EXPECTED: dict[Callable[[int], Work], Callable[[int], str]] = {
    answers: lambda number: f"answer {number}",
    raises: lambda number: repr(Trouble(number)),
    stops: lambda number: repr(RuntimeError(f"StopIteration: {number}")),
    stores: lambda _: "stored 2",
    stores_what_follows_nothing: lambda number: f"SequenceTaken('there is no match m{number}')",
    raises_when_stored: lambda number: repr(Trouble(number)),
}

PLANS = st.lists(
    st.tuples(
        st.sampled_from(list(EXPECTED)),
        st.sampled_from("abc"),
        st.sampled_from([1, 5, 40]),
        st.integers(0, 3),
        st.booleans(),
    ),
    min_size=1,
    max_size=60,
)


@given(PLANS)
def test_every_caller_gets_the_answer_to_its_own_request_whatever_the_others_ask(
    plan: Sequence[tuple[Callable[[int], Work], str, int, int, bool]],
) -> None:
    async def run(log: SqliteLog) -> None:
        intake = over(log)
        futures = list[asyncio.Future[str]]()
        gone = set[int]()
        for number, (kind, client, cost, pause, cancelled) in enumerate(plan):
            futures.append(intake.submit(client, kind(number), cost))
            if cancelled and futures[-1].cancel():
                gone.add(number)
            await passes(pause)
        await asyncio.wait_for(intake.close(), TIMEOUT_SECONDS)
        found = await asyncio.gather(*futures, return_exceptions=True)
        for number, ((kind, *_), answer) in enumerate(zip(plan, found, strict=True)):
            if number in gone:
                assert isinstance(answer, asyncio.CancelledError)
                assert log.head(RecordWriter(f"m{number}").match) is None
            else:
                assert (answer if isinstance(answer, str) else repr(answer)) == EXPECTED[kind](number)

    with (
        TemporaryDirectory() as folder,
        SqliteLog.open(Path(folder) / "archive.db") as log,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr("service.intake.SLOW_WRITE_SECONDS", 1e9)  # a thread may have begun what is cancelled
        run_apart(run(log))


def test_a_failed_write_is_raised_for_every_request_of_its_batch(tmp_path: Path) -> None:
    async def run(log: SqliteLog) -> list[object]:
        intake = over(log)
        log.close()
        futures = [intake.submit("a", stores(number)) for number in range(3)]
        return list(await asyncio.gather(*futures, return_exceptions=True))

    with SqliteLog.open(tmp_path / "archive.db") as log:
        found = run_apart(run(log))

    assert all(isinstance(answer, Exception) and not isinstance(answer, Trouble) for answer in found)


@pytest.mark.parametrize("slow", [-1.0, 1e9], ids=["thread", "loop"])
def test_an_append_is_answered_whether_the_loop_writes_it_or_a_thread(
    tmp_path: Path, slow: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.intake.SLOW_WRITE_SECONDS", slow)

    async def run(log: SqliteLog) -> list[str]:
        intake = over(log)
        answered = await asyncio.gather(*(intake.submit("a", stores(number)) for number in range(CALLERS)))
        await intake.close()
        return list(answered)

    with SqliteLog.open(tmp_path / "archive.db") as log:
        assert run_apart(run(log)) == ["stored 2"] * CALLERS


class SlowLog(MemoryLog):
    """A log whose writes wait until the test lets them go on."""

    def __init__(self) -> None:
        super().__init__()
        self.may_write = threading.Event()

    def write(self, appends: Sequence[Append], *, wait: bool = True) -> list[AppendResult]:
        assert threading.current_thread() is not threading.main_thread()
        self.may_write.wait(TIMEOUT_SECONDS)
        return super().write(appends, wait=wait)


def test_many_bytes_at_once_are_written_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.intake.MAX_BATCH_BYTES", 0)

    async def run() -> str:
        log = SlowLog()  # accepts writes from threads alone
        log.may_write.set()
        return await over(log).submit("a", stores(1))

    assert asyncio.run(run()) == "stored 2"


def test_reads_and_judging_go_on_while_a_slow_disk_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.intake.SLOW_WRITE_SECONDS", -1.0)

    async def run() -> tuple[bool, list[str]]:
        log = SlowLog()
        intake = over(log)
        first = intake.submit("a", stores(1))
        await passes(5)
        read = await asyncio.wait_for(intake.submit("a", answers(2)), TIMEOUT_SECONDS)
        judged_meanwhile = intake.submit("a", stores(3))
        await passes(5)
        waited = not first.done() and not judged_meanwhile.done()
        log.may_write.set()
        return waited, [await first, read, await judged_meanwhile]

    assert asyncio.run(run()) == (True, ["stored 2", "answer 2", "stored 2"])


def judged_under_flood(cost: int) -> list[str]:
    """The order in which requests are judged when client a floods and client b asks once, in the middle."""
    judged = list[str]()

    def work(name: str) -> Callable[[], None]:
        return lambda: judged.append(name)

    async def run() -> None:
        intake = over(MemoryLog())
        await intake.submit("b", work("b first"))
        flood = [intake.submit("a", work("a"), cost) for _ in range(10 * SHARE_MOVES)]
        before = len(judged)
        victim = intake.submit("b", work("b"))
        await asyncio.wait_for(victim, TIMEOUT_SECONDS)
        assert len(judged) - before <= SHARE_MOVES + 1
        await asyncio.wait_for(asyncio.gather(*flood), TIMEOUT_SECONDS)

    run_apart(run())
    return judged


def test_under_a_flood_of_calls_another_clients_request_is_in_the_next_batch() -> None:
    judged = judged_under_flood(cost=1)

    assert judged.index("b") <= SHARE_MOVES + 1
    assert judged.count("a") == 10 * SHARE_MOVES


def test_under_a_flood_of_moves_the_flood_has_no_more_than_its_share_per_round() -> None:
    judged = judged_under_flood(cost=SHARE_MOVES)

    assert judged.index("b") <= 2
    assert judged.count("a") == 10 * SHARE_MOVES


def test_a_flood_is_answered_in_its_own_order_without_what_was_cancelled() -> None:
    judged = list[int]()

    async def run() -> None:
        intake = over(MemoryLog())
        await intake.submit("b", lambda: None)
        flood = [intake.submit("a", partial(judged.append, number)) for number in range(5 * SHARE_MOVES)]
        flood[2 * SHARE_MOVES].cancel()
        await asyncio.wait_for(asyncio.gather(*flood, return_exceptions=True), TIMEOUT_SECONDS)

    run_apart(run())

    assert judged == [number for number in range(5 * SHARE_MOVES) if number != 2 * SHARE_MOVES]


def test_requests_of_a_lone_client_are_never_parked(monkeypatch: pytest.MonkeyPatch) -> None:
    # A parked request would stay parked until after the timeout.
    monkeypatch.setattr("service.fair_queue.DRAIN_SECONDS", 2 * TIMEOUT_SECONDS)

    async def run() -> list[None]:
        intake = over(MemoryLog())
        futures = [intake.submit("a", lambda: None) for _ in range(100 * SHARE_MOVES)]
        return await asyncio.wait_for(asyncio.gather(*futures), TIMEOUT_SECONDS)

    assert run_apart(run()) == [None] * 100 * SHARE_MOVES


def test_what_was_taken_in_is_answered_before_the_intake_closes() -> None:
    async def run() -> list[bool]:
        intake = over(MemoryLog())
        await intake.submit("b", lambda: None)
        flood = [intake.submit("a", stores(number)) for number in range(5 * SHARE_MOVES)]
        await asyncio.wait_for(intake.close(), TIMEOUT_SECONDS)
        return [each.done() for each in flood]

    assert all(run_apart(run()))
