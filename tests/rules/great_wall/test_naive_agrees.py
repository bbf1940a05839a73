"""The real rules and the plain model say the same, over whole random matches and from crowded positions."""

import random
from collections.abc import Callable, Sequence

import pytest

from rules.great_wall.game import GREAT_WALL
from rules.great_wall.kinds import Ending
from rules.great_wall.moves import Move
from rules.great_wall.pending import PickDue
from rules.great_wall.state import State
from rules.kernel.actors import CHANCE, Actor, Seat
from rules.kernel.edition import EditionKey
from rules.kernel.setup import Draws, Setup
from rules.kernel.text import Unreadable
from tests.rules.adjudication import Case
from tests.rules.great_wall.crowded import crowded
from tests.rules.great_wall.naive import Naive
from tests.rules.great_wall.naive_candidates import candidate
from tests.rules.great_wall.naive_set import LOCATIONS, RULINGS, SET_NAME
from tests.rules.great_wall.strategies import building, fighting
from tests.rules.great_wall.test_adjudication import CASES
from tests.rules.laws import accepted, cited, seeded

NAMES = ("green", "blue", "red", "yellow")
TABLES = ((3, False), (4, False), (2, False), (1, False), (2, True), (3, True), (4, True))
"""Seats, and whether they play together."""
NUMBERS = {"solo": 1, "two": 2, "three": 3, "four": 4}
QUESTIONS = 12
"""Random candidates before each entry."""
READ_ANEW = 0.1
"""How often the model forgets all but the position line."""
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


def assert_same_moves(state: State, match: Naive, line: str) -> None:
    """Both await the same actors, and list the same moves for them in the same order."""
    awaited = GREAT_WALL.awaiting(state)

    assert [who(actor) for actor in awaited] == match.awaiting(), line
    for actor in awaited:
        listed = [said(state, actor, move) for move in GREAT_WALL.legal_moves(state, actor)]
        assert listed == match.legal(who(actor)), line


def assert_same_verdicts(state: State, match: Naive, chance: random.Random, line: str) -> None:
    """Both cite the same rules in the same order for random moves, most of which are illegal."""
    seats = len(match.table.seats)
    awaited = GREAT_WALL.awaiting(state)
    for _ in range(QUESTIONS):
        text = candidate(chance, match.table, match.question)
        actor: Actor = chance.choice(awaited)
        if chance.random() < 0.1:
            anybody: list[Actor] = [CHANCE, *(Seat(seat) for seat in range(seats))]
            actor = chance.choice(anybody)
        assert_same_verdict(state, match, actor, text, line)
        if text.split()[-1] in LOCATIONS and text.startswith(("move ", "reed ")):
            assert_same_verdict(state, match, actor, f"{text.rpartition(' ')[0]} warehouse", line)


def assert_same_verdict(state: State, match: Naive, actor: Actor, text: str, line: str) -> None:
    spoken = text if actor is CHANCE else f"{match.table.clan(who(actor)).name} {text}"
    try:
        read, move = GREAT_WALL.notation.read_move(state, spoken)
    except Unreadable:
        return
    if read == actor:
        rules = list(dict.fromkeys(cited(GREAT_WALL.decide(state, actor, move))))
        assert rules == match.judge(who(actor), text), f"{line}\n{spoken}"


def assert_same_end(state: State, match: Naive) -> None:
    outcome = GREAT_WALL.outcome(state)

    assert outcome is not None
    assert match.awaiting() == []
    assert [score.points for score in outcome.scores] == match.scores()
    assert list(outcome.winners) == match.winners()


def begun(setup: Setup) -> Naive:
    """A new match of the plain model."""
    settings = dict(setup.rulings) | dict(setup.options)
    coop, recorded = "coop" in setup.edition, setup.draws is Draws.RECORDED
    return Naive.begin(setup.seats, settings, coop=coop, recorded=recorded)


def play_both(
    state: State, match: Naive, chance: random.Random, way: Way, *, crowd: bool
) -> tuple[State, int]:
    """Play a match in both, compared before every entry and at its end; returns the end and its entries."""
    entries = 0
    line = GREAT_WALL.notation.write_position(state)
    assert line == match.line()
    while awaited := GREAT_WALL.awaiting(state):
        if crowd and isinstance(state.ask, PickDue):
            crowd, state = False, crowded(chance, state)
            line = GREAT_WALL.notation.write_position(state)
            match = Naive.read(line)
        elif chance.random() < READ_ANEW:
            match = Naive.read(line)
        assert_same_moves(state, match, line)
        assert_same_verdicts(state, match, chance, line)
        actor = chance.choice(awaited)
        move = way(chance, state, list(GREAT_WALL.legal_moves(state, actor)))
        text = said(state, actor, move)
        match.play(who(actor), text)
        state = GREAT_WALL.fold(state, accepted(GREAT_WALL, state, actor, move) or ())
        before, line = line, GREAT_WALL.notation.write_position(state)
        assert line == match.line(), f"{before}\n{actor} {text}"
        entries += 1

    assert_same_end(state, match)
    return state, entries


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


def play_match(seed: int) -> tuple[State, int]:
    """Play any match in both, half of them from crowded positions on; returns the end and its entries."""
    chance = seeded(seed)
    seats, coop = TABLES[seed % len(TABLES)]
    setup = random_setup(chance, seats, coop=coop)
    way = chance.choice(WAYS)
    return play_both(GREAT_WALL.start(setup), begun(setup), chance, way, crowd=bool(seed // len(TABLES) % 2))


def play_great_wall(seed: int) -> int:
    """Play any match in both; returns the number of entries."""
    _, entries = play_match(seed)
    return entries


@pytest.mark.parametrize("seed", range(20))
def test_both_say_the_same_of_whole_matches(seed: int) -> None:
    assert play_great_wall(seed) > 0


ENDINGS = {
    ("solo", Ending.TIME, True): 1368,
    ("solo", Ending.TIME, False): 1732,
    ("solo", Ending.WALLS, True): 164,
    ("solo", Ending.WALLS, False): 1172,
    ("solo", Ending.POOL, False): 276,
    ("two", Ending.TIME, True): 1479,
    ("two", Ending.WALLS, True): 9,
    ("two", Ending.POOL, True): 135,
    ("three", Ending.TIME, True): 679,
    ("three", Ending.WALLS, True): 1365,
    ("three", Ending.POOL, True): 385,
    ("four", Ending.TIME, True): 134,
    ("four", Ending.WALLS, True): 582,
    ("four", Ending.POOL, True): 1324,
    ("co-op two", Ending.REQUESTS, True): 557,
    ("co-op two", Ending.TIME, False): 1551,
    ("co-op two", Ending.POOL, False): 1271,
    ("co-op two", Ending.SHAME, False): 1719,
    ("co-op three", Ending.REQUESTS, True): 1272,
    ("co-op three", Ending.TIME, False): 600,
    ("co-op three", Ending.POOL, False): 89,
    ("co-op three", Ending.SHAME, False): 642,
    ("co-op four", Ending.REQUESTS, True): 321,
    ("co-op four", Ending.TIME, False): 1259,
    ("co-op four", Ending.POOL, False): 34,
    ("co-op four", Ending.SHAME, False): 601,
}
"""Every kind of ending of every table, won or lost, and the seed of a short match that ends so."""


@pytest.mark.parametrize(("ending", "seed"), ENDINGS.items(), ids=str)
def test_both_say_the_same_of_every_kind_of_ending(ending: tuple[str, Ending, bool], seed: int) -> None:
    table, cause, won = ending
    state, _ = play_match(seed)

    assert TABLES[seed % len(TABLES)] == (NUMBERS[table.split()[-1]], table.startswith("co-op"))
    assert state.result is not None
    assert (state.result.cause, bool(state.result.winners)) == (cause, won)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_both_judge_the_published_case_alike(case: Case) -> None:
    match = Naive.read(case.position)
    state = GREAT_WALL.notation.read_position(case.position)
    actor, _ = GREAT_WALL.notation.read_move(state, case.move)
    text = case.move if actor is CHANCE else case.move.split(" ", 1)[1]

    assert match.line() == case.position
    assert match.judge(who(actor), text) == list(case.rules)
    if not case.rules:
        match.play(who(actor), text)
        assert match.line() == case.result
