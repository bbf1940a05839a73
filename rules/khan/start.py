"""A match laid out from its header, and the header back from a match."""

from functools import lru_cache

from rules.kernel.edition import find_edition
from rules.kernel.setup import Setup, require_valid_seats
from rules.khan import rulebook
from rules.khan.cards import ALLOTMENT, CARDS
from rules.khan.notation import LANGUAGE
from rules.khan.parts import find_parts, openings
from rules.khan.rulings import read_rulings
from rules.khan.state import CAMP, Beginning, State, Table


@lru_cache(maxsize=64)
def start(setup: Setup) -> State:
    """The table laid out, before the first player is drawn."""
    table = read_table(setup)
    parts, seats = table.parts, len(table.names)
    return State(
        table=table,
        free=parts.board.land & ~sum(parts.leaders),
        yurts=(0,) * (seats + 1),
        leaders=parts.leaders,
        camps=bytes((CAMP,)) * len(parts.leaders),
        supply=bytes(shape.printed.copies for shape in parts.shapes),
        specials=(ALLOTMENT[seats],) * seats,
        active=(None,) * seats,
        hands=(b"",) * seats,
        pile=CARDS,
        discard=bytes(len(parts.cards)),
        apart=bytes(len(parts.cards)),
        old=bytes(seats),
        turn=Beginning(),
    )


def read_table(setup: Setup) -> Table:
    """The fixed part of a match; every error names the part of the setup that is wrong."""
    edition = find_edition("Khan", rulebook.EDITIONS, setup.edition)
    require_valid_seats("Khan", setup.seats, ALLOTMENT, reserved=LANGUAGE.reserved)
    rulings = read_rulings(setup.rulings)
    parts = find_parts(setup.components, loose_bridges=rulings.loose_bridges)
    return Table(
        edition, parts, setup.seats, setup.draws, rulings, openings(parts, corners=rulings.river_corners)
    )


def setup(state: State) -> Setup:
    """The setup that the match was started with."""
    table = state.table
    return Setup(table.edition, table.names, table.parts.tag, table.draws, table.rulings.given)
