"""The real rules and the plain model say the same, over whole random matches and on crowded boards."""

import random
import tomllib
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import assume, given, note, settings
from hypothesis import strategies as st

from rules.kernel.actors import CHANCE, Actor
from rules.kernel.setup import Draws, Setup
from rules.kernel.text import Unreadable
from rules.zhanguo.components import ZHG_REFERENCE
from rules.zhanguo.game import ZHANGUO
from rules.zhanguo.moves import Move
from rules.zhanguo.rulings import LEVELS
from rules.zhanguo.state import State
from tests.rules.laws import accepted, cited, seeded
from tests.rules.zhanguo.naive import Naive
from tests.rules.zhanguo.naive_line import read_line, write_line
from tests.rules.zhanguo.naive_printed import REFERENCE, Printed, read_printed
from tests.rules.zhanguo.naive_random import late_rival_table, random_table, unsettled_table
from tests.rules.zhanguo.naive_score import breakdown, scores, winners
from tests.rules.zhanguo.naive_table import RULINGS
from tests.rules.zhanguo.strategies import FIXED, SWITCHES, WAYS, ZHANGUO_TRIAL, Way, candidates, random_setup
from tests.rules.zhanguo.torn import torn_set

SEEDS = st.integers(0, 2**32 - 1)
SOME_MATCHES = settings(max_examples=max(1, settings().max_examples // 100))
"""One takes both of them a few seconds."""
SOME_BOARDS = settings(max_examples=settings().max_examples // 2)
ENTRIES_FROM_A_BOARD = 6
"""Enough to get through the choices of one action, and of a card of Li Si's."""
DEFAULTS = {name: offered[0] for name, offered in RULINGS.items()}
READINGS = [DEFAULTS, *({**DEFAULTS, name: value} for name in RULINGS for value in RULINGS[name][1:])]
NOBODY = -1
"""An actor whom the plain model does not know, and never awaits."""


def who(match: Naive, actor: Actor) -> int | None:
    """The plain model knows seats, and chance as None."""
    if actor is CHANCE:
        return None
    return actor if isinstance(actor, int) and actor < match.seats else NOBODY


def said(state: State, move: Move) -> str:
    """The move as the plain model reads it: without its actor, as chance has no name."""
    return ZHANGUO.notation.write_move(state, CHANCE, move)


def assert_same_verdict(state: State, match: Naive, actor: Actor, move: Move) -> None:
    """Both cite the same rules in the same order, or none; a rule that two faults break counts once."""
    text = said(state, move)
    rules = list(dict.fromkeys(cited(ZHANGUO.decide(state, actor, move))))

    assert rules == match.judge(who(match, actor), text), f"{write_line(match)}\n{actor} {text}"


def assert_same_moves(state: State, match: Naive) -> None:
    """Both await the same actors, and list the same moves for them in the same order."""
    line = write_line(match)
    awaited = ZHANGUO.awaiting(state)

    assert [who(match, actor) for actor in awaited] == match.awaiting(), line
    for actor in awaited:
        listed = [said(state, move) for move in ZHANGUO.legal_moves(state, actor)]
        assert listed == match.legal(who(match, actor)), line


def assert_same_end(state: State, match: Naive) -> None:
    outcome = ZHANGUO.outcome(state)

    assert outcome is not None
    assert [score.points for score in outcome.scores] == scores(match)
    for seat, score in enumerate(outcome.scores):
        assert list(dict(score.categories).values()) == list(breakdown(match, seat).values())
    assert list(outcome.winners) == winners(match) != []


def assert_same_questions(state: State, match: Naive, chance: random.Random, asked: int) -> None:
    """The same verdicts on random moves of anybody's, most of which are illegal."""
    anybody: tuple[Actor, ...] = (CHANCE, *state.table.seats)
    for move in chance.sample(FIXED, asked):
        for actor in (*ZHANGUO.awaiting(state), chance.choice(anybody)):
            assert_same_verdict(state, match, actor, move)


def assert_same_entry(state: State, match: Naive, chance: random.Random, way: Way) -> State:
    """Both make the same move and arrive at the same position."""
    (actor,) = ZHANGUO.awaiting(state)
    move = way(chance, state, list(ZHANGUO.legal_moves(state, actor)))
    before, text = write_line(match), said(state, move)
    match.play(who(match, actor), text)
    reached = ZHANGUO.fold(state, accepted(ZHANGUO, state, actor, move) or ())

    assert ZHANGUO.notation.write_position(reached) == write_line(match), f"{before}\n{text}"
    return reached


def plain(setup: Setup, printed: Printed = REFERENCE) -> Naive:
    """The plain match that is set up so."""
    settings = dict(setup.rulings) | dict(setup.options)
    return Naive(setup.seats, settings, recorded=setup.draws is Draws.RECORDED, printed=printed)


def after(match: Naive, actor: int | None, move: str) -> Naive:
    """Another match, in which this move has been made."""
    copy = read_line(write_line(match), match.printed)
    copy.play(actor, move)
    return copy


def spoken(match: Naive, actor: int | None, move: str) -> str:
    """The move as in a transcript."""
    return move if actor is None else f"{match.players[actor].name} {move}"


def perft(match: Naive, depth: int) -> int:
    """The number of sequences of this many entries."""
    moves = [(actor, move) for actor in match.awaiting() for move in match.legal(actor)]
    return len(moves) if depth == 1 else sum(perft(after(match, *move), depth - 1) for move in moves)


def play_both(setup: Setup, chance: random.Random, way: Way, printed: Printed = REFERENCE) -> int:
    """Play one match in both, compared before every entry and at its end; returns the number of entries."""
    entries = 0
    state = ZHANGUO.start(setup)
    match = plain(setup, printed)
    assert ZHANGUO.notation.write_position(state) == write_line(match)
    thorough = chance.randrange(1_200)
    while ZHANGUO.awaiting(state):
        assert_same_moves(state, match)
        assert_same_questions(state, match, chance, asked=10)
        if entries == thorough:
            for anybody, any_move in candidates(state, chance):
                assert_same_verdict(state, match, anybody, any_move)
        state = assert_same_entry(state, match, chance, way)
        entries += 1

    assert_same_end(state, match)
    return entries


def play_zhanguo(seed: int) -> int:
    """Play any match in both, one of four on torn components; returns the number of entries."""
    if seed % 4 == 3:
        return play_torn(seed)
    chance = seeded(seed)
    return play_both(random_setup(chance), chance, chance.choice(WAYS))


def play_torn(seed: int) -> int:
    """Play a match on components that print everything otherwise; returns the number of entries."""
    chance = seeded(seed)
    tag, printed = torn_set(chance)
    return play_both(replace(random_setup(chance), components=tag), chance, chance.choice(WAYS), printed)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("rulings", READINGS, ids=lambda rulings: ",".join(rulings.values()))
@SOME_MATCHES
@given(SEEDS)
def test_both_say_the_same_of_whole_matches(seats: int, rulings: dict[str, str], seed: int) -> None:
    chance = seeded(seed)
    play_both(random_setup(chance, seats=seats, rulings=rulings), chance, chance.choice(WAYS))


@pytest.mark.parametrize("rival", LEVELS)
@SOME_MATCHES
@given(SEEDS)
def test_both_say_the_same_of_whole_matches_against_li_si(rival: str, seed: int) -> None:
    chance = seeded(seed)
    play_both(random_setup(chance, rival=rival), chance, chance.choice(WAYS))


@SOME_MATCHES
@given(SEEDS)
def test_both_say_the_same_of_whole_matches_on_torn_sets(seed: int) -> None:
    play_torn(seed)


@pytest.mark.parametrize("components", ["reference", "torn"])
@pytest.mark.parametrize("table", [random_table, late_rival_table])
@SOME_BOARDS
@given(SEEDS)
def test_both_say_the_same_on_crowded_boards(
    table: Callable[[random.Random, Printed], Naive], components: str, seed: int
) -> None:
    chance = seeded(seed)
    match = table(chance, torn_set(chance)[1] if components == "torn" else REFERENCE)
    assume(match.awaiting())
    line = write_line(match)
    note(line)
    state = ZHANGUO.notation.read_position(line)

    assert ZHANGUO.notation.write_position(state) == line
    for _ in range(ENTRIES_FROM_A_BOARD):
        assert_same_moves(state, match)
        assert_same_questions(state, match, chance, asked=50)
        if not match.awaiting():
            return
        state = assert_same_entry(state, match, chance, chance.choice(WAYS))


@SOME_BOARDS
@given(SEEDS)
def test_a_line_is_read_exactly_when_nothing_is_about_to_happen_of_itself(seed: int) -> None:
    match = unsettled_table(seeded(seed))
    line = write_line(match)
    note(line)
    match.settle()
    settled = write_line(match) == line
    try:
        ZHANGUO.notation.read_position(line)
    except Unreadable:
        assert not settled
    else:
        assert settled


@pytest.mark.parametrize("setup", ZHANGUO_TRIAL.examples, ids=lambda setup: ",".join(setup.seats))
def test_both_count_the_same_sequences_from_the_start(setup: Setup) -> None:
    state = ZHANGUO.start(setup)

    assert ZHANGUO.perft.count(state, 3) == perft(plain(setup), 3)


@SOME_MATCHES
@given(SEEDS)
def test_both_count_the_same_sequences_from_crowded_boards(seed: int) -> None:
    match = random_table(seeded(seed))
    state = ZHANGUO.notation.read_position(write_line(match))

    assert dict(ZHANGUO.perft.divide(state, 2)) == {
        spoken(match, actor, move): perft(after(match, actor, move), 1)
        for actor in match.awaiting()
        for move in match.legal(actor)
    }


def test_the_plain_model_has_the_shipped_set() -> None:
    assert read_printed(REFERENCE.name, tomllib.loads(ZHG_REFERENCE.data)) == REFERENCE


def test_the_plain_model_has_every_switchable_ruling() -> None:
    assert {name: tuple(offered) for name, offered in SWITCHES.items()} == RULINGS
