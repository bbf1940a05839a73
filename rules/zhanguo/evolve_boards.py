"""What events change on player boards and on the main board."""

from msgspec import structs

from rules.kernel.actors import Seat
from rules.kernel.places import with_one
from rules.zhanguo import events as e
from rules.zhanguo.evolve_rules import require, with_parts
from rules.zhanguo.main_board import SPACES, GovernorSpot, MapRegion, MausoleumSpot
from rules.zhanguo.pieces import (
    UNIFICATION_CARDS,
    UNREST,
    Card,
    Region,
    Section,
    Spot,
    is_master,
)
from rules.zhanguo.player_board import Placed, changed, count
from rules.zhanguo.state import State

# Set-up


def _with_spot(state: State, spot: Spot, **parts: object) -> State:
    changed_spot = structs.replace(state.mausoleum[spot], **parts)
    return structs.replace(state, mausoleum=with_one(state.mausoleum, spot, changed_spot))


def target_dealt(state: State, event: e.TargetDealt) -> State:
    """A token on a spot."""
    require(state.mausoleum[event.spot].target is None, "the spot has a target")
    require(all(spot.target is not event.target for spot in state.mausoleum), "the token lies elsewhere")
    return _with_spot(state, event.spot, target=event.target)


def mausoleum_tile_dealt(state: State, event: e.MausoleumTileDealt) -> State:
    """A tile on a spot."""
    require(state.mausoleum[event.spot].tile is None, "the spot has a tile")
    require(all(spot.tile != event.tile for spot in state.mausoleum), "the tile lies elsewhere")
    slots = state.table.printed.soldier_tile(event.tile).slots
    return _with_spot(state, event.spot, tile=event.tile, slots=(None,) * len(slots))


def wall_tile_dealt(state: State, event: e.WallTileDealt) -> State:
    """A face on a section."""
    require(state.walls[event.section].face is None, "the section has a tile")
    taken = {section.face // 2 for section in state.walls if section.face is not None}
    require(event.face // 2 not in taken, "the tile lies elsewhere")
    section = structs.replace(state.walls[event.section], face=event.face)
    return structs.replace(state, walls=with_one(state.walls, event.section, section))


def emperor_dealt(state: State, event: e.EmperorTileDealt) -> State:
    """A tile under the pile of its site."""
    require(all(event.tile not in pile for pile in state.emperors), "the tile lies there already")
    site = state.table.printed.emperor(event.tile).site
    pile = (*state.emperors[site], event.tile)
    return structs.replace(state, emperors=with_one(state.emperors, site, pile))


def _with_region(state: State, region: Region, changed_region: MapRegion) -> State:
    return structs.replace(state, regions=with_one(state.regions, region, changed_region))


def palace_tile_dealt(state: State, event: e.PalaceTileDealt) -> State:
    """A tile on the next space of a region."""
    before = state.regions[event.region]
    require(len(before.tiles) < state.table.printed.palace_spaces[event.region], "no space is left")
    return _with_region(state, event.region, structs.replace(before, tiles=(*before.tiles, event.kind)))


def governor_tile_dealt(state: State, event: e.GovernorTileDealt) -> State:
    """A tile in a region."""
    before = state.regions[event.region]
    require(len(before.spots) < SPACES, "no place is left")
    spots = (*before.spots, GovernorSpot(event.tile, (None,) * SPACES))
    return _with_region(state, event.region, structs.replace(before, spots=spots))


def master_dealt(state: State, event: e.MasterDealt) -> State:
    """A Master beside the board."""
    require(is_master(event.card) and event.card not in state.masters, "no such Master can come")
    return structs.replace(state, masters=tuple(sorted((*state.masters, event.card))))


# Cards


def with_card(state: State, seat: Seat, card: Card, region: Region) -> State:
    """A card above a board, after those that lie there."""
    player = state.players[seat]
    domain = player.domains[region]
    require(not domain.full, "three cards lie there")
    cards = (*domain.cards, Placed(card, None))
    return state.with_player(seat, player.with_domain(region, cards=cards))


def laid_at_court(state: State, card: Card) -> State:
    """A card on top of the pile."""
    require(len(state.court) < UNIFICATION_CARDS, "more cards than there are")
    return structs.replace(state, court=(*state.court, card))


def alchemist_placed(state: State, event: e.AlchemistPlaced) -> State:
    """From those set aside to a region."""
    aside = state.players[event.seat].aside
    require(event.card in aside, "the card is not set aside")
    after = with_parts(state, event.seat, aside=tuple(card for card in aside if card != event.card))
    return with_card(after, event.seat, event.card, event.region)


def master_taken(state: State, event: e.MasterTaken) -> State:
    """From beside the board to those set aside."""
    require(event.card in state.masters, "the Master is gone")
    left = tuple(card for card in state.masters if card != event.card)
    aside = tuple(sorted((*state.players[event.seat].aside, event.card)))
    return structs.replace(with_parts(state, event.seat, aside=aside), masters=left)


def emperor_gone(state: State, event: e.EmperorTileTaken | e.EmperorTileRemoved) -> State:
    """From the top of its pile."""
    site = state.table.printed.emperor(event.tile).site
    pile = state.emperors[site]
    require(pile[:1] == (event.tile,), "it is not on top of its pile")
    return structs.replace(state, emperors=with_one(state.emperors, site, pile[1:]))


def emperor_placed(state: State, event: e.EmperorTilePlaced) -> State:
    """On a card above the board."""
    player = state.players[event.seat]
    found = player.find(event.card)
    require(found is not None and found[1].emperor is None, "no such card takes a tile")
    region = Region.CHU if found is None else found[0]
    cards = tuple(
        Placed(placed.card, event.tile) if placed.card == event.card else placed
        for placed in player.domains[region].cards
    )
    return state.with_player(event.seat, player.with_domain(region, cards=cards))


# Regions of a player board


def unrest_raised(state: State, event: e.UnrestRaised) -> State:
    """Never above 3."""
    return _with_unrest(state, event.seat, event.region, event.by)


def unrest_lowered(state: State, event: e.UnrestLowered) -> State:
    """Never below 0."""
    return _with_unrest(state, event.seat, event.region, -event.by)


def _with_unrest(state: State, seat: Seat, region: Region, by: int) -> State:
    player = state.players[seat]
    unrest = player.domains[region].unrest + by
    require(0 <= unrest <= UNREST, f"unrest is never {unrest}")
    return state.with_player(seat, player.with_domain(region, unrest=unrest))


def officials_recruited(state: State, event: e.OfficialsRecruited) -> State:
    """From the reserve to a region."""
    player = state.players[event.seat]
    require(event.count <= player.reserve(event.official), "the reserve has fewer")
    officials = changed(player.domains[event.region].officials, event.official, event.count)
    return state.with_player(event.seat, player.with_domain(event.region, officials=officials))


def official_returned(state: State, event: e.OfficialReturned) -> State:
    """From a region to the reserve."""
    player = state.players[event.seat]
    officials = changed(player.domains[event.region].officials, event.official, -1)
    return state.with_player(event.seat, player.with_domain(event.region, officials=officials))


def official_moved(state: State, event: e.OfficialMoved) -> State:
    """From one region to another."""
    player = state.players[event.seat]
    left = changed(player.domains[event.origin].officials, event.official, -1)
    player = player.with_domain(event.origin, officials=left)
    come = changed(player.domains[event.to].officials, event.official, 1)
    return state.with_player(event.seat, player.with_domain(event.to, officials=come))


def workers_hired(state: State, event: e.WorkersHired) -> State:
    """Into a region."""
    return _with_workers(state, event.seat, event.region, event.count)


def workers_spent(state: State, event: e.WorkersSpent) -> State:
    """Out of a region."""
    return _with_workers(state, event.seat, event.region, -event.count)


def worker_moved(state: State, event: e.WorkerMoved) -> State:
    """From one region to another."""
    return _with_workers(_with_workers(state, event.seat, event.origin, -1), event.seat, event.to, 1)


def _with_workers(state: State, seat: Seat, region: Region, by: int) -> State:
    player = state.players[seat]
    workers = count(player.domains[region].workers + by)
    return state.with_player(seat, player.with_domain(region, workers=workers))


# Tokens and points


def tokens_gained(state: State, event: e.TokensGained) -> State:
    """From the supply."""
    require(event.count <= state.supply(event.aspect), "the supply has fewer")
    tokens = changed(state.players[event.seat].tokens, event.aspect, event.count)
    return with_parts(state, event.seat, tokens=tokens)


def tokens_returned(state: State, event: e.TokensReturned) -> State:
    """To the supply."""
    tokens = changed(state.players[event.seat].tokens, event.aspect, -event.count)
    return with_parts(state, event.seat, tokens=tokens)


def large_taken(state: State, event: e.LargeTaken) -> State:
    """From the board."""
    require(state.holder(event.aspect) is None, "somebody holds it")
    large = tuple(sorted((*state.players[event.seat].large, event.aspect)))
    return with_parts(state, event.seat, large=large)


def large_returned(state: State, event: e.LargeReturned) -> State:
    """To the board."""
    large = state.players[event.seat].large
    require(event.aspect in large, "the seat does not hold it")
    return with_parts(state, event.seat, large=tuple(aspect for aspect in large if aspect != event.aspect))


def points_scored(state: State, event: e.PointsScored) -> State:
    """On the track."""
    return with_parts(state, event.seat, vp=count(state.players[event.seat].vp + event.vp))


# Main board


def boat_moved(state: State, event: e.BoatMoved) -> State:
    """Along the route."""
    before = state.players[event.seat].boat
    require(event.origin == before <= event.to <= state.table.printed.route.end, "the boat is elsewhere")
    return with_parts(state, event.seat, boat=event.to)


def governor_installed(state: State, event: e.GovernorInstalled) -> State:
    """On a space, or in the area."""
    before = state.regions[event.region]
    require(state.governors_left(event.seat), "no governor is left")
    if event.space is None:
        area = changed(before.area, event.seat, 1)
        return _with_region(state, event.region, structs.replace(before, area=area))
    at, half = divmod(event.space - 1, SPACES)
    require(event.space >= 1 and before.spots[at].spaces[half] is None, "the space is taken")
    spot = structs.replace(before.spots[at], spaces=with_one(before.spots[at].spaces, half, event.seat))
    return _with_region(state, event.region, structs.replace(before, spots=with_one(before.spots, at, spot)))


def palace_built(state: State, event: e.PalaceBuilt) -> State:
    """In a region."""
    require(state.palaces_left(event.seat), "no palace is left")
    before = state.regions[event.region]
    palaces = changed(before.palaces, event.seat, 1)
    return _with_region(state, event.region, structs.replace(before, palaces=palaces))


def palace_tile_taken(state: State, event: e.PalaceTileTaken | e.RivalTileKept) -> State:
    """The leftmost of its kind leaves the region."""
    before = state.regions[event.region]
    at = before.tiles.index(event.kind)
    tiles = before.tiles[:at] + before.tiles[at + 1 :]
    return _with_region(state, event.region, structs.replace(before, tiles=tiles))


def wall_built(state: State, event: e.WallBuilt) -> State:
    """On a slot."""
    require(state.walls_left(event.seat), "no wall is left")
    section: Section = event.section
    slots = _taken(state.walls[section].slots, event.slot, event.seat)
    wall = structs.replace(state.walls[section], slots=slots)
    return structs.replace(state, walls=with_one(state.walls, section, wall))


def _taken(slots: tuple[Seat | None, ...], slot: int, seat: Seat) -> tuple[Seat | None, ...]:
    require(1 <= slot <= len(slots) and slots[slot - 1] is None, "the slot is taken")
    require(seat not in slots, "the seat is there already")
    return with_one(slots, slot - 1, seat)


def soldiers_unlocked(state: State, event: e.SoldiersUnlocked) -> State:
    """From the player board to the entrance."""
    player = state.players[event.seat]
    locked, entrance = count(player.locked - event.count), player.entrance + event.count
    return with_parts(state, event.seat, locked=locked, entrance=entrance)


def soldier_placed(state: State, event: e.SoldierPlaced) -> State:
    """From the entrance to a spot."""
    spot: MausoleumSpot = state.mausoleum[event.spot]
    after = _with_spot(state, event.spot, slots=_taken(spot.slots, event.slot, event.seat))
    return with_parts(after, event.seat, entrance=count(state.players[event.seat].entrance - 1))
