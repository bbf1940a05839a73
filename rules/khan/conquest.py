"""Conquests: who would own a piece, whose consent it needs, and every site that is open to a seat."""

from collections.abc import Iterator

from rules.kernel.actors import Seat
from rules.khan.board import CellSet
from rules.khan.shapes import ShapeKind
from rules.khan.state import MOST_SEATS, Protection, Reservation, Restriction, Site, State, Support


def owners(state: State, cells: CellSet) -> tuple[Seat, ...]:
    """The seats with the most yurts on these cells, and at least one (KHAN-MAJ-1)."""
    counts = [(cells & state.yurts[seat]).bit_count() for seat in state.table.seats]
    most = max(counts)
    return tuple(seat for seat in state.table.seats if counts[seat] == most) if most else ()


def guards(state: State, seat: Seat, cells: CellSet, kind: type[Restriction]) -> tuple[Seat, ...]:
    """Other seats whose Protection or Support of the Gods these cells touch (KHAN-SPEC-P, KHAN-SPEC-S)."""
    return tuple(
        other
        for other in state.table.seats
        if other != seat and isinstance(state.active[other], kind) and cells & _scope(state, other)
    )


def _scope(state: State, seat: Seat) -> CellSet:
    """The yurts that a seat's Protection or Support of the Gods is for."""
    support = state.active[seat]
    if not isinstance(support, Support):
        return state.yurts[seat]
    region = support.region
    return state.neutral if region is None else state.neutral & state.table.parts.board.regions[region]


def needed(state: State, seat: Seat, cells: CellSet) -> tuple[Seat, ...]:
    """The seats whose consent a conquest needs (KHAN-CONSENT-1)."""
    if not any(state.active):
        return ()
    return tuple(sorted({*guards(state, seat, cells, Protection), *guards(state, seat, cells, Support)}))


def is_barred(state: State, seat: Seat, shape: ShapeKind) -> bool:
    """Whether reservations of others keep a seat from a shape of which pieces are left (KHAN-SPEC-E)."""
    reserved = sum(
        1 for other in state.table.seats if other != seat and state.active[other] == Reservation(shape)
    )
    if not reserved:
        return False
    # With four seats a reservation is for one piece, otherwise for all of its shape and kind.
    return len(state.table.names) < MOST_SEATS or state.supply[shape] <= reserved


def sites(state: State) -> Iterator[Site]:
    """Every place where a remaining piece fits onto yurts and water, no matter which seat may conquer it."""
    target = state.occupied | state.table.parts.board.river & ~state.covered
    for number, shape in zip(state.table.parts.shape_names.each, state.table.parts.shapes, strict=True):
        if state.supply[number]:
            for cells in shape.footprints:
                if cells & target == cells:
                    yield Site(number, cells)


def conquests(state: State, seat: Seat) -> Iterator[tuple[Site, tuple[Seat, ...]]]:
    """Every site that a seat may conquer, in order, with the seats whose consent it needs."""
    restricted = any(state.active)
    own = state.yurts[seat]
    if not own:
        return
    barred: dict[ShapeKind, bool] = {}
    for site in sites(state):
        cells = site.cells
        if not cells & own:
            continue
        if restricted:
            if site.shape not in barred:
                barred[site.shape] = is_barred(state, seat, site.shape)
            if barred[site.shape]:
                continue
        shared = owners(state, cells)
        if seat not in shared:
            continue
        asked = needed(state, seat, cells) if restricted else ()
        if asked and (site in state.refused or not set(asked) <= set(shared)):
            continue
        yield site, asked


def can_conquer(state: State, seat: Seat) -> bool:
    """Whether a seat has a conquest that needs nobody's consent."""
    return any(not asked for _, asked in conquests(state, seat))


def somebody_could_conquer(state: State) -> bool:
    """Whether anybody could conquer if nothing were restricted (AMB-15)."""
    coloured = state.occupied & ~state.neutral
    # Of the seats with a yurt under a piece, the one with the most may place it.
    return any(site.cells & coloured for site in sites(state))
