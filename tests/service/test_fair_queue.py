"""The queue is fair: what costs much counts as much, and a light client does not wait behind a flood."""

import asyncio

import pytest

from records.ledger.ledger import Ledger
from records.log.memory import MemoryLog
from service.fair_queue import (
    MAX_LIGHT_CALLS,
    MAX_LIGHT_MOVES,
    SHARE_MOVES,
    SHARE_MOVES_BESIDE_LIGHT,
    FairQueue,
)
from service.feed import EntryFeed
from service.intake import Intake
from tests.apart import run_apart

TIMEOUT_SECONDS = 60.0


def intake_in_memory() -> Intake:
    log = MemoryLog()
    return Intake(log, EntryFeed(Ledger(log)))


def test_a_call_that_costs_many_moves_uses_up_the_share_of_its_client() -> None:
    async def run() -> list[bool]:
        intake = intake_in_memory()
        await intake.turn("b")
        turns = [intake.turn("a", SHARE_MOVES) for _ in range(3)]
        at_once = [turn.done() for turn in turns]
        await asyncio.wait_for(asyncio.gather(*turns), TIMEOUT_SECONDS)
        return at_once

    assert run_apart(run()) == [True, False, False]


def test_a_light_client_is_not_parked_and_a_heavy_one_has_a_smaller_share_beside_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A parked request would stay parked until after the timeout.
    monkeypatch.setattr("service.fair_queue.DRAIN_SECONDS", 2 * TIMEOUT_SECONDS)
    monkeypatch.setattr("service.fair_queue.ROUND_SECONDS", 2 * TIMEOUT_SECONDS)
    calls = {"light": MAX_LIGHT_CALLS, "heavy": MAX_LIGHT_CALLS + 1}

    async def run() -> tuple[int, int]:
        intake = intake_in_memory()
        intake.know_calls(calls.__getitem__)
        for _ in range(2):  # so that several clients call
            await intake.submit("heavy", lambda: "")
            await intake.submit("light", lambda: "")
        flood = [intake.turn("heavy") for _ in range(10 * SHARE_MOVES)]
        first = sum(turn.done() for turn in flood)
        for _ in range(3 * SHARE_MOVES):
            await asyncio.wait_for(intake.submit("light", lambda: ""), TIMEOUT_SECONDS)
        return first, sum(turn.done() for turn in flood)

    first, later = run_apart(run())

    assert first <= SHARE_MOVES
    assert later - first == SHARE_MOVES_BESIDE_LIGHT


def test_beside_a_light_client_a_round_ends_when_all_have_had_their_share(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("service.fair_queue.DRAIN_SECONDS", 2 * TIMEOUT_SECONDS)
    monkeypatch.setattr("service.fair_queue.ROUND_SECONDS", 2 * TIMEOUT_SECONDS)
    calls = {"light": 1, "heavy": 256}
    rounds = 10

    async def run() -> int:
        intake = intake_in_memory()
        intake.know_calls(calls.__getitem__)
        await intake.submit("heavy", lambda: "")
        await intake.submit("light", lambda: "")
        flood, asked = [intake.turn("heavy") for _ in range(rounds * SHARE_MOVES_BESIDE_LIGHT)], 0
        while not all(turn.done() for turn in flood):
            await asyncio.wait_for(intake.submit("light", lambda: ""), TIMEOUT_SECONDS)
            asked += 1
            if asked % SHARE_MOVES_BESIDE_LIGHT == 0 and asked < 100 * rounds:
                flood.append(intake.turn("heavy"))
        return asked

    assert run_apart(run()) < 100 * rounds


def test_what_a_smaller_share_parks_becomes_ready_though_nobody_calls_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("service.fair_queue.ROUND_SECONDS", 0.0)  # every call after the first begins a round

    async def run() -> tuple[int, int]:
        unparked = asyncio.Event()
        queue = FairQueue[int](unparked.set)
        queue.calls_of = {"heavy": 9, "busy": 9, "light": 1}.__getitem__
        queue.push("heavy", 0, 1)
        queue.push("busy", 1, 1)
        for number in range(SHARE_MOVES - 2):
            queue.push("heavy", number, 1)
        queue.push("light", 0, 1)
        queue.push("light", 1, 1)
        parked = len(queue) - queue.ready
        while len(queue):
            while queue.ready:
                queue.pop()
            if len(queue):
                await asyncio.wait_for(unparked.wait(), TIMEOUT_SECONDS)
                unparked.clear()
        return parked, len(queue)

    parked, left = asyncio.run(run())

    assert parked > 0
    assert left == 0


def test_a_light_client_that_asks_for_much_is_parked_as_well() -> None:
    async def run() -> list[bool]:
        queue = FairQueue[int](lambda: None)
        queue.calls_of = {"heavy": 9, "light": 1}.__getitem__
        queue.push("heavy", 0, 1)
        queue.push("light", 0, 1)
        queue.push("heavy", 1, 1)
        return [queue.push("light", number, MAX_LIGHT_MOVES // 2) for number in range(4)]

    assert asyncio.run(run()) == [True, True, False, False]
