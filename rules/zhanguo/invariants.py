"""What is true in every state that a match can reach (ZHG-INV)."""

import enum
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from rules.kernel.actors import Seat
from rules.zhanguo import invariants_rival
from rules.zhanguo.evolve import DEALT_STARTS
from rules.zhanguo.frames import DealDue, FirstDue, OfferDue, RewardDue, RowDue, SoldiersDue, StartDue
from rules.zhanguo.invariants_flow import frame_problems
from rules.zhanguo.invariants_seats import (
    alchemist_problems,
    emperor_problems,
    extra_cards,
    opening_problems,
    own_emperors,
    piece_problems,
    region_problems,
    token_problems,
)
from rules.zhanguo.invariants_turns import (
    base_of,
    court_problems,
    hand_problems,
    is_untouched,
    limit_problems,
    round_problems,
)
from rules.zhanguo.main_board import MausoleumSpot
from rules.zhanguo.pieces import (
    BLANK,
    MASTERS,
    REGIONS,
    SECTIONS,
    TILE_KINDS,
    Card,
    is_master,
    is_unification,
    tile_kind,
)
from rules.zhanguo.state import State
from rules.zhanguo.tasks.dealing import blank_tiles, governor_tiles


class Area(enum.Enum):
    """What an invariant is about: a word of the position line."""

    ROUND = enum.auto()
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
    ACTIONS = enum.auto()
    KEPT = enum.auto()
    DECK = enum.auto()


def problems(state: State) -> tuple[str, ...]:
    """Every invariant that the state breaks, in words."""
    return tuple(fault.why for fault in faults(state))


@dataclass(frozen=True, slots=True)
class Fault:
    """An invariant that is broken."""

    area: Area
    seat: Seat
    """Whose word it is, where the area has one for each seat."""
    why: str


def faults(state: State) -> Iterator[Fault]:
    """Every invariant that the state breaks, with what it is about."""
    for area, check in _CHECKS:
        for why in check(state):
            yield Fault(area, Seat(0), why)
    for check_seat in _OF_A_SEAT:
        for seat in state.table.seats:
            for why in check_seat(state, seat):
                yield Fault(Area.PLAYERS, seat, why)
    for area, check in _COUNTS:
        for why in check(state):
            yield Fault(area, Seat(0), why)


def _cards(state: State) -> Iterator[str]:
    """ZHG-INV-08."""
    seen: list[Card] = [*state.court]
    for player in state.players:
        seen += [*player.hand.known, *(placed.card for _, placed in player.cards())]
    seen = [card for card in seen if is_unification(card)]
    if len(set(seen)) < len(seen) or not all(map(is_unification, state.court)):
        yield "a Unification card is there twice"


def _masters(state: State) -> Iterator[str]:
    """ZHG-INV-10."""
    masters = [*state.masters]
    for seat in state.table.seats:
        masters += filter(is_master, extra_cards(state, seat))
    if len(set(masters)) < len(masters) or not set(masters) <= set(MASTERS):
        yield "a Master is there twice"
    if _is_dealt(state) and len(masters) != state.table.players:
        yield f"{len(masters)} Masters are in play, not {state.table.players}"


def _is_dealt(state: State) -> bool:
    return not isinstance(base_of(state), (FirstDue, DealDue))


def _is_unplayed(state: State) -> bool:
    """Whether nobody has had a turn in the match yet."""
    return state.round <= 1 and is_untouched(state)


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
        if built and _is_unplayed(state):
            yield f"a wall is in {section.word} before the first turn"


def _emperors(state: State) -> Iterator[str]:
    """ZHG-INV-12, -23."""
    tiles = [tile for pile in state.emperors for tile in pile]
    for seat in state.table.seats:
        tiles += own_emperors(state, seat)
    if len(set(tiles)) < len(tiles):
        yield "an Emperor tile is there twice"
    printed = state.table.printed
    if any(printed.emperor(tile).site != site for site, pile in enumerate(state.emperors) for tile in pile):
        yield "an Emperor tile lies on another site"
    whole = state.table.players + 2
    if len(tiles) > whole or (state.table.rival is None and len(tiles) < whole and _is_dealt(state)):
        yield f"{len(tiles)} Emperor tiles are in play, not {whole}"
    yield from invariants_rival.removed_problems(state, len(tiles))


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
        if any(seat is not None for seat in spot.slots) and _is_unplayed(state):
            yield "a soldier is in the Mausoleum before the first turn"


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
    base = base_of(state)
    expected = [] if isinstance(base, FirstDue) else list(state.table.seats)
    if sorted([*state.track, *placed]) != expected:
        yield "a turn-order marker is missing or there twice"
    reward = isinstance(base, SoldiersDue) and base.window.row is not None
    if placed and not reward and not isinstance(base, (OfferDue, RewardDue, RowDue)):
        yield "a marker is in the table of rewards outside of phase 3"


def _map(state: State) -> Iterator[str]:
    """ZHG-INV-20, -24."""
    seats = state.table.seats
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
        if _is_unplayed(state) and any(region.palaces[seat] or region.governors(seat) for seat in seats):
            yield "a palace or a governor is on the map before the first turn"


def _starts(state: State) -> Iterator[str]:
    tiles = [tile for each in state.starts for tile in each]
    sizes = [len(each) for each in state.starts]
    base, humans = base_of(state), state.humans
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


_Check: TypeAlias = Callable[[State], Iterator[str]]
_CHECKS: Final[tuple[tuple[Area, _Check], ...]] = (
    (Area.ORDER, order_problems),
    (Area.TURN, frame_problems),
    (Area.COURT, _cards),
    (Area.MASTERS, _masters),
    (Area.WALLS, _walls),
    (Area.EMPERORS, _emperors),
    (Area.MAUSOLEUM, _mausoleum),
    (Area.MAP, _map),
    (Area.STARTS, _starts),
    (Area.ROUND, round_problems),
)
_OF_A_SEAT: Final[tuple[Callable[[State, Seat], Iterator[str]], ...]] = (
    token_problems,
    piece_problems,
    region_problems,
    alchemist_problems,
    opening_problems,
    emperor_problems,
    hand_problems,
    limit_problems,
    invariants_rival.seat_problems,
)
_COUNTS: Final[tuple[tuple[Area, _Check], ...]] = (
    (Area.COURT, court_problems),
    (Area.ACTIONS, invariants_rival.action_problems),
    (Area.DECK, invariants_rival.deck_problems),
    (Area.KEPT, invariants_rival.kept_problems),
    (Area.COURT, invariants_rival.court_problems),
    (Area.DECK, invariants_rival.aspect_problems),
)
"""Asked last: they count with what the words of the seats say."""
