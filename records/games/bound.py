"""A game with its types closed over: who knows its rules, and how a match of it begins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from records.codec.shape import Codec
from records.games.opaque import OpaqueCodec, OpaqueGame
from records.games.state import GameState
from rules.kernel.display import BoardInfo
from rules.kernel.game import About, Game
from rules.kernel.series import BadSeries, Standings
from rules.kernel.setup import ComponentReport, Setup

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")


@dataclass(frozen=True, slots=True)
class BoundGame:
    """A game that this build knows."""

    game: OpaqueGame
    codec: OpaqueCodec

    @property
    def about(self) -> About:
        """What there is to read about the game."""
        return self.game.about

    @property
    def longest(self) -> int:
        """No match has more entries than this."""
        return self.game.longest

    @property
    def deepest(self) -> int:
        """No sequence that perft counts is longer."""
        return self.game.perft.deepest

    def sight(self, components: str) -> BoardInfo:
        """The board of components as a match header has them; raises BadSetup or Unreadable."""
        return self.game.sight(components)

    def series(self, matches: Sequence[GameState]) -> Standings:
        """Matches added up; raises BadSeries, also where the game has no series."""
        if self.game.series is None:
            raise BadSeries(f"{self.about.title} knows no series of matches")
        return self.game.series([self.game.notation.read_position(match.position()) for match in matches])

    def check_components(self, text: str) -> ComponentReport | None:
        """What a component file holds and what is wrong with it; None where the game has no such files.

        Raises UnreadableComponents.
        """
        check = self.game.check_components
        return None if check is None else check(text)

    def start(self, setup: Setup) -> GameState:
        """A match laid out; raises BadSetup, UnknownEdition or UnknownRuling."""
        return GameState(self.game, self.codec, self.game.start(setup))

    def read_position(self, text: str) -> GameState:
        """A match as a position line tells it; raises Unreadable."""
        return GameState(self.game, self.codec, self.game.notation.read_position(text))


def bind(game: Game[State, Move, Event], codec: Codec[State, Move, Event]) -> BoundGame:
    """The arbiter of a game."""
    # The one place where a game's own types are hidden: its states and moves only ever go back to itself.
    return BoundGame(cast("OpaqueGame", game), cast("OpaqueCodec", codec))
