"""What an audit of a record answers."""

from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

from records.entry import MatchHeader, MatchId
from records.games.state import GameState
from rules.kernel.edition import EditionKey
from rules.kernel.game import Outcome
from rules.kernel.rule import Violation
from rules.kernel.setup import GameKey


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
class AuditReport:
    """The audit of one record: the verdict, and the match after the record's longest good prefix."""

    match: MatchId
    """Empty for a transcript, which has no id."""
    verdict: Verdict
    entries: int
    """How many the record has after its header."""
    good: int
    """The last sequence up to which everything is beyond doubt; 0 is the header."""
    header: MatchHeader | None = None
    """None where it cannot be read; of a transcript only game and setup."""
    state: GameState | None = None
    """The match after the last good entry; None where the header cannot be read, and after detached()."""
    hidden: int = 0
    """Draws of a sealed match that the record does not show, and that are not judged."""
    before: str | None = None
    """With a change of rules: the verdict by the match's own rules, in one word."""
    kept: tuple[str | None, Outcome | None] = (None, None)
    """Position and outcome of a report that is detached."""

    @property
    def reached(self) -> GameState:
        """The match after the last good entry; TypeError where the report has none."""
        if self.state is None:
            raise TypeError("the header of the record could not be read")
        return self.state

    @property
    def position(self) -> str | None:
        """The position line after the last good entry; None where the header cannot be read."""
        return self.kept[0] if self.state is None else self.state.position()

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it goes on."""
        return self.kept[1] if self.state is None else self.state.outcome()

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of the winners, in turn order; none while the match goes on."""
        return winners_of(self.header.setup.seats, self.outcome) if self.header else ()

    @property
    def first_bad(self) -> int | None:
        """The sequence of the first bad entry; None where all are good."""
        return None if isinstance(self.verdict, Verified) else self.verdict.sequence

    @property
    def game(self) -> GameKey | None:
        """None where the header cannot be read."""
        return self.header.game if self.header else None

    @property
    def edition(self) -> EditionKey | None:
        """None where the header cannot be read."""
        return self.header.setup.edition if self.header else None

    @property
    def recorded(self) -> tuple[str, ...]:
        """The events of the first bad entry by the record, where it diverges in them."""
        return self.verdict.recorded if isinstance(self.verdict, DivergedAt) else ()

    @property
    def ruled(self) -> tuple[str, ...]:
        """The events of the first bad entry by the rules, where it diverges in them."""
        return self.verdict.ruled if isinstance(self.verdict, DivergedAt) else ()

    def detached(self) -> "AuditReport":
        """The report without the standing, which cannot be sent to another process."""
        return replace(self, state=None, kept=(self.position, self.outcome))


def winners_of(seats: tuple[str, ...], outcome: Outcome | None) -> tuple[str, ...]:
    """The names of an outcome's winners, in turn order; none while the match goes on."""
    if outcome is None:
        return ()
    return tuple(name for seat, name in enumerate(seats) if seat in outcome.winners)


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
