"""Games are imported when they are first asked for, and are the same objects from then on."""

from functools import partial

import pytest

from records.games.bound import BoundGame
from records.games.known_games import TRIAL_SEATS, KnownGames
from records.games.registry import GAMES
from records.games.shipped import SHIPPED
from rules.kernel.setup import Setup


@pytest.mark.parametrize("key", SHIPPED.keys)
def test_a_game_of_shiji_is_registered_under_its_own_key(key: str) -> None:
    assert SHIPPED[key].about.key == key


@pytest.mark.parametrize("key", SHIPPED.keys)
def test_a_game_is_the_same_whoever_asks_for_it(key: str) -> None:
    assert GAMES[key] is GAMES[key] is SHIPPED[key]


def test_keys_are_known_without_importing_a_game() -> None:
    asked: list[str] = []

    def load(key: str) -> BoundGame:
        asked.append(key)
        return SHIPPED[key]

    games = KnownGames({key: partial(load, key) for key in SHIPPED.keys})

    assert games.keys == SHIPPED.keys
    assert len(games) == len(SHIPPED)
    assert asked == []
    assert [game.about.key for game in games] == asked == list(SHIPPED.keys)

    games.load_all()

    assert asked == list(SHIPPED.keys)


@pytest.mark.parametrize("key", SHIPPED.keys)
def test_every_shipped_set_can_be_read_before_anybody_calls(key: str) -> None:
    about = SHIPPED[key].about
    for components in about.components:
        started = SHIPPED[key].start(Setup(about.editions[-1].key, TRIAL_SEATS, components.name))

        assert started.setup.components.startswith(components.name)
