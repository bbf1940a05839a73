"""Rounds: requests that come together are answered and written together, each by its own work."""

import asyncio
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.ledger.ledger import Ledger
from records.log.contract import Append, AppendResult
from records.log.memory import MemoryLog
from records.log.sqlite import SqliteLog
from service.committing import Committer
from service.feed import EntryFeed
from service.rounds import LARGEST, Rounds, Storing
from tests.apart import run_apart
from tests.records.log.making import Scribe, whole

CALLERS = 32
EACH = 40


class Trouble(Exception):
    """What a request may raise."""


def over_memory() -> Rounds:
    log = MemoryLog()
    return Rounds(Committer(log, EntryFeed(Ledger(log))))


def positions(answer: AppendResult | Exception) -> tuple[int, ...]:
    if isinstance(answer, Exception):
        raise answer
    return tuple(entry.position for entry in answer)


def storing(append: Append) -> Callable[[], tuple[int, ...] | Storing[tuple[int, ...]]]:
    return lambda: Storing(append, positions)


async def turns(many: int) -> None:
    for _ in range(many):
        await asyncio.sleep(0)


def test_requests_that_come_one_after_the_other_are_answered_in_rounds() -> None:
    rounds, order = over_memory(), list[int]()

    async def caller(number: int) -> None:
        for _ in range(EACH):
            await turns(number)
            await rounds.answer(lambda: order.append(number))
            order.append(-1)

    async def work() -> None:
        await asyncio.gather(*(caller(number) for number in range(CALLERS)))

    run_apart(work())
    told = "".join("." if number < 0 else "x" for number in order)
    sizes = [len(round_) for round_ in told.split(".") if round_]
    assert statistics.mode(sizes) == LARGEST == CALLERS / 2
    assert len(sizes) < CALLERS * EACH / 4


def test_what_they_store_is_written_together(tmp_path: Path) -> None:
    groups = list[int]()

    async def caller(rounds: Rounds, number: int) -> None:
        scribe = Scribe(f"m{number}")
        for _ in range(EACH):
            await turns(number)
            append = scribe.next(1)
            await rounds.answer(storing(append))
            scribe.done(append)

    async def work(log: SqliteLog) -> None:
        committer = Committer(log, EntryFeed(Ledger(log)))
        committer.watch = lambda appends, _: groups.append(appends)
        rounds = Rounds(committer)
        await asyncio.gather(*(caller(rounds, number) for number in range(CALLERS)))
        await committer.close()

    with SqliteLog.open(tmp_path / "archive.db") as log:
        run_apart(work(log))
        assert {len(record) for record in whole(log).values()} == {EACH}
    assert sum(groups) == CALLERS * EACH
    assert len(groups) < CALLERS * EACH / 4


def test_whoever_is_alone_is_answered_at_once_or_after_a_look_around() -> None:
    async def work() -> list[bool]:
        rounds, at_once = over_memory(), list[bool]()
        for number in range(EACH):
            answered = rounds.answer(answers(number))
            at_once.append(answered.done())
            assert await answered == f"answer {number}"
        return at_once

    at_once = run_apart(work())
    assert at_once.count(False) <= EACH / 8


def test_a_crowd_that_goes_is_no_longer_waited_for() -> None:
    async def work() -> bool:
        rounds = over_memory()

        async def caller(number: int) -> None:
            for _ in range(EACH):
                await turns(number)
                await rounds.answer(lambda: None)

        await asyncio.gather(*map(caller, range(CALLERS)))
        for _ in range(EACH):
            await rounds.answer(lambda: None)
        looked, at_once = rounds.answer(lambda: None), rounds.answer(lambda: None)
        return looked.done() or at_once.done()

    assert run_apart(work())


def test_a_round_that_takes_long_lets_others_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.rounds._LONG", -1.0)
    rounds, seen, turn = over_memory(), list[int](), 0

    async def caller(number: int) -> None:
        for _ in range(EACH):
            await turns(number)
            await rounds.answer(lambda: seen.append(turn))

    async def work() -> None:
        nonlocal turn
        callers = asyncio.gather(*map(caller, range(CALLERS)))
        while not callers.done():
            await asyncio.sleep(0)
            turn += 1
        await callers

    run_apart(work())
    assert len(seen) == CALLERS * EACH
    assert len(set(seen)) > len(seen) / 2


def answers(number: int) -> Callable[[], str]:
    return lambda: f"answer {number}"


def raises(number: int) -> Callable[[], str]:
    def work() -> str:
        raise Trouble(number)

    return work


def stops(number: int) -> Callable[[], str]:
    def work() -> str:
        raise StopIteration(number)

    return work


def stores(number: int) -> Callable[[], str | Storing[str]]:
    append = Scribe(f"m{number}").next(2)
    return lambda: Storing(append, lambda answer: f"stored {len(positions(answer))}")


def raises_when_stored(number: int) -> Callable[[], str | Storing[str]]:
    def then(_: AppendResult | Exception) -> str:
        raise Trouble(number)

    append = Scribe(f"m{number}").next(1)
    return lambda: Storing(append, then)


EXPECTED: dict[Callable[[int], Callable[[], str | Storing[str]]], Callable[[int], str]] = {
    answers: lambda number: f"answer {number}",
    raises: lambda number: repr(Trouble(number)),
    stops: lambda number: repr(RuntimeError(f"StopIteration: {number}")),
    stores: lambda _: "stored 2",
    raises_when_stored: lambda number: repr(Trouble(number)),
}

KINDS = st.sampled_from(list(EXPECTED))


@given(st.lists(st.tuples(KINDS, st.integers(0, 3), st.booleans()), min_size=1, max_size=60))
def test_everybody_gets_the_answer_to_his_own_request_whatever_the_others_ask(
    plan: Sequence[tuple[Callable[[int], Callable[[], str | Storing[str]]], int, bool]],
) -> None:
    async def work(log: SqliteLog) -> None:
        committer = Committer(log, EntryFeed(Ledger(log)))
        rounds = Rounds(committer)
        begun = list[asyncio.Future[str]]()
        gone = set[int]()
        for number, (kind, pause, goes) in enumerate(plan):
            begun.append(rounds.answer(kind(number)))
            if goes and begun[-1].cancel():
                gone.add(number)
            await turns(pause)
        found = await asyncio.gather(*begun, return_exceptions=True)
        await committer.close()
        for number, ((kind, _, _), answer) in enumerate(zip(plan, found, strict=True)):
            if number in gone:
                assert isinstance(answer, asyncio.CancelledError)
                assert log.head(Scribe(f"m{number}").match) is None
            else:
                told = answer if isinstance(answer, str) else repr(answer)
                assert told == EXPECTED[kind](number)

    with TemporaryDirectory() as folder, SqliteLog.open(Path(folder) / "archive.db") as log:
        run_apart(work(log))


def test_what_the_disk_refuses_is_raised_for_everyone_of_the_round(tmp_path: Path) -> None:
    async def work(log: SqliteLog) -> list[object]:
        rounds = Rounds(Committer(log, EntryFeed(Ledger(log))))
        log.close()
        asked = [rounds.answer(stores(number)) for number in range(3)]
        return list(await asyncio.gather(*asked, return_exceptions=True))

    with SqliteLog.open(tmp_path / "archive.db") as log:
        found = run_apart(work(log))
    assert all(isinstance(answer, Exception) and not isinstance(answer, Trouble) for answer in found)


@pytest.mark.parametrize("slow", [-1.0, 1e9], ids=["thread", "loop"])
def test_an_append_is_answered_whether_the_loop_writes_it_or_a_thread(
    tmp_path: Path, slow: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.committing.SLOW", slow)

    async def work(log: SqliteLog) -> list[str]:
        committer = Committer(log, EntryFeed(Ledger(log)))
        rounds = Rounds(committer)
        told = await asyncio.gather(*(rounds.answer(stores(number)) for number in range(CALLERS)))
        await committer.close()
        return list(told)

    with SqliteLog.open(tmp_path / "archive.db") as log:
        assert run_apart(work(log)) == ["stored 2"] * CALLERS
