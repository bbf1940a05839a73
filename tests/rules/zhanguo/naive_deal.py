"""Set-up by chance in a plain match of Zhanguo: what may be dealt next, and where it goes (section 19.1)."""

from tests.rules.zhanguo.naive_set import (
    BLANK_TILES,
    BONUS,
    BONUS_TILES,
    KINDS,
    LETTERS,
    MASTERS,
    REGIONS,
    SITES,
    TARGETS,
    TILES_PER_REGION,
)
from tests.rules.zhanguo.naive_table import Land, Section, Spot, Table


def stock_due(table: Table) -> tuple[str, list[str]]:
    """The rule of the step that is due, and what may be dealt in it, in its order."""
    if _spot_without_target(table) is not None:
        dealt = [spot.target for spot in table.spots.values()]
        return "ZHG-SET-05", [target for target in TARGETS if target not in dealt]
    spot = _spot_without_tile(table)
    if spot is not None:
        tiles = [other.tile for other in table.spots.values()]
        rule = "ZHG-SET-05" if table.settings["mausoleum"] == "tokens" else "ZHG-SET-04"
        return rule, [tile for tile in table.printed.needs if tile[1] == _kind(spot) and tile not in tiles]
    if _bare_section(table) is not None:
        used = {section.face[:2] for section in table.walls.values()}
        return "ZHG-SET-06", [face for face in table.printed.faces if face[:2] not in used]
    piled = [tile for pile in table.piles.values() for tile in pile]
    if len(piled) < table.seats + 2:
        return "ZHG-SET-08", [tile for tile in table.printed.emperors if tile not in piled]
    if _land_for_palace_tile(table) is not None:
        letters = [letter for land in table.lands.values() for letter in land.tiles]
        copies = table.printed.copies
        return "ZHG-SET-09", [kind for letter, kind in KINDS.items() if letters.count(letter) < copies[kind]]
    if _land_for_governor_tile(table) is not None:
        return "ZHG-SET-10", _governor_tiles_left(table)
    if len(table.masters) < table.seats:
        return "ZHG-SET-11", [card for card in MASTERS if card not in table.masters]
    drawn = [tile for tiles in table.start.values() for tile in tiles]
    return "ZHG-SET-20", [tile for tile in table.printed.start if tile not in drawn]


def deal(table: Table, component: str) -> None:
    """Put a component of the stock due where it belongs."""
    bare, wall = _spot_without_target(table), _bare_section(table)
    spot = _spot_without_tile(table)
    palace, governor = _land_for_palace_tile(table), _land_for_governor_tile(table)
    if bare is not None:
        bare.target = component
    elif spot is not None:
        spot.tile, spot.slots = component, [None] * len(table.printed.slots[component])
    elif wall is not None:
        wall.face = component
    elif sum(len(pile) for pile in table.piles.values()) < table.seats + 2:
        table.piles[table.printed.emperors[component][0]].append(component)
    elif palace is not None:
        palace.tiles.append(LETTERS[component])
    elif governor is not None:
        governor.governor_tiles.append(component)
        governor.spaces += [None, None]
    elif len(table.masters) < table.seats:
        table.masters = sorted([*table.masters, component])
    else:
        table.start.setdefault(_seats_without_tiles(table)[0], []).append(component)
    if len(table.masters) == table.seats and not _seats_without_tiles(table):
        first = next(seat for seat in table.track if seat != table.rival)
        table.stack = [["start", str(first + 1)]]


def _seats_without_tiles(table: Table) -> list[int]:
    return [seat for seat in table.track if seat != table.rival and len(table.start.get(seat, [])) < 2]


def _kind(spot: Spot) -> str:
    """The second letter of the tiles that belong on the spot."""
    if spot.target in REGIONS:
        return "R"
    return "W" if spot.target in SITES else "E"


def _spot_without_target(table: Table) -> Spot | None:
    return next((spot for spot in table.spots.values() if spot.target == "?"), None)


def _spot_without_tile(table: Table) -> Spot | None:
    """All spots of regions come first, then those of walls, then that of the elixir."""
    for kind in "RWE":
        for spot in table.spots.values():
            if spot.tile == "?" and _kind(spot) == kind:
                return spot
    return None


def _bare_section(table: Table) -> Section | None:
    return next((section for section in table.walls.values() if section.face == "?"), None)


def _land_for_palace_tile(table: Table) -> Land | None:
    spaces = table.printed.palace_spaces[table.seats]
    return next((land for region, land in table.lands.items() if len(land.tiles) < spaces[region]), None)


def _land_for_governor_tile(table: Table) -> Land | None:
    tiles = TILES_PER_REGION[table.seats]
    return next((land for land in table.lands.values() if len(land.governor_tiles) < tiles), None)


def _governor_tiles_left(table: Table) -> list[str]:
    dealt = [tile for land in table.lands.values() for tile in land.governor_tiles]
    blanks = dealt.count("G0")
    left = []
    if len(dealt) - blanks < BONUS_TILES[table.seats]:
        left = [tile for tile in BONUS if tile != "G0" and tile not in dealt]
    return [*left, "G0"] if blanks < BLANK_TILES[table.seats] else left
