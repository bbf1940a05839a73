"""Li Si in a plain match of Zhanguo (section 11)."""

from collections.abc import Iterable

from tests.rules.zhanguo.naive_effects import gain, sail
from tests.rules.zhanguo.naive_set import (
    ASPECTS,
    LETTERS,
    REGIONS,
    ROWS,
    SPOTS,
)
from tests.rules.zhanguo.naive_table import Table, kind_of


def reveal(table: Table, card: int) -> None:
    """Resolve an Action card as far as chance is not asked."""
    assert table.rival is not None
    table.actions.remove(card)
    if card not in table.printed.one_shot:
        table.discarded = sorted([*table.discarded, card])
    table.stack = [["rival"]]
    if card <= 5:
        table.stack.insert(0, ["card"])
    elif card in table.printed.rival_boat:
        _search(table, table.rival, table.printed.rival_boat[card])
    elif card in table.printed.rival_governor:
        _install(table, table.rival, card)
    elif card in table.printed.rival_palace:
        _build_palace(table, table.rival, card)
    else:
        _build_wall(table, table.rival, card)


def play_card(table: Table, card: str) -> None:
    """ZHG-SOL-20, -21."""
    assert table.rival is not None
    rival = table.players[table.rival]
    table.stack.pop(0)
    table.deck.remove(LETTERS[kind_of(card)])
    for region in REGIONS[: table.round]:
        if len(rival.board[region].cards) < 3:
            position = table.position_of_next(table.rival, region)
            rival.board[region].cards.append(card)
            gain(table, table.rival, kind_of(card), position)
            return
    table.court.append(card)
    for aspect in ASPECTS:
        gain(table, table.rival, aspect, 1)


# Elixir.


def _search(table: Table, seat: int, spaces: int) -> None:
    if table.players[seat].boat == table.printed.boat_end:
        return
    symbols = [frame[0] for frame in sail(table, seat, spaces)]
    options = symbols.count("symbol")
    if "master" in symbols:
        table.stack.insert(0, ["rival-master"])
    if table.players[seat].entrance == 0:
        table.unlock(seat, options)
    else:
        for _ in range(options):
            table.stack.insert(0, ["rival-alchemist"])


def can_place_alchemist(table: Table) -> bool:
    assert table.rival is not None
    rival = table.players[table.rival]
    return bool(rival.aside) and len(rival.board[REGIONS[table.round - 1]].cards) < 3


def deal_to_rival(table: Table, card: str) -> None:
    """A random Alchemist card onto his board, or a random Master to his cards."""
    assert table.rival is not None
    rival = table.players[table.rival]
    frame = table.stack.pop(0)
    if frame == ["rival-alchemist"]:
        rival.aside.remove(card)
        rival.board[REGIONS[table.round - 1]].cards.append(card)
    else:
        table.masters.remove(card)
        rival.aside = sorted([*rival.aside, card])


# Governors, palaces, walls.


def _met(table: Table, seat: int, target: str) -> bool:
    """Whether he meets the condition of the tile on the spot of this region or site (AMB-33)."""
    return any(table.meets(seat, name) for name in SPOTS if table.spots[name].target == target)


def _first_unmet(table: Table, seat: int, targets: Iterable[str]) -> str | None:
    return next((target for target in targets if not _met(table, seat, target)), None)


def _install(table: Table, seat: int, card: int) -> None:
    regions, manner = table.printed.rival_governor[card]
    region = _first_unmet(table, seat, regions)
    if region is None:
        region = regions[0]
        last = table.governors_left(seat) == 1 and 14 in table.printed.rival_deck[table.level]
        if last and _first_unmet(table, seat, REGIONS) is None:  # ZHG-SOL-42
            region = next((each for each in regions if not _leads(table, seat, each)), region)
    for _ in range(2 if manner == "two_right" else 1):
        if table.governors_left(seat):
            _put_governor(table, seat, region, manner)


def _put_governor(table: Table, seat: int, region: str, manner: str) -> None:
    land = table.lands[region]
    free = [space for space in range(len(land.spaces)) if table.free_space(region, space)]
    if manner == "area" or not free:
        land.area[seat] += 1
    else:
        land.spaces[free[-1] if manner == "two_right" else free[0]] = seat


def _leads(table: Table, seat: int, region: str) -> bool:
    """AMB-57."""
    own, other = table.governors(seat, region), table.governors(table.human(), region)
    return own > other or (own == other != 0 and "B" in table.printed.rival_faces[table.level])


def _build_palace(table: Table, seat: int, card: int) -> None:
    regions, takes_tile, aspects = table.printed.rival_palace[card]
    if not table.palaces_left(seat):
        return
    region = _first_unmet(table, seat, regions) or regions[0]
    land, rival = table.lands[region], table.players[seat]
    land.palaces[seat] += 1
    rival.vp += 6
    if takes_tile and land.tiles:
        table.kept[region].append(land.tiles.pop(0))
    for aspect in aspects:
        if table.large_left(aspect):
            rival.large.append(aspect)
            break


def _build_wall(table: Table, seat: int, card: int) -> None:
    sites, side, slot_from, takes_tile = table.printed.rival_wall[card]
    open_sites = [site for site in sites if table.walls_on(seat, site) < 2]
    if not open_sites:
        return
    site = _first_unmet(table, seat, open_sites) or open_sites[0]
    section = table.walls[site + side]
    if seat in section.slots:
        section = table.walls[site + ("R" if side == "L" else "L")]
    free = [number for number, taken in enumerate(section.slots) if taken is None]
    section.slots[free[-1] if slot_from == "right" else free[0]] = seat
    if takes_tile and table.piles[site]:
        table.piles[site].pop(0)


# Soldiers and tokens.


def place_soldiers(table: Table) -> bool:
    """Place what is forced (ZHG-SOL-70); True if the human must choose, for which a frame is on top then."""
    assert table.rival is not None
    seat = table.rival
    spots = [
        spot
        for spot in SPOTS
        if table.meets(seat, spot)
        and seat not in table.spots[spot].slots
        and table.free_slot(spot) is not None
    ]
    soldiers = table.players[seat].entrance
    if soldiers and len(spots) > soldiers:
        table.stack.insert(0, ["rival-soldier"])
        return True
    for spot in spots if soldiers else ():
        table.place_soldier(seat, spot)
    return False


def pay_for_soldiers(table: Table) -> int:
    """One soldier after the other (ZHG-SOL-14); returns how many he has unlocked."""
    assert table.rival is not None
    rival = table.players[table.rival]
    rows = ROWS[table.settings["table"]]
    paid = 0
    while rival.locked:
        large = [aspect for aspect in rows if aspect in rival.large]
        small = sum(rival.tokens.values())
        if table.settings["unlock-cost"] == "count":
            with_large = min(3, len(large))
            with_small = 3 - with_large
        elif large and small:
            with_large, with_small = 1, 1
        elif len(large) >= 2:
            with_large, with_small = 2, 0
        else:
            with_large, with_small = 0, 3
        if len(large) < with_large or small < with_small:
            break
        for aspect in large[:with_large]:
            rival.large.remove(aspect)
        give_back(table, with_small)
        table.unlock(table.rival)
        paid += 1
    return paid


def give_back(table: Table, count: int) -> None:
    """Small tokens of the aspect that he has most of, again for each (AMB-40)."""
    assert table.rival is not None
    tokens = table.players[table.rival].tokens
    for _ in range(count):
        most = max(ROWS[table.settings["table"]], key=lambda aspect: tokens[aspect])
        tokens[most] -= 1
