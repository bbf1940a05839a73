"""Followers get every entry once and in order: many of them, slow ones, and entries of other programs."""

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
from service.feed import LOG_PAGE_ENTRIES, EntryFeed
from tests.apart import run_apart
from tests.postgres import shared_cluster
from tests.project.places import ROOT
from tests.records.matches import MOVES, ledger_in_memory, played
from tests.records.matches import Table as TableBeside
from tests.records.matches import begin as begin_beside
from tests.service.calls import Table, begin, refusal
from tests.service.observed import wait_until
from tests.service.running import TIMEOUT_SECONDS, InProcessService, serving_file
from tests.service.servers import OWN_CONNECTION, serving

FOLLOWERS = 2_000
SMALL_WINDOW = (
    ("grpc.http2.bdp_probe", 0),
    ("grpc.http2.lookahead_bytes", 1024),
    ("grpc.use_local_subchannel_pool", 1),
)
"""Options of a channel that buffers little, so that a slow reader soon blocks the server's writes."""


def following(table: Table, from_sequence: int = 0) -> Iterator[pb.FollowRecordResponse]:
    request = pb.FollowRecordRequest(match_id=table.match, from_sequence=from_sequence)
    return table.stub.FollowRecord(request, timeout=TIMEOUT_SECONDS)


def take(answers: Iterator[pb.FollowRecordResponse], number: int) -> list[int]:
    return [answer.entry.sequence for answer in islice(answers, number)]


class TestAMatch:
    def test_stored_entries_come_first_and_then_new_ones(self, stub: RecordServiceStub) -> None:
        table = begin(stub)
        table.play(*MOVES[:2])
        answers = following(table)

        assert take(answers, 3) == [0, 1, 2]
        table.play(*MOVES[2:])
        assert take(answers, 3) == [3, 4, 5]

    def test_a_follower_that_was_cut_off_resumes_without_gap_or_repeat(self, stub: RecordServiceStub) -> None:
        table = begin(stub)
        received: list[int] = []
        for move in MOVES:
            table.play(move)
            received += take(following(table, len(received)), 1)
        received += take(following(table, len(received)), 1)

        assert received == list(range(len(MOVES) + 1))

    def test_followed_entries_equal_those_that_are_read(self, stub: RecordServiceStub) -> None:
        table = begin(stub)
        answers = following(table)
        table.play(*MOVES)

        assert [answer.entry for answer in islice(answers, 6)] == table.record()

    def test_a_retraction_is_followed_like_any_entry(self, stub: RecordServiceStub) -> None:
        table = begin(stub)
        answers = following(table)
        table.play(*MOVES[:2])
        table.last = stub.Retract(table.retract_request(1)).appended.entries[-1].sequence
        table.play(MOVES[1])

        texts = [answer.entry.text for answer in islice(answers, 5)]

        assert texts == ["", *MOVES[:2], "arbiter goes back to entry 1", MOVES[1]]

    def test_a_follower_that_lags_sees_how_far(self, stub: RecordServiceStub) -> None:
        table = begin(stub)
        table.play(*MOVES)

        seen = [(answer.entry.sequence, answer.last_sequence) for answer in islice(following(table), 6)]

        assert seen == [(number, 5) for number in range(6)]

    def test_following_from_beyond_the_end_is_refused(self, stub: RecordServiceStub) -> None:
        table = begin(stub)

        assert refusal(lambda: take(following(table, 2), 1)).reason == "NO_SUCH_ENTRY"

    def test_a_record_longer_than_the_memory_of_the_feed_is_followed_completely(self, path: Path) -> None:
        with serving_file(path, max_recent=2) as running:
            table = begin(running.stub)
            answers = following(table)
            first = take(answers, 1)
            table.play(*MOVES)

            assert first + take(answers, 5) == list(range(6))


def test_the_feed_keeps_no_more_bytes_than_it_may_and_always_the_newest_entry() -> None:
    table = begin_beside(ledger_in_memory())
    table.play(*MOVES)
    entries = table.entries
    sizes = [len(entry.move) + len(entry.events) for entry in entries]
    feed = EntryFeed(table.ledger, max_bytes=sum(sizes[-2:]))
    with feed.follower():
        feed.position = 0
        for entry in entries:
            feed.stored((entry,))

        kept = [item.entry for item in feed.archive_items(entries[-3].position)]

        assert kept == entries[-2:]
        assert feed.recent_bytes == sum(sizes[-2:])
        assert feed.archive_items(entries[-4].position) == []
        assert feed.match_items(table.match, entries[-2].sequence)[-1].entry == entries[-1]


def test_what_is_stored_in_a_shared_archive_reaches_followers_from_there_alone() -> None:
    """The answer to a repeated request has a position, perhaps one that this server has not read yet."""
    with shared_cluster().log() as log:
        table = begin_beside(Ledger(log))
        table.play(*MOVES)
        feed = EntryFeed(table.ledger)
        with feed.follower():
            feed.stored(tuple(log.archive()))

            assert feed.archive_items(0) == []
            assert feed.position == 0


class TestTheArchive:
    def test_every_entry_of_every_match_comes_in_one_order_without_gaps(self, path: Path) -> None:
        with serving_file(path) as running:
            tables = [begin(running.stub) for _ in range(3)]
            answers = running.stub.FollowArchive(
                pb.FollowArchiveRequest(after_position=1), timeout=TIMEOUT_SECONDS
            )
            for move in MOVES:
                for table in tables:
                    table.play(move)
            seen = [answer.entry for answer in islice(answers, 2 + 3 * len(MOVES))]

            assert [entry.position for entry in seen] == list(range(2, 19))
            for table in tables[1:]:
                mine = [entry for entry in seen if entry.match_id == table.match]
                assert mine == table.record()

    def test_a_follower_that_was_cut_off_resumes_after_its_last_position(self, path: Path) -> None:
        with serving_file(path) as running:
            begin(running.stub).play(*MOVES)
            seen: list[int] = []
            while len(seen) < 6:
                request = pb.FollowArchiveRequest(after_position=len(seen))
                answers = running.stub.FollowArchive(request, timeout=TIMEOUT_SECONDS)
                seen += [answer.entry.position for answer in islice(answers, 2)]

            assert seen == list(range(1, 7))

    def test_following_from_beyond_the_end_is_refused(self, running: InProcessService) -> None:
        request = pb.FollowArchiveRequest(after_position=10**6)

        assert refusal(lambda: next(running.stub.FollowArchive(request))).reason == "NO_SUCH_ENTRY"

    def test_a_seat_cannot_follow_the_archive(self, running: InProcessService) -> None:
        request = pb.FollowArchiveRequest(viewer=entries.Viewer(seat=0))

        assert refusal(lambda: next(running.stub.FollowArchive(request))).metadata["field"] == "viewer.seat"


def test_entries_that_another_program_stores_are_followed_too(path: Path) -> None:
    with serving_file(path) as running, SqliteLog.open(path) as other:
        table = begin(running.stub)
        archive = running.stub.FollowArchive(pb.FollowArchiveRequest(), timeout=TIMEOUT_SECONDS)
        answers = following(table)
        assert take(answers, 1) == [0]
        beside = Ledger(other)
        begin_beside(beside, request="beside").play(MOVES[0])
        TableBeside(beside, MatchId(table.match)).play(MOVES[0])

        assert take(answers, 1) == [1]
        assert [answer.entry.position for answer in islice(archive, 4)] == [1, 2, 3, 4]


@pytest.mark.parametrize("part", ["events", "move", "secret"])
def test_a_damaged_match_does_not_disturb_followers_of_others(path: Path, part: str) -> None:
    first, second = played(MOVES[0])
    damaged = with_hash(structs.replace(second, **{part: b"\xff\xff\xff"}))
    with serving_file(path) as running, SqliteLog.open(path) as other:
        table = begin(running.stub)
        answers = following(table)
        assert take(answers, 1) == [0]
        other.write([Append(first.match, NEW, (first, damaged))])
        table.play(*MOVES)
        broken = Table(running.stub, first.match)
        archive = running.stub.FollowArchive(pb.FollowArchiveRequest(), timeout=TIMEOUT_SECONDS)

        assert take(answers, 5) == [1, 2, 3, 4, 5]
        assert refusal(lambda: take(following(broken), 2)).reason == "CORRUPT_RECORD"
        assert refusal(lambda: list(archive)).reason == "CORRUPT_RECORD"


def test_followers_read_a_long_import_from_the_log_and_nothing_of_it_is_folded_at_once(path: Path) -> None:
    content = max((ROOT / "tests/records/golden/qin").glob("*.shiji"), key=lambda file: file.stat().st_size)
    with serving_file(path) as running:
        begin(running.stub)
        archive = running.stub.FollowArchive(pb.FollowArchiveRequest(), timeout=TIMEOUT_SECONDS)
        assert next(archive).entry.position == 1
        imported = running.stub.ImportRecord(pb.ImportRecordRequest(content=content.read_bytes()))
        assert imported.entries > LOG_PAGE_ENTRIES

        positions = [answer.entry.position for answer in islice(archive, imported.entries)]

        assert positions == list(range(2, imported.entries + 2))
        assert running.feed.archive_items(1) == []


def test_a_follower_that_cancels_is_no_longer_counted(path: Path) -> None:
    with serving_file(path) as running:
        for _ in range(5):
            answers = running.stub.FollowRecord(pb.FollowRecordRequest(match_id=begin(running.stub).match))
            next(answers)
            answers.cancel()

        wait_until(lambda: running.feed.followers == 0)


def test_followers_get_the_reason_and_where_to_resume_when_the_server_stops(path: Path) -> None:
    with serving_file(path) as running:
        table = begin(running.stub)
        record, archive = following(table), running.stub.FollowArchive(pb.FollowArchiveRequest())
        take(record, 1)
        next(archive)
        more = threading.Event()
        play = running.stub.Play(_until(more, pb.PlayRequest(append=table.append_request(MOVES[0]))))
        assert next(play).appended.entries
        take(record, 1)
        next(archive)

        running.drain()

        for call, resume in ((record, "2"), (archive, "2"), (play, None)):
            error = refusal(partial(next, call))
            assert error.reason == "DRAINING"
            assert error.metadata.get("resume_from") == resume
        more.set()


def _until(event: threading.Event, *requests: pb.PlayRequest) -> Iterator[pb.PlayRequest]:
    yield from requests
    event.wait(TIMEOUT_SECONDS)


def test_the_stream_of_a_follower_that_takes_nothing_is_ended_with_the_reason(path: Path) -> None:
    with serving_file(path, stall_seconds=0.2) as running:
        table = begin(running.stub)
        table.play(MOVES[0])
        for _ in range(300):
            appended = running.stub.Retract(table.retract_request(0, reason="x" * 1000)).appended
            table.last = appended.entries[-1].sequence
        with grpc.insecure_channel(running.address, options=SMALL_WINDOW) as channel:
            taken: list[int] = []

            def read_slowly() -> None:
                for answer in following(Table(RecordServiceStub(channel), table.match)):
                    taken.append(answer.entry.sequence)
                    threading.Event().wait(0.5)

            error = refusal(read_slowly)

        assert error.reason == "SLOW_CONSUMER"
        assert taken == list(range(len(taken)))


def test_thousands_of_followers_of_one_match_take_little_memory(path: Path) -> None:
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

        async def follow_all() -> list[list[int]]:
            ready = asyncio.Semaphore(0)
            async with AsyncExitStack() as closing:
                channels = [
                    await closing.enter_async_context(
                        aio.insecure_channel(server.address, options=OWN_CONNECTION)
                    )
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

        seen = run_apart(asyncio.wait_for(follow_all(), TIMEOUT_SECONDS * 2))

        assert seen == [list(range(len(MOVES) + 1))] * FOLLOWERS
        assert resident(server.process.pid) - before < 100_000_000


def resident(pid: int) -> int:
    """Resident memory of the process, in bytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize()
