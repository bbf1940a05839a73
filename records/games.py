"""Every game that this build knows, one line each."""

from typing import Final

from records.arbiter import Arbiter, arbiter
from records.codec.qin import QIN_CODEC
from rules.kernel.setup import GameKey
from rules.kernel.text import quoted
from rules.qin.game import QIN

ARBITERS: Final[tuple[Arbiter, ...]] = (arbiter(QIN, QIN_CODEC),)


class UnknownGame(ValueError):
    """This build does not know the game."""


def find_arbiter(key: str) -> Arbiter:
    """The arbiter of a game, by its key."""
    for candidate in ARBITERS:
        if candidate.about.key == GameKey(key):
            return candidate
    known = ", ".join(candidate.about.key for candidate in ARBITERS)
    raise UnknownGame(f"no game is called {quoted(key)}; known: {known}")
