"""A match laid out from its header, and the header back from a match."""

from functools import lru_cache

from rules.kernel.actors import Seat
from rules.kernel.edition import find_edition
from rules.kernel.setup import Setup, require_valid_seats
from rules.zhanguo import rulebook
from rules.zhanguo.frames import DealDue, FirstDue, Frame
from rules.zhanguo.main_board import MapRegion, MausoleumSpot, WallSection
from rules.zhanguo.notation import TEXT
from rules.zhanguo.pieces import ASPECTS, REGIONS, SECTIONS, SITES, SOLDIERS
from rules.zhanguo.player_board import Player, new_player
from rules.zhanguo.printed import find_printed
from rules.zhanguo.rulings import read_options, read_rulings, require_rival
from rules.zhanguo.state import TOKENS, ActionDeck, State, Table


@lru_cache(maxsize=64)
def start(setup: Setup) -> State:
    """The table laid out, before chance brings anything."""
    table = lay_out(setup)
    printed, seats, level = table.printed, len(table.names), table.level
    none = (0,) * seats
    track: tuple[Seat, ...] = ()
    agenda: tuple[Frame, ...] = (FirstDue(),)
    if level is not None:
        track = (*table.humans, *(seat for seat in table.seats if seat == table.rival))
        track = track[::-1] if level.first else track
        agenda = (DealDue(),)
    return State(
        table=table,
        round=0,
        track=track,
        column=(None,) * len(ASPECTS),
        court=(),
        mausoleum=tuple(
            MausoleumSpot(None if table.options.tokens else target, None, ()) for target in printed.spots
        ),
        walls=tuple(WallSection(None, (None,) * len(printed.walls[section])) for section in SECTIONS),
        emperors=((),) * len(SITES),
        regions=(MapRegion((), none, (), none),) * len(REGIONS),
        masters=(),
        players=tuple(opening_player(table, seat) for seat in table.seats),
        starts=(),
        actions=ActionDeck(() if level is None else level.deck, ()),
        kept=((),) * len(REGIONS),
        deck=(0,) * len(ASPECTS),
        agenda=agenda,
    )


def opening_player(table: Table, seat: Seat) -> Player:
    """What a seat has before the first choice; Li Si's card gives him more."""
    level = table.level
    if level is not None and seat == table.rival:
        return new_player(level.boat, SOLDIERS - 1 - level.unlocked)
    return new_player(0, SOLDIERS - 1)


def lay_out(setup: Setup) -> Table:
    """The fixed part of a match; every error names the part of the setup that is wrong."""
    edition = find_edition("Zhanguo", rulebook.EDITIONS, setup.edition)
    require_valid_seats("Zhanguo", setup.seats, TOKENS, reserved=TEXT.reserved)
    options = read_options(setup.options)
    rulings = read_rulings(setup.rulings)
    require_rival(setup.seats, options)
    printed = find_printed(setup.components, len(setup.seats))
    return Table(edition, setup.seats, setup.draws, options, rulings, printed)


def setup(state: State) -> Setup:
    """The setup that the match was started with."""
    table = state.table
    return Setup(
        table.edition,
        table.names,
        table.printed.tag,
        table.draws,
        table.rulings.given,
        table.options.given,
    )
