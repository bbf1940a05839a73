"""A game with what its laws are tried on, and matches that are played for it by chance."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from records.codec.shape import Codec
from rules.kernel.actors import ARBITER, AUDITOR, CHANCE, SPECTATOR, Actor, Seat, Viewer
from rules.kernel.game import Game
from rules.kernel.plugin import OwnLaw
from rules.kernel.rule import Illegal, RuleId
from rules.kernel.setup import Setup

USUAL: Final = 441
"""Entries of a long match, where the bound of its game is far beyond what is played."""

_LONGEST_VALUE: Final = 500
"""Characters of a value that a report shows."""

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")


class LawBroken(AssertionError):
    """A game breaks a law; the text says what was found."""


def require(holds: object, why: str) -> None:
    """Raises LawBroken unless something holds."""
    if not holds:
        raise LawBroken(why)


def require_same(what: str, one: object, other: object) -> None:
    """Raises LawBroken unless two values are equal."""
    if one != other:
        raise LawBroken(f"{what}: {_short(one)} and {_short(other)} differ")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"


@dataclass(frozen=True, slots=True)
class Trial(Generic[State, Move, Event]):
    """A game, and what its laws are tried on."""

    game: Game[State, Move, Event]
    setup: Callable[[random.Random], Setup]
    """Some way to lay out a match, any that the game allows."""
    examples: tuple[Setup, ...]
    """A few that never change, for what is compared between processes."""
    ways: tuple[Callable[[random.Random, State, Sequence[Move]], Move], ...]
    """How players choose among their legal moves."""
    candidates: Callable[[State, random.Random], Iterator[tuple[Actor, Move]]]
    """Every move that might be legal, in canonical form, and many that cannot be."""
    twins: Callable[[State, Move], Iterable[Move]]
    """Other ways to say the same move."""
    disguised: Callable[[State, Seat, random.Random], State | None] | None
    """A state that differs only in what this seat may not know; None where it may know everything.

    Without it, matches are played again in which others draw and choose other things: see worlds.py.
    """
    completions: Callable[[State, Actor, Move, random.Random], Iterator[tuple[State, Move]]] | None
    """Some ways in which a view and a move may be in full: one or more for each thing that may come of it.

    None where they are not known: then only what happened is compared with the outcomes that the game lists.
    """
    codec: Codec[State, Move, Event]
    own_laws: tuple[OwnLaw[State, Move, Event], ...] = ()
    """Laws of this game alone."""


@dataclass(frozen=True, slots=True)
class Step(Generic[State, Move, Event]):
    """An entry of a match with the states around it."""

    before: State
    actor: Actor
    move: Move
    events: tuple[Event, ...]
    after: State


class Match(Generic[State, Move, Event]):
    """A match as far as it was played; no dataclass, so that Hypothesis shows how to play it again."""

    def __init__(
        self, game: Game[State, Move, Event], start: State, steps: Sequence[Step[State, Move, Event]]
    ) -> None:
        self.game = game
        self.start = start
        self.steps = tuple(steps)

    def __repr__(self) -> str:
        notation = self.game.notation
        moves = [notation.write_move(step.before, step.actor, step.move) for step in self.steps]
        return "\n  ".join(["Match", notation.write_position(self.start), *moves])

    @property
    def last(self) -> State:
        """The state after its last step."""
        return self.steps[-1].after if self.steps else self.start

    @property
    def states(self) -> tuple[State, ...]:
        """Every state, the first included."""
        return (self.start, *(step.after for step in self.steps))


def seeded(seed: int) -> random.Random:
    """Chance that comes out the same every time."""
    return random.Random(seed)  # noqa: S311 - repeatable, not secret


def accepted(
    game: Game[State, Move, Event], state: State, actor: Actor, move: Move
) -> tuple[Event, ...] | None:
    """The events of a move, or None if it is refused."""
    verdict = game.decide(state, actor, move)
    return None if isinstance(verdict, Illegal) else verdict


def cited(verdict: object) -> list[RuleId]:
    """The rules that a verdict says are broken."""
    return [violation.rule.id for violation in verdict.violations] if isinstance(verdict, Illegal) else []


def play(
    game: Game[State, Move, Event],
    start: State,
    chance: random.Random,
    way: Callable[[random.Random, State, Sequence[Move]], Move],
    entries: int | None = None,
) -> Match[State, Move, Event]:
    """A match by chance, to its end or for a number of entries."""
    state = start
    steps: list[Step[State, Move, Event]] = []
    while entries is None or len(steps) < entries:
        awaited = game.awaiting(state)
        if not awaited:
            break
        actor = chance.choice(awaited)
        listed = list(game.legal_moves(state, actor))
        require(listed, f"{actor} is awaited and has no legal move: {game.notation.write_position(state)}")

        move = way(chance, state, listed)
        events = accepted(game, state, actor, move)
        if not events:
            raise LawBroken(f"{move} of {actor} is listed, and refused or without effect")

        after = game.fold(state, events)
        steps.append(Step(state, actor, move, events, after))
        state = after
        require(
            len(steps) <= game.max_entries, f"the match goes on beyond {game.max_entries} entries"
        )  # law 7
    return Match(game, start, steps)


def random_match(trial: Trial[State, Move, Event], chance: random.Random) -> Match[State, Move, Event]:
    """A match of any kind, broken off anywhere or played to its end."""
    game = trial.game
    start = game.start(trial.setup(chance))
    entries = chance.choice((chance.randrange(min(game.max_entries, USUAL)), None))
    return play(game, start, chance, chance.choice(trial.ways), entries)


def some(states: Sequence[State], chance: random.Random, count: int) -> list[State]:
    """The last of the states, and others by chance."""
    return [*chance.sample(states, min(len(states), count) - 1), states[-1]]


def actors(game: Game[State, Move, Event], state: State) -> tuple[Actor, ...]:
    """Every actor at this table, and one seat too many."""
    return (*seats(game, state), Seat(len(seats(game, state))), CHANCE, ARBITER)


def seats(game: Game[State, Move, Event], state: State) -> tuple[Seat, ...]:
    """Every seat at this table."""
    return tuple(Seat(number) for number in range(len(game.setup(state).seats)))


def viewers(game: Game[State, Move, Event], state: State) -> tuple[Viewer, ...]:
    """Everybody who may look at this table."""
    return (*seats(game, state), SPECTATOR, AUDITOR)
