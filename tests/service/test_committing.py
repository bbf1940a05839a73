"""Group commit: whoever comes together is written together, and whoever comes alone does not wait."""

import asyncio
from pathlib import Path

import pytest

from records.ledger.ledger import Ledger
from records.log.contract import AppendResult
from records.log.sqlite import SqliteLog
from service.committing import Committer
from service.feed import EntryFeed
from tests.apart import run_apart
from tests.records.log.making import Scribe, whole

CALLERS = 32
EACH = 20


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "archive.db"


def committed(path: Path, callers: int, *, pause: int, entries: int = 1) -> list[int]:
    """The sizes of the groups, where each caller comes again some turns of the loop after its answer."""
    groups: list[int] = []

    async def caller(committer: Committer, number: int) -> None:
        scribe = Scribe(f"m{number}")
        for _ in range(EACH):
            for _ in range(pause * number):
                await asyncio.sleep(0)
            append = scribe.next(entries)
            answer: AppendResult = await committer.commit(append)
            assert isinstance(answer, tuple)
            scribe.done(append)

    async def work(log: SqliteLog) -> None:
        committer = Committer(log, EntryFeed(Ledger(log)))
        committer.watch = lambda appends, _: groups.append(appends)
        await asyncio.gather(*(caller(committer, number) for number in range(callers)))
        await committer.close()

    with SqliteLog.open(path) as log:
        run_apart(work(log))
        assert {match: len(record) for match, record in whole(log).items()} == {
            f"m{number}": EACH * entries for number in range(callers)
        }
    return groups


def test_callers_that_come_one_after_the_other_are_written_together(path: Path) -> None:
    groups = committed(path, CALLERS, pause=20)

    assert sum(groups) == CALLERS * EACH
    assert len(groups) < CALLERS * EACH / 3


def test_whoever_is_alone_has_groups_of_his_own(path: Path) -> None:
    assert committed(path, 1, pause=1) == [1] * EACH


def test_many_entries_at_once_are_written_beside_the_loop(path: Path) -> None:
    assert sum(committed(path, 2, pause=1, entries=200)) == 2 * EACH
