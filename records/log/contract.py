"""The storage contract: an append-only log of entries. Nothing above it knows how they are kept."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self, TypeAlias

from msgspec import Struct

from records.entry import Entry, MatchId

NEW: Final = -1
"""The sequence expected of a match that does not exist yet."""


class LogFault(Exception):
    """The log could not do what was asked, and nothing of it is to be seen.

    Where the storage failed at the very last step, an append may still come to light after a crash: send it
    again with the same request ids, and it is stored once, whatever happened.
    """


class LogUnavailable(LogFault):
    """The storage does not answer now: locked, full, read-only, gone, closed. It may answer later."""


class LogBusy(LogUnavailable):
    """Somebody else writes; whoever waits gets his turn."""


class LogFull(LogUnavailable):
    """There is no room for more."""


class LogUnreadable(LogFault):
    """What is stored is no log that this build can read."""


class UnreadableEntry(LogUnreadable):
    """One stored entry is none, or is missing; those before and after it may be well."""

    def __init__(self, why: str, *, position: int | None = None, sequence: int | None = None) -> None:
        super().__init__(why)
        self.position = position
        """Where in the archive, as far as it is known: archive(after=position) goes on behind it."""
        self.sequence = sequence
        """Where in its match, as far as it is known."""


class AppendRejected(Exception):
    """An append that the log's own rules refuse; the others of its group are not touched."""


class BadAppend(AppendRejected):
    """An append that follows another entry than the one that the log has as the last of the match."""


class SequenceTaken(AppendRejected):
    """Somebody else was first, or the match is not that far yet."""

    def __init__(self, match: MatchId, actual: int) -> None:
        super().__init__(
            f"there is no match {match}" if actual == NEW else f"the last entry of match {match} is {actual}"
        )
        self.match = match
        self.actual = actual
        """The last sequence there is; NEW where there is no such match."""


class RequestReused(AppendRejected):
    """A request id that has been used for something else."""

    def __init__(self, first: Entry) -> None:
        super().__init__(
            f"request {first.request} was used for entry {first.sequence} of match {first.match}"
        )
        self.first = first


class Append(Struct, frozen=True):
    """Entries of one match to be stored together or not at all."""

    match: MatchId
    expected: int
    """The sequence of the last entry that the caller knows; NEW for a header."""
    entries: tuple[Entry, ...]
    """At least one; numbered on from expected, chained, each with its own request id and its hash.

    The caller guarantees that; the log does not check it again.
    """
    copy: bool = False
    """With a header: whether the match is a copy that lacks concealed parts, and so is only read."""


AppendResult: TypeAlias = tuple[Entry, ...] | AppendRejected
"""The entries as stored, with their positions; those of the first time if the request is a repeat."""


@dataclass(frozen=True, slots=True)
class Head:
    """The last entry of a match."""

    sequence: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class MatchListing:
    """What a listing tells of a match, all of it from the header."""

    number: int
    """From 1, in the order in which the matches began."""
    match: MatchId
    game: str
    """Empty, as edition and seats are, where the header is none that this build can read."""
    edition: str
    seats: tuple[str, ...]
    started: int
    """When its header was recorded, in microseconds since 1970, UTC."""
    copy: bool = False
    """Whether it was imported without some of its concealed parts, and so is only read."""
    damaged: bool = False
    """Whether the listing itself is damaged, and the seats are not known from it; the entries may be well."""


class Log(ABC):
    """An append-only log. Reading never waits for writing; every method may be called from any thread.

    Every method may raise LogFault, and raises LogUnavailable once the log is closed.
    """

    @abstractmethod
    def write(self, appends: Sequence[Append], *, wait: bool = True) -> list[AppendResult]:
        """Store several appends durably in one go and answer each, in order; LogFault if none was stored.

        Whoever will not wait until others have written gets LogBusy at once.

        An append whose first request id is known in its match (for a header: in the archive) is a repeat if
        actors and moves are the same, and RequestReused otherwise. Later appends see the earlier ones.
        """

    @abstractmethod
    def head(self, match: MatchId) -> Head | None:
        """The last entry of a match; None where there is no such match."""

    @abstractmethod
    def read(self, match: MatchId, start: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """The entries of a match from a sequence on, in order and without gaps, as of now."""

    @abstractmethod
    def requested(self, match: MatchId, request: str) -> Entry | None:
        """The entry that a request id stands for."""

    @abstractmethod
    def archive(self, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """Every entry of every match after a position, in one total order without gaps, as of now."""

    @abstractmethod
    def hashes(self, after: int = 0, limit: int | None = None) -> Iterator[bytes]:
        """The hash of every entry after a position, as the archive has them; nothing else of them is read."""

    @abstractmethod
    def listing(self, after: int = 0, limit: int | None = None) -> Iterator[MatchListing]:
        """Every match after a number, in the order in which they began, as of now."""

    def matches(self) -> Iterator[MatchId]:
        """Every match, in the order in which they began."""
        return (listed.match for listed in self.listing())

    @abstractmethod
    def last_position(self) -> int:
        """The position of the newest entry; 0 in an empty archive."""

    @abstractmethod
    def next_position(self, after: int) -> int | None:
        """The position of the first entry after this one, wherever it is; None where there is none."""

    @abstractmethod
    def wait(self, after: int, timeout: float) -> int:
        """Wait until there is an entry after this position, or so many seconds; the newest position."""

    @abstractmethod
    def flaws(self) -> tuple[str, ...]:
        """What is wrong with the storage itself, found by looking at all of it; hashes are the audit's."""

    @abstractmethod
    def close(self) -> None:
        """Let go of everything; a second call does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def closed() -> LogUnavailable:
    """What every method of a log raises once it is closed."""
    return LogUnavailable("the log is closed")


def repeated(append: Append, stored: Sequence[Entry]) -> AppendResult:
    """The answer to an append whose first request id stands for the first of these stored entries."""
    asked = [(entry.request, entry.kind, entry.actor, entry.move) for entry in append.entries]
    known = [(entry.request, entry.kind, entry.actor, entry.move) for entry in stored]
    return tuple(stored) if asked == known else RequestReused(stored[0])


def write_each(log: Log, appends: Sequence[Append], *, wait: bool = True) -> list[AppendResult | Exception]:
    """Store several appends in one go: for each the log's answer, or what was raised instead.

    With wait=False it raises LogBusy while others write; then all of them may be handed in again.
    """
    try:
        return [*log.write(appends, wait=wait)]
    except LogUnavailable as fault:
        if isinstance(fault, LogBusy) and not wait:
            raise
        return [_likewise(fault) for _ in appends]
    except Exception as fault:  # noqa: BLE001 - whatever it is, it belongs to its caller
        if len(appends) == 1:
            return [fault]
        # One of them did it, and the others must not suffer.
        return [answer for append in appends for answer in write_each(log, [append], wait=wait)]


def _likewise(fault: LogUnavailable) -> LogUnavailable:
    """The same fault for another caller: an exception that is raised twice has both traces."""
    other = type(fault)(*fault.args)
    other.__cause__ = fault
    return other
