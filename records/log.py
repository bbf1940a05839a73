"""The storage contract: an append-only log of entries. Nothing above it knows how they are kept."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self, TypeAlias

from records.entry import Entry, MatchId

NEW: Final = -1
"""The sequence expected of a match that does not exist yet."""


class LogFault(Exception):
    """The log could not do what was asked; nothing of it was stored."""


class LogUnavailable(LogFault):
    """The storage does not answer now: locked, full, read-only, gone. The same call may work later."""


class LogUnreadable(LogFault):
    """What is stored is no log that this build can read."""


class Refusal(Exception):
    """An append that the log's own rules refuse; the others of its group are not touched."""


class SequenceTaken(Refusal):
    """Somebody else was first, or the match is not that far yet."""

    def __init__(self, match: MatchId, actual: int) -> None:
        super().__init__(f"the last entry of match {match} is {actual}")
        self.match = match
        self.actual = actual
        """The last sequence there is; NEW where there is no such match."""


class RequestReused(Refusal):
    """A request id that has been used for something else."""

    def __init__(self, first: Entry) -> None:
        super().__init__(
            f"request {first.request} was used for entry {first.sequence} of match {first.match}"
        )
        self.first = first


@dataclass(frozen=True, slots=True)
class Append:
    """Entries of one match to be stored together or not at all."""

    match: MatchId
    expected: int
    """The sequence of the last entry that the caller knows; NEW for a header."""
    entries: tuple[Entry, ...]
    """Numbered on from expected, chained, each with its own request id."""


Answer: TypeAlias = tuple[Entry, ...] | Refusal
"""The entries as stored, with their positions; those of the first time if the request is a repeat."""


@dataclass(frozen=True, slots=True)
class Head:
    """The last entry of a match."""

    sequence: int
    hash: bytes


class Log(ABC):
    """An append-only log. Reading never waits for writing; every method may be called from any thread."""

    @abstractmethod
    def write(self, appends: Sequence[Append]) -> list[Answer]:
        """Store several appends durably in one go and answer each, in order; LogFault if none was stored.

        An append whose first request id is known in its match (for a header: in the archive) is a repeat if
        actors and moves are the same, and RequestReused otherwise. Later appends see the earlier ones.
        """

    @abstractmethod
    def head(self, match: MatchId) -> Head | None:
        """The last entry of a match; None where there is no such match."""

    @abstractmethod
    def read(self, match: MatchId, start: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """The entries of a match from a sequence on, in order, as of now."""

    @abstractmethod
    def requested(self, match: MatchId, request: str) -> Entry | None:
        """The entry that a request id stands for."""

    @abstractmethod
    def started(self, request: str) -> Entry | None:
        """The header that a request id stands for, in whatever match."""

    @abstractmethod
    def archive(self, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """Every entry of every match after a position, in one total order without gaps, as of now."""

    @abstractmethod
    def matches(self) -> Iterator[MatchId]:
        """Every match, in the order in which they began."""

    @abstractmethod
    def last_position(self) -> int:
        """The position of the newest entry; 0 in an empty archive."""

    @abstractmethod
    def wait(self, after: int, timeout: float) -> int:
        """Wait until there is an entry after this position, or so many seconds; the newest position."""

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
