"""Every game keeps the laws; a further game is a further line."""

import pytest

from records.games.shipped import SHIPPED
from tests.rules.great_wall.strategies import GREAT_WALL_TRIAL
from tests.rules.khan.strategies import KHAN_TRIAL
from tests.rules.laws import require_holds
from tests.rules.qin.strategies import QIN_TRIAL
from tests.rules.zhanguo.strategies import ZHANGUO_TRIAL
from tools.laws.court import Law, court
from tools.laws.hash_seeds import output_under_hash_seed

COURTS = (court(QIN_TRIAL), court(KHAN_TRIAL), court(ZHANGUO_TRIAL), court(GREAT_WALL_TRIAL))
SHARE = {"zhanguo": 0.3, "great-wall": 0.3}
"""Of large games, whose matches take long, fewer matches are played."""
LAWS = [law for court in COURTS for law in court.laws]


def game_of(law: Law) -> str:
    return law.name.partition("-law_")[0]


@pytest.mark.parametrize("law", LAWS, ids=[law.name for law in LAWS])
def test_the_law_holds(law: Law) -> None:
    require_holds(law, share=SHARE.get(game_of(law), 1.0))


def test_every_game_of_the_registry_is_before_the_law() -> None:
    assert {game_of(law) for law in LAWS} == set(SHIPPED.keys)


def test_law_8_the_results_are_the_same_under_two_hash_seeds() -> None:
    one, other = (output_under_hash_seed(["-m", __name__], seed).split() for seed in (1, 2))

    assert one == other
    assert len(one) == len(SHIPPED)


if __name__ == "__main__":
    print(*(court.digest() for court in COURTS))  # noqa: T201 - law 8 reads it
