"""Followers: every entry once and in order, however many they are, however slow, whoever stores it."""

import asyncio
import resource
import threading
from collections.abc import Iterator
from contextlib import AsyncExitStack
from functools import partial
from itertools import islice
from pathlib import Path

import grpc
import pytest
from grpc import aio
from msgspec import structs
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from records.entry import MatchId, with_hash
from records.ledger.ledger import Ledger
from records.log.contract import NEW, Append
from records.log.sqlite import SqliteLog
from tests.apart import run_apart
from tests.records.matches import MOVES, played
from tests.records.matches import Table as TableBeside
from tests.records.matches import begin as begin_beside
from tests.service.calls import Table, begin, refusal
from tests.service.running import PATIENCE, Inside, over_file
from tests.service.servers import serving

FOLLOWERS = 2_000
OWN = (("grpc.use_local_subchannel_pool", 1),)
"""A connection for each channel: one carries no more than a thousand calls."""

SMALL_WINDOW = (
    ("grpc.http2.bdp_probe", 0),
    ("grpc.http2.lookahead_bytes", 1024),
    ("grpc.use_local_subchannel_pool", 1),
)
"""So that little is on the way at any time."""


def following(table: Table, from_sequence: int = 0) -> Iterator[pb.FollowRecordResponse]:
    request = pb.FollowRecordRequest(match_id=table.match, from_sequence=from_sequence)
    return table.stub.FollowRecord(request, timeout=PATIENCE)


def take(answers: Iterator[pb.FollowRecordResponse], number: int) -> list[int]:
    return [answer.entry.sequence for answer in islice(answers, number)]


class TestAMatch:
    def test_what_there_is_comes_first_and_then_what_comes(self, stub: RecordServiceStub) -> None:
        table = begin(stub)
        table.play(*MOVES[:2])
        answers = following(table)

        assert take(answers, 3) == [0, 1, 2]
        table.play(*MOVES[2:])
        assert take(answers, 3) == [3, 4, 5]

    def test_whoever_was_cut_off_resumes_without_gap_or_repeat(self, stub: RecordServiceStub) -> None:
        table = begin(stub)
        received: list[int] = []
        for move in MOVES:
            table.play(move)
            received += take(following(table, len(received)), 1)
        received += take(following(table, len(received)), 1)

        assert received == list(range(len(MOVES) + 1))

    def test_entries_are_the_ones_that_reading_gives(self, stub: RecordServiceStub) -> None:
        table = begin(stub)
        answers = following(table)
        table.play(*MOVES)

        assert [answer.entry for answer in islice(answers, 6)] == table.record()

    def test_a_retraction_is_followed_like_any_entry(self, stub: RecordServiceStub) -> None:
        table = begin(stub)
        answers = following(table)
        table.play(*MOVES[:2])
        table.last = stub.Retract(table.retracting(1)).appended.entries[-1].sequence
        table.play(MOVES[1])

        texts = [answer.entry.text for answer in islice(answers, 5)]

        assert texts == ["", *MOVES[:2], "arbiter goes back to entry 1", MOVES[1]]

    def test_whoever_lags_behind_is_told_how_far(self, stub: RecordServiceStub) -> None:
        table = begin(stub)
        table.play(*MOVES)

        told = [(answer.entry.sequence, answer.last_sequence) for answer in islice(following(table), 6)]

        assert told == [(number, 5) for number in range(6)]

    def test_nobody_follows_from_beyond_the_end(self, stub: RecordServiceStub) -> None:
        table = begin(stub)

        assert refusal(lambda: take(following(table, 2), 1)).reason == "NO_SUCH_ENTRY"

    def test_a_record_longer_than_what_is_kept_ready_is_followed_whole(self, path: Path) -> None:
        with over_file(path, ring=2) as running:
            table = begin(running.stub)
            answers = following(table)
            first = take(answers, 1)
            table.play(*MOVES)

            assert first + take(answers, 5) == list(range(6))


class TestTheArchive:
    def test_every_entry_of_every_match_comes_in_one_order_without_gaps(self, path: Path) -> None:
        with over_file(path) as running:
            tables = [begin(running.stub) for _ in range(3)]
            answers = running.stub.FollowArchive(pb.FollowArchiveRequest(after_position=1), timeout=PATIENCE)
            for move in MOVES:
                for table in tables:
                    table.play(move)
            seen = [answer.entry for answer in islice(answers, 2 + 3 * len(MOVES))]

            assert [entry.position for entry in seen] == list(range(2, 19))
            for table in tables[1:]:
                mine = [entry for entry in seen if entry.match_id == table.match]
                assert mine == table.record()

    def test_it_goes_on_where_it_was_cut_off(self, path: Path) -> None:
        with over_file(path) as running:
            begin(running.stub).play(*MOVES)
            seen: list[int] = []
            while len(seen) < 6:
                request = pb.FollowArchiveRequest(after_position=len(seen))
                answers = running.stub.FollowArchive(request, timeout=PATIENCE)
                seen += [answer.entry.position for answer in islice(answers, 2)]

            assert seen == list(range(1, 7))

    def test_nobody_follows_from_beyond_the_end(self, running: Inside) -> None:
        request = pb.FollowArchiveRequest(after_position=10**6)

        assert refusal(lambda: next(running.stub.FollowArchive(request))).reason == "NO_SUCH_ENTRY"

    def test_no_seat_follows_the_archive(self, running: Inside) -> None:
        request = pb.FollowArchiveRequest(viewer=entries.Viewer(seat=0))

        assert refusal(lambda: next(running.stub.FollowArchive(request))).metadata["field"] == "viewer.seat"


def test_what_another_program_stores_is_followed_too(path: Path) -> None:
    with over_file(path) as running, SqliteLog.open(path) as other:
        table = begin(running.stub)
        archive = running.stub.FollowArchive(pb.FollowArchiveRequest(), timeout=PATIENCE)
        answers = following(table)
        assert take(answers, 1) == [0]
        beside = Ledger(other)
        begin_beside(beside, request="beside").play(MOVES[0])
        TableBeside(beside, MatchId(table.match)).play(MOVES[0])

        assert take(answers, 1) == [1]
        assert [answer.entry.position for answer in islice(archive, 4)] == [1, 2, 3, 4]


@pytest.mark.parametrize("part", ["events", "move", "secret"])
def test_a_match_that_cannot_be_read_holds_up_nobody_else(path: Path, part: str) -> None:
    first, second = played(MOVES[0])
    damaged = with_hash(structs.replace(second, **{part: b"\xff\xff\xff"}))
    with over_file(path) as running, SqliteLog.open(path) as other:
        table = begin(running.stub)
        answers = following(table)
        assert take(answers, 1) == [0]
        other.write([Append(first.match, NEW, (first, damaged))])
        table.play(*MOVES)
        broken = Table(running.stub, first.match)
        archive = running.stub.FollowArchive(pb.FollowArchiveRequest(), timeout=PATIENCE)

        assert take(answers, 5) == [1, 2, 3, 4, 5]
        assert refusal(lambda: take(following(broken), 2)).reason == "CORRUPT_RECORD"
        assert refusal(lambda: list(archive)).reason == "CORRUPT_RECORD"


def test_whoever_stops_following_leaves_nothing_behind(path: Path) -> None:
    with over_file(path) as running:
        for _ in range(5):
            answers = running.stub.FollowRecord(pb.FollowRecordRequest(match_id=begin(running.stub).match))
            next(answers)
            answers.cancel()
        patience = iter(range(1000))
        while running.feed.followers and next(patience, None) is not None:
            threading.Event().wait(0.01)

        assert running.feed.followers == 0


def test_followers_go_with_a_word_when_the_server_stops(path: Path) -> None:
    with over_file(path) as running:
        table = begin(running.stub)
        record, archive = following(table), running.stub.FollowArchive(pb.FollowArchiveRequest())
        take(record, 1)
        next(archive)
        more = threading.Event()
        play = running.stub.Play(_until(more, pb.PlayRequest(append=table.asked(MOVES[0]))))
        assert next(play).appended.entries
        take(record, 1)
        next(archive)

        running.drain()

        for call, resume in ((record, "2"), (archive, "2"), (play, None)):
            told = refusal(partial(next, call))
            assert told.reason == "DRAINING"
            assert told.metadata.get("resume_from") == resume
        more.set()


def _until(event: threading.Event, *requests: pb.PlayRequest) -> Iterator[pb.PlayRequest]:
    yield from requests
    event.wait(PATIENCE)


def test_whoever_takes_nothing_is_let_go_and_told_why(path: Path) -> None:
    with over_file(path, stall=0.2) as running:
        table = begin(running.stub)
        table.play(MOVES[0])
        for _ in range(300):
            appended = running.stub.Retract(table.retracting(0, reason="x" * 1000)).appended
            table.last = appended.entries[-1].sequence
        with grpc.insecure_channel(running.address, options=SMALL_WINDOW) as channel:
            taken: list[int] = []

            def dawdle() -> None:
                for answer in following(Table(RecordServiceStub(channel), table.match)):
                    taken.append(answer.entry.sequence)
                    threading.Event().wait(0.5)

            told = refusal(dawdle)

        assert told.reason == "SLOW_CONSUMER"
        assert taken == list(range(len(taken)))


def test_thousands_follow_one_match_and_cost_little(path: Path) -> None:
    with serving(path) as server:
        table = begin(server.stub)
        before = resident(server.process.pid)

        async def follow(channel: aio.Channel, ready: asyncio.Semaphore) -> list[int]:
            seen: list[int] = []
            async for answer in RecordServiceStub(channel).FollowRecord(
                pb.FollowRecordRequest(match_id=table.match)
            ):
                seen.append(answer.entry.sequence)
                if len(seen) == 1:
                    ready.release()
                if len(seen) == len(MOVES) + 1:
                    break
            return seen

        async def crowd() -> list[list[int]]:
            ready = asyncio.Semaphore(0)
            async with AsyncExitStack() as closing:
                channels = [
                    await closing.enter_async_context(aio.insecure_channel(server.address, options=OWN))
                    for _ in range(FOLLOWERS // 500)
                ]
                followers = [
                    asyncio.create_task(follow(channels[number % len(channels)], ready))
                    for number in range(FOLLOWERS)
                ]
                for _ in followers:
                    await ready.acquire()
                await asyncio.to_thread(table.play, *MOVES)
                return await asyncio.gather(*followers)

        seen = run_apart(asyncio.wait_for(crowd(), PATIENCE * 2))

        assert seen == [list(range(len(MOVES) + 1))] * FOLLOWERS
        assert resident(server.process.pid) - before < 100_000_000


def resident(pid: int) -> int:
    """So many bytes of memory the process has."""
    pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize()
