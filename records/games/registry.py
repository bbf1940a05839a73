"""Every game that this build knows: those of Shiji, and those that other distributions register."""

from importlib.metadata import EntryPoint, entry_points
from typing import Final

from records.codec.great_wall import GREAT_WALL_CODEC
from records.codec.khan import KHAN_CODEC
from records.codec.qin import QIN_CODEC
from records.codec.zhanguo import ZHANGUO_CODEC
from records.games.bound import BoundGame, bind, bind_stated
from records.games.plugins import registered
from rules.great_wall.game import PLUGIN as GREAT_WALL
from rules.kernel.plugin import GROUP
from rules.kernel.setup import GameKey
from rules.kernel.text import quoted
from rules.khan.game import KHAN
from rules.qin.game import QIN
from rules.zhanguo.game import ZHANGUO

SHIPPED: Final[tuple[BoundGame, ...]] = (
    bind(QIN, QIN_CODEC),
    bind(KHAN, KHAN_CODEC),
    bind(ZHANGUO, ZHANGUO_CODEC),
    bind_stated(GREAT_WALL, GREAT_WALL_CODEC),
)
"""The games of Shiji, which need no entry point: they are there in a work tree that was never installed."""


def installed_plugins() -> tuple[EntryPoint, ...]:
    """What other distributions register."""
    return tuple(entry_points(group=GROUP))


GAMES: Final[tuple[BoundGame, ...]] = registered(SHIPPED, installed_plugins())


class UnknownGame(ValueError):
    """This build does not know the game."""

    def __init__(self, game: str) -> None:
        known = ", ".join(each.about.key for each in GAMES)
        super().__init__(
            f"no game is called {quoted(game)}; known: {known}; any other must be installed beside Shiji"
        )
        self.game = game


def find_game(key: str) -> BoundGame:
    """The game with this key; raises UnknownGame."""
    for candidate in GAMES:
        if candidate.about.key == GameKey(key):
            return candidate
    raise UnknownGame(key)
