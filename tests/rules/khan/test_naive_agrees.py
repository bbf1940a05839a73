"""The real rules and the plain model say the same, over whole random matches and on crowded boards."""

import random
from dataclasses import replace

import pytest
from hypothesis import assume, given, note, settings
from hypothesis import strategies as st

from rules.kernel.actors import CHANCE, Actor, Office, Seat
from rules.kernel.setup import Draws, Setup
from rules.khan.components import KHAN_REFERENCE, canonical_text, read_file
from rules.khan.game import KHAN
from rules.khan.moves import ChanceMove, Move
from rules.khan.outcome import points
from rules.khan.state import State
from tests.rules.khan.naive import Naive
from tests.rules.khan.naive_line import read_line, write_line
from tests.rules.khan.naive_position import RULINGS
from tests.rules.khan.naive_random import goes_on, random_table
from tests.rules.khan.naive_score import scores
from tests.rules.khan.naive_set import REFERENCE, read_printed, write_cells
from tests.rules.khan.strategies import SWITCHES, WAYS, Way, random_move, random_setup
from tests.rules.khan.torn import torn_set
from tests.rules.laws import accepted, cited, seeded

SEEDS = st.integers(0, 2**32 - 1)
SOME_MATCHES = settings(max_examples=settings().max_examples // 15)
"""One takes both of them a second or two."""
DEFAULTS = {name: offered[0] for name, offered in RULINGS.items()}
READINGS = [DEFAULTS, *({**DEFAULTS, name: value} for name in RULINGS for value in RULINGS[name][1:])]


def who(actor: Actor) -> int | None:
    """The plain model knows seats, and chance as nobody."""
    return None if isinstance(actor, Office) else actor


def said(state: State, move: Move) -> str:
    """The move as the plain model reads it: without its actor."""
    if isinstance(move, ChanceMove):
        return KHAN.notation.write_move(state, CHANCE, move)
    return KHAN.notation.write_move(state, Seat(0), move).partition(" ")[2]


def assert_same_verdict(state: State, match: Naive, actor: Actor, move: Move) -> None:
    """Both cite the same rules, or none."""
    text = said(state, move)

    assert cited(KHAN.decide(state, actor, move)) == match.judge(who(actor), text), f"{actor} {text}"


def assert_same_moves(state: State, match: Naive) -> None:
    """Both await the same actors, and list the same moves for them in the same order."""
    awaited = KHAN.awaiting(state)

    assert [who(actor) for actor in awaited] == match.awaiting()
    for actor in awaited:
        assert [said(state, move) for move in KHAN.legal_moves(state, actor)] == match.legal(who(actor))


def assert_same_end(state: State, match: Naive) -> None:
    outcome = KHAN.outcome(state)

    assert outcome is not None
    assert [score.points for score in outcome.scores] == list(points(state)) == scores(match)
    assert list(outcome.winners) == match.winners() != []


def assert_same_questions(state: State, match: Naive, chance: random.Random, asked: int) -> None:
    """The same verdicts on random moves of anybody's, most of which are illegal."""
    anybody: tuple[Actor, ...] = (CHANCE, *state.table.seats)
    for _ in range(asked):
        move = random_move(chance, state)
        for actor in (*KHAN.awaiting(state), chance.choice(anybody)):
            assert_same_verdict(state, match, actor, move)


def play_both(setup: Setup, chance: random.Random, way: Way) -> int:
    """Play one match in both, compared before every entry and at its end; returns the number of entries."""
    entries = 0
    state = KHAN.start(setup)
    match = Naive(
        setup.seats,
        recorded=setup.draws is Draws.RECORDED,
        rulings=dict(setup.rulings),
        printed=read_printed(setup.components),
    )
    while KHAN.awaiting(state):
        assert KHAN.notation.write_position(state) == write_line(match)
        assert_same_moves(state, match)
        assert_same_questions(state, match, chance, asked=4)
        actor = chance.choice(KHAN.awaiting(state))
        move = way(chance, state, list(KHAN.legal_moves(state, actor)))
        match.play(who(actor), said(state, move))
        state = KHAN.fold(state, accepted(KHAN, state, actor, move) or ())
        entries += 1

    assert KHAN.notation.write_position(state) == write_line(match)
    assert_same_end(state, match)
    return entries


def play_khan(seed: int) -> int:
    """Play any match in both; returns the number of entries."""
    chance = seeded(seed)
    return play_both(random_setup(chance), chance, chance.choice(WAYS))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("rulings", READINGS, ids=lambda rulings: ",".join(rulings.values()))
@SOME_MATCHES
@given(SEEDS)
def test_both_say_the_same_of_whole_matches(seats: int, rulings: dict[str, str], seed: int) -> None:
    chance = seeded(seed)
    play_both(random_setup(chance, seats=seats, rulings=rulings), chance, chance.choice(WAYS))


@SOME_MATCHES
@given(SEEDS)
def test_both_say_the_same_of_whole_matches_on_torn_boards(seed: int) -> None:
    chance = seeded(seed)
    play_both(replace(random_setup(chance), components=torn_set(chance)), chance, chance.choice(WAYS))


@pytest.mark.parametrize("board", ["reference", "torn"])
@given(SEEDS)
def test_both_say_the_same_on_crowded_boards(board: str, seed: int) -> None:
    """Every conquest of the seat to act is judged, and some moves of each kind are made."""
    chance = seeded(seed)
    match = random_table(chance, read_printed(torn_set(chance)) if board == "torn" else REFERENCE)
    assume(goes_on(match))
    line = write_line(match)
    note(line)
    state = KHAN.notation.read_position(line)

    assert KHAN.notation.write_position(state) == line
    assert_same_moves(state, match)
    assert_same_questions(state, match, chance, asked=50)
    assert_same_conquests(state, match)
    assert_same_results(state, match, chance)


def assert_same_conquests(state: State, match: Naive) -> None:
    """On everything that the seat to act might lay where there are yurts, water and leaders."""
    standing = {*match.yurts, *match.leaders.values(), *match.printed.river}
    for shape, footprints in match.printed.footprints.items():
        for cells in footprints:
            if standing.issuperset(cells):
                text = f"conquer {shape} {write_cells(cells)}"
                _, move = KHAN.notation.read_move(state, f"{match.names[0]} {text}")
                assert_same_verdict(state, match, Seat(match.turn.seat), move)


def assert_same_results(state: State, match: Naive, chance: random.Random) -> None:
    """Of some legal moves of each kind."""
    for actor in KHAN.awaiting(state):
        listed = list(KHAN.legal_moves(state, actor))
        for kind in sorted({type(move) for move in listed}, key=str):
            of_kind = [move for move in listed if isinstance(move, kind)]
            for move in chance.sample(of_kind, min(len(of_kind), 5)):
                after = KHAN.fold(state, accepted(KHAN, state, actor, move) or ())
                other = read_line(write_line(match))
                other.play(who(actor), said(state, move))

                assert KHAN.notation.write_position(after) == write_line(other), said(state, move)


def test_the_plain_model_has_the_shipped_set_and_every_switchable_ruling() -> None:
    shipped = read_printed("set:" + canonical_text(read_file(KHAN_REFERENCE.data)))

    assert shipped.terrain == REFERENCE.terrain
    assert shipped.neighbours == REFERENCE.neighbours
    assert list(shipped.starts.items()) == list(REFERENCE.starts.items())
    assert list(shipped.shapes.items()) == list(REFERENCE.shapes.items())
    assert shipped.cards == REFERENCE.cards
    assert {name: tuple(offered) for name, offered in SWITCHES.items()} == RULINGS
