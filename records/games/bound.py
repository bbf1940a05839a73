"""A game together with its codec, with its own types hidden: the entry point to its rules."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, cast

from msgspec import Struct

from records.codec.shape import Codec
from records.games.opaque import OpaqueCodec, OpaqueGame, OpaquePlugin
from records.games.state import GameState
from rules.kernel.display import BoardInfo
from rules.kernel.edition import chosen_options
from rules.kernel.game import About, Game
from rules.kernel.plugin import Plugin
from rules.kernel.series import BadSeries, Standings
from rules.kernel.setup import ComponentReport, Setup
from rules.kernel.statements import Misstated

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")
Table = TypeVar("Table")
StructState = TypeVar("StructState", bound=Struct)


@dataclass(frozen=True, slots=True)
class BoundGame:
    """A game that this build knows."""

    game: OpaqueGame
    codec: OpaqueCodec
    plugin: OpaquePlugin | None = None
    """What the game states of itself, where its codec is derived from that."""

    @property
    def about(self) -> About:
        """Title, editions, options, rulings and components of the game."""
        return self.game.about

    @property
    def max_entries(self) -> int:
        """The maximum number of entries of a match."""
        return self.game.max_entries

    @property
    def deepest(self) -> int:
        """The maximum depth that perft counts to."""
        return self.game.perft.deepest

    def board_info(self, components: str) -> BoardInfo:
        """The board of components as a match header has them; raises BadSetup or Unreadable."""
        return self.game.board_info(components)

    def series(self, matches: Sequence[GameState]) -> Standings:
        """The standings after several matches; raises BadSeries, also if the game has no series."""
        if self.game.series is None:
            raise BadSeries(f"{self.about.title} has no series of matches")
        return self.game.series([self.game.notation.read_position(match.position()) for match in matches])

    def check_components(self, text: str) -> ComponentReport | None:
        """The contents and the problems of a component file; None if the game has no such files.

        Raises UnreadableComponents.
        """
        check = self.game.check_components
        return None if check is None else check(text)

    def start(self, setup: Setup) -> GameState:
        """The first state of a match; raises BadSetup, UnknownEdition, UnknownRuling or UnknownOption."""
        if setup.options:  # checked here, as a game without options does not look at them
            setup = replace(setup, options=chosen_options(self.about.options, setup.options).given)
        return GameState(self.game, self.codec, self.game.start(setup))

    def read_position(self, text: str) -> GameState:
        """The state that a position line describes; raises Unreadable."""
        return GameState(self.game, self.codec, self.game.notation.read_position(text))


def bind(game: Game[State, Move, Event], codec: Codec[State, Move, Event]) -> BoundGame:
    """The game and its codec, with their types hidden."""
    # This and the next function are the only places where a game's own types are hidden. It is safe because
    # states and moves of a game are only ever passed back to the same game.
    return BoundGame(cast("OpaqueGame", game), cast("OpaqueCodec", codec))


def bind_stated(
    plugin: Plugin[StructState, Table, Move, Event], codec: Codec[StructState, Move, Event]
) -> BoundGame:
    """The game and its codec, with their types hidden, and what the game states of itself.

    Raises TypeError if two of its rules, rulings, options or editions have one name.
    """
    about = plugin.game.about
    named: dict[str, list[str]] = {
        "rules": [rule.id for rule in about.rules],
        "rulings and options": [*(one.name for one in about.rulings), *(one.name for one in about.options)],
        "editions": [edition.key for edition in about.editions],
    }
    for what, names in named.items():
        for name in names:
            if names.count(name) > 1:
                raise Misstated(f"two {what} are called {name}")
    bound = bind(plugin.game, codec)
    return BoundGame(bound.game, bound.codec, cast("OpaquePlugin", plugin))
