"""The positions whose lists `make bench` measures."""

import pytest

from records.games.registry import find_game
from tools.dev.bench.games import LARGE_GAMES, Listing, listed, listings


def test_every_question_belongs_to_a_game_that_is_measured() -> None:
    assert {listing.game for listing in listings()} <= {game.key for game in LARGE_GAMES}


@pytest.mark.parametrize("listing", listings(), ids=lambda listing: f"{listing.game}: {listing.what}")
def test_lists_grow_from_position_to_position(listing: Listing) -> None:
    game = find_game(listing.game)
    lengths = [listed(game.read_position(position)) for position in listing.positions]

    assert len(lengths) > 1
    assert lengths == sorted(set(lengths))
    assert lengths[-1] >= 2 * lengths[0]
