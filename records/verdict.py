"""What an audit of a record answers."""

from dataclasses import dataclass
from typing import TypeAlias, assert_never

from records.arbiter import Standing
from records.entry import MatchHeader, MatchId
from rules.kernel.rule import Violation


@dataclass(frozen=True, slots=True)
class Verified:
    """Every entry is legal and tells what the rules make of it."""


@dataclass(frozen=True, slots=True)
class IllegalAt:
    """A move breaks the rules."""

    sequence: int
    move: str
    """As a transcript has it."""
    violations: tuple[Violation, ...]


@dataclass(frozen=True, slots=True)
class DivergedAt:
    """The record tells something else than the rules make of it."""

    sequence: int
    why: str
    recorded: tuple[str, ...] = ()
    """The events that the record tells, where they differ."""
    ruled: tuple[str, ...] = ()
    """The events that the rules make of it, where they differ."""


@dataclass(frozen=True, slots=True)
class CorruptAt:
    """The record itself is damaged here."""

    sequence: int
    why: str


Verdict: TypeAlias = Verified | IllegalAt | DivergedAt | CorruptAt


@dataclass(frozen=True, slots=True)
class Report:
    """The verdict on a whole record, and how the match stands after its longest good prefix."""

    verdict: Verdict
    entries: int
    """How many the record has."""
    good: int
    """How many of them, from the first, are beyond doubt."""
    standing: Standing
    hidden: int = 0
    """Of a sealed match: so many draws the record does not tell, and are not judged."""


@dataclass(frozen=True, slots=True)
class MatchReport:
    """What an audit says of a stored match."""

    match: MatchId
    verdict: Verdict
    entries: int
    """How many the record has after its header."""
    good: int
    """The last sequence up to which everything is beyond doubt; 0 is the header."""
    header: MatchHeader | None = None
    """None where it cannot be read."""
    standing: Standing | None = None
    """How the match stands after the last good entry; None where the header cannot be read."""
    hidden: int = 0
    """Of a sealed match: so many draws the record does not tell, and are not judged."""


def word(verdict: Verdict) -> str:
    """The verdict in one word."""
    match verdict:
        case Verified():
            return "verified"
        case IllegalAt():
            return "illegal"
        case DivergedAt():
            return "diverged"
        case CorruptAt():
            return "corrupt"
        case _:
            assert_never(verdict)


def why(verdict: Verdict) -> str | None:
    """What is wrong, in words; None where nothing is."""
    match verdict:
        case Verified():
            return None
        case IllegalAt():
            return "; ".join(f"{violation.rule.id}: {violation.why}" for violation in verdict.violations)
        case DivergedAt() | CorruptAt():
            return verdict.why
        case _:
            assert_never(verdict)


def rules_broken(verdict: Verdict) -> tuple[str, ...]:
    """The ids of the rules that an illegal move breaks."""
    return tuple(v.rule.id for v in verdict.violations) if isinstance(verdict, IllegalAt) else ()
