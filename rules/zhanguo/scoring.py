"""The final score (ZHG-END, ZHG-SOL-80 to -82): a function of the state."""

from dataclasses import dataclass
from typing import Final

from rules.kernel.actors import Seat
from rules.zhanguo.annex import WallCount
from rules.zhanguo.court.palace import tile_points
from rules.zhanguo.main_board import MapRegion
from rules.zhanguo.pieces import (
    CARD_KINDS,
    LINE,
    REGIONS,
    SECTIONS,
    SPOTS,
    CardKind,
    Official,
    Region,
    kind_of,
)
from rules.zhanguo.player_board import Domain
from rules.zhanguo.state import State

MAJORITY: Final = {2: 10, 3: 15, 4: 20}
"""By number of seats: what a region gives for governors."""
_LINE_VP: Final = 10
_ENTRANCE: Final = (0, 2, 5, 9)
"""By soldiers left at the entrance; more than three count as three."""
TIES: Final = "B"
"""The scoring face with which Li Si wins ties for governors."""
_GOVERNOR_FACES, _ELIXIR_MORE = "AB", "D"
FACE_WALLS: Final = {"A": (2, 4, 6), "B": (4, 6, 8), "C": (5, 7, 9), "D": (3, 5, 7)}
"""By scoring face: what a wall of Li Si's scores, by the strokes of its slot."""
_MORE: Final = 2
"""What face D adds to the value of the boat."""


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The points of a seat by category."""

    track: int
    governors: int
    alchemy: int
    lines: int
    walls: int
    entrance: int
    tiles: int
    """Li Si's palace tiles; nobody else keeps any."""

    @property
    def total(self) -> int:
        """All of them."""
        return (
            self.track + self.governors + self.alchemy + self.lines + self.walls + self.entrance + self.tiles
        )


def score(state: State, seat: Seat) -> ScoreSheet:
    """What a seat would score if the match ended here."""
    player = state.players[seat]
    return ScoreSheet(
        track=player.vp,
        governors=sum(_majority(state, region)[seat] for region in state.regions),
        alchemy=_alchemy(state, seat),
        lines=_LINE_VP * lines(state, seat),
        walls=_walls(state, seat),
        entrance=_ENTRANCE[min(player.entrance, len(_ENTRANCE) - 1)],
        tiles=_tiles(state, seat),
    )


def totals(state: State) -> tuple[int, ...]:
    """By seat."""
    return tuple(score(state, seat).total for seat in state.table.seats)


def winners(state: State) -> tuple[Seat, ...]:
    """Those with the most points (ZHG-END-07)."""
    points = totals(state)
    return tuple(seat for seat in state.table.seats if points[seat] == max(points))


# Governors and the elixir


def governor_face(state: State) -> str:
    """The face that scores Li Si's governors; empty without him."""
    level = state.table.level
    if level is None:
        return ""
    return level.top if level.top in _GOVERNOR_FACES else level.under


def _majority(state: State, region: MapRegion) -> tuple[int, ...]:
    """What a region gives for governors, by seat (ZHG-END-02)."""
    seats = state.table.seats
    numbers = [region.governors(seat) for seat in seats]
    most = max(numbers)
    leaders = [seat for seat in seats if most and numbers[seat] == most]
    if state.table.rival in leaders and governor_face(state) == TIES:
        leaders = [seat for seat in leaders if seat == state.table.rival]
    value = MAJORITY[len(seats)]
    return tuple(value // len(leaders) if seat in leaders else 0 for seat in seats)


def _alchemy(state: State, seat: Seat) -> int:
    player = state.players[seat]
    value = state.table.printed.route.vp[player.boat]
    level = state.table.level
    if level is not None and seat == state.table.rival and _ELIXIR_MORE in {level.top, level.under}:
        value += _MORE
    return player.count(CardKind.ALCHEMIST_CARD) * value


# Mausoleum


def lines(state: State, seat: Seat) -> int:
    """Complete rows and columns of own soldiers."""
    own = [seat in state.mausoleum[spot].slots for spot in SPOTS]
    rows = [own[LINE * at : LINE * (at + 1)] for at in range(LINE)]
    columns = [own[at::LINE] for at in range(LINE)]
    return sum(all(line) for line in (*rows, *columns))


# Walls


def _walls(state: State, seat: Seat) -> int:
    level, printed = state.table.level, state.table.printed
    points = 0
    for section in SECTIONS:
        wall = state.walls[section]
        if seat not in wall.slots or wall.face is None:
            continue
        strokes = printed.walls[section][wall.slots.index(seat)].value
        if level is not None and seat == state.table.rival:
            points += FACE_WALLS[level.top][strokes - 1]
        else:
            face = printed.face(wall.face)
            points += face.vp[strokes - 1] * wall_count(state, seat, face.count)
    return points


def wall_count(state: State, seat: Seat, count: WallCount) -> int:
    """What a wall face counts for a seat (ZHG-END-05)."""
    player = state.players[seat]
    if count is WallCount.SET_OF_FOUR:
        return min(player.count(kind) for kind in CARD_KINDS)
    return sum(_counts(state, seat, region, player.domains[region], count) for region in REGIONS)


_OFFICIAL: Final = {
    WallCount.ARCHITECT: Official.ARCHITECT,
    WallCount.ALCHEMIST: Official.ALCHEMIST,
    WallCount.GENERAL: Official.GENERAL,
}
_KIND: Final = {
    WallCount.WRITING: CardKind.WRITING,
    WallCount.CURRENCY: CardKind.CURRENCY,
    WallCount.LAWS: CardKind.LAWS,
    WallCount.ALCHEMIST_CARD: CardKind.ALCHEMIST_CARD,
}


def _counts(state: State, seat: Seat, region: Region, domain: Domain, count: WallCount) -> bool:
    """Whether a region counts."""
    kinds = [kind_of(placed.card) for placed in domain.cards]
    if count in _OFFICIAL:
        return domain.officials[_OFFICIAL[count]] > 0
    if count in _KIND:
        return _KIND[count] in kinds
    match count:
        case WallCount.WORKER:
            return domain.workers > 0
        case WallCount.PAIR:
            return len(set(kinds)) < len(kinds)
        case WallCount.PALACE:
            return state.regions[region].palaces[seat] > 0
        case WallCount.GOVERNOR:
            return state.regions[region].governors(seat) > 0
        case WallCount.CALM:
            return domain.unrest == 0
        case _:
            return sum(domain.officials) >= max(1, domain.unrest)


# Li Si's palace tiles


def _tiles(state: State, seat: Seat) -> int:
    if seat != state.table.rival:
        return 0
    domains = state.players[seat].domains
    return sum(tile_points(domains[region], kind) for region in REGIONS for kind in state.kept[region])
