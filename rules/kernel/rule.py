"""A rule, the check that applies it, and the verdict that cites it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, NewType, TypeVar

RuleId = NewType("RuleId", str)
"""Permanent, from digest to code to error: QIN-PLACE-3."""

Case = TypeVar("Case", contravariant=True)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a rulebook, in our words."""

    id: RuleId
    title: str
    source: str
    """Where the rulebooks say it: 'S0 L68-69, S1 L49'."""
    text: str
    unchecked: str = ""
    """Why no move can break this rule; empty where a check enforces it."""


@dataclass(frozen=True, slots=True)
class Breach:
    """What is wrong, in words a player would use, and where."""

    why: str
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule broken, and why."""

    rule: Rule
    why: str
    places: tuple[str, ...] = ()
    """The cells, cards or tiles concerned, by their public names."""


@dataclass(frozen=True, slots=True)
class Illegal:
    """The verdict on a move that breaks the rules: every violation of the stage that stopped it."""

    violations: tuple[Violation, ...]


@dataclass(frozen=True, slots=True)
class Check(Generic[Case]):
    """A rule with its test. The test answers what is wrong, or None."""

    rule: Rule
    test: Callable[[Case], Breach | None]


def broken(checks: Iterable[Check[Case]], case: Case) -> tuple[Violation, ...]:
    """Every rule that the case breaks, in the order of the table."""
    return tuple(
        Violation(check.rule, breach.why, breach.places)
        for check in checks
        if (breach := check.test(case)) is not None
    )
