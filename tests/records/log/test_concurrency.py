"""Many writers at once: no gaps, one winner for each sequence, nobody blocked by a reader."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.entry import GENESIS, Entry, MatchId
from records.ledger.ledger import Ledger
from records.log.contract import NEW, Append, AppendResult, Head, Log, SequenceTaken
from records.log.sqlite import SqliteLog
from service.feed import EntryFeed
from service.intake import Intake
from tests.records.log.making import RecordWriter, entry, only, whole

THREADS = 12
M = MatchId("m")

Send: TypeAlias = Callable[[Append], AppendResult]


@contextmanager
def group_commit(log: Log) -> Iterator[Send]:
    """The server's group commit, in a loop of its own, for callers in any thread."""
    intake = Intake(log, EntryFeed(Ledger(log)))

    async def commit(append: Append) -> AppendResult:
        return await intake.commit(append)

    with closing(asyncio.new_event_loop()) as loop, ThreadPoolExecutor(1) as thread:
        running = thread.submit(loop.run_forever)
        yield lambda append: asyncio.run_coroutine_threadsafe(commit(append), loop).result(60)
        asyncio.run_coroutine_threadsafe(intake.close(), loop).result(60)
        loop.call_soon_threadsafe(loop.stop)
        running.result(60)


@pytest.fixture(params=["alone", "in groups"])
def send(request: pytest.FixtureRequest, log: Log) -> Iterator[Send]:
    """How an append reaches the log: by itself, or in a group commit."""
    if request.param == "alone":
        yield lambda append: log.write([append])[0]
    else:
        with group_commit(log) as sent:
            yield sent


def at_once(work: Callable[[int], None]) -> None:
    """The work in many threads that begin together; an exception in any of them is raised."""
    admission = threading.Barrier(THREADS)

    def one(number: int) -> None:
        admission.wait()
        work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(one, range(THREADS)))


def test_many_matches_grow_side_by_side(log: Log, send: Send) -> None:
    def play(number: int) -> None:
        writer = RecordWriter(f"m{number}")
        for count in (1, 1, 2, 3, 1):
            append = writer.next(count)
            only([send(append)])
            writer.done(append)

    at_once(play)

    assert {match: len(record) for match, record in whole(log).items()} == {
        f"m{number}": 8 for number in range(THREADS)
    }


def test_every_sequence_of_a_match_has_one_winner(log: Log, send: Send) -> None:
    RecordWriter("m").write(log)
    won: list[tuple[int, int]] = []
    goal = 40

    def race(number: int) -> None:
        while True:
            head = log.head(M)
            assert head is not None
            if head.sequence >= goal:
                return
            mine = entry("m", head.sequence + 1, head.hash, request=f"{number} at {head.sequence}")
            answer = send(Append(M, head.sequence, (mine,)))
            if isinstance(answer, tuple):
                won.append((answer[0].sequence, number))
            else:
                assert isinstance(answer, SequenceTaken)
                assert answer.actual > head.sequence

    at_once(race)

    assert sorted(sequence for sequence, _ in won) == list(range(1, goal + 1))
    record = whole(log)[M]
    assert {stored.sequence: stored.request.split()[0] for stored in record[1:]} == {
        sequence: str(number) for sequence, number in won
    }


def test_a_request_sent_by_everybody_is_stored_once(log: Log, send: Send) -> None:
    writer = RecordWriter("m")
    writer.write(log)
    append = writer.next(3)
    answers: list[AppendResult] = []

    at_once(lambda _: answers.append(send(append)))

    assert {isinstance(answer, tuple) for answer in answers} == {True}
    assert {answer[0].position for answer in answers if isinstance(answer, tuple)} == {2}
    assert len(whole(log)[M]) == 4


def test_a_match_started_by_everybody_with_one_request_is_started_once(log: Log, send: Send) -> None:
    answers: list[AppendResult] = []

    at_once(lambda number: answers.append(send(RecordWriter(f"m{number}").next(request="start"))))

    (match,) = log.matches()
    assert {answer[0].match for answer in answers if isinstance(answer, tuple)} == {match}
    assert len(answers) == THREADS


def test_readers_see_whole_appends_only(log: Log, send: Send) -> None:
    done = threading.Event()
    torn: list[list[Entry]] = []

    def read() -> None:
        while not done.is_set():
            for number in range(1, THREADS):
                seen = [*log.read(MatchId(f"m{number}"))]
                if len(seen) % 5:
                    torn.append(seen)

    def work(number: int) -> None:
        if not number:
            read()
            return
        writer = RecordWriter(f"m{number}")
        for _ in range(6):
            append = writer.next(5)
            only([send(append)])
            writer.done(append)
        if number == 1:
            done.set()

    at_once(work)

    assert torn == []


def test_a_reader_in_the_middle_of_a_long_record_does_not_block_the_writer(path: Path) -> None:
    with SqliteLog.open(path, busy_timeout=0.05) as log:
        writer = RecordWriter("m")
        writer.write(log, 3000)
        reading = log.archive()
        begun = [*islice(reading, 5)]
        for _ in range(5):
            writer.write(log, 1000)

        assert len(begun) + len([*reading]) == 3000
        assert path.with_name("archive.db-wal").stat().st_size < 20_000_000


def test_another_program_that_reads_does_not_block_the_writer(path: Path) -> None:
    with SqliteLog.open(path, busy_timeout=0.05) as log, SqliteLog.open(path, read_only=True) as other:
        writer = RecordWriter("m")
        writer.write(log, 10)
        with other._readers.one() as connection:  # noqa: SLF001 - a snapshot that is held open
            connection.execute("BEGIN")
            connection.execute("SELECT count(*) FROM entry").fetchone()
            writer.write(log, 10)
            connection.execute("ROLLBACK")

        assert other.last_position() == 20


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2), st.integers(0, 1)), max_size=25))
def test_a_log_shows_at_once_what_another_program_has_written(plan: list[tuple[int, int, int]]) -> None:
    with TemporaryDirectory() as folder, ExitStack() as closed_at_the_end:
        logs = [
            closed_at_the_end.enter_context(SqliteLog.open(Path(folder) / "archive.db")) for _ in range(2)
        ]
        writers = [RecordWriter(f"m-{number}") for number in range(3)]
        for writes, match, asks in plan:
            writers[match].write(logs[writes])
            for writer in writers:
                head = logs[asks].head(writer.match)
                assert (head or Head(NEW, GENESIS)) == Head(writer.sequence, writer.hash)
