"""What is true in every state that a match can reach (ZHG-INV)."""

import enum
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.setup import RECORDED
from rules.zhanguo.evolve import DEALT_STARTS
from rules.zhanguo.frames import (
    DealDue,
    DrawDue,
    EmperorDue,
    FirstDue,
    OfferDue,
    PayDue,
    ReturnDue,
    RewardDue,
    RoundDue,
    RowDue,
    SoldiersDue,
    StartDue,
    TurnDue,
)
from rules.zhanguo.invariants_flow import frame_problems
from rules.zhanguo.main_board import MausoleumSpot
from rules.zhanguo.pieces import (
    ALCHEMISTS,
    ASPECTS,
    BLANK,
    FULL,
    HAND,
    MASTERS,
    OF_DECK,
    OFFICIALS,
    REGIONS,
    SECTIONS,
    SOLDIERS,
    TILE_KINDS,
    UNREST,
    Card,
    aspect_of,
    is_master,
    is_unification,
    tile_kind,
)
from rules.zhanguo.state import TOKENS, State
from rules.zhanguo.tasks.dealing import blank_tiles, governor_tiles

_SETTING_UP: Final = (FirstDue, DealDue, StartDue)
_PHASE_3: Final = (OfferDue, RewardDue, PayDue, ReturnDue)


class Area(enum.Enum):
    """What an invariant is about: a word of the position line."""

    ORDER = enum.auto()
    COURT = enum.auto()
    MAUSOLEUM = enum.auto()
    WALLS = enum.auto()
    EMPERORS = enum.auto()
    MAP = enum.auto()
    MASTERS = enum.auto()
    PLAYERS = enum.auto()
    TURN = enum.auto()
    STARTS = enum.auto()
    RIVAL = enum.auto()


def problems(state: State) -> tuple[str, ...]:
    """Every invariant that the state breaks, in words."""
    return tuple(why for _, why in faults(state))


def faults(state: State) -> Iterator[tuple[Area, str]]:
    """Every invariant that the state breaks, with what it is about."""
    for area, check in _CHECKS:
        for why in check(state):
            yield area, why


def _name(state: State, seat: Seat) -> str:
    return state.table.names[seat]


def _tokens(state: State) -> Iterator[str]:
    """ZHG-INV-01, -02."""
    for aspect in ASPECTS:
        if any(player.tokens[aspect] < 0 for player in state.players) or state.supply(aspect) < 0:
            yield f"there are {TOKENS[state.table.players]} tokens of {aspect.word}"
        if sum(aspect in player.large for player in state.players) > 1:
            yield f"the large token of {aspect.word} is there twice"


def _pieces(state: State) -> Iterator[str]:
    """ZHG-INV-03 to -05."""
    for seat in state.table.seats:
        player, name = state.players[seat], _name(state, seat)
        for official in OFFICIALS:
            if player.reserve(official) < 0 or any(d.officials[official] < 0 for d in player.domains):
                yield f"{name} has more than four of {official.word}"
        if min(state.governors_left(seat), state.palaces_left(seat), state.walls_left(seat)) < 0:
            yield f"{name} has more pieces on the main board than there are"
        placed = sum(spot.slots.count(seat) for spot in state.mausoleum)
        if min(player.locked, player.entrance) < 0 or player.locked + player.entrance + placed != SOLDIERS:
            yield f"{name} has other than {SOLDIERS} soldiers"
        if player.locked == SOLDIERS:
            yield f"{name} has a soldier at the entrance from the beginning"


def _regions(state: State) -> Iterator[str]:
    """ZHG-INV-06, -07, -14, -15."""
    for seat in state.table.seats:
        player, name = state.players[seat], _name(state, seat)
        for region, domain in zip(REGIONS, player.domains, strict=True):
            if not 0 <= domain.unrest <= UNREST:
                yield f"{name} has unrest {domain.unrest} in {region.title}"
            if len(domain.cards) > FULL:
                yield f"{name} has more than {FULL} cards in {region.title}"
            if domain.workers < 0:
                yield f"{name} has fewer than no workers in {region.title}"
        if not 0 <= player.boat <= state.table.printed.route.end:
            yield f"the boat of {name} is not on the route"
        if seat == state.table.rival and any(
            domain.unrest or domain.workers or any(domain.officials) for domain in player.domains
        ):
            yield "Li Si has unrest, workers or officials"


def _cards(state: State) -> Iterator[str]:
    """ZHG-INV-08, -10."""
    seen: list[Card] = [*state.court]
    masters = [*state.masters]
    for seat in state.table.seats:
        player = state.players[seat]
        above = [placed.card for _, placed in player.cards()]
        seen += [*player.hand.known, *filter(is_unification, above)]
        extra = [*player.aside, *(card for card in above if not is_unification(card))]
        masters += filter(is_master, extra)
        if sorted(card for card in extra if not is_master(card)) != list(ALCHEMISTS):
            yield f"{_name(state, seat)} has other Alchemist cards than A1 to A5"
    if len(set(seen)) < len(seen) or not all(map(is_unification, seen)):
        yield "a Unification card is there twice"
    if len(set(masters)) < len(masters) or not set(masters) <= set(MASTERS):
        yield "a Master is there twice"
    if _is_dealt(state) and len(masters) != state.table.players:
        yield f"{len(masters)} Masters are in play, not {state.table.players}"


def _base(state: State) -> object:
    return state.agenda[-1] if state.agenda else None


def _in_play(state: State) -> list[int]:
    """By aspect: cards that are not in the deck any more, Li Si's left-over ones apart."""
    counts = [0] * len(ASPECTS)
    cards = [*state.court, *(placed.card for player in state.players for _, placed in player.cards())]
    for card in cards:
        if is_unification(card):
            counts[aspect_of(card)] += 1
    for player in state.players:
        backs = player.hand.backs.unknown
        counts = [count + held for count, held in zip(counts, backs, strict=True)]
    return counts


def _decks(state: State) -> Iterator[str]:
    """ZHG-INV-16, -19: the round determines how many cards were drawn; hands are equal but for the turn."""
    humans = state.table.humans
    sizes = [state.players[seat].hand.size for seat in humans]
    base = _base(state)
    if isinstance(base, (DrawDue, TurnDue, RoundDue)):
        drawn = sum(sizes)
    else:
        drawn = HAND * len(humans) if state.round else 0
        if max(sizes) - min(sizes) > 1:
            yield "hands differ by more than one card"
        if (isinstance(base, _PHASE_3) or base is None) and any(sizes):
            yield "a hand has cards in phase 3"
    if max(sizes) > HAND:
        yield f"a hand has more than {HAND} cards"
    if state.table.draws is not RECORDED and any(player.hand.known for player in state.players):
        yield "a card is known to be in a hand, and draws are not recorded"
    if state.table.rival is not None or isinstance(base, (DrawDue, TurnDue, RoundDue)):
        return
    counts = _in_play(state)
    total = sum(counts)
    before = HAND * len(humans) * max(state.round - 1, 0)
    if total != before + drawn:
        yield f"{total} cards are out of the decks, not {before + drawn}"
    for aspect in ASPECTS:
        if counts[aspect] != OF_DECK * len(humans) * state.round:
            yield f"not two cards of {aspect.word} for everybody in each round"


def _is_dealt(state: State) -> bool:
    return not isinstance(_base(state), _SETTING_UP[:2])


def _walls(state: State) -> Iterator[str]:
    """ZHG-INV-11."""
    printed = state.table.printed
    tiles = [wall.face // 2 for wall in state.walls if wall.face is not None]
    if len(set(tiles)) < len(tiles):
        yield "a wall tile is there twice"
    if _is_dealt(state) and len(tiles) < len(SECTIONS):
        yield "a section has no wall tile"
    for section in SECTIONS:
        wall = state.walls[section]
        built = [(at, seat) for at, seat in enumerate(wall.slots) if seat is not None]
        if len({seat for _, seat in built}) < len(built):
            yield f"two walls of one colour are in {section.word}"
        if any(printed.strokes(section, at) is None for at, _ in built):
            yield f"a wall is in {section.word} on a slot for more players"


def _emperors(state: State) -> Iterator[str]:
    """ZHG-INV-12, -23."""
    tiles = [tile for pile in state.emperors for tile in pile]
    tiles += [frame.tile for frame in state.agenda if isinstance(frame, EmperorDue)]
    for player in state.players:
        tiles += [placed.emperor for _, placed in player.cards() if placed.emperor is not None]
    if len(set(tiles)) < len(tiles):
        yield "an Emperor tile is there twice"
    printed = state.table.printed
    if any(printed.emperor(tile).site != site for site, pile in enumerate(state.emperors) for tile in pile):
        yield "an Emperor tile lies on another site"
    whole = state.table.players + 2
    if len(tiles) > whole or (state.table.rival is None and len(tiles) < whole and _is_dealt(state)):
        yield f"{len(tiles)} Emperor tiles are in play, not {whole}"


def _mausoleum(state: State) -> Iterator[str]:
    """ZHG-INV-13."""
    tiles = [spot.tile for spot in state.mausoleum if spot.tile is not None]
    targets = [spot.target for spot in state.mausoleum if spot.target is not None]
    if len(set(tiles)) < len(tiles) or len(set(targets)) < len(targets):
        yield "a Mausoleum tile is there twice, or a target is"
    if not state.table.options.tokens and tuple(targets) != state.table.printed.spots:
        yield "the targets are not those printed"
    if _is_dealt(state) and len(tiles) < len(state.mausoleum):
        yield "a spot has no Mausoleum tile"
    for spot in state.mausoleum:
        if spot.tile is not None:
            if spot.target is None or spot.target.kind is not tile_kind(spot.tile):
                yield "a Mausoleum tile lies on a spot of another kind"
            yield from _slots(state, spot)


def _slots(state: State, spot: MausoleumSpot) -> Iterator[str]:
    printed = state.table.printed
    slots = printed.soldier_tile(spot.tile).slots if spot.tile is not None else ()
    usable = [taken for slot, taken in zip(slots, spot.slots, strict=True) if printed.usable(slot)]
    others = [taken for slot, taken in zip(slots, spot.slots, strict=True) if not printed.usable(slot)]
    taken = [seat for seat in spot.slots if seat is not None]
    if any(seat is not None for seat in others):
        yield "a soldier is on a slot for more players"
    if usable[: len(taken)] != taken or len(set(taken)) < len(taken):
        yield "soldiers do not fill a Mausoleum tile from the top, one of each colour"


def order_problems(state: State) -> Iterator[str]:
    """What is wrong with the turn order (ZHG-INV-17)."""
    placed = [seat for seat in state.column if seat is not None]
    base = _base(state)
    expected = [] if isinstance(base, FirstDue) else list(state.table.seats)
    if sorted([*state.track, *placed]) != expected:
        yield "a turn-order marker is missing or there twice"
    reward = isinstance(base, SoldiersDue) and base.window.row is not None
    if placed and not reward and not isinstance(base, (OfferDue, RewardDue, RowDue)):
        yield "a marker is in the table of rewards outside of phase 3"


def _map(state: State) -> Iterator[str]:
    """ZHG-INV-20, -24."""
    tiles = [spot.tile for region in state.regions for spot in region.spots]
    if any(count > 1 for tile, count in Counter(tiles).items() if tile != BLANK):
        yield "a governor tile is there twice"
    blanks, each = blank_tiles(state.table.players), governor_tiles(state.table.players) // len(REGIONS)
    if tiles.count(BLANK) > blanks or (_is_dealt(state) and tiles.count(BLANK) != blanks):
        yield f"not {blanks} governor tiles are blank"
    if any(len(region.spots) > each for region in state.regions) or (
        _is_dealt(state) and any(len(region.spots) < each for region in state.regions)
    ):
        yield f"a region has other than {each} governor tiles"
    for kind, copies in zip(TILE_KINDS, state.table.printed.copies, strict=True):
        if sum(region.tiles.count(kind) for region in state.regions) > copies:
            yield f"there are {copies} palace tiles of the kind {kind.word}"
    for region, spaces in zip(state.regions, state.table.printed.palace_spaces, strict=True):
        gone = spaces - len(region.tiles)
        if gone < 0 or (_is_dealt(state) and gone > sum(region.palaces)):
            yield "more palace tiles are gone than palaces are built, or there are too many"


def _starts(state: State) -> Iterator[str]:
    tiles = [tile for each in state.starts for tile in each]
    sizes = [len(each) for each in state.starts]
    base, humans = _base(state), state.humans
    if (
        len(set(tiles)) < len(tiles)
        or len(sizes) > len(humans)
        or not all(0 < size <= DEALT_STARTS for size in sizes)
    ):
        yield "a start tile is there twice, or a seat has more than two"
    if any(size < DEALT_STARTS for size in sizes[:-1]):
        yield "a seat has one start tile, and a later one has some"
    if isinstance(base, StartDue) and base.seat in humans:
        later = len(humans) - humans.index(base.seat) - 1
        expected = later if len(state.agenda) > 1 else later + 1
        if len(sizes) != expected or any(size < DEALT_STARTS for size in sizes):
            yield f"start tiles of {len(sizes)} seats, where {expected} have not chosen"
    elif tiles and not isinstance(base, DealDue):
        yield "start tiles are chosen before the first round"


def _rival(state: State) -> Iterator[str]:
    """ZHG-INV-48."""
    level, actions = state.table.level, state.actions
    cards = [*actions.left, *actions.discarded]
    kept = [kind for tiles in state.kept for kind in tiles]
    if level is None:
        if cards or kept or any(state.deck):
            yield "Li Si does not play"
        return
    shown = state.table.printed.solo_actions
    recurring = [card for card in level.deck if not shown[card].one_shot]
    if len(set(cards)) < len(cards) or not set(recurring) <= set(cards) <= set(level.deck):
        yield "an Action card is missing, there twice or of another level"
    if any(shown[card].one_shot for card in actions.discarded):
        yield "a one-shot card is among the discarded ones"
    if any(count > OF_DECK for count in state.deck):
        yield "Li Si has more than two cards of an aspect"
    if any(state.players[seat].hand.size for seat in state.table.seats if seat == state.table.rival):
        yield "Li Si has no hand"


_CHECKS: Final[tuple[tuple[Area, Callable[[State], Iterator[str]]], ...]] = (
    (Area.ORDER, order_problems),
    (Area.PLAYERS, _tokens),
    (Area.PLAYERS, _pieces),
    (Area.PLAYERS, _regions),
    (Area.TURN, frame_problems),
    (Area.COURT, _cards),
    (Area.PLAYERS, _decks),
    (Area.WALLS, _walls),
    (Area.EMPERORS, _emperors),
    (Area.MAUSOLEUM, _mausoleum),
    (Area.MAP, _map),
    (Area.STARTS, _starts),
    (Area.RIVAL, _rival),
)
