"""Results and exceptions of the ledger."""

from dataclasses import dataclass

from msgspec import Struct

from records.entry import Entry, MatchId
from records.games.state import GameState
from rules.kernel.rule import Illegal, Violation


class Appended(Struct, frozen=True):
    """A stored entry, and the state after it."""

    entry: Entry
    state: GameState


@dataclass(frozen=True, slots=True)
class IllegalAmong:
    """The first of several moves that breaks the rules; none of them is stored."""

    index: int
    """Its place among the moves, from 0."""
    verdict: Illegal


class BatchCrossesDraw(ValueError):
    """A batch goes on where its answer would reveal something: after a draw, or after a sealed choice."""

    def __init__(
        self,
        index: int,
        why: str = "the service deals before this move: end the batch before it, send the rest later",
    ) -> None:
        super().__init__(why)
        self.index = index
        """The place of the first move that would follow the draw, from 0."""


class NoSuchMatch(LookupError):
    """The log has no match with this id."""

    def __init__(self, match: MatchId) -> None:
        super().__init__(f"there is no match {match}")
        self.match = match


class NoSuchEntry(LookupError):
    """The record has no entry with this sequence."""

    def __init__(self, match: MatchId, sequence: int) -> None:
        super().__init__(f"match {match} has no entry {sequence}")
        self.match = match
        self.sequence = sequence


class NoDealer(Exception):
    """The service deals in this match, but this ledger does not have its secret."""

    def __init__(self, match: MatchId) -> None:
        super().__init__(f"in match {match} a service deals, but it is not this one")
        self.match = match


class RecordIsCopy(Exception):
    """The archive has the match as a copy, from which concealed parts are left out: it is only read."""

    def __init__(self, match: MatchId) -> None:
        super().__init__(
            f"match {match} is a copy without some of its concealed parts: play on where it was started"
        )
        self.match = match


class NotAllowed(Exception):
    """The header does not allow this actor to take entries back."""

    def __init__(self, violation: Violation) -> None:
        super().__init__(violation.why)
        self.violation = violation


class NothingToRetract(ValueError):
    """There is no entry to take back."""


class BadRequestId(ValueError):
    """A request id that is empty or too long."""


class RecordFull(Exception):
    """The record has the maximum number of entries; the last ones are for the arbiter only."""

    def __init__(self, match: MatchId, most: int) -> None:
        super().__init__(f"match {match} has {most} entries, the maximum that this actor can add to")
        self.match = match


class TooManyNotices(Exception):
    """The actor has made the maximum number of notices and takebacks of one match."""

    def __init__(self, match: MatchId, most: int) -> None:
        super().__init__(
            f"in match {match} each actor makes at most {most} disputes, takebacks, requests, grants and "
            "changes of keys together, and this one has made them"
        )
        self.match = match
