"""Every game that this build knows."""

from typing import Final

from records.codec.khan import KHAN_CODEC
from records.codec.qin import QIN_CODEC
from records.games.bound import BoundGame, bind
from rules.kernel.setup import GameKey
from rules.kernel.text import quoted
from rules.khan.game import KHAN
from rules.qin.game import QIN

GAMES: Final[tuple[BoundGame, ...]] = (
    bind(QIN, QIN_CODEC),
    bind(KHAN, KHAN_CODEC),
)


class UnknownGame(ValueError):
    """This build does not know the game."""

    def __init__(self, game: str) -> None:
        known = ", ".join(each.about.key for each in GAMES)
        super().__init__(f"no game is called {quoted(game)}; known: {known}")
        self.game = game


def find_game(key: str) -> BoundGame:
    """The game with this key; raises UnknownGame."""
    for candidate in GAMES:
        if candidate.about.key == GameKey(key):
            return candidate
    raise UnknownGame(key)
