"""The real rules and the plain model say the same, over whole random matches in every mode."""

import random
from collections.abc import Callable, Sequence

import pytest

from rules.great_wall.game import GREAT_WALL
from rules.great_wall.moves import Move
from rules.great_wall.state import State
from rules.kernel.actors import CHANCE, Actor, Seat
from rules.kernel.edition import EditionKey
from rules.kernel.setup import Draws, Setup
from rules.kernel.text import Unreadable
from tests.rules.great_wall.naive import Naive
from tests.rules.great_wall.naive_candidates import candidate
from tests.rules.great_wall.naive_set import RULINGS, SET_NAME
from tests.rules.great_wall.strategies import building, fighting
from tests.rules.laws import accepted, cited, seeded

NAMES = ("green", "blue", "red", "yellow")
TABLES = ((3, False), (4, False), (2, False), (1, False), (2, True), (3, True), (4, True))
"""Seats, and whether they play together."""
QUESTIONS = 12
"""Random candidates before each entry."""
Way = Callable[[random.Random, State, Sequence[Move]], Move]


def uniform(chance: random.Random, _: State, moves: Sequence[Move]) -> Move:
    return chance.choice(moves)


WAYS: tuple[Way, ...] = (fighting, building, uniform)


def who(actor: Actor) -> int | None:
    """The plain model knows seats, and chance as None."""
    return actor if isinstance(actor, int) else None


def said(state: State, actor: Actor, move: Move) -> str:
    """The move as the plain model reads it: without who makes it."""
    text = GREAT_WALL.notation.write_move(state, actor, move)
    return text if actor is CHANCE else text.split(" ", 1)[1]


def compared(line: str) -> tuple[str, str]:
    """The line without what is pending, which only the rules can write."""
    board, pending = line.split(" ask=")
    return board, " ".join(pending.split()[2:])


def assert_same_position(state: State, match: Naive, why: str) -> None:
    line = GREAT_WALL.notation.write_position(state)

    assert compared(line) == (match.board(), match.tail()), f"{why}\n{line}"


def assert_same_moves(state: State, match: Naive) -> None:
    """Both await the same actors, and list the same moves for them in the same order."""
    line = GREAT_WALL.notation.write_position(state)
    awaited = GREAT_WALL.awaiting(state)

    assert [who(actor) for actor in awaited] == match.awaiting(), line
    for actor in awaited:
        listed = [said(state, actor, move) for move in GREAT_WALL.legal_moves(state, actor)]
        assert listed == match.legal(who(actor)), line


def assert_same_verdicts(state: State, match: Naive, chance: random.Random, asked: int) -> None:
    """Both cite the same rules in the same order for random moves, most of which are illegal."""
    seats = len(match.table.seats)
    for _ in range(asked):
        text = candidate(chance, match.table, match.question)
        actor: Actor = chance.choice(GREAT_WALL.awaiting(state))
        if chance.random() < 0.1:
            anybody: list[Actor] = [CHANCE, *(Seat(seat) for seat in range(seats))]
            actor = chance.choice(anybody)
        spoken = text if actor is CHANCE else f"{match.table.clan(who(actor)).name} {text}"
        try:
            read, move = GREAT_WALL.notation.read_move(state, spoken)
        except Unreadable:
            continue
        if read != actor:
            continue
        rules = list(dict.fromkeys(cited(GREAT_WALL.decide(state, actor, move))))
        line = GREAT_WALL.notation.write_position(state)
        assert rules == match.judge(who(actor), text), f"{line}\n{spoken}"


def assert_same_end(state: State, match: Naive) -> None:
    outcome = GREAT_WALL.outcome(state)

    assert outcome is not None
    assert [score.points for score in outcome.scores] == match.scores()
    assert list(outcome.winners) == match.winners()


def play_both(setup: Setup, chance: random.Random, way: Way) -> int:
    """Play one match in both, compared before every entry and at its end; returns the number of entries."""
    entries = 0
    state = GREAT_WALL.start(setup)
    settings = dict(setup.rulings) | dict(setup.options)
    coop, recorded = "coop" in setup.edition, setup.draws is Draws.RECORDED
    match = Naive(setup.seats, settings, coop=coop, recorded=recorded)
    assert_same_position(state, match, "at the start")
    while awaited := GREAT_WALL.awaiting(state):
        assert_same_moves(state, match)
        assert_same_verdicts(state, match, chance, QUESTIONS)
        actor = chance.choice(awaited)
        move = way(chance, state, list(GREAT_WALL.legal_moves(state, actor)))
        before, text = GREAT_WALL.notation.write_position(state), said(state, actor, move)
        match.play(who(actor), text)
        state = GREAT_WALL.fold(state, accepted(GREAT_WALL, state, actor, move) or ())
        assert_same_position(state, match, f"{before}\n{actor} {text}")
        entries += 1

    assert match.awaiting() == []
    assert_same_end(state, match)
    return entries


def random_setup(chance: random.Random, seats: int, *, coop: bool) -> Setup:
    """Any draws, mostly the rulings in force, any honour of Qin's."""
    rulings = {}
    if chance.random() < 0.5:
        rulings = {name: offered[1] for name, offered in RULINGS.items() if chance.random() < 0.3}
    if coop:
        rulings.pop("pool-empty", None)
    options = (("qin-honour", chance.choice(["50", "100"])),) if seats == 1 and chance.random() < 0.3 else ()
    edition = EditionKey("great-wall-coop/1" if coop else "great-wall/1")
    draws = chance.choice([Draws.RECORDED, Draws.UNRECORDED])
    return Setup(edition, NAMES[:seats], SET_NAME, draws, tuple(sorted(rulings.items())), options)


def play_great_wall(seed: int) -> int:
    """Play any match in both; returns the number of entries."""
    chance = seeded(seed)
    seats, coop = TABLES[seed % len(TABLES)]
    return play_both(random_setup(chance, seats, coop=coop), chance, chance.choice(WAYS))


@pytest.mark.parametrize("seed", range(20))
def test_both_say_the_same_of_whole_matches(seed: int) -> None:
    assert play_great_wall(seed) > 0
