"""A program that appends to an archive as fast as it can and tells what was acknowledged.

Each match of its own grows by three entries at a time; for the common match it races with all others.
"""

import os
import sys
import threading
import time
from collections.abc import Callable

from records.entry import MatchId
from records.log import NEW, Append, Refusal, SequenceTaken
from records.sqlite_log import SqliteLog
from records.writer import Writer
from tests.records.log.making import Scribe, entry

COMMON = MatchId("common")
OPENED = "opened"
TRIPLE = 3


def tell(append: Append) -> None:
    """A line an entry, in one piece: the match, the sequence and the hash."""
    lines = [f"{stored.match} {stored.sequence} {stored.hash.hex()}\n" for stored in append.entries]
    os.write(1, "".join(lines).encode())


def sent(writer: Writer, append: Append) -> bool:
    """Whether it was stored; only a sequence that somebody else has taken is a reason why not."""
    try:
        writer.submit(append).result()
    except SequenceTaken:
        return False
    tell(append)
    return True


def own_matches(writer: Writer, name: str, until: Callable[[], bool]) -> None:
    """Match after match, each of some thirty entries."""
    number = 0
    while not until():
        scribe = Scribe(f"{name}-{number}")
        number += 1
        while scribe.sequence < 30 and not until():
            append = scribe.next(TRIPLE)
            if not sent(writer, append):
                raise Refusal(append.match)
            scribe.done(append)


def common_match(writer: Writer, log: SqliteLog, name: str, until: Callable[[], bool]) -> None:
    """The next entry of the common match, over and over, whoever gets it."""
    sent(writer, Append(COMMON, NEW, (entry(COMMON, 0, request=name),)))
    while not until():
        head = log.head(COMMON)
        if head is not None:
            sequence = head.sequence + 1
            sent(
                writer,
                Append(
                    COMMON, head.sequence, (entry(COMMON, sequence, head.hash, request=f"{name}/{sequence}"),)
                ),
            )


def main(path: str, name: str, seconds: float) -> None:
    """Append for so long."""
    end = time.monotonic() + seconds
    with SqliteLog.open(path) as log, Writer(log) as writer:
        os.write(1, f"{OPENED}\n".encode())
        threads = [
            threading.Thread(target=own_matches, args=(writer, f"{name}-{n}", lambda: time.monotonic() > end))
            for n in range(4)
        ]
        threads.append(
            threading.Thread(target=common_match, args=(writer, log, name, lambda: time.monotonic() > end))
        )
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
