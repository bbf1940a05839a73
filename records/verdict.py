"""What an audit of a record answers."""

from dataclasses import dataclass
from typing import TypeAlias

from records.arbiter import Standing
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
