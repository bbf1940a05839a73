"""Limits of calls, followers and rates, per client and in total."""

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import grpc
import pytest
from google.rpc.error_details_pb2 import RetryInfo
from grpc import StatusCode, aio
from hypothesis import given
from hypothesis import strategies as st
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from service.admission import ConcurrencyLimit, RateLimit
from service.errors import CallError
from tests.apart import run_apart
from tests.service.observed import wait_until
from tests.service.servers import (
    OWN_CONNECTION,
    TIMEOUT_SECONDS,
    Playing,
    Running,
    bearer,
    refusal_of,
    refused,
    serving,
)
from tests.service.tokens import new_token

if TYPE_CHECKING:
    from shiji.record.v1.record_service_pb2_grpc import RecordServiceAsyncStub

CLIENTS = st.sampled_from("abc")


@given(st.lists(st.tuples(CLIENTS, st.booleans())))
def test_when_all_places_are_taken_only_those_below_their_share_get_in(steps: list[tuple[str, bool]]) -> None:
    limit, in_progress = ConcurrencyLimit("max-calls", 4, 3, 1.0), deque[str]()
    for client, enters in steps:
        if enters:
            own, share = in_progress.count(client), 4 // len({*in_progress, client})
            allowed = own < 3 and (len(in_progress) < 4 or own < share)
            try:
                over = limit.enter(client)
            except CallError:
                assert not allowed
            else:
                assert allowed
                assert over == (len(in_progress) >= 4)
                in_progress.append(client)
        elif client in in_progress:
            limit.leave(client)
            in_progress.remove(client)

        assert limit.size == len(in_progress) <= 8


@given(st.lists(st.tuples(CLIENTS, st.floats(0, 5)), max_size=60))
def test_a_client_never_exceeds_its_rate_in_any_period(steps: list[tuple[str, float]]) -> None:
    now, admitted = 0.0, dict[str, list[float]]()
    rate = RateLimit(2.0, 3, clock=lambda: now)
    for client, passed in steps:
        now += passed
        try:
            rate.admit(client)
        except CallError as refusal:
            early = refusal.retry
            assert early is not None
            assert early > 0
        else:
            admitted.setdefault(client, []).append(now)

    for times in admitted.values():
        spans = [(times[b] - times[a], b - a + 1) for b in range(len(times)) for a in range(b + 1)]
        assert [(span, many) for span, many in spans if many > 3 + 2.0 * span + 1e-6] == []


def test_a_client_that_waits_for_the_retry_delay_is_admitted() -> None:
    now = 0.0
    rate = RateLimit(2.0, 1, clock=lambda: now)
    rate.admit("a")
    with pytest.raises(CallError) as raised:
        rate.admit("a")
    assert raised.value.retry is not None
    now += raised.value.retry

    rate.admit("a")


def test_idle_clients_are_forgotten() -> None:
    now = 0.0
    rate = RateLimit(1000.0, 1, clock=lambda: now)
    for number in range(20_000):
        now += 1.0
        rate.admit(str(number))

    assert len(rate) < 5_000


def limited(folder: Path, *flags: str) -> AbstractContextManager[Running]:
    """A server that knows two clients, a and b."""
    return serving(folder / "shiji.db", "--tokens", folder / "tokens", *flags)


@pytest.fixture
def tokens(tmp_path: Path) -> dict[str, str]:
    return {name: new_token(tmp_path / "tokens", name, "admin") for name in "ab"}


def limit_reached(server: Running, token: str) -> str:
    """The limit that refuses a call, or nothing if it is answered."""
    try:
        server.stub.ListMatches(pb.ListMatchesRequest(), metadata=bearer(token), timeout=TIMEOUT_SECONDS)
    except grpc.RpcError as fault:
        refusal = refusal_of(fault)
        assert (refusal.code, refusal.reason) == (StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_CALLS")
        assert refusal.detail(RetryInfo).retry_delay.ToTimedelta() > timedelta(0)
        return refusal.metadata["limit"]
    return ""


def test_a_client_that_calls_too_often_is_refused_and_no_other_is(
    tmp_path: Path, tokens: dict[str, str]
) -> None:
    with limited(tmp_path, "--calls-per-second", "0.001", "--calls-burst", "2") as server:
        of_a = [limit_reached(server, tokens["a"]) for _ in range(3)]

        assert of_a == ["", "", "calls-per-second"]
        assert limit_reached(server, tokens["b"]) == ""


UNKNOWN = pb.PlayRequest(append=pb.AppendMoveRequest(match_id="none"))


def playing_of(server: Running, token: str, timeout: float = TIMEOUT_SECONDS) -> Playing:
    """A Play stream that has received a response, and so is a call in progress."""
    playing = Playing.of(server, token, timeout)
    playing.send(UNKNOWN)
    next(playing.answers)
    return playing


def gets_in(server: Running, token: str) -> bool:
    """Whether a stream can be opened; it is ended at once."""
    try:
        playing_of(server, token).end()
    except grpc.RpcError:
        return False
    return True


def test_idle_streams_hold_no_place_of_a_call(tmp_path: Path, tokens: dict[str, str]) -> None:
    with limited(tmp_path, "--max-calls-per-client", "1", "--max-calls", "1") as server:
        playing = [playing_of(server, tokens["a"]) for _ in range(3)]

        assert limit_reached(server, tokens["a"]) == ""
        for each in playing:
            each.end()


def test_an_owner_below_its_share_gets_the_place_of_the_oldest_idle_stream_of_the_one_with_most(
    tmp_path: Path, tokens: dict[str, str]
) -> None:
    with limited(tmp_path, "--max-followers", "3", "--max-followers-per-client", "3") as server:
        first, *others = [playing_of(server, tokens["a"]) for _ in range(3)]

        with refused() as refusal:
            playing_of(server, tokens["a"])
        assert refusal.metadata["limit"] == "max-followers-per-client"
        new = playing_of(server, tokens["b"])

        with refused() as ended:
            next(first.answers)
        assert (ended.reason, ended.metadata["limit"]) == ("STREAM_ENDED", "max-followers")
        assert ended.detail(RetryInfo).retry_delay.ToTimedelta() > timedelta(0)
        for playing in (*others, new):
            playing.send(UNKNOWN)
            assert next(playing.answers).refused.reason == "NO_SUCH_MATCH"
            playing.end()


def test_a_follower_that_makes_room_learns_where_to_resume(tmp_path: Path, tokens: dict[str, str]) -> None:
    with limited(tmp_path, "--max-followers", "2", "--max-followers-per-client", "2") as server:
        start = pb.StartMatchRequest(request_id="1", game="qin", seats=["a", "b"])
        server.stub.StartMatch(start, metadata=bearer(tokens["a"]), timeout=TIMEOUT_SECONDS)
        following = server.stub.FollowArchive(
            pb.FollowArchiveRequest(), metadata=bearer(tokens["a"]), timeout=TIMEOUT_SECONDS
        )
        assert next(following).entry.position == 1
        playing = playing_of(server, tokens["a"])
        wait_until(lambda: gets_in(server, tokens["b"]))  # a follower that is still sending is not idle

        with refused() as ended:
            next(following)

        assert (ended.reason, ended.metadata["resume_from"]) == ("STREAM_ENDED", "1")
        playing.end()


def test_seats_count_to_the_owner_of_their_match(tmp_path: Path, tokens: dict[str, str]) -> None:
    recorder = new_token(tmp_path / "tokens", "club", "recorder")
    with limited(tmp_path, "--max-followers-per-client", "2") as server:
        start = pb.StartMatchRequest(request_id="1", game="qin", seats=["a", "b"])
        started = server.stub.StartMatch(start, metadata=bearer(recorder), timeout=TIMEOUT_SECONDS)
        playing = [playing_of(server, seat) for seat in started.seat_tokens]

        with refused() as refusal:
            playing_of(server, recorder)
        assert refusal.metadata["limit"] == "max-followers-per-client"
        playing_of(server, tokens["a"]).end()
        for each in playing:
            each.end()


def test_a_stream_whose_deadline_has_passed_no_longer_counts(tmp_path: Path, tokens: dict[str, str]) -> None:
    with limited(tmp_path, "--max-followers-per-client", "1") as server:
        playing = playing_of(server, tokens["a"], timeout=2.0)

        with refused() as refusal:
            next(playing.answers)

        assert refusal.code is StatusCode.DEADLINE_EXCEEDED
        wait_until(lambda: gets_in(server, tokens["a"]))
        playing.end()


def test_followers_have_a_limit_of_their_own(tmp_path: Path, tokens: dict[str, str]) -> None:
    with limited(tmp_path, "--max-calls-per-client", "1", "--max-followers-per-client", "1") as server:
        start = pb.StartMatchRequest(request_id="1", game="qin", seats=["a", "b"])
        server.stub.StartMatch(start, metadata=bearer(tokens["a"]), timeout=TIMEOUT_SECONDS)

        def follow(client: str) -> Iterator[pb.FollowArchiveResponse]:
            metadata = bearer(tokens[client])
            return server.stub.FollowArchive(
                pb.FollowArchiveRequest(), metadata=metadata, timeout=TIMEOUT_SECONDS
            )

        following = follow("a")
        next(following)

        with refused() as refusal:
            next(follow("a"))
        assert refusal.metadata["limit"] == "max-followers-per-client"
        assert limit_reached(server, tokens["a"]) == ""
        assert next(follow("b")).entry.sequence == 0


def test_a_message_that_is_too_large_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path / "shiji.db", "--max-message-bytes", "2000") as server, refused() as refusal:
        server.stub.ImportRecord(pb.ImportRecordRequest(content=bytes(3000)), timeout=TIMEOUT_SECONDS)

    assert refusal.code is StatusCode.RESOURCE_EXHAUSTED


def test_moves_of_a_stream_are_delayed_by_the_rate_limit(tmp_path: Path, tokens: dict[str, str]) -> None:
    with limited(tmp_path, "--calls-per-second", "0.001", "--calls-burst", "2") as server:
        playing = playing_of(server, tokens["a"], timeout=2.0)
        playing.send(UNKNOWN)

        with refused() as refusal:
            next(playing.answers)

        assert refusal.code is StatusCode.DEADLINE_EXCEEDED
        playing.end()


FLOOD = 300
"""Calls that one client has in progress all the time."""


def test_a_flood_from_one_client_does_not_starve_another(tmp_path: Path, tokens: dict[str, str]) -> None:
    async def flood_and_ask(address: str) -> list[int]:
        """How many calls of the flood are answered while another client waits for each of its own."""
        answered = 0

        async def flood(stub: "RecordServiceAsyncStub") -> None:
            nonlocal answered
            while True:
                await call(stub, "a")
                answered += 1

        async with (
            aio.insecure_channel(address) as one,
            aio.insecure_channel(address, OWN_CONNECTION) as other,
        ):
            flooding = [asyncio.create_task(flood(RecordServiceStub(one))) for _ in range(FLOOD)]
            waited = []
            for _ in range(30):
                before = answered
                await call(RecordServiceStub(other), "b")
                waited.append(answered - before)
            for task in flooding:
                task.cancel()
            await asyncio.gather(*flooding, return_exceptions=True)
        return waited

    async def call(stub: "RecordServiceAsyncStub", client: str) -> None:
        await stub.ListMatches(
            pb.ListMatchesRequest(), metadata=bearer(tokens[client]), timeout=TIMEOUT_SECONDS
        )

    with limited(tmp_path, "--max-calls-per-client", str(2 * FLOOD)) as server:
        waited = run_apart(flood_and_ask(server.address))

    assert sorted(waited)[len(waited) // 2] < FLOOD / 2
