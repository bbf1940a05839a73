"""Every game that this build knows: those of Shiji, and those that other distributions register."""

from importlib.metadata import EntryPoint, entry_points
from typing import Final

from records.games.bound import BoundGame
from records.games.known_games import KnownGames
from records.games.plugins import registered
from records.games.shipped import SHIPPED
from rules.kernel.plugin import GROUP
from rules.kernel.text import quoted


def installed_plugins() -> tuple[EntryPoint, ...]:
    """What other distributions register."""
    return tuple(entry_points(group=GROUP))


GAMES: Final[KnownGames] = registered(SHIPPED, installed_plugins())
"""Those of others are imported at once: one that cannot be used is an error at start."""


class UnknownGame(ValueError):
    """This build does not know the game."""

    def __init__(self, game: str) -> None:
        known = ", ".join(GAMES.keys)
        super().__init__(
            f"no game is called {quoted(game)}; known: {known}; any other must be installed beside Shiji"
        )
        self.game = game


def find_game(key: str) -> BoundGame:
    """The game with this key; raises UnknownGame."""
    if key not in GAMES.keys:
        raise UnknownGame(key)
    return GAMES[key]


def is_plugin(key: str) -> bool:
    """Whether a game is not one of Shiji's own."""
    return key not in SHIPPED.keys
