"""Laws 1 to 7 and 10: moves, events, states, text, messages, ends and pictures."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar, assert_never

from records.games.bound import bind
from rules.kernel.display import Highlights
from rules.kernel.edition import UnknownOption
from rules.kernel.game import Game, OutcomeKind, Score
from rules.kernel.plugin import OwnLaw
from rules.kernel.rule import Illegal
from tools.laws.showing import require_seats_shown, require_shown
from tools.laws.trial import (
    LawBroken,
    Trial,
    accepted,
    actors,
    cited,
    play,
    random_match,
    require,
    require_same,
    seats,
    some,
    viewers,
)

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")

_MANY: Final = 600
"""Moves of one state that law 2 makes; only a deal of several cards at once has more."""


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
                require(verdict.violations, f"{move} of {actor} is refused by no rule")
            else:
                legal.add((actor, move))
            for twin in trial.twins(state, move):
                _require_same_verdict(game, state, verdict, game.decide(state, actor, twin))

        require_same("moves listed, and the same without repetition", len(listed), len(set(listed)))
        require_same("moves that are listed and not accepted, and none", {*listed} - legal, set())
        require_same("moves that are accepted and not listed, and none", legal - {*listed}, set())
        able = {actor for actor, _ in listed}
        require_same("actors with a legal move, and those awaited", able, set(game.awaiting(state)))


def _require_same_verdict(
    game: Game[State, Move, Event],
    state: State,
    one: tuple[Event, ...] | Illegal,
    other: tuple[Event, ...] | Illegal,
) -> None:
    """Which half is called the first may show in the events, and must not show in what they lead to."""
    require_same("rules broken by two forms of one move", cited(one), cited(other))
    if not isinstance(one, Illegal) and not isinstance(other, Illegal):
        after = game.fold(state, one), game.fold(state, other)
        require_same("states after two forms of one move", *after)


def law_2_evolve_accepts_every_event_decide_emits(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    """Not only for the moves that were made: for each that could have been, or some of very many."""
    game = trial.game
    for state in some(random_match(trial, chance).states, chance, 3):
        for actor in game.awaiting(state):
            moves = list(game.legal_moves(state, actor))
            for move in moves if len(moves) <= _MANY else chance.sample(moves, _MANY):
                after = state
                events = accepted(game, state, actor, move) or ()
                for event in events:
                    after = game.evolve(after, event)

                require(after != state, f"{move} of {actor} changes nothing")
                played = game.played(state, actor, move)
                require_same(
                    f"{move} of {actor} played at once, and decided and folded", played, (events, after)
                )
                require_same(f"problems after {move} of {actor}, and none", game.problems(after), ())


def law_3_no_invariant_is_broken_in_a_reachable_state(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    """No problem is reported anywhere in a match."""
    match = random_match(trial, chance)
    found = [problem for state in match.states for problem in trial.game.problems(state)]

    require_same("problems of a match, and none", found, [])


def law_4_what_is_written_reads_the_same(trial: Trial[State, Move, Event], chance: random.Random) -> None:
    """Moves, positions, and positions as each viewer sees them."""
    game, notation = trial.game, trial.game.notation
    for state in some(random_match(trial, chance).states, chance, 5):
        for actor in game.awaiting(state):
            for move in game.legal_moves(state, actor):
                text = notation.write_move(state, actor, move)
                require_same(f"{text!r} read, and written", notation.read_move(state, text), (actor, move))
        for viewer in viewers(game, state):
            seen = game.view(state, viewer)
            line = notation.write_position(seen)

            require(line.isprintable(), f"{line!r} is no line that can be printed")
            require_same(f"{line!r} read, and written", notation.read_position(line), seen)


def law_4_a_text_reads_the_same_at_every_state_unless_it_depends_on_the_turn(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    """Where depends_on_turn says so, it need not."""
    match = random_match(trial, chance)
    notation = trial.game.notation
    states = some(match.states, chance, 5)
    for step in match.steps:
        text = notation.write_move(step.before, step.actor, step.move)
        if not notation.depends_on_turn(text):
            read = {notation.read_move(state, text) for state in states}
            require_same(f"{text!r} read at several states, and written", read, {(step.actor, step.move)})


def law_5_what_is_encoded_decodes_the_same(trial: Trial[State, Move, Event], chance: random.Random) -> None:
    """Moves and events; and different states have different bytes."""
    codec = trial.codec
    for step in random_match(trial, chance).steps:
        state = step.before
        move = codec.decode_move(state, codec.encode_move(state, step.move))
        events = codec.decode_events(state, codec.encode_events(state, step.events))

        require_same("a move decoded, and encoded", move, step.move)
        require_same("events decoded, and encoded", events, step.events)
        changed = codec.state_bytes(state) != codec.state_bytes(step.after)
        require(changed, f"the states before and after {step.move} have the same bytes")


def law_6_folding_the_whole_equals_folding_step_by_step(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    """And the setup of the last state starts the same match."""
    game = trial.game
    match = random_match(trial, chance)
    events = [event for step in match.steps for event in step.events]
    state = match.start
    for event in events:
        state = game.evolve(state, event)

    require_same("the end by single events, and by entries", state, match.last)
    require_same("the end by all events at once, and by entries", game.fold(match.start, events), match.last)
    again = game.start(game.setup(match.last))
    require_same("the start by the setup of the end, and the start", again, match.start)


def law_6_options_and_rulings_are_kept_apart(trial: Trial[State, Move, Event], chance: random.Random) -> None:
    """By their names; and an option that is stated at its default is one that is left out."""
    about = trial.game.about
    setup = trial.setup(chance)
    unstated = [each for each in about.options if each.name not in dict(setup.options)]
    stated = (*setup.options, *((each.name, each.default) for each in unstated))
    game = bind(trial.game, trial.codec)
    both = {each.name for each in about.options} & {each.name for each in about.rulings}

    require_same("names of both an option and a ruling, and none", both, set())
    for each in about.options:
        require(len(set(each.offered)) > 1, f"the option {each.name} offers no choice")
    start = game.start(setup)
    require_same("options of the start, and of its setup", start.setup.options, setup.options)
    same = game.start(replace(setup, options=stated)) == start
    require(same, "an option that is stated at its default changes the start")
    try:
        game.start(replace(setup, options=(*stated, ("no-such-option", "x"))))
    except UnknownOption:
        return
    raise LawBroken("an option that the game does not have is taken")


def law_7_a_match_ends_within_its_bound(trial: Trial[State, Move, Event], chance: random.Random) -> None:
    """And its end is one: it says who has won, everybody is ranked, points add up, and nobody can act."""
    game = trial.game
    played = play(game, game.start(trial.setup(chance)), chance, chance.choice(trial.ways))
    last, outcome = played.last, game.outcome(played.last)
    ended = [step.move for step in played.steps if game.outcome(step.before) is not None]

    require_same("moves after the outcome is known, and none", ended, [])
    if outcome is None:
        require(outcome, f"nobody is awaited and there is no outcome: {played!r}")
        return
    everybody = seats(game, last)
    first = outcome.ranking[0]
    match outcome.kind:
        case OutcomeKind.WON:
            require(outcome.winners, "the match is won, and by nobody")
            require_same("winners, and the first of the ranking", outcome.winners, first)
        case OutcomeKind.ALL_WON:
            require_same("winners together, and all", (outcome.winners, first), (everybody, everybody))
        case OutcomeKind.NOBODY_WON:
            require_same("winners and the first of the ranking", (outcome.winners, first), ((), everybody))
        case _:
            assert_never(outcome.kind)
    ranked = sorted(seat for level in outcome.ranking for seat in level)
    require_same("seats that are ranked, and all", ranked, list(everybody))
    _require_points_add_up(game, last, outcome.scores)
    left = [move for actor in actors(game, last) for move in game.legal_moves(last, actor)]
    require_same("legal moves after the end, and none", left, [])


def _require_points_add_up(game: Game[State, Move, Event], last: State, scores: tuple[Score, ...]) -> None:
    """All seats have points in turn order, or none has; then come owners that are no seats, each once."""
    everybody, names = seats(game, last), game.setup(last).seats
    owners = tuple(score.owner for score in scores)
    others = [owner for owner in owners if isinstance(owner, str)]

    require(owners in ((), (*everybody, *others)), f"the owners of points are {owners}: seats come first")
    require_same("different owners and seats, and all", len({*others, *names}), len(others) + len(names))
    for score in scores:
        total = sum(points for _, points in score.categories)
        require(not score.categories or score.points == total, f"{score.points} points, by category {total}")
        names_of = [name for name, _ in score.categories]
        require_same("categories of points, and different ones", len(names_of), len(set(names_of)))


def law_10_rendering_never_raises(trial: Trial[State, Move, Event], chance: random.Random) -> None:
    """In plain text, in coloured text, as a picture and in words; whatever is pointed out on it."""
    game = trial.game
    match = random_match(trial, chance)
    for state in some(match.states, chance, 5):
        for viewer in viewers(game, state):
            seen = game.view(state, viewer)
            for line in game.draw(seen).split("\n"):
                require(line.isprintable() and line == line.rstrip(), f"{line!r} is no line of a drawing")
            turn = game.display.turn(seen)
            require(turn.isprintable(), f"{turn!r} cannot be printed")
            require_seats_shown(game, seen)
        tried = [move for _, move in trial.candidates(state, chance)]
        for each in some(tried, chance, 5):
            words = game.display.explain(state, each)
            require(words.isprintable(), f"{words!r} cannot be printed")
        for move in (None, chance.choice(tried), chance.choice(tried)):
            require_shown(
                game, state, Highlights(chance.choice((None, move)), move, ("a1", "z99", "nowhere"))
            )
    for step in match.steps:
        state = step.before
        for event in step.events:
            text = game.display.describe(state, event)
            state = game.evolve(state, event)

            require(text.text.isprintable(), f"{text.text!r} cannot be printed")
            foreign = {rule.id for rule in text.rules} - {rule.id for rule in game.about.rules}
            require_same(f"rules cited by {type(event).__name__} and not in the rulebook", foreign, set())


def own_law(
    law: OwnLaw[State, Move, Event],
) -> Callable[[Trial[State, Move, Event], random.Random], None]:
    """A law that a game adds."""

    def holds(trial: Trial[State, Move, Event], chance: random.Random) -> None:
        for step in random_match(trial, chance).steps:
            why = law.broken(step.before, step.actor, step.move, step.events, step.after)
            require(why is None, f"{step.move} of {step.actor}: {why}")

    return holds
