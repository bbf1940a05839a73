"""The storage contract: an append-only log of entries, independent of how they are stored."""

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import ClassVar, Final, TypeAlias, TypeVar

from msgspec import Struct

from records.closeable import Closeable
from records.entry import Entry, MatchId
from records.evidence.note import Note
from records.log.listing import MatchListing

NEW: Final = -1
"""The expected sequence for the header of a match, which does not exist yet."""


class LogFault(Exception):
    """The log could not carry out the operation, and nothing of it is visible.

    If the storage failed in the last step of a write, the append may still turn out to be stored after a
    crash. Send it again with the same request ids: it is stored exactly once, whatever happened.
    """


Fault = TypeVar("Fault", bound=LogFault)


class LogUnavailable(LogFault):
    """The storage is not available now: locked, full, read-only, missing or closed. It may be later."""


class LogBusy(LogUnavailable):
    """Another writer holds the log; waiting helps."""


class LogFull(LogUnavailable):
    """There is no space left."""


class LogReadOnly(LogUnavailable):
    """The log can only be read now; the message is the reason, which names no machine."""


class LogForbidden(LogFault):
    """The storage refuses the program what it needs; only the operator can change that, by a right."""


class LogUnreadable(LogFault):
    """The stored data is not a log that this build can read."""


class UnreadableEntry(LogUnreadable):
    """One stored entry is damaged or missing; the entries around it may be intact."""

    def __init__(self, why: str, *, position: int | None = None, sequence: int | None = None) -> None:
        super().__init__(why)
        self.position = position
        """Its position in the archive, if known: archive(after=position) continues after it."""
        self.sequence = sequence
        """Its sequence in the match, if known."""


class AppendRejected(Exception):
    """An append that the log refuses; other appends of the same write are not affected."""


class BadCopy(LogFault):
    """Entries of another archive that cannot follow what this one has."""


class BadAppend(AppendRejected):
    """An append that is not chained to the last entry of its match."""


class SequenceTaken(AppendRejected):
    """Another append was first, or the match has fewer entries than expected."""

    def __init__(self, match: MatchId, actual: int) -> None:
        super().__init__(
            f"there is no match {match}" if actual == NEW else f"the last entry of match {match} is {actual}"
        )
        self.match = match
        self.actual = actual
        """The sequence of the last entry; NEW if there is no such match."""


class RequestReused(AppendRejected):
    """A request id that was already used for other content."""

    def __init__(self, first: Entry) -> None:
        super().__init__(
            f"request {first.request} was used for entry {first.sequence} of match {first.match}"
        )
        self.first = first


class Append(Struct, frozen=True):
    """Entries of one match that are stored all or none."""

    match: MatchId
    expected: int
    """The sequence of the last entry known to the caller; NEW for a header."""
    entries: tuple[Entry, ...]
    """At least one; numbered from expected + 1, chained, each with its hash and a request id of its own.

    The caller guarantees this; the log does not check it again.
    """
    copy: bool = False
    """With a header: whether the match is a copy that lacks concealed parts, and so is only read."""


AppendResult: TypeAlias = tuple[Entry, ...] | AppendRejected
"""The entries as stored; for a repeated request, those of the first time.

Their positions are 0 where the engine numbers entries later: wait() returns when they have one.
"""


@dataclass(frozen=True, slots=True)
class Head:
    """The last entry of a match."""

    sequence: int
    hash: bytes


class Log(Closeable):
    """An append-only log. Reads never wait for writes. All methods are thread-safe.

    Every method may raise LogFault, and raises LogUnavailable after close().
    """

    local: ClassVar[bool] = True
    """Whether calls never wait for a network, so that an event loop may make them."""

    @abstractmethod
    def write(self, appends: Sequence[Append], *, wait: bool = True) -> list[AppendResult]:
        """Store several appends durably in one write; returns a result for each, in order.

        Raises LogFault if none was stored, and LogBusy at once if another writer holds the log and `wait` is
        false. An append whose first request id is known in its match (for a header: in the archive) is a
        repeat if actors and moves are the same, and RequestReused otherwise. Later appends see earlier ones.
        """

    def copy_in(self, entries: Sequence[Entry], copies: Collection[MatchId]) -> None:
        """Store the next entries of another archive at the positions that they have there.

        `copies` are the matches among them that lack concealed parts. Raises BadCopy if this archive does not
        end right before them; nobody else may write meanwhile.
        """
        if entries and entries[0].position != self.last_position() + 1:
            raise BadCopy(f"the archive ends at position {self.last_position()}")
        appends = [
            Append(match, run[0].sequence - 1, tuple(run), copy=run[0].sequence == 0 and match in copies)
            for match, run in ((match, list(run)) for match, run in groupby(entries, attrgetter("match")))
        ]
        for append, stored in zip(appends, self.write(appends), strict=True):
            if isinstance(stored, AppendRejected):
                raise BadCopy(str(stored)) from stored
            if [entry.position for entry in stored] != [entry.position for entry in append.entries]:
                raise BadCopy("another program writes to the archive")

    @abstractmethod
    def head(self, match: MatchId) -> Head | None:
        """The last entry of a match; None if there is no such match."""

    def heads(self, matches: Sequence[MatchId]) -> Mapping[MatchId, Head]:
        """The last entries of those of the matches that exist."""
        found = ((match, self.head(match)) for match in matches)
        return {match: head for match, head in found if head is not None}

    def confirm(self) -> None:
        """Return once everything that can be read now is as durable as what a write has stored.

        To answer a repeated request is to acknowledge it, and another server may have stored it a moment ago.
        """

    def when_reconnected(self, forget: Callable[[], None]) -> None:
        """Call this whenever entries that could be read before may be gone, as after a failover."""

    @abstractmethod
    def is_copy(self, match: MatchId) -> bool:
        """Whether a match was stored as a copy, which lacks concealed parts and is only read."""

    @abstractmethod
    def read(self, match: MatchId, start: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """The entries of a match from a sequence on, in order, without gaps; a snapshot of the present."""

    def read_many(self, starts: Mapping[MatchId, int]) -> Mapping[MatchId, Sequence[Entry]]:
        """The entries of several matches, each from a sequence on."""
        return {match: list(self.read(match, start)) for match, start in starts.items()}

    @abstractmethod
    def requested(self, match: MatchId, request: str) -> Entry | None:
        """The entry that was stored for a request id; None if there is none."""

    @abstractmethod
    def archive(self, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """All entries after a position, in the archive's order, without gaps; a snapshot of the present."""

    @abstractmethod
    def hashes(self, after: int = 0, limit: int | None = None) -> Iterator[bytes]:
        """The hashes of all entries after a position; cheaper than reading the entries."""

    def tile(self, level: int, index: int) -> bytes | None:  # noqa: ARG002 - by default none
        """The hashes of a full tile of the Merkle tree, if it is stored."""
        return None

    def tile_roots(self, level: int, first: int, last: int) -> Sequence[bytes]:  # noqa: ARG002 - likewise
        """The roots of those tiles of a level that are stored, from one index to another."""
        return ()

    @abstractmethod
    def listing(self, after: int = 0, limit: int | None = None) -> Iterator[MatchListing]:
        """All matches after a number, in the order in which they began; a snapshot of the present."""

    @abstractmethod
    def touched(self, after: int, until: int) -> Iterator[MatchListing]:
        """The matches with entries after a position and up to another, in the order in which they began."""

    @abstractmethod
    def named(self, prefix: str, limit: int) -> Iterator[MatchListing]:
        """The matches whose id begins so, at most a number, in the order of their ids."""

    def matches(self) -> Iterator[MatchId]:
        """The ids of all matches, in the order in which they began."""
        return (listed.match for listed in self.listing())

    @abstractmethod
    def last_position(self) -> int:
        """The position of the last entry; 0 if the archive is empty."""

    @abstractmethod
    def next_position(self, after: int) -> int | None:
        """The next position that has an entry, even after a gap; None if there is none."""

    @abstractmethod
    def wait(self, after: int, timeout: float) -> int:
        """Wait for an entry after this position, at most `timeout` seconds; returns the last position."""

    @abstractmethod
    def checkpoints(self) -> Iterator[Note]:
        """The published checkpoints that are stored with the archive, from the smallest."""

    @abstractmethod
    def keep_checkpoints(self, notes: Sequence[Note]) -> None:
        """Store published checkpoints durably; of a size that is known already, the first one stays."""

    @abstractmethod
    def flaws(self) -> tuple[str, ...]:
        """Damage to the storage itself, found by a full scan; checking hashes is left to the audit."""

    def unchecked(self) -> tuple[str, ...]:
        """What flaws() does not look for in this archive, and why."""
        return ()

    @abstractmethod
    def close(self) -> None:
        """Release all resources; a second call does nothing."""


def closed() -> LogUnavailable:
    """The exception that every method raises after close()."""
    return LogUnavailable("the log is closed")


def repeated(append: Append, stored: Sequence[Entry]) -> AppendResult:
    """The result of an append whose first request id is that of the first of these stored entries."""
    asked = [(entry.request, entry.kind, entry.actor, entry.move) for entry in append.entries]
    known = [(entry.request, entry.kind, entry.actor, entry.move) for entry in stored]
    return tuple(stored) if asked == known else RequestReused(stored[0])


def write_each(log: Log, appends: Sequence[Append], *, wait: bool = True) -> list[AppendResult | Exception]:
    """Store several appends in one write; returns for each its result, or the exception that it caused.

    With wait=False it raises LogBusy if another writer holds the log; then all of them may be sent again.
    """
    try:
        return [*log.write(appends, wait=wait)]
    except LogUnavailable as fault:
        if isinstance(fault, LogBusy) and not wait:
            raise
        return [fault_copy(fault) for _ in appends]
    except Exception as fault:  # noqa: BLE001 - every exception is returned to its caller
        if len(appends) == 1:
            return [fault]
        # One of them caused it; the others must not fail with it.
        return [answer for append in appends for answer in write_each(log, [append], wait=wait)]


def fault_copy(fault: Fault) -> Fault:
    """A copy of the fault for another caller: an exception that is raised twice collects both tracebacks."""
    other = type(fault)(*fault.args)
    other.__cause__ = fault
    return other
