"""Laws about what is hidden: law 11, and those on which a record with parts left out is judged.

They are tried on the spectator's view and on each seat's, in matches with all draws recorded, with some
unknown, and with no draws recorded at all.
"""

import random
from collections.abc import Iterator
from typing import TypeVar

from rules.kernel.actors import AUDITOR, CHANCE, SPECTATOR, Actor, Seat, Viewer
from rules.kernel.chance import Take
from rules.kernel.game import Game
from rules.kernel.rule import Illegal
from tests.rules.laws import Step, Trial, accepted, random_match, seats, some, viewers

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")


def law_11_what_a_seat_may_not_know_shows_in_nothing_it_is_told(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    """Two states that differ only in others' secrets give it the same view, errors and legal moves."""
    game = trial.game
    for state in _turns(trial, chance):
        for seat in seats(game, state):
            other = trial.disguised(state, seat, chance)
            if other is None:
                continue

            assert game.problems(other) == ()
            assert game.view(state, seat) == game.view(other, seat)
            assert game.view(state, SPECTATOR) == game.view(other, SPECTATOR)
            assert game.awaiting(state) == game.awaiting(other)
            assert list(game.legal_moves(state, seat)) == list(game.legal_moves(other, seat))
            for actor, move in trial.candidates(state, chance):
                if actor == seat:
                    assert _error(game, state, seat, move) == _error(game, other, seat, move)


def law_11_a_seat_is_judged_by_its_own_view(trial: Trial[State, Move, Event], chance: random.Random) -> None:
    """What it may do, and why it may not do the rest, follows from what it sees."""
    game = trial.game
    for state in _turns(trial, chance):
        for seat in seats(game, state):
            own = game.view(state, seat)

            for full in (state, trial.disguised(state, seat, chance) or state):
                assert list(game.legal_moves(full, seat)) == list(game.legal_moves(own, seat))
                for actor, move in trial.candidates(full, chance):
                    if actor == seat:
                        assert _error(game, full, seat, move) == _error(game, own, seat, move)


def _turns(trial: Trial[State, Move, Event], chance: random.Random) -> list[State]:
    """States of a match in which seats hide something from each other, most of them with a seat to act."""
    game = trial.game
    match = random_match(trial, chance)
    for _ in range(4):
        if trial.disguised(match.last, Seat(0), chance) is not None and match.steps:
            break
        match = random_match(trial, chance)
    turns = [state for state in match.states if CHANCE not in game.awaiting(state)]
    return [*turns[-3:], *chance.sample(turns, min(len(turns), 3)), chance.choice(match.states)]


def law_11_where_nothing_is_secret_everybody_sees_everything(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    """And whether something is, is settled by the set-up: it stays the same to the end."""
    game = trial.game
    match = random_match(trial, chance)
    assert {game.has_secrets(state) for state in match.states} == {game.has_secrets(match.start)}

    if game.has_secrets(match.start):
        return
    for step in match.steps:
        for viewer in viewers(game, step.before):
            assert game.view(step.after, viewer) == step.after
            assert game.seen_move(step.before, step.actor, step.move, viewer) == step.move
            assert game.seen_events(step.before, step.events, viewer) == step.events


def _error(game: Game[State, Move, Event], state: State, seat: Seat, move: Move) -> Illegal | None:
    verdict = game.decide(state, seat, move)
    return verdict if isinstance(verdict, Illegal) else None


def law_permissive_what_is_legal_in_full_is_legal_in_every_view(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    game = trial.game
    for step in some_steps(trial, chance):
        for viewer in _viewers(game, step.before):
            seen, move = game.view(step.before, viewer), _seen_move(game, step, viewer)

            assert accepted(game, seen, step.actor, move) is not None


def law_commuting_a_view_goes_on_by_what_it_shows(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    """The view of what comes next is what the view comes to by the events that it shows."""
    game = trial.game
    for step in some_steps(trial, chance):
        for viewer in _viewers(game, step.before):
            seen = game.view(step.before, viewer)
            shown = game.seen_events(step.before, step.events, viewer)

            assert game.view(game.fold(seen, shown), viewer) == game.view(step.after, viewer)


def law_outcomes_are_what_some_completion_of_a_view_causes(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    """What happened is among the outcomes of every view, and each outcome may have happened."""
    game = trial.game
    for step in some_steps(trial, chance):
        for viewer in chance.sample(_viewers(game, step.before), 2):
            seen, move = game.view(step.before, viewer), _seen_move(game, step, viewer)
            outcomes = game.outcomes(seen, step.actor, move)

            assert game.seen_events(step.before, step.events, viewer) in outcomes
            assert len(set(outcomes)) == len(outcomes)
            possible = {game.seen_events(seen, outcome, SPECTATOR) for outcome in outcomes}
            assert possible == {*_caused(trial, seen, step.actor, move, chance)}


def _caused(
    trial: Trial[State, Move, Event], seen: State, actor: Actor, move: Move, chance: random.Random
) -> Iterator[tuple[Event, ...]]:
    """What decide says of a view, since a record may tell no more, and of ways in which it may be in full."""
    game = trial.game
    for full, moved in ((seen, move), *trial.completions(seen, actor, move, chance)):
        events = accepted(game, full, actor, moved)

        assert game.problems(full) == game.problems(seen)
        assert game.view(full, SPECTATOR) == game.view(seen, SPECTATOR)
        assert game.seen_move(full, actor, moved, SPECTATOR) == game.seen_move(seen, actor, move, SPECTATOR)
        if events is not None:
            yield game.seen_events(full, events, SPECTATOR)


def law_public_facts_are_the_same_in_every_view(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    """Who is awaited, what is shuffled and due from it, and for whom something of an entry is concealed."""
    game = trial.game
    for step in some_steps(trial, chance):
        for viewer in _viewers(game, step.before):
            seen, move = game.view(step.before, viewer), _seen_move(game, step, viewer)
            shown = game.seen_events(step.before, step.events, viewer)

            assert game.awaiting(seen) == game.awaiting(step.before)
            assert _due(game, seen) == _due(game, step.before)
            assert bool(_due(game, seen)) == (CHANCE in game.awaiting(seen))
            assert game.audiences(seen, move, shown) == game.audiences(step.before, step.move, step.events)


def _due(game: Game[State, Move, Event], state: State) -> list[tuple[Take, tuple[str, ...]]]:
    return [(take, game.chance.stock(state, take.deck)) for take in game.chance.due(state)]


def law_secrets_are_declared_with_those_who_may_see_them(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    """A view leaves out the fields declared secret, for those outside their audience, and nothing else."""
    game = trial.game
    for step in some_steps(trial, chance):
        for viewer in (*_viewers(game, step.before), AUDITOR):
            before = step.before
            pairs: list[tuple[object, object]] = [(step.move, _seen_move(game, step, viewer))]
            pairs += zip(step.events, game.seen_events(before, step.events, viewer), strict=True)
            for part, shown in pairs:
                hidden = {
                    secret.field
                    for secret in game.secrets
                    if viewer is not AUDITOR and viewer not in (secret.audience(before, part) or {viewer})
                }

                assert type(part) is type(shown)
                assert _fields(shown, hidden) == _fields(part, hidden)


def _fields(part: object, hidden: set[str]) -> dict[str, object]:
    names: tuple[str, ...] = getattr(type(part), "__match_args__", ())
    return {name: getattr(part, name) for name in names if name not in hidden}


def _viewers(game: Game[State, Move, Event], state: State) -> tuple[Viewer, ...]:
    return (*seats(game, state), SPECTATOR)


def _seen_move(game: Game[State, Move, Event], step: Step[State, Move, Event], viewer: Viewer) -> Move:
    return game.seen_move(step.before, step.actor, step.move, viewer)


def some_steps(trial: Trial[State, Move, Event], chance: random.Random) -> Iterator[Step[State, Move, Event]]:
    """Steps of a match, its last ones among them, and others that could have been made in some states."""
    match = random_match(trial, chance)
    yield from match.steps[-8:]
    yield from chance.sample(match.steps, min(len(match.steps), 12))
    for state in some(match.states, chance, 3):
        for actor in trial.game.awaiting(state):
            moves = list(trial.game.legal_moves(state, actor))
            for move in chance.sample(moves, min(len(moves), 12)):
                yield _made(trial.game, state, actor, move)


def _made(game: Game[State, Move, Event], state: State, actor: Actor, move: Move) -> Step[State, Move, Event]:
    events = accepted(game, state, actor, move) or ()
    return Step(state, actor, move, events, game.fold(state, events))
