"""A program that appends to an archive as fast as it can and prints what was acknowledged.

Each match of its own grows by three entries at a time; for the common match it races with all others.
"""

import asyncio
import os
import sys
import time
from collections.abc import Callable

from records.entry import MatchId
from records.ledger.ledger import Ledger
from records.log.contract import NEW, Append, AppendRejected, SequenceTaken
from records.log.sqlite import SqliteLog
from service.feed import EntryFeed
from service.intake import Intake
from tests.records.log.making import RecordWriter, entry

COMMON = MatchId("common")
OPENED = "opened"
TRIPLE = 3


def report(append: Append) -> None:
    """Print one line per entry, in one write: the match, the sequence and the hash."""
    lines = [f"{stored.match} {stored.sequence} {stored.hash.hex()}\n" for stored in append.entries]
    os.write(1, "".join(lines).encode())


async def sent(intake: Intake, append: Append) -> bool:
    """Whether it was stored; only a sequence that somebody else has taken is a reason why not."""
    answer = await intake.commit(append)
    if isinstance(answer, SequenceTaken):
        return False
    if isinstance(answer, AppendRejected):
        raise answer
    report(append)
    return True


async def own_matches(intake: Intake, name: str, until: Callable[[], bool]) -> None:
    """Match after match, each of some thirty entries."""
    number = 0
    while not until():
        writer = RecordWriter(f"{name}-{number}")
        number += 1
        while writer.sequence < 30 and not until():
            append = writer.next(TRIPLE)
            if not await sent(intake, append):
                raise AppendRejected(append.match)
            writer.done(append)


async def common_match(intake: Intake, log: SqliteLog, name: str, until: Callable[[], bool]) -> None:
    """The next entry of the common match, over and over, from every caller."""
    await sent(intake, Append(COMMON, NEW, (entry(COMMON, 0, request=name),)))
    while not until():
        head = log.head(COMMON)
        if head is None:
            raise LookupError(COMMON)
        sequence = head.sequence + 1
        following = entry(COMMON, sequence, head.hash, request=f"{name}/{sequence}")
        await sent(intake, Append(COMMON, head.sequence, (following,)))


async def append_all(log: SqliteLog, name: str, seconds: float) -> None:
    """Append for so long, through the server's group commit."""
    end = time.monotonic() + seconds
    intake = Intake(log, EntryFeed(Ledger(log)))
    await asyncio.gather(
        common_match(intake, log, name, lambda: time.monotonic() > end),
        *(own_matches(intake, f"{name}-{n}", lambda: time.monotonic() > end) for n in range(4)),
    )
    await intake.close()


def main(path: str, name: str, seconds: float) -> None:
    """Open the archive and append to it."""
    with SqliteLog.open(path) as log:
        os.write(1, f"{OPENED}\n".encode())
        asyncio.run(append_all(log, name, seconds))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
