"""What calls take of the event loop is measured, and charged to the next ones."""

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace

import pytest

from service import call_costs
from service.call_costs import MAX_COST_MOVES, MOVE_SECONDS, CallCosts

ACCOUNT, METHOD = "club", "StartMatch"


class Clock:
    """Time that passes only where a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def work(self, moves: float) -> None:
        """Something that takes as long as some moves."""
        self.now += moves * MOVE_SECONDS

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(call_costs, "time", SimpleNamespace(perf_counter=clock))
    return clock


def measure(costs: CallCosts, call: Callable[[], Awaitable[str]]) -> str:
    return asyncio.run(costs.measured(ACCOUNT, METHOD, call()))


def test_the_first_call_of_a_method_costs_one_move() -> None:
    assert CallCosts().moves(ACCOUNT, METHOD) == 1


def test_a_call_costs_what_the_one_before_took_without_the_time_that_it_waited(clock: Clock) -> None:
    async def call() -> str:
        clock.work(4)
        waiting = asyncio.get_running_loop().create_task(others())
        await waiting
        clock.work(3)
        return "done"

    async def others() -> None:
        clock.work(1000)

    costs = CallCosts()

    assert measure(costs, call) == "done"
    assert costs.moves(ACCOUNT, METHOD) == 7


def test_a_cost_follows_what_the_calls_take(clock: Clock) -> None:
    async def call(moves: int) -> str:
        clock.work(moves)
        return ""

    costs = CallCosts()
    measure(costs, lambda: call(50))
    known = []
    for _ in range(20):
        measure(costs, lambda: call(10))
        known.append(costs.moves(ACCOUNT, METHOD))

    assert known == sorted(known, reverse=True)
    assert 10 < known[0] < 50
    assert known[-1] == 10


def test_a_call_that_takes_very_long_counts_as_a_bounded_number_of_moves(clock: Clock) -> None:
    async def call() -> str:
        clock.work(100 * MAX_COST_MOVES)
        return ""

    costs = CallCosts()
    measure(costs, call)

    assert costs.moves(ACCOUNT, METHOD) == MAX_COST_MOVES


def test_accounts_and_methods_have_costs_of_their_own(clock: Clock) -> None:
    async def call() -> str:
        clock.work(9)
        return ""

    costs = CallCosts()
    measure(costs, call)

    assert costs.moves("another", METHOD) == 1
    assert costs.moves(ACCOUNT, "GetMatch") == 1


def test_a_call_that_fails_is_charged_and_raises_what_it_raised(clock: Clock) -> None:
    async def call() -> str:
        await asyncio.sleep(0)
        clock.work(5)
        raise ZeroDivisionError

    costs = CallCosts()
    with pytest.raises(ZeroDivisionError):
        measure(costs, call)

    assert costs.moves(ACCOUNT, METHOD) == 5


def test_a_call_that_is_cancelled_notices_it(clock: Clock) -> None:
    seen = list[str]()

    async def call() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            clock.work(2)
            seen.append("cancelled")
            raise
        return ""

    costs = CallCosts()

    async def run() -> None:
        task = asyncio.create_task(costs.measured(ACCOUNT, METHOD, call()))
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run())
    assert seen == ["cancelled"]
    assert costs.moves(ACCOUNT, METHOD) == 2


def test_costs_of_few_callers_are_kept(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_costs, "_MAX_KEPT_COSTS", 10)

    async def call() -> str:
        clock.work(3)
        return ""

    costs = CallCosts()
    for number in range(25):
        asyncio.run(costs.measured(f"seat {number}", METHOD, call()))

    assert sum(costs.moves(f"seat {number}", METHOD) == 3 for number in range(25)) <= 10
