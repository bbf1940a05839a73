"""The small games of the tests keep the laws, as every game does."""

import random

import pytest
from hypothesis import given

from rules.kernel.actors import Actor, Seat
from rules.kernel.rule import Illegal
from tests.rules.kit.caravans.game import CARAVANS
from tests.rules.kit.caravans.tasks import AGENDA
from tests.rules.kit.caravans.trial import CARAVANS_TRIAL, disguised
from tests.rules.kit.caravans.values import Move, State
from tests.rules.kit.dike.trial import DIKE_TRIAL
from tests.rules.laws import chances, random_match, require_holds, some
from tools.laws.court import Law, court
from tools.laws.hash_seeds import output_under_hash_seed

GAMES = (court(CARAVANS_TRIAL), court(DIKE_TRIAL))
LAWS = [law for game in GAMES for law in game.laws]


@pytest.mark.parametrize("law", LAWS, ids=[law.name for law in LAWS])
def test_the_law_holds(law: Law) -> None:
    require_holds(law)


@given(chances())
def test_who_is_asked_next_does_not_depend_on_what_others_hide(chance: random.Random) -> None:
    """Whatever is made or lapses of itself does so by public facts; only a reveal shows what was hidden."""
    for state in some(random_match(CARAVANS_TRIAL, chance).states, chance, 5):
        for seat in state.table.seats:
            other = disguised(state, seat, chance)
            assert CARAVANS.awaiting(state) == CARAVANS.awaiting(other)

            for move in () if AGENDA.sealed(state) else CARAVANS.legal_moves(state, seat):
                assert _awaited_after(state, seat, move) == _awaited_after(other, seat, move)


def _awaited_after(state: State, seat: Seat, move: Move) -> tuple[Actor, ...]:
    events = CARAVANS.decide(state, seat, move)
    assert not isinstance(events, Illegal)
    return CARAVANS.awaiting(CARAVANS.fold(state, events))


def test_law_8_the_results_are_the_same_under_two_hash_seeds() -> None:
    one, other = (output_under_hash_seed(["-m", __name__], seed) for seed in (1, 2))

    assert one == other != ""


if __name__ == "__main__":
    print(*(game.digest() for game in GAMES))  # noqa: T201 - law 8 reads it
