"""A state of a match: what never changes, and what does."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from msgspec import Struct, structs

from rules.kernel.actors import Seat
from rules.kernel.edition import EditionKey
from rules.kernel.places import with_one
from rules.kernel.setup import Draws
from rules.zhanguo.annex import REWARD_TABLES, RewardTable
from rules.zhanguo.frames import Frame, RevealDue, RivalDue, SeatBase
from rules.zhanguo.main_board import MapRegion, MausoleumSpot, WallSection
from rules.zhanguo.pieces import (
    GOVERNORS,
    PALACES,
    WALLS,
    ActionCard,
    Aspect,
    Card,
    EmperorTile,
    Site,
    StartTile,
    TileKind,
)
from rules.zhanguo.player_board import Player
from rules.zhanguo.printed import Level, Printed
from rules.zhanguo.rulings import RIVAL_SEAT, Options, Rulings

TOKENS: Final = {2: 9, 3: 11, 4: 13}
"""Tokens of each aspect, by number of players (ZHG-SET-13)."""


@dataclass(frozen=True)
class Table:
    """What never changes in a match."""

    edition: EditionKey
    names: tuple[str, ...]
    draws: Draws
    options: Options
    rulings: Rulings
    printed: Printed

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, in the order of the header."""
        return tuple(Seat(number) for number in range(len(self.names)))

    @property
    def players(self) -> int:
        """How many there are, Li Si included."""
        return len(self.names)

    @cached_property
    def rival(self) -> Seat | None:
        """Li Si's seat."""
        return None if self.options.level is None else Seat(self.names.index(RIVAL_SEAT))

    @cached_property
    def level(self) -> Level | None:
        """Li Si's card."""
        return None if self.options.level is None else self.printed.levels[self.options.level]

    @cached_property
    def humans(self) -> tuple[Seat, ...]:
        """Seats that are awaited."""
        return tuple(seat for seat in self.seats if seat != self.rival)

    @cached_property
    def rewards(self) -> RewardTable:
        """The unification table in use."""
        return REWARD_TABLES[self.options.table]


class ActionDeck(Struct, frozen=True, array_like=True):
    """Li Si's Action cards, in ascending order; those removed from the game are in neither."""

    left: tuple[ActionCard, ...]
    discarded: tuple[ActionCard, ...]


class State(Struct, frozen=True):
    """Everything that changes."""

    table: Table
    round: int
    track: tuple[Seat, ...]
    column: tuple[Seat | None, ...]
    court: tuple[Card, ...]
    mausoleum: tuple[MausoleumSpot, ...]
    walls: tuple[WallSection, ...]
    emperors: tuple[tuple[EmperorTile, ...], ...]
    """By site, the top one first."""
    regions: tuple[MapRegion, ...]
    masters: tuple[Card, ...]
    players: tuple[Player, ...]
    starts: tuple[tuple[StartTile, ...], ...]
    """Start tiles dealt to each seat that has not chosen one yet, in turn order."""
    actions: ActionDeck
    """Empty without Li Si, as the next two."""
    kept: tuple[tuple[TileKind, ...], ...]
    """By region: palace tiles that Li Si took, in this order."""
    deck: tuple[int, ...]
    """By aspect: what is left of Li Si's six cards."""
    agenda: tuple[Frame, ...]

    @property
    def acting(self) -> Seat | None:
        """The seat of the base frame."""
        base = self.agenda[-1] if self.agenda else None
        if isinstance(base, SeatBase):
            return base.seat
        return self.table.rival if isinstance(base, (RevealDue, RivalDue)) else None

    @property
    def humans(self) -> tuple[Seat, ...]:
        """Seats that are awaited, in turn order as far as it is on the track."""
        return tuple([seat for seat in self.track if seat != self.table.rival])

    def start_tiles(self, seat: Seat) -> tuple[StartTile, ...]:
        """Those that a seat chooses from, once all are dealt; none once it has chosen."""
        humans = self.humans
        if seat not in humans:
            return ()
        left = len(self.starts) - (len(humans) - humans.index(seat))
        return self.starts[left] if 0 <= left < len(self.starts) else ()

    def supply(self, aspect: Aspect) -> int:
        """Tokens that nobody holds."""
        return TOKENS[self.table.players] - sum([player.tokens[aspect] for player in self.players])

    def holder(self, aspect: Aspect) -> Seat | None:
        """Who holds the large token; None while it is on the board."""
        return next((seat for seat in self.table.seats if aspect in self.players[seat].large), None)

    def governors_left(self, seat: Seat) -> int:
        """Governors on the player board."""
        return GOVERNORS - sum([region.governors(seat) for region in self.regions])

    def palaces_left(self, seat: Seat) -> int:
        """Palaces on the player board."""
        return PALACES - sum([region.palaces[seat] for region in self.regions])

    def walls_left(self, seat: Seat) -> int:
        """Walls on the player board."""
        return WALLS - sum([section.slots.count(seat) for section in self.walls])

    def walls_at(self, site: Site, seat: Seat) -> int:
        """Walls of a seat on both sections of a site."""
        return sum([self.walls[2 * site + half].slots.count(seat) for half in (0, 1)])

    def with_player(self, seat: Seat, player: Player) -> "State":
        """With another player board."""
        return structs.replace(self, players=with_one(self.players, seat, player))
