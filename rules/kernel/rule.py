"""A rule, the check that applies it, and the verdict that cites it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, NewType, TypeAlias, TypeVar

RuleId = NewType("RuleId", str)
"""A permanent id, the same in the digest, the code, errors and documentation: QIN-PLACE-3."""

Case = TypeVar("Case", contravariant=True)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a rulebook, in our words."""

    id: RuleId
    title: str
    source: str
    """Where the rulebooks state it: 'S0 L68-69, S1 L49'."""
    text: str
    unchecked: str = ""
    """Why no move can break this rule; empty if a check enforces it."""


@dataclass(frozen=True, slots=True)
class Breach:
    """What is wrong with a move, in words that a player would use, and where."""

    why: str
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule, and why it is broken."""

    rule: Rule
    why: str
    places: tuple[str, ...] = ()
    """The cells, cards or tiles concerned, by their public names."""


@dataclass(frozen=True, slots=True)
class Illegal:
    """The verdict on an illegal move: every violation found by the first stage of judging that finds any."""

    violations: tuple[Violation, ...]


@dataclass(frozen=True, slots=True)
class Check(Generic[Case]):
    """A rule with its test, which returns what is wrong, or None."""

    rule: Rule
    test: Callable[[Case], Breach | None]


Stage: TypeAlias = tuple[Check[Case], ...]
"""Checks that are made together: the first stage that finds a fault reports all that it finds."""


def breaks(rule: Rule, when: Callable[[Case], bool], why: str) -> Check[Case]:
    """A check that always says the same; annotate what it is bound to, so that the case has its type."""
    breach = Breach(why)
    return Check(rule, lambda case: breach if when(case) else None)


def broken(checks: Iterable[Check[Case]], case: Case) -> tuple[Violation, ...]:
    """Every rule that the case breaks, in the order of the table."""
    return tuple(
        Violation(check.rule, breach.why, breach.places)
        for check in checks
        if (breach := check.test(case)) is not None
    )
