"""The bytes of requests are bounded while they arrive and until they are answered."""

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Event

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service import admission
from service.admission import (
    MAX_READS,
    MAX_READS_PER_ACCOUNT,
    MAX_REQUEST_BYTES,
    MAX_REQUEST_BYTES_PER_ACCOUNT,
    MAX_REQUEST_BYTES_PER_HOST,
    RequestBudget,
)
from service.errors import CallError
from service.public_streams import MAX_PUBLIC_STREAMS, MAX_PUBLIC_STREAMS_PER_HOST, PublicStreams
from tests.service.servers import TIMEOUT_SECONDS, refusal_of, serving
from tests.service.tokens import new_token

ACCOUNTS = st.sampled_from("abc")


def nowhere() -> str:
    return "ipv4:127.0.0.1:1"


def elsewhere() -> str:
    return "ipv4:127.0.0.2:1"


@given(st.lists(st.tuples(ACCOUNTS, st.integers(0, 60)), min_size=1, max_size=30))
def test_requests_are_received_only_while_there_is_room_and_all_in_the_end(
    requests: list[tuple[str, int]],
) -> None:
    async def receive_all() -> int:
        budget, most, largest = RequestBudget(100_000), 0, 60_000

        async def answer(account: str, size: int) -> None:
            nonlocal most
            await budget.receive(account, nowhere, partial(asyncio.sleep, 0), TIMEOUT_SECONDS)
            budget.take(account, nowhere, size)
            most = max(most, budget.bytes)
            await asyncio.sleep(0)
            budget.give(account, nowhere, size)

        await asyncio.gather(*(answer(account, size * 1000) for account, size in requests))
        assert (budget.reading, budget.bytes) == (0, 0)
        return most - MAX_READS * largest

    assert asyncio.run(receive_all()) < 100_000


def test_a_request_waits_until_the_bytes_of_its_account_are_answered() -> None:
    async def receive() -> list[str]:
        budget, order = RequestBudget(), list[str]()
        budget.take("flood", nowhere, MAX_REQUEST_BYTES_PER_ACCOUNT)

        async def arrive(account: str) -> None:
            order.append(account)

        waiting = asyncio.create_task(
            budget.receive("flood", nowhere, partial(arrive, "flood"), TIMEOUT_SECONDS)
        )
        await asyncio.sleep(0)
        await budget.receive("victim", nowhere, partial(arrive, "victim"), TIMEOUT_SECONDS)
        budget.give("flood", nowhere, MAX_REQUEST_BYTES_PER_ACCOUNT)
        await waiting
        return order

    assert asyncio.run(receive()) == ["victim", "flood"]


def test_accounts_of_one_host_share_its_bytes_and_leave_room_for_another_host() -> None:
    async def receive() -> list[str]:
        budget, order = RequestBudget(), list[str]()
        for name in ("half", "as much"):
            budget.take(name, nowhere, MAX_REQUEST_BYTES_PER_HOST // 2 - 1)
        budget.take("little", nowhere, MAX_REQUEST_BYTES_PER_HOST // 4)

        async def arrive(name: str) -> None:
            order.append(name)

        waiting = asyncio.create_task(
            budget.receive("half", nowhere, partial(arrive, "half"), TIMEOUT_SECONDS)
        )
        await asyncio.sleep(0)
        for name, host in (("elsewhere", elsewhere), ("new", nowhere), ("little", nowhere)):
            await budget.receive(name, host, partial(arrive, name), TIMEOUT_SECONDS)
        budget.give("half", nowhere, MAX_REQUEST_BYTES_PER_HOST // 4)
        await waiting
        return order

    order = asyncio.run(asyncio.wait_for(receive(), TIMEOUT_SECONDS))

    assert order == ["elsewhere", "new", "little", "half"]


@pytest.mark.parametrize("size", [MAX_REQUEST_BYTES_PER_HOST, 2 * MAX_REQUEST_BYTES])
def test_an_account_whose_requests_arrived_at_once_keeps_no_other_of_its_host_waiting(size: int) -> None:
    budget = RequestBudget()
    budget.take("flood", nowhere, size)

    assert budget.has_room_for_bytes("victim", nowhere)
    assert not budget.has_room_for_bytes("flood", elsewhere)


def test_everybody_for_whom_there_is_room_goes_on_when_a_request_is_answered() -> None:
    async def receive() -> int:
        budget, arrived = RequestBudget(), asyncio.Event()
        budget.take("flood", nowhere, MAX_REQUEST_BYTES_PER_ACCOUNT)
        waiting = [
            asyncio.create_task(budget.room("flood", nowhere)),
            *(
                asyncio.create_task(budget.receive("flood", nowhere, arrived.wait, TIMEOUT_SECONDS))
                for _ in range(MAX_READS_PER_ACCOUNT)
            ),
        ]
        await asyncio.sleep(0)
        budget.give("flood", nowhere, MAX_REQUEST_BYTES_PER_ACCOUNT)
        for _ in range(2 * len(waiting)):
            await asyncio.sleep(0)
        reading = budget.reading
        arrived.set()
        await asyncio.gather(*waiting)
        return reading

    assert asyncio.run(asyncio.wait_for(receive(), TIMEOUT_SECONDS)) == MAX_READS_PER_ACCOUNT


def test_one_account_does_not_take_every_place_to_receive_requests() -> None:
    async def receive() -> tuple[int, object]:
        budget, arrived = RequestBudget(), asyncio.Event()

        async def at_once() -> str:
            return "victim"

        flood = [
            asyncio.create_task(budget.receive("flood", nowhere, arrived.wait, TIMEOUT_SECONDS))
            for _ in range(3 * MAX_READS)
        ]
        await asyncio.sleep(0)
        reading = budget.reading
        other = await asyncio.wait_for(
            budget.receive("victim", nowhere, at_once, TIMEOUT_SECONDS), timeout=TIMEOUT_SECONDS
        )
        arrived.set()
        await asyncio.gather(*flood)
        assert budget.reading == 0
        return reading, other

    assert asyncio.run(receive()) == (MAX_READS_PER_ACCOUNT, "victim")


def test_two_accounts_whose_requests_never_arrive_do_not_keep_a_third_one_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(admission, "PLACE_SECONDS", 0.0)

    async def receive() -> tuple[list[str], int]:
        budget, ended = RequestBudget(), list[str]()

        async def never(account: str, number: int) -> None:
            try:
                await budget.receive(account, nowhere, asyncio.Event().wait, TIMEOUT_SECONDS)
            except TimeoutError:
                ended.append(f"{account} {number}")

        flood = [
            asyncio.create_task(never(account, number))
            for number in range(MAX_READS_PER_ACCOUNT)
            for account in ("flood", "other flood")
        ]
        await asyncio.sleep(0)
        assert budget.reading == MAX_READS
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await budget.receive("victim", nowhere, partial(asyncio.sleep, 0), TIMEOUT_SECONDS)
        for task in flood:
            task.cancel()
        await asyncio.gather(*flood, return_exceptions=True)
        return ended, budget.given_up

    assert asyncio.run(receive()) == (["flood 0"], 1)


def test_a_request_is_not_given_up_for_an_account_that_has_as_many() -> None:
    async def receive() -> int:
        budget = RequestBudget(max_reads=2, max_reads_per_account=2)
        tasks = [
            asyncio.create_task(budget.receive(account, nowhere, asyncio.Event().wait, TIMEOUT_SECONDS))
            for account in ("one", "other", "third")
        ]
        for _ in range(10):
            await asyncio.sleep(0)
        reading, hurried = budget.reading, budget.hurried
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return reading + hurried

    assert asyncio.run(receive()) == 2


def test_a_caller_without_a_token_is_refused_before_its_request_has_arrived(tmp_path: Path) -> None:
    new_token(tmp_path / "tokens", "a", "admin")
    never = Event()

    def requests() -> Iterator[bytes]:
        never.wait(TIMEOUT_SECONDS)
        yield b""

    with serving(tmp_path / "shiji.db", "--tokens", tmp_path / "tokens") as server:
        for method in ("AppendMoves", "AppendMove", "StartMatch", "Play"):
            call: grpc.StreamUnaryMultiCallable[bytes, bytes] = server.channel.stream_unary(
                f"/shiji.record.v1.RecordService/{method}"
            )
            with pytest.raises(grpc.RpcError) as raised:
                call(requests(), timeout=TIMEOUT_SECONDS)

            assert refusal_of(raised.value).reason == "NO_CREDENTIALS"
    never.set()


def test_streams_without_a_token_are_few_per_host_and_in_all() -> None:
    streams = PublicStreams()
    opened = []
    for number in range(MAX_PUBLIC_STREAMS):
        opened.append(streams.opened(f"ipv4:192.0.2.{number // MAX_PUBLIC_STREAMS_PER_HOST}:1"))
        opened[-1].__enter__()

    for peer, limit in (
        ("ipv4:192.0.2.0:2", "public-streams-per-host"),
        ("ipv4:192.0.2.255:1", "public-streams"),
    ):
        with pytest.raises(CallError) as raised, streams.opened(peer):
            pass
        assert raised.value.metadata == {"limit": limit}
        assert raised.value.retry
    for each in opened:
        each.__exit__(None, None, None)
    assert streams.size == 0


def test_idle_health_watches_do_not_shut_out_anybody(tmp_path: Path) -> None:
    with serving(tmp_path / "shiji.db") as server:
        watches = [server.watch() for _ in range(MAX_PUBLIC_STREAMS_PER_HOST)]
        for watch in watches:
            next(watch)

        with pytest.raises(grpc.RpcError) as raised:
            next(server.watch())
        assert refusal_of(raised.value).metadata == {"limit": "public-streams-per-host"}
        assert server.check()
        for watch in watches:
            watch.close()
