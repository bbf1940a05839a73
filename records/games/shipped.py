"""The games of Shiji, which need no entry point: they are there in a work tree that was never installed."""
# ruff: noqa: PLC0415 - a command that judges a match of one game should not wait for the others

from typing import Final

from records.games.bound import BoundGame, bind, bind_stated
from records.games.known_games import KnownGames


def _qin() -> BoundGame:
    from records.codec.qin import QIN_CODEC
    from rules.qin.game import QIN

    return bind(QIN, QIN_CODEC)


def _khan() -> BoundGame:
    from records.codec.khan import KHAN_CODEC
    from rules.khan.game import KHAN

    return bind(KHAN, KHAN_CODEC)


def _zhanguo() -> BoundGame:
    from records.codec.zhanguo import ZHANGUO_CODEC
    from rules.zhanguo.game import ZHANGUO

    return bind(ZHANGUO, ZHANGUO_CODEC)


def _great_wall() -> BoundGame:
    from records.codec.great_wall import GREAT_WALL_CODEC
    from rules.great_wall.game import PLUGIN

    return bind_stated(PLUGIN, GREAT_WALL_CODEC)


SHIPPED: Final = KnownGames({"qin": _qin, "khan": _khan, "zhanguo": _zhanguo, "great-wall": _great_wall})
"""Each under its key."""
