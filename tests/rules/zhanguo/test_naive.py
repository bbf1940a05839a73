"""The plain model by itself: random matches in every mode come to their end, and its invariants hold."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.zhanguo.naive import Naive
from tests.rules.zhanguo.naive_invariants import (
    broken_by_acceptance,
    broken_by_step,
    broken_invariants,
    lines_of,
)
from tests.rules.zhanguo.naive_line import read_line, write_line
from tests.rules.zhanguo.naive_score import breakdown, governors, winners
from tests.rules.zhanguo.naive_set import MAJORITY, REGIONS
from tests.rules.zhanguo.naive_table import OPTIONS, RIVAL, RULINGS
from tests.rules.zhanguo.naive_tables import NAMES

SEEDS = st.integers(0, 2**32 - 1)
SOME_MATCHES = settings(max_examples=max(1, settings().max_examples // 50))
"""One takes a second or two."""
MAX_ENTRIES = 11_000


def random_match(chance: random.Random, seats: int, rival: str = "none") -> Naive:
    """A match before its first entry, with any of the other options and any rulings."""
    given_settings = {name: chance.choice(values) for name, values in (OPTIONS | RULINGS).items()}
    names = list(NAMES[:seats])
    if rival != "none":
        names = [NAMES[0]]
        names.insert(chance.randrange(2), RIVAL)
    return Naive(names, given_settings | {"rival": rival}, recorded=chance.random() < 0.5)


def play_to_the_end(match: Naive, chance: random.Random) -> int:
    """Play at random, and check every position; returns the number of entries."""
    entries = 0
    while match.awaiting():
        (actor,) = match.awaiting()
        before = read_line(write_line(match))
        move = chance.choice(match.legal(actor))
        match.play(actor, move)
        entries += 1

        assert write_line(read_line(write_line(match))) == write_line(match)
        assert broken_invariants(match) == [], f"{write_line(before)}: {move}"
        assert broken_by_step(before, match) == [], f"{write_line(before)}: {move}"
        if move == "accept":
            assert broken_by_acceptance(before, match) == [], f"{write_line(before)}: {move}"
    return entries


def assert_scored(match: Naive) -> None:
    for region in REGIONS:
        shares = governors(match, region)
        if any(shares):
            tied = sum(share > 0 for share in shares)

            assert MAJORITY[match.seats] - tied < sum(shares) <= MAJORITY[match.seats]  # ZHG-INV-45
    for seat in range(match.seats):
        lines, most = lines_of(match, seat)

        assert breakdown(match, seat)["lines"] == 10 * lines <= 10 * most  # ZHG-INV-46
        assert lines != 5
    assert winners(match)


@pytest.mark.parametrize("seats", [2, 3, 4])
@SOME_MATCHES
@given(SEEDS)
def test_random_matches_come_to_an_end(seats: int, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - tests want the same match again
    match = random_match(chance, seats)

    assert play_to_the_end(match, chance) < MAX_ENTRIES
    assert_scored(match)


@pytest.mark.parametrize("rival", OPTIONS["rival"][1:])
@SOME_MATCHES
@given(SEEDS)
def test_random_matches_against_li_si_come_to_an_end(rival: str, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - tests want the same match again
    match = random_match(chance, 2, rival)

    assert play_to_the_end(match, chance) < MAX_ENTRIES
    assert_scored(match)


EXAMPLE = (
    "zhg-ref-1 T1.2 21|--- 1,119,5,70,110,39,23 chu=MR5:..../A=MW3:..../wei=MR3:..../B=MW1:..../"
    "elixir=ME1:..../zhao=MR4:..../qi=MR2:..../C=MW2:..../yan=MR1:.... W5b:../W3b:../W6a:../W1b:.2/W2a:../"
    "W4a:.. -/E4/E6E5 uu;00;G0:..;00/lu;00;G1:..;00/ww;00;G4:..;00/la;00;G7:..;00/aa;00;G0:..;00 M3M5 "
    "green:0:12:6.3:0.1.0:38,43,68,83,84:A1A2A3A4:A5;arr;0;0/47;g;0;0/97;;0;0/;;0;1/20;;0;0 "
    "violet:0:6:6.3:1.0.1:40,59,64,90,107:A1A2A3A4A5:;ggg;0;1/;;0;0/22;;0;0/103*E3,57;;0;2/74;;1;2 "
    "master>step:1:elixir:yes:- draws=recorded"
)


def test_the_example_of_a_position_line_is_read_and_played_on_from() -> None:
    match = read_line(EXAMPLE)

    assert write_line(match) == EXAMPLE
    assert match.legal(0) == ["master M3", "master M5"]

    match.play(0, "master M5")

    assert match.players[0].aside == ["A1", "A2", "A3", "A4", "M5"]
    assert match.top == ["step", "1", "elixir", "yes", "-"]
