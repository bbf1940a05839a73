"""A log that counts the calls of its methods."""

from collections.abc import Iterator, Sequence

from records.entry import Entry, MatchId
from records.evidence.note import Note
from records.log.contract import Append, AppendResult, Head, Log
from records.log.listing import MatchListing


class CountingLog(Log):
    def __init__(self, log: Log) -> None:
        self.log = log
        self.calls: list[str] = []
        self.read_from: list[int] = []
        self.hashes_read: list[tuple[int, int | None]] = []

    def write(self, appends: Sequence[Append], *, wait: bool = True) -> list[AppendResult]:
        self.calls.append("write")
        return self.log.write(appends, wait=wait)

    def head(self, match: MatchId) -> Head | None:
        self.calls.append("head")
        return self.log.head(match)

    def is_copy(self, match: MatchId) -> bool:
        self.calls.append("is_copy")
        return self.log.is_copy(match)

    def read(self, match: MatchId, start: int = 0, limit: int | None = None) -> Iterator[Entry]:
        self.calls.append("read")
        self.read_from.append(start)
        return self.log.read(match, start, limit)

    def requested(self, match: MatchId, request: str) -> Entry | None:
        self.calls.append("requested")
        return self.log.requested(match, request)

    def archive(self, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        self.calls.append("archive")
        return self.log.archive(after, limit)

    def hashes(self, after: int = 0, limit: int | None = None) -> Iterator[bytes]:
        self.calls.append("hashes")
        self.hashes_read.append((after, limit))
        return self.log.hashes(after, limit)

    def tile(self, level: int, index: int) -> bytes | None:
        return self.log.tile(level, index)

    def tile_roots(self, level: int, first: int, last: int) -> Sequence[bytes]:
        return self.log.tile_roots(level, first, last)

    def checkpoints(self) -> Iterator[Note]:
        return self.log.checkpoints()

    def keep_checkpoints(self, notes: Sequence[Note]) -> None:
        self.log.keep_checkpoints(notes)

    def listing(self, after: int = 0, limit: int | None = None) -> Iterator[MatchListing]:
        self.calls.append("listing")
        return self.log.listing(after, limit)

    def touched(self, after: int, until: int) -> Iterator[MatchListing]:
        self.calls.append("touched")
        return self.log.touched(after, until)

    def named(self, prefix: str, limit: int) -> Iterator[MatchListing]:
        self.calls.append("named")
        return self.log.named(prefix, limit)

    def last_position(self) -> int:
        return self.log.last_position()

    def next_position(self, after: int) -> int | None:
        self.calls.append("next_position")
        return self.log.next_position(after)

    def wait(self, after: int, timeout: float) -> int:
        return self.log.wait(after, timeout)

    def flaws(self) -> tuple[str, ...]:
        return self.log.flaws()

    def close(self) -> None:
        self.log.close()
