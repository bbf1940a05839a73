"""Questions about a state that several rules ask."""

from collections.abc import Iterator

from rules.kernel.actors import Actor, Seat
from rules.zhanguo.effects import Counted
from rules.zhanguo.pieces import (
    LOW,
    REGIONS,
    SITES,
    SPOTS,
    Action,
    Card,
    CardKind,
    Region,
    Spot,
    aspect_of,
    kind_of,
)
from rules.zhanguo.player_board import Hand, Placed
from rules.zhanguo.state import State


def acting(state: State) -> Seat:
    """The seat whose frame is at the bottom; raises ValueError where there is none."""
    seat = state.acting
    if seat is None:
        raise ValueError("nobody acts")
    return seat


def awaits_seat(state: State, _: object) -> tuple[Actor, ...]:
    """The seat of the base frame, unless it is Li Si's."""
    seat = state.acting
    return () if seat is None or seat == state.table.rival else (seat,)


# Cards


def triggers(state: State, placed: Placed) -> tuple[Action, ...]:
    """The actions that trigger a card, with the Emperor tile on it (ZHG-CRT-65)."""
    printed = (state.table.printed.triggers[placed.card],)
    if placed.emperor is None:
        return printed
    shown = state.table.printed.emperor(placed.emperor).triggers
    return printed + shown if state.table.rulings.triggers_added else shown


def passes_test(state: State, action: Action) -> bool:
    """Whether the card on top of the Court pile passes the number test (ZHG-ACT-01, -02)."""
    if len(state.court) < 2:  # noqa: PLR2004 - the card played, and the one that it covers
        return True
    covered, played = state.court[-2:]
    return played < covered if action in LOW else played > covered


def is_face_up(state: State, card: Card) -> bool:
    """Whether a Unification card lies on a board or at Court, where everybody sees it."""
    return card in state.court or any(
        placed.card == card for player in state.players for _, placed in player.cards()
    )


def face_up_cards(state: State) -> set[Card]:
    """All cards that lie on a board or at Court."""
    return {*state.court, *(placed.card for player in state.players for _, placed in player.cards())}


def is_seen(state: State, card: Card) -> bool:
    """Whether a Unification card is face up or known to be in a hand: it is not in its deck any more.

    Asked only of what chance brings: the answer depends on every hand.
    """
    return is_face_up(state, card) or any(card in player.hand.known for player in state.players)


def seen_cards(state: State) -> set[Card]:
    """All cards that are face up or known to be in a hand."""
    return face_up_cards(state).union(*(player.hand.known for player in state.players))


def holds_unknown(hand: Hand, card: Card) -> bool:
    """Whether an unknown card of the hand has its back."""
    return hand.unknown[aspect_of(card)] > 0


# Regions


def can_calm(state: State, seat: Seat, region: Region) -> bool:
    """Whether there is unrest."""
    return state.players[seat].domains[region].unrest > 0


def counted(state: State, seat: Seat, each: Counted, here: Region | None) -> int:
    """How many a seat has of what points are given for."""
    player = state.players[seat]
    match each:
        case Counted.ALCHEMIST_CARD:
            return player.count(CardKind.ALCHEMIST_CARD)
        case Counted.ALCHEMIST_CARD_HERE:
            cards = player.domains[here].cards if here is not None else ()
            return sum(kind_of(placed.card) is CardKind.ALCHEMIST_CARD for placed in cards)
        case Counted.SOLDIER_PLACED:
            return player.placed
        case Counted.GOVERNOR:
            return sum(region.governors(seat) for region in state.regions)
        case Counted.WALL:
            return sum(state.walls_at(site, seat) for site in SITES)
        case Counted.PALACE:
            return sum(region.palaces[seat] for region in state.regions)
        case Counted.WRITING:
            return player.count(CardKind.WRITING)
        case Counted.CURRENCY:
            return player.count(CardKind.CURRENCY)
        case Counted.LAWS:
            return player.count(CardKind.LAWS)


# Mausoleum


def meets(state: State, seat: Seat, spot: Spot) -> bool:
    """Whether a seat meets the condition on a spot (ZHG-MAU-03)."""
    at = state.mausoleum[spot]
    if at.tile is None or at.target is None:
        return False
    need = state.table.printed.soldier_tile(at.tile).need
    player, region, site = state.players[seat], at.target.region, at.target.site
    return (
        player.boat >= need.boat_space
        and state.table.printed.route.vp[player.boat] >= need.boat_vp
        and (not need.cards or (region is not None and len(player.domains[region].cards) >= need.cards))
        and (not need.palaces or (region is not None and state.regions[region].palaces[seat] >= need.palaces))
        and (
            not need.governors
            or (region is not None and state.regions[region].governors(seat) >= need.governors)
        )
        and (not need.walls or (site is not None and state.walls_at(site, seat) >= need.walls))
        and (not need.alchemist_cards or player.count(CardKind.ALCHEMIST_CARD) >= need.alchemist_cards)
    )


def free_slot(state: State, seat: Seat, spot: Spot) -> int | None:
    """The highest free slot that a seat without a soldier there can use, from 1 at the top (ZHG-MAU-04)."""
    at = state.mausoleum[spot]
    if at.tile is None or seat in at.slots:
        return None
    for number in state.table.printed.usable_slots[at.tile]:
        if at.slots[number - 1] is None:
            return number
    return None


def open_spots(state: State, seat: Seat) -> Iterator[Spot]:
    """Where a seat can place a soldier now."""
    for spot in SPOTS:
        if free_slot(state, seat, spot) is not None and meets(state, seat, spot):
            yield spot


def slot_points(state: State, spot: Spot, slot: int) -> int:
    """What a slot gives."""
    tile = state.mausoleum[spot].tile
    return 0 if tile is None else state.table.printed.soldier_tile(tile).slots[slot - 1].value


def regions_with(state: State, seat: Seat, least: int) -> tuple[Region, ...]:
    """Where a seat has this number of workers."""
    domains = state.players[seat].domains
    return tuple(region for region in REGIONS if domains[region].workers >= least)
