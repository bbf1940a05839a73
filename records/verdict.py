"""Verdicts on records, and the report of an audit."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, assert_never

from records.entry import MatchHeader, MatchId
from records.games.state import GameState, has_secrets
from rules.kernel.edition import EditionKey
from rules.kernel.game import Outcome, Score
from rules.kernel.rule import Violation
from rules.kernel.setup import GameKey

AS_SHOWN: Final = "as-shown"
"""The word for VerifiedAsShown in JSON and in counts."""


@dataclass(frozen=True, slots=True)
class Verified:
    """Every entry was judged in full: it is legal and has the events and the digest that the rules give."""


@dataclass(frozen=True, slots=True)
class Unjudged:
    """An entry that could be judged only as far as it is shown."""

    sequence: int
    why: str
    """What is left out, in words."""


@dataclass(frozen=True, slots=True)
class VerifiedAsShown:
    """Nothing is wrong as far as the record shows; parts that are needed to judge it in full are left out."""

    unjudged: tuple[Unjudged, ...]
    """In the order of the record; at least one."""


@dataclass(frozen=True, slots=True)
class IllegalAt:
    """A move breaks the rules."""

    sequence: int
    move: str
    """In the notation of transcripts."""
    violations: tuple[Violation, ...]


@dataclass(frozen=True, slots=True)
class DivergedAt:
    """An entry is legal, but what the record says about it is not what the rules give."""

    sequence: int
    why: str
    recorded: tuple[str, ...] = ()
    """The events in the record, if they differ."""
    ruled: tuple[str, ...] = ()
    """The events that the rules give, if they differ."""


@dataclass(frozen=True, slots=True)
class CorruptAt:
    """The record itself is damaged here."""

    sequence: int
    why: str


BadVerdict: TypeAlias = IllegalAt | DivergedAt | CorruptAt
Verdict: TypeAlias = Verified | VerifiedAsShown | BadVerdict


@dataclass(frozen=True, slots=True)
class AuditReport:
    """The audit of one record: the verdict, and the match after the record's longest good prefix."""

    match: MatchId
    """Empty for a transcript, which has no id."""
    verdict: Verdict
    entries: int
    """The number of entries after the header."""
    good: int
    """The sequence of the last entry of the longest good prefix; 0 is the header."""
    header: MatchHeader | None = None
    """None if it cannot be read. Of a transcript it has only game and setup."""
    state: GameState | None = None
    """The match after the last good entry; None if the header cannot be read, and after detached()."""
    impossible: bool = False
    """Whether the state breaks invariants, so that no outcome can be taken from it."""
    before: str | None = None
    """In an audit under changed rules: the verdict under the match's own rules, in one word."""
    kept: tuple[str | None, Outcome | None, bool, str] = (None, None, True, "")
    """Position and outcome of a detached report, whether the match has secrets, and its caution."""

    @property
    def reached(self) -> GameState:
        """The match after the last good entry; raises TypeError if the report has none."""
        if self.state is None:
            raise TypeError("the header of the record could not be read")
        return self.state

    @property
    def position(self) -> str | None:
        """The position line after the last good entry; None if the header cannot be read."""
        return self.kept[0] if self.state is None else self.state.position()

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the match; None while it is under way, and if its state is impossible."""
        if self.impossible:
            return None
        return self.kept[1] if self.state is None else self.state.outcome()

    @property
    def has_secrets(self) -> bool:
        """Whether something of the match is hidden from some viewer; True if the header cannot be read."""
        if self.state is None or self.header is None:
            return self.kept[2]
        return has_secrets(self.header, self.state)

    @property
    def caution(self) -> str:
        """A warning to show with the match, such as a component set that is invented; usually empty."""
        return self.kept[3] if self.state is None else self.state.display.caution()

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of the winners, in turn order; empty while the match is under way, and if nobody won."""
        return winners_of(self.header.setup.seats, self.outcome) if self.header else ()

    @property
    def first_bad(self) -> int | None:
        """The sequence of the first bad entry; None if all are good."""
        return None if isinstance(self.verdict, Verified | VerifiedAsShown) else self.verdict.sequence

    @property
    def unjudged(self) -> tuple[Unjudged, ...]:
        """The entries that were judged only as far as they are shown; empty for every other verdict."""
        return self.verdict.unjudged if isinstance(self.verdict, VerifiedAsShown) else ()

    @property
    def game(self) -> GameKey | None:
        """The game; None if the header cannot be read."""
        return self.header.game if self.header else None

    @property
    def edition(self) -> EditionKey | None:
        """The edition; None if the header cannot be read."""
        return self.header.setup.edition if self.header else None

    @property
    def recorded(self) -> tuple[str, ...]:
        """The events of the first bad entry according to the record, if they differ from the rules."""
        return self.verdict.recorded if isinstance(self.verdict, DivergedAt) else ()

    @property
    def ruled(self) -> tuple[str, ...]:
        """The events of the first bad entry according to the rules, if the record has others."""
        return self.verdict.ruled if isinstance(self.verdict, DivergedAt) else ()

    def detached(self) -> "AuditReport":
        """The report without the game state, which cannot be sent to another process."""
        return replace(self, state=None, kept=(self.position, self.outcome, self.has_secrets, self.caution))


def winners_of(seats: tuple[str, ...], outcome: Outcome | None) -> tuple[str, ...]:
    """The names of the winners of an outcome, in turn order; empty if there is none, and if nobody won."""
    if outcome is None:
        return ()
    return tuple(name for seat, name in enumerate(seats) if seat in outcome.winners)


def named_scores(seats: tuple[str, ...], outcome: Outcome) -> Iterator[tuple[str, Score]]:
    """The scores of an outcome with the names of their owners, the seats first."""
    for score in outcome.scores:
        yield score.owner if isinstance(score.owner, str) else seats[score.owner], score


def word(verdict: Verdict) -> str:
    """The verdict in one word."""
    match verdict:
        case Verified():
            return "verified"
        case VerifiedAsShown():
            return AS_SHOWN
        case IllegalAt():
            return "illegal"
        case DivergedAt():
            return "diverged"
        case CorruptAt():
            return "corrupt"
        case _:
            assert_never(verdict)


def why(verdict: Verdict) -> str | None:
    """The reason for the verdict, in words; None if the record is verified."""
    match verdict:
        case Verified():
            return None
        case VerifiedAsShown():
            return "; ".join(f"{reason}: {entries}" for reason, entries in grouped(verdict.unjudged))
        case IllegalAt():
            return "; ".join(f"{violation.rule.id}: {violation.why}" for violation in verdict.violations)
        case DivergedAt() | CorruptAt():
            return verdict.why
        case _:
            assert_never(verdict)


def grouped(unjudged: tuple[Unjudged, ...]) -> Iterator[tuple[str, str]]:
    """Each reason for which entries could not be judged in full, with those entries in words."""
    reasons: dict[str, list[str]] = {}
    for each in unjudged:
        reasons.setdefault(each.why, []).append(str(each.sequence))
    for reason, entries in reasons.items():
        yield reason, f"{'entry' if len(entries) == 1 else 'entries'} {', '.join(entries)}"


def rules_broken(verdict: Verdict) -> tuple[str, ...]:
    """The ids of the rules that an illegal move breaks; empty for other verdicts."""
    return tuple(v.rule.id for v in verdict.violations) if isinstance(verdict, IllegalAt) else ()
