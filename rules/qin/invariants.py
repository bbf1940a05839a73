"""What holds in every state that play can reach (section 7 of the digest)."""

from collections.abc import Iterator
from typing import Final

from rules.kernel.cells import cell_name
from rules.qin.board import Board, CellSet
from rules.qin.state import ALLOTMENT, ByColour, EndReason, Over, State, due
from rules.qin.tiles import COLOURS, EACH, HAND, KINDS, TILES, Colour, Kind
from rules.qin.villages import leader, strengths


def problems(state: State) -> tuple[str, ...]:
    """Every invariant that does not hold, in words; none in a state that play can reach."""
    return tuple(
        problem for part in (_terrain, _tiles, _supplies, _provinces, _villages) for problem in part(state)
    )


def problems_on_any_board(state: State) -> Iterator[str]:
    """Those that no position may have, even one made up for an example, that no play leads to."""
    for part in (_provinces, _villages):
        yield from part(state)


_MADE_UP: Final = ("do not cover the territories", "pagodas in all", "cut off from every start")
"""Parts of problems that a position made up for an example may have: tiles, pagodas or a start too few."""


def tolerates(problem: str) -> bool:
    """Whether a position with this problem is read."""
    return any(part in problem for part in _MADE_UP)


def owned_groups(board: Board, territories: ByColour[CellSet], colour: Colour) -> list[CellSet]:
    """The groups of a colour that are provinces; starts side by side belong to nobody (QIN-COMP-3)."""
    cells = territories[colour]
    several = cells & board.beside(cells)
    return [group for group in board.groups(several) if group & ~board.starts[colour]]


def too_many(state: State, kind: Kind) -> bool:
    """Whether there are more tiles of a kind than there can be.

    Tiles in hands that are hidden from each other count together only by themselves: a seat may place a tile,
    not known before, that the record has in a hand which that seat cannot see, and to refuse it would tell of
    that hand.
    """
    placed, held = state.placed[kind], [hand[kind] for hand in state.hands]
    if state.table.rulings.open_hands:
        return placed + sum(held) > EACH
    return placed + max(held) > EACH or sum(held) > EACH


def _cut_short(state: State) -> bool:
    """Whether the last pagoda ended the match, so that pagodas still due are missing (AMB-24)."""
    return isinstance(state.turn, Over) and state.turn.reason is EndReason.LAST_PAGODA


def _terrain(state: State) -> Iterator[str]:
    board = state.table.board
    red, yellow, blue = state.territories
    if red & yellow or red & blue or yellow & blue:
        yield "a cell has two colours"
    if state.free != board.steppe & ~(red | yellow | blue):
        yield "the free cells are not the steppe without tiles"
    for colour in COLOURS:
        if board.starts[colour] & ~state.territories[colour]:
            yield f"a {colour.name.lower()} starting territory is missing"
        if state.territories[colour] & ~(board.steppe | board.starts[colour]):
            yield f"a {colour.name.lower()} territory lies where no tile can lie"
    starts = sum(board.starts)
    for group in board.groups(state.taken):
        if not group & starts:
            where = cell_name(board.first(group))
            yield f"the territories at {where} are cut off from every start (QIN-PLACE-3)"


def _tiles(state: State) -> Iterator[str]:
    on_board = sum(state.placed)
    if 2 * on_board != (state.taken & state.table.board.steppe).bit_count():
        yield f"{on_board} tiles placed do not cover the territories"
    if on_board + sum(map(sum, state.hands)) + state.stock != TILES:
        yield f"there are not {TILES} tiles in all (QIN-COMP-1)"
    for kind in KINDS:
        if too_many(state, kind):
            yield f"there are more than {EACH} {kind.name} tiles (QIN-COMP-1)"
    for seat, hand in enumerate(state.hands):
        if sum(hand) > HAND:
            yield f"seat {seat} holds more than {HAND} tiles (QIN-DRAW-1)"


def _supplies(state: State) -> Iterator[str]:
    allotment = ALLOTMENT[len(state.supplies)]
    for seat in state.table.seats:
        if state.supplies[seat] + state.on_board(seat) != allotment:
            yield f"seat {seat} does not have {allotment} pagodas in all (QIN-SETUP-3)"
    if (0 in state.supplies) != _cut_short(state) or state.supplies.count(0) > 1:
        yield "an empty supply and the end of the match do not go together (QIN-END-1)"


def _provinces(state: State) -> Iterator[str]:
    board, cut_short = state.table.board, _cut_short(state)
    for colour in COLOURS:
        of_colour = state.provinces[colour]
        cells = [province.cells for province in of_colour]
        if cells != owned_groups(board, state.territories, colour):
            yield f"the {colour.name.lower()} provinces are not the connected groups (QIN-PROV-1)"
        for province in of_colour:
            owed, pagodas = due(province.cells), province.pagodas
            if pagodas != owed and not (cut_short and pagodas < owed):
                first = cell_name(board.first(province.cells))
                yield f"the province at {first} has {pagodas} pagodas, not {owed} (QIN-PROV-2)"


def _villages(state: State) -> Iterator[str]:
    if _cut_short(state):
        return
    for number, village in enumerate(state.table.board.villages):
        strongest = leader(strengths(state, village.border))
        if strongest is not None and strongest != state.village_owner(number):
            yield f"village {village.letter} does not belong to its strongest neighbour (QIN-VIL-6)"
