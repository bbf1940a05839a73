"""Another course of a match that one seat cannot tell from the first: others drew and chose other things."""

import random
from collections.abc import Sequence
from typing import Final, TypeVar

from rules.kernel.actors import SPECTATOR, Actor, Seat
from rules.kernel.game import Game
from tools.laws.trial import Match, Step, accepted

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")

_TRIES: Final = 6
"""Steps that are made otherwise, one after the other, until the rest of the match can follow."""

_NEAR: Final = 60
"""Steps back at most: a match has to be played again from there."""

_MOST_MOVES: Final = 80
"""Moves that are tried in place of another."""


def other_world(
    match: Match[State, Move, Event], place: int, seat: Seat, chance: random.Random
) -> State | None:
    """The state at this place of a match in which others' secrets are different; None if none was found.

    One step of which the seat does not see everything is made otherwise. The rest follows as it was, or in a
    way that looks the same to the seat and to everybody.
    """
    game = match.game
    steps = match.steps[:place]
    if not game.has_secrets(match.start):
        return None
    hidden = [at for at in range(max(0, place - _NEAR), place) if _is_hidden(game, steps[at], seat)]
    for at in chance.sample(hidden, min(len(hidden), _TRIES)):
        found = _replayed(game, steps[at:], seat, chance)
        if found is not None and found != match.states[place]:
            return found
    return None


def _is_hidden(game: Game[State, Move, Event], step: Step[State, Move, Event], seat: Seat) -> bool:
    if game.seen_move(step.before, step.actor, step.move, seat) != step.move:
        return True
    return game.seen_events(step.before, step.events, seat) != step.events


def _replayed(
    game: Game[State, Move, Event],
    steps: Sequence[Step[State, Move, Event]],
    seat: Seat,
    chance: random.Random,
) -> State | None:
    """The state after the steps, the first of which is another one."""
    state = steps[0].before
    for number, step in enumerate(steps):
        shown = _shown(game, step, seat)
        following = [step.move] if number else []
        if step.actor in game.awaiting(state):
            moves = [move for move in game.legal_moves(state, step.actor) if move != step.move]
            following += chance.sample(moves, min(len(moves), _MOST_MOVES))
        for move in following:
            made = _made(game, state, step.actor, move)
            if made is not None and _shown(game, made, seat) == shown:
                state = made.after
                break
        else:
            return None
    return state


def _made(
    game: Game[State, Move, Event], state: State, actor: Actor, move: Move
) -> Step[State, Move, Event] | None:
    events = accepted(game, state, actor, move)
    return None if events is None else Step(state, actor, move, events, game.fold(state, events))


def _shown(game: Game[State, Move, Event], step: Step[State, Move, Event], seat: Seat) -> list[object]:
    """What the seat, and everybody, sees of a step."""
    return [
        (
            game.seen_move(step.before, step.actor, step.move, viewer),
            game.seen_events(step.before, step.events, viewer),
        )
        for viewer in (seat, SPECTATOR)
    ]
