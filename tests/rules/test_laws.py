"""Every game keeps the laws; a further game is a further line."""

import pytest

from tests.rules.laws import Law, answer_under_hash_seed, court
from tests.rules.qin.strategies import QIN_TRIAL

GAMES = (court(QIN_TRIAL),)
LAWS = [law for game in GAMES for law in game.laws]


@pytest.mark.parametrize("law", LAWS, ids=[law.name for law in LAWS])
def test_the_law_holds(law: Law) -> None:
    law.holds()


def test_law_8_the_results_are_the_same_under_two_hash_seeds() -> None:
    one, other = (answer_under_hash_seed(__name__, seed).split() for seed in (1, 2))

    assert one == other
    assert len(one) == len(GAMES)


if __name__ == "__main__":
    print(*(game.digest() for game in GAMES))  # noqa: T201 - law 8 reads it
