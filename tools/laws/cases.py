"""Adjudication files: positions with a move, and what every implementation of a game must say to it."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from rules.kernel.actors import Actor
from rules.kernel.game import Game
from rules.kernel.rule import Illegal
from rules.kernel.text import Unreadable
from rules.kernel.toml_text import shallow
from tools.laws.trial import cited

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")


class UnreadableSuite(ValueError):
    """The file is no adjudication file."""


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position, a move, and what every implementation must say to it."""

    id: str
    title: str
    position: str
    move: str
    verdict: Literal["legal", "illegal"]
    rules: tuple[str, ...]
    why: str
    result: str | None = None
    winners: tuple[str, ...] = ()


class Suite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    case: tuple[Case, ...]


def read_suite(path: Path) -> tuple[Case, ...]:
    """The cases of a file; raises OSError or UnreadableSuite."""
    try:
        return msgspec.toml.decode(shallow(path.read_text("utf-8")), type=Suite).case
    except (msgspec.MsgspecError, ValueError, RecursionError) as fault:
        raise UnreadableSuite(str(fault)) from None


# One case.


def read(game: Game[State, Move, Event], case: Case) -> tuple[State, Actor, Move]:
    """The position with the move that is asked there."""
    state = game.notation.read_position(case.position)
    return state, *game.notation.read_move(state, case.move)


def published(case: Case) -> dict[str, object]:
    """What a case says of every part of its judgement, for a runner that judges all of them."""
    return {
        "verdict": case.verdict,
        "rules": case.rules,
        "result": case.result,
        "winners": case.winners,
        "is listed": case.verdict == "legal",
    }


def judged(game: Game[State, Move, Event], case: Case) -> dict[str, object]:
    """The same parts as the rules judge them."""
    state, actor, move = read(game, case)
    verdict = game.decide(state, actor, move)
    after = None if isinstance(verdict, Illegal) else game.fold(state, verdict)
    outcome = None if after is None else game.outcome(after)
    return {
        "verdict": "illegal" if after is None else "legal",
        "rules": tuple(cited(verdict)),
        "result": None if after is None else game.notation.write_position(after),
        "winners": tuple(game.setup(state).seats[seat] for seat in outcome.winners) if outcome else (),
        "is listed": move in list(game.legal_moves(state, actor)),
    }


def rewritten(game: Game[State, Move, Event], lines: Iterable[str]) -> list[str]:
    """Position lines, read and written again; canonical ones stay as they are."""
    return [game.notation.write_position(game.notation.read_position(line)) for line in lines]


# A whole file.


def differences(game: Game[State, Move, Event], case: Case) -> Iterator[str]:
    """Every part of a case that the rules judge otherwise, in words."""
    try:
        found = judged(game, case)
        lines = [line for line in (case.position, case.result) if line]
        found["positions"] = rewritten(game, lines)
    except Unreadable as fault:
        yield f"cannot be read: {fault.why} (column {fault.column})"
        return
    for part, expected in (published(case) | {"positions": lines}).items():
        if found[part] != expected:
            yield f"{part}: published {expected!r}, judged {found[part]!r}"


def not_broken(game: Game[State, Move, Event], cases: Iterable[Case]) -> list[str]:
    """Rules that no case breaks, although a check enforces them (law 9)."""
    broken = {rule for case in cases for rule in case.rules}
    return [rule.id for rule in game.about.rules if not rule.unchecked and rule.id not in broken]
