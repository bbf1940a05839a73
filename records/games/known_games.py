"""Games by their keys, each of which is imported when it is first asked for."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Final, TypeAlias

from records.games.bound import BoundGame
from rules.kernel.setup import GameKey, Setup

LoadGame: TypeAlias = Callable[[], BoundGame]
"""Imports a game."""

TRIAL_SEATS: Final = ("green", "violet")
"""Seats for which the component sets are read."""


class KnownGames:
    """Games in a chosen order. To go through them imports all of them; their keys need no import."""

    def __init__(self, loaders: Mapping[str, LoadGame], loaded: Iterable[BoundGame] = ()) -> None:
        self._loaders: Final = dict(loaders)
        self._loaded: Final[dict[str, BoundGame]] = {game.about.key: game for game in loaded}
        keys = dict.fromkeys((*self._loaders, *self._loaded))
        self.keys: Final = tuple(GameKey(key) for key in keys)

    def __getitem__(self, key: str) -> BoundGame:
        """The game with this key, always the same object; raises KeyError."""
        if key not in self._loaded:
            self._loaded.setdefault(key, self._loaders[key]())  # two threads may come here
        return self._loaded[key]

    def __iter__(self) -> Iterator[BoundGame]:
        return (self[key] for key in self.keys)

    def load_all(self) -> None:
        """Import all of them and read their component sets, so that no caller waits for it."""
        for game in self:
            for components in game.about.components:
                with suppress(Exception):  # it is for other seats, or at fault: its callers will see that
                    started = game.start(Setup(game.about.editions[-1].key, TRIAL_SEATS, components.name))
                    game.start(started.setup)  # in which the set is called by its hash, as in headers

    def __len__(self) -> int:
        return len(self.keys)

    def and_also(self, *games: BoundGame) -> "KnownGames":
        """These games and some more."""
        return KnownGames({key: partial(self.__getitem__, key) for key in self.keys}, games)
