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
from rules.kernel.setup import UNRECORDED
from tools.laws.trial import (
    LawBroken,
    Match,
    Step,
    Trial,
    accepted,
    random_match,
    require,
    require_same,
    seats,
    some,
    viewers,
)
from tools.laws.worlds import other_world

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")


def law_11_secrets_of_others_change_nothing_that_a_seat_is_shown(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    """Two states that differ only in others' secrets give it the same view, errors and legal moves."""
    game = trial.game
    match, places = _turns(trial, chance)
    for place in places:
        state = match.states[place]
        for seat in seats(game, state):
            other = _disguised(trial, match, place, seat, chance)
            if other is None:
                continue

            require_same("problems of a disguised state, and none", game.problems(other), ())
            for viewer in (seat, SPECTATOR):
                views = game.view(state, viewer), game.view(other, viewer)
                require_same(f"what {viewer} sees of two states that differ in others' secrets", *views)
            require_same("who is awaited in either", game.awaiting(state), game.awaiting(other))
            _require_same_choices(trial, seat, state, other, chance)


def _require_same_choices(
    trial: Trial[State, Move, Event], seat: Seat, one: State, other: State, chance: random.Random
) -> None:
    """Legal moves, and why others are refused."""
    game = trial.game
    legal = list(game.legal_moves(one, seat)), list(game.legal_moves(other, seat))
    require_same(f"legal moves of seat {seat} in states that look the same to it", *legal)
    for actor, move in trial.candidates(one, chance):
        if actor == seat:
            errors = _error(game, one, seat, move), _error(game, other, seat, move)
            require_same(f"errors for {move} of seat {seat} in states that look the same to it", *errors)


def law_11_a_seat_is_judged_by_its_own_view(trial: Trial[State, Move, Event], chance: random.Random) -> None:
    """What it may do, and why it may not do the rest, follows from what it sees."""
    game = trial.game
    match, places = _turns(trial, chance)
    for place in places:
        state = match.states[place]
        for seat in seats(game, state):
            own = game.view(state, seat)
            for full in (state, _disguised(trial, match, place, seat, chance)):
                if full is not None:
                    _require_same_choices(trial, seat, full, own, chance)


def _disguised(
    trial: Trial[State, Move, Event],
    match: Match[State, Move, Event],
    place: int,
    seat: Seat,
    chance: random.Random,
) -> State | None:
    """The state at this place with other secrets of others."""
    if trial.disguised is None:
        return other_world(match, place, seat, chance)
    return trial.disguised(match.states[place], seat, chance)


def _turns(
    trial: Trial[State, Move, Event], chance: random.Random
) -> tuple[Match[State, Move, Event], list[int]]:
    """A match in which seats hide something from each other, and places, most of them with a seat to act."""
    game = trial.game
    match = random_match(trial, chance)
    for _ in range(4):
        if match.steps and _disguised(trial, match, len(match.steps), Seat(0), chance) is not None:
            break
        match = random_match(trial, chance)
    turns = [place for place, state in enumerate(match.states) if CHANCE not in game.awaiting(state)]
    others = chance.sample(turns, min(len(turns), 3))
    return match, [*turns[-3:], *others, chance.randrange(len(match.states))]


def law_11_where_nothing_is_secret_everybody_sees_everything(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    """And whether something is, is settled by the set-up: it stays the same to the end."""
    game = trial.game
    match = random_match(trial, chance)
    answers = {game.has_secrets(state) for state in match.states}
    require_same("answers of has_secrets in one match, and one", len(answers), 1)

    if game.has_secrets(match.start):
        return
    for step in match.steps:
        for viewer in viewers(game, step.before):
            require_same(f"the state, and what {viewer} sees", step.after, game.view(step.after, viewer))
            move = game.seen_move(step.before, step.actor, step.move, viewer)
            require_same(f"a move, and what {viewer} sees", step.move, move)
            events = game.seen_events(step.before, step.events, viewer)
            require_same(f"events, and what {viewer} sees", step.events, events)


def _error(game: Game[State, Move, Event], state: State, seat: Seat, move: Move) -> Illegal | None:
    verdict = game.decide(state, seat, move)
    return verdict if isinstance(verdict, Illegal) else None


def law_what_is_legal_in_full_is_legal_in_every_view(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    """A view leaves out facts, and never adds any."""
    game = trial.game
    for step in _open_steps(trial, chance):
        for viewer in _viewers(game, step.before):
            seen, move = game.view(step.before, viewer), _seen_move(game, step, viewer)
            verdict = game.decide(seen, step.actor, move)
            if isinstance(verdict, Illegal):
                raise LawBroken(f"{step.move} is legal, and as {viewer} sees it breaks {verdict.violations}")


def law_the_events_that_a_viewer_sees_lead_to_their_next_view(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    """The view of what comes next is what the view comes to by the events that it shows."""
    game = trial.game
    for step in some_steps(trial, chance):
        for viewer in _viewers(game, step.before):
            seen = game.view(step.before, viewer)
            shown = game.seen_events(step.before, step.events, viewer)
            after = game.view(game.fold(seen, shown), viewer)

            require_same(
                f"what {viewer} folds, and sees, of {step.move}", after, game.view(step.after, viewer)
            )


def law_outcomes_are_what_some_completion_of_a_view_causes(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    """What happened is among the outcomes of every view, and each outcome may have happened."""
    game = trial.game
    for step in _open_steps(trial, chance):
        for viewer in chance.sample(_viewers(game, step.before), 2):
            seen, move = game.view(step.before, viewer), _seen_move(game, step, viewer)
            outcomes = game.outcomes(seen, step.actor, move)
            shown = game.seen_events(step.before, step.events, viewer)

            require(shown in outcomes, f"{shown} is none of the outcomes of {move} for {viewer}: {outcomes}")
            require_same("outcomes, and different ones", len(outcomes), len(set(outcomes)))
            if trial.completions is not None:
                possible = {game.seen_events(seen, outcome, SPECTATOR) for outcome in outcomes}
                caused = {*_caused(trial, seen, step.actor, move, chance)}
                require_same(f"outcomes of {move} for {viewer}, and what completions cause", possible, caused)


def _caused(
    trial: Trial[State, Move, Event], seen: State, actor: Actor, move: Move, chance: random.Random
) -> Iterator[tuple[Event, ...]]:
    """What decide says of a view, since a record may tell no more, and of ways in which it may be in full."""
    game = trial.game
    completions = () if trial.completions is None else trial.completions(seen, actor, move, chance)
    for full, moved in ((seen, move), *completions):
        events = accepted(game, full, actor, moved)

        require_same("problems of a completion, and of its view", game.problems(full), game.problems(seen))
        views = game.view(full, SPECTATOR), game.view(seen, SPECTATOR)
        require_same("what a spectator sees of a completion, and of its view", *views)
        moves = [game.seen_move(at, actor, made, SPECTATOR) for at, made in ((full, moved), (seen, move))]
        require_same("what a spectator sees of the move in a completion, and in its view", *moves)
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

            require_same(
                f"awaited, for {viewer} and in full", game.awaiting(seen), game.awaiting(step.before)
            )
            require_same(f"draws due, for {viewer} and in full", _due(game, seen), _due(game, step.before))
            drawing = CHANCE in game.awaiting(seen)
            require_same("whether draws are due, and chance is awaited", bool(_due(game, seen)), drawing)
            audiences = game.audiences(step.before, step.actor, step.move, step.events)
            found = game.audiences(seen, step.actor, move, shown)
            require_same(f"audiences of {step.move}, for {viewer} and in full", found, audiences)


def _due(game: Game[State, Move, Event], state: State) -> list[tuple[Take, tuple[str, ...]]]:
    return [(take, game.chance.stock(state, take.deck)) for take in game.chance.due(state)]


def law_secrets_are_declared_with_those_who_may_see_them(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    """A view leaves out the fields declared secret, for those outside their audience, and nothing else.

    The audience of an answer to a sealed task is the seat that gives it.
    """
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
                    if viewer is not AUDITOR
                    and (audience := secret.audience(before, step.actor, part)) is not None
                    and viewer not in audience
                }

                require_same("the kinds of a part, and of what is seen of it", type(part), type(shown))
                public = _fields(part, hidden), _fields(shown, hidden)
                require_same(f"public fields of {part}, in full and for {viewer}", *public)


def _fields(part: object, hidden: set[str]) -> dict[str, object]:
    names: tuple[str, ...] = getattr(type(part), "__match_args__", ())
    return {name: getattr(part, name) for name in names if name not in hidden}


def law_where_draws_are_not_recorded_only_sealed_answers_are_secret(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    """Records of such a match conceal nothing else: what a move names there, everybody can read."""
    game = trial.game
    for step in some_steps(trial, chance):
        if game.setup(step.before).draws is UNRECORDED and not game.sealed(step.before):
            seen = _seen_move(game, step, SPECTATOR)
            events = game.seen_events(step.before, step.events, SPECTATOR)
            require_same("a move where draws are not recorded, in full and in public", step.move, seen)
            require_same("events where draws are not recorded, in full and in public", step.events, events)


def law_sealed_answers_show_only_that_they_were_given(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    """Until the last one: whatever a seat answers, everybody else sees the same."""
    game = trial.game
    for state in random_match(trial, chance).states:
        awaited = game.awaiting(state)
        if not game.sealed(state) or len(awaited) == 1:
            continue
        seat = chance.choice(awaited)
        shown = [
            tuple(
                (
                    game.seen_move(state, seat, move, viewer),
                    game.seen_events(state, events, viewer),
                    game.view(game.fold(state, events), viewer),
                )
                for viewer in _viewers(game, state)
                if viewer != seat
            )
            for move in game.legal_moves(state, seat)
            if (events := accepted(game, state, seat, move)) is not None
        ]
        for other in shown:
            require_same(f"what others see of two answers of seat {seat}", shown[0], other)


def law_sealed_answers_lead_to_the_same_as_open_ones(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    """Records reveal sealed answers together, and the rules take open ones in turn."""
    game = trial.game
    for state in random_match(trial, chance).states:
        if game.choices is None or not game.choices.open(state):
            continue
        in_turn, hidden = state, state
        own: tuple[Event, ...] = ()
        for seat in game.awaiting(state):
            move = chance.choice(list(game.legal_moves(state, seat)))
            in_turn = game.fold(in_turn, accepted(game, in_turn, seat, move) or ())
            answer = game.choices.answer(state, seat, move)
            answer = () if isinstance(answer, Illegal) else answer
            hidden = game.fold(hidden, game.seen_events(state, answer, SPECTATOR))
            own += answer
        together = game.fold(hidden, game.choices.settled(hidden, own))
        require_same("states after answers in turn, and revealed together", in_turn, together)


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


def _open_steps(
    trial: Trial[State, Move, Event], chance: random.Random
) -> Iterator[Step[State, Move, Event]]:
    """Some steps that are no sealed answers: the public form of those is an entry of its own."""
    return (step for step in some_steps(trial, chance) if not trial.game.sealed(step.before))


def _made(game: Game[State, Move, Event], state: State, actor: Actor, move: Move) -> Step[State, Move, Event]:
    events = accepted(game, state, actor, move) or ()
    return Step(state, actor, move, events, game.fold(state, events))
