"""Long work in the event loop: in slices, with rests while others call, and in order."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

import pytest

from records.entry import MatchId
from records.ledger.loading import CacheTooSmall, NotLoaded
from records.replay.steps import Steps
from service import loop_share
from service.error_mapping import error_for
from service.errors import Reason
from service.loop_share import LoopShare, StreamThrottle

Done = TypeVar("Done")

STEPS = 5
MATCH = MatchId("m")


@pytest.fixture(autouse=True)
def _every_step_is_a_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop_share, "SHARED_SLICE_SECONDS", 0.0)
    monkeypatch.setattr(loop_share, "LONE_SLICE_SECONDS", 0.0)


def writing(name: str, into: list[str], steps: int = STEPS) -> Steps[str]:
    for _ in range(steps):
        into.append(name)
        yield
    return name


async def at_once(work: Callable[[], Done]) -> Done:
    return work()


async def ticking(into: list[str]) -> None:
    while True:
        into.append(".")
        await asyncio.sleep(0)


def shared(is_alone: Callable[[str], bool] = lambda _: False) -> LoopShare:
    return LoopShare(is_alone)


def test_others_run_between_two_slices() -> None:
    order: list[str] = []

    async def run() -> str:
        other = asyncio.create_task(ticking(order))
        done = await shared(lambda _: True).run("a", writing("a", order))
        other.cancel()
        return done

    assert asyncio.run(run()) == "a"

    assert "aa" not in "".join(order)
    assert order.count("a") == STEPS


def test_of_one_account_the_first_that_came_is_done_first_and_another_account_does_not_wait() -> None:
    order: list[str] = []

    async def run() -> None:
        share = shared()
        await asyncio.gather(
            share.run("a", writing("1", order)),
            share.run("a", writing("2", order)),
            share.run("b", writing("b", order, 1)),
        )

    asyncio.run(run())

    assert [each for each in order if each != "b"] == ["1"] * STEPS + ["2"] * STEPS
    assert order.index("b") < order.index("2")


def test_the_work_of_an_account_rests_longer_than_it_took_while_others_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async def run(*, alone: bool) -> None:
        share = shared(lambda _: alone)
        monkeypatch.setattr(asyncio, "sleep", sleep)
        try:
            await share.rest("a", 0.01)
            await share.rest("b", 0.01)
        finally:
            monkeypatch.undo()

    asyncio.run(run(alone=False))
    assert slept == pytest.approx([0.01 * loop_share.RESTS_PER_SLICE] * 2, rel=0.1)

    slept.clear()
    asyncio.run(run(alone=True))
    assert slept == [0, 0]


def test_streams_of_one_account_rest_one_after_the_other() -> None:
    async def run() -> list[float]:
        loop, share = asyncio.get_running_loop(), shared()
        began = loop.time()

        async def stream() -> float:
            throttle = StreamThrottle(share, "a", at_once)
            await throttle.rest(10)
            return loop.time() - began

        return list(await asyncio.gather(*(stream() for _ in range(4))))

    each = 10 * loop_share.MESSAGE_SECONDS * loop_share.RESTS_PER_SLICE
    for place, took in enumerate(asyncio.run(run()), start=1):
        assert took >= 0.9 * place * each


def test_streams_of_one_account_begin_their_pages_one_after_the_other_and_after_its_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(loop_share, "SHARED_SLICE_SECONDS", 0.002)
    slice_rest = loop_share.RESTS_PER_SLICE * 0.002

    async def run() -> list[float]:
        loop, share = asyncio.get_running_loop(), shared()
        began = loop.time()
        resting = asyncio.create_task(share.rest("a", 0.01))
        await asyncio.sleep(0)

        async def stream() -> float:
            await StreamThrottle(share, "a", at_once).begin_page()
            return loop.time() - began

        times = list(await asyncio.gather(*(stream() for _ in range(4))))
        await resting
        return times

    rested = 0.01 * loop_share.RESTS_PER_SLICE
    for place, took in enumerate(sorted(asyncio.run(run()))):
        assert took >= 0.9 * (rested + place * slice_rest)


def test_a_lone_account_begins_its_pages_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def sleep(_: float) -> None:
        raise AssertionError

    async def run() -> None:
        share = shared(lambda _: True)
        monkeypatch.setattr(asyncio, "sleep", sleep)
        try:
            for _ in range(3):
                await share.begin("a")
        finally:
            monkeypatch.undo()

    asyncio.run(run())


def test_work_that_misses_a_record_is_done_again_once_it_is_read() -> None:
    read: list[str] = []

    def work() -> str:
        if not read:
            raise NotLoaded(MATCH, lambda: writing("r", read))
        return "done"

    assert asyncio.run(shared().load("a", work)) == "done"
    assert read == ["r"] * STEPS


def test_records_that_leave_the_cache_at_once_are_refused_with_the_limit() -> None:
    def work() -> str:
        raise NotLoaded(MATCH, lambda: writing("r", []))

    with pytest.raises(CacheTooSmall) as refused:
        asyncio.run(shared().load("a", work))

    error = error_for(refused.value)
    assert error is not None
    assert (error.reason, error.metadata["limit"]) == (Reason.TOO_MANY_CALLS, "cache-matches")
