"""What every game must satisfy, whatever it is about: the laws of the architecture, by their numbers.

A game comes to them as a Trial: the game with what its laws are tried on. Law 9 (every rule has a check and a
failing move) is about a rulebook rather than about play, and is tested beside each game. Laws about secrets
are in secrecy.py, the one about forged events is in forging.py; court.py brings a game before all of them.
"""

import hashlib
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar, assert_never

from hypothesis import strategies as st

from records.codec.shape import Codec
from records.games.bound import bind
from rules.kernel.actors import ARBITER, AUDITOR, CHANCE, SPECTATOR, Actor, Seat, Viewer
from rules.kernel.display import Highlights
from rules.kernel.edition import UnknownOption
from rules.kernel.game import Game, OutcomeKind, Score
from rules.kernel.rule import Illegal, RuleId
from rules.kernel.setup import Setup
from tests.project.places import ROOT
from tests.rules.showing import assert_seats_are_told, assert_shown

USUAL = 441
"""Entries of a long match, where the bound of its game is far beyond what is played."""

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")


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
    twins: Callable[[Move], Iterable[Move]]
    """Other ways to say the same move."""
    disguised: Callable[[State, Seat, random.Random], State | None]
    """A state that differs only in what this seat may not know; None where it may know everything."""
    completions: Callable[[State, Actor, Move, random.Random], Iterator[tuple[State, Move]]]
    """Some ways in which a view and a move may be in full: one or more for each thing that may come of it."""
    codec: Codec[State, Move, Event]
    tolerated: Callable[[str], bool] = lambda _: False
    """Whether a position may be read that has this problem: a board made up for an example may lack tiles."""


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
        return self.steps[-1].after if self.steps else self.start

    @property
    def states(self) -> tuple[State, ...]:
        return (self.start, *(step.after for step in self.steps))


def seeded(seed: int) -> random.Random:
    """Chance that comes out the same every time."""
    return random.Random(seed)  # noqa: S311 - repeatable, not secret


def chances() -> st.SearchStrategy[random.Random]:
    """Chance by seed, which is quick; or drawn step by step, which shrinks well."""
    return st.one_of(st.randoms(use_true_random=False), st.integers(0, 2**32 - 1).map(seeded))


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
        actors = game.awaiting(state)
        if not actors:
            break
        actor = chance.choice(actors)
        listed = list(game.legal_moves(state, actor))
        assert listed, "somebody is awaited who has no legal move"

        move = way(chance, state, listed)
        events = accepted(game, state, actor, move)
        assert events, f"{move} is listed, and refused or without effect"

        after = game.fold(state, events)
        steps.append(Step(state, actor, move, events, after))
        state = after
        assert len(steps) <= game.longest, "the match goes on beyond its bound"  # law 7
    return Match(game, start, steps)


def random_match(trial: Trial[State, Move, Event], chance: random.Random) -> Match[State, Move, Event]:
    """A match of any kind, broken off anywhere or played to its end."""
    game = trial.game
    start = game.start(trial.setup(chance))
    entries = chance.choice((chance.randrange(min(game.longest, USUAL)), None))
    return play(game, start, chance, chance.choice(trial.ways), entries)


def some(states: Sequence[State], chance: random.Random, count: int) -> list[State]:
    """The last of the states, and others by chance."""
    return [*chance.sample(states, min(len(states), count) - 1), states[-1]]


def actors(game: Game[State, Move, Event], state: State) -> tuple[Actor, ...]:
    """Every actor at this table, and one seat too many."""
    return (*seats(game, state), Seat(len(seats(game, state))), CHANCE, ARBITER)


def seats(game: Game[State, Move, Event], state: State) -> tuple[Seat, ...]:
    return tuple(Seat(number) for number in range(len(game.setup(state).seats)))


def viewers(game: Game[State, Move, Event], state: State) -> tuple[Viewer, ...]:
    return (*seats(game, state), SPECTATOR, AUDITOR)


# The laws.


def law_1_a_move_is_listed_exactly_when_decide_accepts_it(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    """Over every candidate; and it is the same by whichever name a move is called."""
    game = trial.game
    for state in some(random_match(trial, chance).states, chance, 3):
        listed = [(actor, move) for actor in actors(game, state) for move in game.legal_moves(state, actor)]
        legal = set()
        for actor, move in trial.candidates(state, chance):
            verdict = game.decide(state, actor, move)
            if isinstance(verdict, Illegal):
                assert verdict.violations, f"{actor} {move} is refused by no rule"
            else:
                legal.add((actor, move))
            for twin in trial.twins(move):
                _assert_same_verdict(game, state, verdict, game.decide(state, actor, twin))

        assert len(listed) == len(set(listed))
        assert set(listed) == legal
        assert {actor for actor, _ in listed} == set(game.awaiting(state))


def _assert_same_verdict(
    game: Game[State, Move, Event],
    state: State,
    one: tuple[Event, ...] | Illegal,
    other: tuple[Event, ...] | Illegal,
) -> None:
    """Which half is called the first may show in the events, and must not show in what they lead to."""
    assert cited(one) == cited(other)
    if not isinstance(one, Illegal) and not isinstance(other, Illegal):
        assert game.fold(state, one) == game.fold(state, other)


def law_2_evolve_accepts_every_event_decide_emits(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    """Not only for the moves that were made: for each that could have been."""
    game = trial.game
    for state in some(random_match(trial, chance).states, chance, 3):
        for actor in game.awaiting(state):
            for move in game.legal_moves(state, actor):
                after = state
                for event in accepted(game, state, actor, move) or ():
                    after = game.evolve(after, event)

                assert after != state
                assert game.problems(after) == ()


def law_3_no_invariant_is_broken_in_a_reachable_state(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    match = random_match(trial, chance)

    assert [problem for state in match.states for problem in trial.game.problems(state)] == []


def law_4_what_is_written_reads_the_same(trial: Trial[State, Move, Event], chance: random.Random) -> None:
    """Moves, positions, and positions as each viewer sees them."""
    game, notation = trial.game, trial.game.notation
    for state in some(random_match(trial, chance).states, chance, 5):
        for actor in game.awaiting(state):
            for move in game.legal_moves(state, actor):
                assert notation.read_move(state, notation.write_move(state, actor, move)) == (actor, move)
        for viewer in viewers(game, state):
            seen = game.view(state, viewer)
            line = notation.write_position(seen)

            assert line.isprintable()
            assert notation.read_position(line) == seen


def law_4_a_text_reads_the_same_at_every_state_unless_it_depends_on_the_turn(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    match = random_match(trial, chance)
    notation = trial.game.notation
    states = some(match.states, chance, 5)
    for step in match.steps:
        text = notation.write_move(step.before, step.actor, step.move)
        if not notation.depends_on_turn(text):
            assert {notation.read_move(state, text) for state in states} == {(step.actor, step.move)}


def law_5_what_is_encoded_decodes_the_same(trial: Trial[State, Move, Event], chance: random.Random) -> None:
    codec = trial.codec
    for step in random_match(trial, chance).steps:
        state = step.before
        assert codec.decode_move(state, codec.encode_move(state, step.move)) == step.move
        assert codec.decode_events(state, codec.encode_events(state, step.events)) == step.events
        assert codec.state_bytes(state) != codec.state_bytes(step.after)


def law_6_folding_the_whole_equals_folding_step_by_step(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    game = trial.game
    match = random_match(trial, chance)
    events = [event for step in match.steps for event in step.events]
    state = match.start
    for event in events:
        state = game.evolve(state, event)

    assert state == match.last
    assert game.fold(match.start, events) == match.last
    assert game.start(game.setup(match.last)) == match.start


def law_6_options_and_rulings_are_told_apart(trial: Trial[State, Move, Event], chance: random.Random) -> None:
    """By their names; and an option that is stated at its default is one that is left out."""
    about = trial.game.about
    setup = trial.setup(chance)
    unstated = [each for each in about.options if each.name not in dict(setup.options)]
    stated = (*setup.options, *((each.name, each.default) for each in unstated))
    game = bind(trial.game, trial.codec)

    assert not {each.name for each in about.options} & {each.name for each in about.rulings}
    assert all(len(set(each.offered)) > 1 for each in about.options)
    assert game.start(setup).setup.options == setup.options
    assert game.start(replace(setup, options=stated)) == game.start(setup)
    try:
        game.start(replace(setup, options=(*stated, ("no-such-option", "x"))))
    except UnknownOption:
        pass
    else:
        raise AssertionError("an option that the game does not have is taken")


def law_7_a_match_ends_within_its_bound(trial: Trial[State, Move, Event], chance: random.Random) -> None:
    """And its end is one: it says who has won, everybody is ranked, points add up, and nobody can act."""
    game = trial.game
    match = play(game, game.start(trial.setup(chance)), chance, chance.choice(trial.ways))
    outcome = game.outcome(match.last)

    assert len(match.steps) <= game.longest
    assert all(game.outcome(step.before) is None for step in match.steps)
    assert outcome is not None
    everybody = seats(game, match.last)
    won = outcome.ranking[0]
    match outcome.kind:
        case OutcomeKind.WON:
            assert outcome.winners == won != ()
        case OutcomeKind.ALL_WON:
            assert outcome.winners == won == everybody
        case OutcomeKind.NOBODY_WON:
            assert (outcome.winners, won) == ((), everybody)
        case _:
            assert_never(outcome.kind)
    assert sorted(seat for level in outcome.ranking for seat in level) == list(everybody)
    assert_points_add_up(game, match.last, outcome.scores)
    assert [move for actor in actors(game, match.last) for move in game.legal_moves(match.last, actor)] == []


def assert_points_add_up(game: Game[State, Move, Event], last: State, scores: tuple[Score, ...]) -> None:
    """All seats have points in turn order, or none has; then come owners that are no seats, each once."""
    everybody, names = seats(game, last), game.setup(last).seats
    owners = tuple(score.owner for score in scores)
    others = [owner for owner in owners if isinstance(owner, str)]

    assert owners in ((), (*everybody, *others))
    assert len({*others, *names}) == len(others) + len(names)
    for score in scores:
        assert score.points == sum(points for _, points in score.categories) or score.categories == ()
        assert len(dict(score.categories)) == len(score.categories)


def law_10_rendering_never_raises(trial: Trial[State, Move, Event], chance: random.Random) -> None:
    """In plain text, in coloured text, as a picture and in words; whatever is pointed out on it."""
    game = trial.game
    match = random_match(trial, chance)
    for state in some(match.states, chance, 5):
        for viewer in viewers(game, state):
            seen = game.view(state, viewer)
            lines = game.draw(seen).split("\n")

            assert all(line.isprintable() and line == line.rstrip() for line in lines)
            assert game.display.turn(seen).isprintable()
            assert_seats_are_told(game, seen)
        tried = [move for _, move in trial.candidates(state, chance)]
        for move in (None, chance.choice(tried), chance.choice(tried)):
            assert_shown(game, state, Highlights(chance.choice((None, move)), move, ("a1", "z99", "nowhere")))
    for step in match.steps:
        state = step.before
        for event in step.events:
            told = game.display.tell(state, event)
            state = game.evolve(state, event)

            assert told.text.isprintable()
            assert set(told.rules) <= set(game.about.rules)


# Law 8.


def digest(trial: Trial[State, Move, Event]) -> str:
    """One number for everything that a few matches say: moves, events, refusals, positions, pictures."""
    game, told = trial.game, hashlib.sha256()
    for seed, setup in enumerate(trial.examples):
        for way in trial.ways:
            chance = seeded(seed)
            match = play(game, game.start(setup), chance, way)
            for step in match.steps:
                told.update(game.notation.write_move(step.before, step.actor, step.move).encode())
                told.update(repr(step.events).encode())
                told.update(trial.codec.encode_events(step.before, step.events))
                told.update(game.notation.write_position(step.after).encode())
            for state in some(match.states, chance, 3):
                told.update(game.draw(state).encode())
                told.update(repr(game.display.picture(state, Highlights())).encode())
                for actor, move in trial.candidates(state, chance):
                    told.update(repr(game.decide(state, actor, move)).encode())
                for actor in game.awaiting(state):
                    told.update(repr(list(game.legal_moves(state, actor))).encode())
    return told.hexdigest()


def answer_under_hash_seed(module: str, seed: int) -> str:
    """What a module prints when a new process runs it with this PYTHONHASHSEED."""
    return subprocess.run(
        [sys.executable, "-m", module],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": str(seed)},
        capture_output=True,
        check=True,
        text=True,
    ).stdout
