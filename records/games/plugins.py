"""Games of other distributions: found by their entry points, with codecs derived from what they state."""

from collections.abc import Iterable, Iterator
from importlib.metadata import EntryPoint
from typing import Final, TypeVar

from msgspec import Struct

from records.codec.canonical import canonical
from records.codec.derived import Messages, derived
from records.codec.schema import Schema, schema
from records.codec.shape import Codec
from records.games.bound import BoundGame, bind_stated
from records.games.known_games import KnownGames
from rules.kernel.plugin import GROUP, Plugin
from rules.kernel.text import quoted

State = TypeVar("State", bound=Struct)
Table = TypeVar("Table")
Move = TypeVar("Move")
Event = TypeVar("Event")

_SHIJI: Final = "Shiji"
"""Where games come from that have no entry point."""


class BadPlugin(ImportError):
    """An installed game cannot be used; raised when the registry is imported."""

    def __init__(self, why: str) -> None:
        super().__init__(why, name=GROUP)


def codec_of(plugin: Plugin[State, Table, Move, Event]) -> Codec[State, Move, Event]:
    """The codec that its statements give; raises TypeError if they contradict each other."""
    return derived(
        plugin.table,
        plugin.moves,
        plugin.events,
        Messages(*messages_of(plugin).classes()),
        state_bytes=canonical(plugin.state, apart=plugin.apart),
        same_names=plugin.same_names,
    )


def bind_plugin(plugin: Plugin[State, Table, Move, Event]) -> BoundGame:
    """The game with its codec; raises TypeError if its statements contradict each other."""
    return bind_stated(plugin, codec_of(plugin))


def messages_of(plugin: Plugin[State, Table, Move, Event]) -> Schema:
    """The messages of its moves and events."""
    return schema(plugin.package, plugin.moves, plugin.events)


def registered(shipped: KnownGames, installed: Iterable[EntryPoint]) -> KnownGames:
    """All games, those of Shiji first and then by key; raises BadPlugin."""
    sources: dict[str, str] = dict.fromkeys(shipped.keys, _SHIJI)
    found: list[BoundGame] = []
    for game, source in _loaded(installed):
        key = game.about.key
        if key in sources:
            both = f"one of {sources[key]} and one of {source}"
            raise BadPlugin(f"two games are called {quoted(key)}, {both}; uninstall one")
        sources[key] = source
        found.append(game)
    return shipped.and_also(*found)


def _loaded(installed: Iterable[EntryPoint]) -> Iterator[tuple[BoundGame, str]]:
    # A distribution that is found twice on the path of imports, such as an installed one in the current
    # folder, is one distribution.
    seen: set[tuple[str, str, str]] = set()
    for point in sorted(installed, key=lambda point: (point.name, source_of(point), point.value)):
        mark = (point.name, point.value, source_of(point))
        if mark not in seen:
            seen.add(mark)
            yield _load(point), source_of(point)


def _load(point: EntryPoint) -> BoundGame:
    where = f"the game {quoted(point.name)} of {source_of(point)}"
    remedy = "correct it, or uninstall the distribution"
    try:
        plugin: object = point.load()
    except Exception as fault:  # code of others, which may raise anything
        raise BadPlugin(f"{where} cannot be imported: {type(fault).__name__}: {fault}; {remedy}") from fault
    if not isinstance(plugin, Plugin):
        raise BadPlugin(f"{where}: {point.value} is no rules.kernel.api.Plugin; {remedy}")
    if plugin.game.about.key != point.name:
        key = quoted(plugin.game.about.key)
        raise BadPlugin(f"{where} has the key {key}: the entry point must have that name; {remedy}")
    try:
        return bind_plugin(plugin)
    except TypeError as fault:
        raise BadPlugin(f"{where} contradicts itself: {fault}; {remedy}") from fault


def source_of(point: EntryPoint) -> str:
    """The distribution that registers a game, with its version."""
    return "an unknown distribution" if point.dist is None else f"{point.dist.name} {point.dist.version}"
