"""The first state of a match, from its set-up, and back."""

from functools import lru_cache

from rules.kernel.edition import find_edition
from rules.kernel.setup import BadSetup, Draws, Setup, require_valid_seats
from rules.kernel.text import Unreadable
from rules.kernel.value import replaced
from rules.qin import rulebook
from rules.qin.components import find_board
from rules.qin.decide import is_stalled
from rules.qin.rulings import read_rulings
from rules.qin.state import ALLOTMENT, DEALING, OVER, PLACING, EndReason, State, Table
from rules.qin.tiles import EMPTY, HAND, KINDS, TILES, hand_of


@lru_cache(maxsize=64)
def start(setup: Setup) -> State:
    """The table laid out, before anything is dealt or placed."""
    table = read_table(setup)
    seats = len(table.names)
    recorded = table.draws is Draws.RECORDED
    state = State(
        table=table,
        free=table.board.steppe,
        territories=table.board.starts,
        provinces=((), (), ()),
        villages=bytes(len(table.board.villages)),
        supplies=(ALLOTMENT[seats],) * seats,
        placed=bytes(len(KINDS)),
        hands=(EMPTY if recorded else hand_of((None,) * HAND),) * seats,
        stock=TILES if recorded else TILES - HAND * seats,
        drawn=bytes(table.rulings.piles),
        turn=DEALING if recorded else PLACING[0],
        passes=0,
    )
    return replaced(state, turn=OVER[EndReason.NO_PLACEMENT]) if is_stalled(state) else state


def read_table(setup: Setup) -> Table:
    """The fixed part of a match; every error names the part of the setup that is wrong."""
    edition = find_edition("Qin", rulebook.EDITIONS, setup.edition)
    require_valid_seats("Qin", setup.seats, ALLOTMENT)
    rulings = read_rulings(setup.rulings)
    try:
        board = find_board(setup.components)
    except Unreadable as fault:
        raise BadSetup("components", f"{fault.why} (column {fault.column} of the board)") from None
    return Table(edition, board, setup.seats, setup.draws, rulings)


def setup(state: State) -> Setup:
    """The setup that the match was started with."""
    table = state.table
    return Setup(table.edition, table.names, table.board.name, table.draws, table.rulings.given)
