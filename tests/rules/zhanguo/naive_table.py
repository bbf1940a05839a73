"""What lies on the table of a plain match of Zhanguo, and plain questions about it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tests.rules.zhanguo.naive_printed import REFERENCE, Printed
from tests.rules.zhanguo.naive_set import (
    ALCHEMISTS,
    ASPECTS,
    GOVERNORS,
    OFFICIALS,
    PALACES,
    REGIONS,
    RESERVE,
    SECTIONS,
    SITES,
    SPOTS,
    SUPPLY,
    WALLS,
)

RIVAL = "li-si"
CHANCE = None
# The first value of each is the default.
OPTIONS: dict[str, tuple[str, ...]] = {
    "table": ("T1", "T2", "T3"),
    "mausoleum": ("printed", "tokens"),
    "rival": ("none", "li-si-1", "li-si-2", "li-si-3", "li-si-4"),
}
RULINGS: dict[str, tuple[str, ...]] = {
    "emperor-claim": ("section", "site"),
    "emperor-effect": ("replaces", "adds"),
    "alchemist-position": ("counts", "ignored"),
    "governor-tiles": ("two-spaces", "choose-one"),
    "unlock-cost": ("value", "count"),
    "governor-area": ("always", "no-bonus-left"),
}
Frame = list[str]
"""A name and its fields, as a position line has them."""


@dataclass
class Column:
    """One region of a player board."""

    cards: list[str] = field(default_factory=list)
    officials: dict[str, int] = field(default_factory=lambda: dict.fromkeys(OFFICIALS, 0))
    workers: int = 0
    unrest: int = 0


@dataclass
class Player:
    """What a seat has, but for its pieces on the main board."""

    name: str
    vp: int = 0
    boat: int = 0
    locked: int = 8
    entrance: int = 1
    tokens: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ASPECTS, 0))
    large: list[str] = field(default_factory=list)
    hand: list[str] = field(default_factory=list)
    """Numbers, and `w?` `c?` `l?` for cards that nobody has named."""
    aside: list[str] = field(default_factory=lambda: list(ALCHEMISTS))
    board: dict[str, Column] = field(default_factory=lambda: {region: Column() for region in REGIONS})
    emperors: dict[str, str] = field(default_factory=dict)
    """The Emperor tile on a card."""


@dataclass
class Spot:
    """A Mausoleum spot; nothing is known of what has not been dealt."""

    target: str = "?"
    tile: str = "?"
    slots: list[int | None] = field(default_factory=list)


@dataclass
class Section:
    """A wall section."""

    slots: list[int | None]
    face: str = "?"


@dataclass
class Land:
    """A region of the main board."""

    palaces: list[int]
    area: list[int]
    tiles: list[str] = field(default_factory=list)
    """Kinds of the palace tiles left."""
    governor_tiles: list[str] = field(default_factory=list)
    spaces: list[int | None] = field(default_factory=list)
    """Two for each governor tile."""


class Table:
    """A table, at first before the first deal; tests may change any part of it."""

    def __init__(
        self,
        names: Sequence[str],
        settings: Mapping[str, str] | None = None,
        *,
        recorded: bool = False,
        printed: Printed = REFERENCE,
    ) -> None:
        self.printed = printed
        given = dict(settings or {})
        offered = OPTIONS | RULINGS
        assert all(value in offered[name] for name, value in given.items())
        self.settings = {name: given.get(name, values[0]) for name, values in offered.items()}
        self.recorded = recorded
        self.seats = len(names)
        self.level = int(self.settings["rival"][-1]) if self.settings["rival"] != "none" else 0
        assert (RIVAL in names) == bool(self.level)
        self.rival = list(names).index(RIVAL) if self.level else None
        self.players = [Player(name) for name in names]
        self.round = 0
        self.track: list[int] = []
        self.column: list[int | None] = [None, None, None]
        self.court: list[str] = []
        self.spots = {spot: Spot() for spot in SPOTS}
        if self.settings["mausoleum"] == "printed":
            for spot, target in zip(self.spots.values(), printed.targets, strict=True):
                spot.target = target
        slots = self.printed.wall_slots[self.seats]
        self.walls = {section: Section([None] * len(slots[section])) for section in SECTIONS}
        self.piles: dict[str, list[str]] = {site: [] for site in SITES}
        self.lands = {region: Land([0] * self.seats, [0] * self.seats) for region in REGIONS}
        self.masters: list[str] = []
        self.start: dict[int, list[str]] = {}
        self.actions: list[int] = []
        self.discarded: list[int] = []
        self.kept: dict[str, list[str]] = {region: [] for region in REGIONS}
        self.deck: list[str] = []
        self.stack: list[Frame] = [["first"]]
        """The top first."""
        if self.rival is not None:
            self._seat_rival(self.rival)

    def _seat_rival(self, seat: int) -> None:
        """ZHG-SOL-02, -03."""
        rival = self.players[seat]
        rival.boat = self.printed.rival_boat_at[self.level]
        rival.locked -= self.printed.rival_unlocked[self.level]
        rival.entrance += self.printed.rival_unlocked[self.level]
        self.actions = sorted(self.printed.rival_deck[self.level])
        self.track = [1 - seat]
        self.track.insert(self.printed.rival_order[self.level] - 1, seat)
        self.stack = [["deal"]]

    # Frames.

    @property
    def top(self) -> Frame:
        return self.stack[0]

    def base_seat(self) -> int:
        return int(self.stack[-1][1]) - 1

    def set_base(self, name: str, seat: int, *fields: str) -> None:
        self.stack[-1] = [name, str(seat + 1), *fields]

    def human(self) -> int:
        assert self.rival is not None
        return 1 - self.rival

    # Tokens, pieces.

    def supply(self, aspect: str) -> int:
        return SUPPLY[self.seats] - sum(player.tokens[aspect] for player in self.players)

    def large_left(self, aspect: str) -> bool:
        return all(aspect not in player.large for player in self.players)

    def reserve(self, seat: int, official: str) -> int:
        board = self.players[seat].board
        return RESERVE - sum(column.officials[official] for column in board.values())

    def governors(self, seat: int, region: str) -> int:
        land = self.lands[region]
        return land.spaces.count(seat) + land.area[seat]

    def governors_left(self, seat: int) -> int:
        return GOVERNORS - sum(self.governors(seat, region) for region in REGIONS)

    def palaces_left(self, seat: int) -> int:
        return PALACES - sum(land.palaces[seat] for land in self.lands.values())

    def walls_on(self, seat: int, site: str) -> int:
        return sum(seat in self.walls[section].slots for section in SECTIONS if section[0] == site)

    def walls_left(self, seat: int) -> int:
        return WALLS - sum(seat in section.slots for section in self.walls.values())

    def free_space(self, region: str, space: int) -> bool:
        """Whether this governor space, counted from 0, can be taken."""
        spaces = self.lands[region].spaces
        if space >= len(spaces) or spaces[space] is not None:
            return False
        other = spaces[space + 1 if space % 2 == 0 else space - 1]
        return other is None or self.settings["governor-tiles"] == "two-spaces"

    def bonus_left(self, region: str) -> bool:
        tiles = self.lands[region].governor_tiles
        return any(
            self.free_space(region, 2 * number + half)
            for number, tile in enumerate(tiles)
            for half in (0, 1)
            if tile != "G0"
        )

    # Cards.

    def cards(self, seat: int) -> list[str]:
        return [card for column in self.players[seat].board.values() for card in column.cards]

    def count(self, seat: int, kind: str) -> int:
        return sum(kind_of(card) == kind for card in self.cards(seat))

    def region_of(self, seat: int, card: str) -> str | None:
        for region, column in self.players[seat].board.items():
            if card in column.cards:
                return region
        return None

    def triggers(self, seat: int, card: str) -> tuple[str, ...]:
        tile = self.players[seat].emperors.get(card)
        own = (self.printed.trigger[card],)
        if tile is None:
            return own
        shown = self.printed.emperors[tile][1]
        return own + shown if self.settings["emperor-effect"] == "adds" else shown

    def position_of_next(self, seat: int, region: str) -> int:
        """1, 2 or 3 (ZHG-UNI-02)."""
        cards = self.players[seat].board[region].cards
        if self.settings["alchemist-position"] == "ignored":
            cards = [card for card in cards if card.isdigit()]
        return len(cards) + 1

    def seen_by(self, viewers: Iterable[int]) -> set[str]:
        """Numbers that lie open, and those in the hands that these seats look at."""
        boards = {card for seat in range(self.seats) for card in self.cards(seat)}
        hands = {card for seat in viewers for card in self.players[seat].hand if "?" not in card}
        return boards | hands | set(self.court)

    def seen(self) -> set[str]:
        """Numbers that chance cannot bring again."""
        return self.seen_by(range(self.seats))

    # Mausoleum.

    def placed(self, seat: int) -> int:
        return sum(seat in spot.slots for spot in self.spots.values())

    def free_slot(self, name: str) -> int | None:
        """The highest free usable slot."""
        for number, taken in enumerate(self.spots[name].slots):
            if taken is None and self.printed.slots[self.spots[name].tile][number][1] <= self.seats:
                return number
        return None

    def meets(self, seat: int, name: str) -> bool:
        spot = self.spots[name]
        needs = self.printed.needs[spot.tile]
        return all(self._has(seat, spot.target, what) >= least for what, least in needs.items())

    def _has(self, seat: int, target: str, what: str) -> int:
        match what:
            case "governors":
                return self.governors(seat, target)
            case "palaces":
                return self.lands[target].palaces[seat]
            case "cards":
                return len(self.players[seat].board[target].cards)
            case "walls":
                return self.walls_on(seat, target)
            case "boat_space":
                return self.players[seat].boat
            case "boat_vp":
                return self.printed.boat_points(self.players[seat].boat)
            case _:
                return self.count(seat, "alchemist_card")

    def place_soldier(self, seat: int, name: str) -> None:
        slot = self.free_slot(name)
        assert slot is not None
        self.spots[name].slots[slot] = seat
        self.players[seat].entrance -= 1
        self.players[seat].vp += self.printed.slots[self.spots[name].tile][slot][0]

    def unlock(self, seat: int, count: int = 1) -> None:
        """Not more than are locked."""
        count = min(count, self.players[seat].locked)
        self.players[seat].locked -= count
        self.players[seat].entrance += count


def kind_of(card: str) -> str:
    """An aspect, or `alchemist_card` (ZHG-INV-09)."""
    if not card.isdigit():
        return "alchemist_card"
    return ASPECTS[(int(card) - 1) // 40]


def neighbours(one: str, other: str) -> bool:
    return abs(REGIONS.index(one) - REGIONS.index(other)) == 1
