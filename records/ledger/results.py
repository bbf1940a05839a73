"""What the ledger answers, and what it raises."""

from dataclasses import dataclass

from msgspec import Struct

from records.entry import Entry, MatchId
from records.games.state import GameState
from rules.kernel.rule import Illegal, Violation


class Appended(Struct, frozen=True):
    """An entry that is stored, and how the match stands after it."""

    entry: Entry
    state: GameState


@dataclass(frozen=True, slots=True)
class IllegalAmong:
    """Of several moves the first that breaks the rules; nothing of them is stored."""

    index: int
    """From 0."""
    verdict: Illegal


class NoSuchMatch(LookupError):
    """The log knows no match of this id."""

    def __init__(self, match: MatchId) -> None:
        super().__init__(f"there is no match {match}")
        self.match = match


class NoSuchEntry(LookupError):
    """The record does not go so far."""

    def __init__(self, match: MatchId, sequence: int) -> None:
        super().__init__(f"match {match} has no entry {sequence}")
        self.match = match
        self.sequence = sequence


class NoDealer(Exception):
    """The service deals in this match, but this ledger has no shuffled components."""

    def __init__(self, match: MatchId) -> None:
        super().__init__(f"in match {match} the service deals, and there is none here")
        self.match = match


class NotAllowed(Exception):
    """The match does not let this actor take entries back."""

    def __init__(self, violation: Violation) -> None:
        super().__init__(violation.why)
        self.violation = violation


class NothingToRetract(ValueError):
    """No entry lies between the last one and the one to go back to."""


class BadRequestId(ValueError):
    """No request can have this id."""


class RecordFull(Exception):
    """The record has as many entries as a record can have."""

    def __init__(self, match: MatchId, most: int) -> None:
        super().__init__(f"match {match} has {most} entries, and no record has more")
        self.match = match
