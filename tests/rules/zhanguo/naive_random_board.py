"""Boards of Zhanguo laid out by chance: officials, workers, unrest, pieces, walls and soldiers."""

import random

from tests.rules.zhanguo.naive import Naive
from tests.rules.zhanguo.naive_set import (
    OFFICIALS,
    REGIONS,
    SECTIONS,
    SITES,
    SPOTS,
)


def lay_board(chance: random.Random, match: Naive, seat: int) -> None:
    """The seat's own board, and its boat."""
    player = match.players[seat]
    player.vp = chance.randrange(60)
    end = match.printed.boat_end
    player.boat = chance.choice((chance.randint(player.boat, end), chance.randint(end - 4, end), end))
    if player.boat >= match.printed.master[0] and match.masters and chance.randrange(2):
        master = chance.choice(match.masters)
        match.masters.remove(master)
        player.aside.append(master)
    reached = REGIONS[: match.round] if seat == match.rival else REGIONS
    for card in chance.sample(player.aside, chance.randint(0, len(player.aside))):
        column = player.board[chance.choice(reached)]
        if len(column.cards) < 3 and player.boat >= min(match.printed.one):
            player.aside.remove(card)
            column.cards.insert(chance.randint(0, len(column.cards)), card)
    if seat == match.rival:
        return
    for official in OFFICIALS:
        for _ in range(chance.choice((1, 2, 3, 4, 4))):
            player.board[chance.choice(REGIONS)].officials[official] += 1
    for column in player.board.values():
        column.workers = chance.choice((0, 0, 1, 1, 2, 3))
        column.unrest = chance.choice((0, 1, 2, 2, 3, 3))


def lay_main_board(chance: random.Random, match: Naive, *, late: bool) -> None:
    """Pieces of every seat, then tiles and soldiers; late, Li Si meets nearly all conditions."""
    for seat in range(match.seats):
        if seat == match.rival and late and chance.randrange(4):
            _meet_conditions(chance, match, seat)
            continue
        for _ in range(min(chance.choice((0, 2, 4, 6, 7)), match.governors_left(seat))):
            _install(chance, match, seat, chance.choice(REGIONS))
        for _ in range(min(chance.choice((0, 2, 4, 5, 6)), match.palaces_left(seat))):
            match.lands[chance.choice(REGIONS)].palaces[seat] += 1
        for section in chance.sample(SECTIONS, chance.choice((0, 2, 4, 5, 6))):
            _build(chance, match, seat, section)
    for region in REGIONS:
        _take_palace_tiles(chance, match, region)
    for site in SITES:
        _take_emperor_tiles(chance, match, site)
    for seat in range(match.seats):
        _place_soldiers(chance, match, seat)


def _meet_conditions(chance: random.Random, match: Naive, seat: int) -> None:
    """All or nearly all of them, so that the rules for the last piece apply."""
    for spot in match.spots.values():
        needs = match.printed.needs[spot.tile]
        for _ in range(needs.get("governors", 0)):
            if chance.randrange(40) and match.governors_left(seat):
                _install(chance, match, seat, spot.target)
        for _ in range(needs.get("palaces", 0)):
            if chance.randrange(40) and match.palaces_left(seat):
                match.lands[spot.target].palaces[seat] += 1
        for side in "LR"[: needs.get("walls", 0)]:
            _build(chance, match, seat, spot.target + side)


def _install(chance: random.Random, match: Naive, seat: int, region: str) -> None:
    land = match.lands[region]
    free = [space for space in range(len(land.spaces)) if match.free_space(region, space)]
    if free and chance.randrange(3):
        land.spaces[chance.choice(free)] = seat
    else:
        land.area[seat] += 1


def _build(chance: random.Random, match: Naive, seat: int, section: str) -> None:
    slots = match.walls[section].slots
    if seat in slots:
        return
    printed = match.printed.wall_slots[match.seats][section]
    free = [n for n, (_, least) in enumerate(printed) if slots[n] is None and least <= match.seats]
    slots[chance.choice(free)] = seat


def _take_palace_tiles(chance: random.Random, match: Naive, region: str) -> None:
    """At most one for each palace; Li Si keeps those that he takes."""
    land = match.lands[region]
    rivals = land.palaces[match.rival] if match.rival is not None else 0
    humans = sum(land.palaces) - rivals
    for _ in range(chance.randint(0, min(humans, len(land.tiles)))):
        land.tiles.remove(chance.choice(land.tiles))
    for _ in range(chance.randint(0, min(rivals, len(land.tiles)))):
        match.kept[region].append(land.tiles.pop(0))


def _take_emperor_tiles(chance: random.Random, match: Naive, site: str) -> None:
    """At most one for each section that has a wall, and its owner has one there."""
    sections = [match.walls[section] for section in SECTIONS if section[0] == site]
    owners = [[seat for seat in section.slots if seat is not None] for section in sections]
    built = [seats for seats in owners if seats]
    if match.settings["emperor-claim"] == "site":
        built = built[:1]
    for seats in chance.sample(built, chance.randint(0, min(len(built), len(match.piles[site])))):
        owner = chance.choice(seats)
        player = match.players[owner]
        bare = [card for card in match.cards(owner) if card not in player.emperors]
        if owner == match.rival:
            match.piles[site].pop(0)
        elif bare:
            player.emperors[chance.choice(bare)] = match.piles[site].pop(0)


def _place_soldiers(chance: random.Random, match: Naive, seat: int) -> None:
    player = match.players[seat]
    most = player.locked
    spots = [spot for spot in SPOTS if match.meets(seat, spot) and match.free_slot(spot) is not None]
    points = player.vp
    player.locked, player.entrance = 0, 9
    for spot in chance.sample(spots, chance.randint(0, len(spots))):
        match.place_soldier(seat, spot)
    player.vp = points
    player.locked = chance.choice((0, 1, player.entrance, chance.randint(0, player.entrance)))
    player.locked = min(player.locked, player.entrance, most)
    player.entrance -= player.locked
