"""Khan's nouns, each stated once: what notation, messages and positions call them."""

from typing import Final

from rules.kernel.cells import Cell
from rules.kernel.composed import Gathered
from rules.kernel.forms import Unnamed
from rules.kernel.nouns import CELL, Choice, Named, Seats, number
from rules.khan.board import CellSet
from rules.khan.cards import REGIONS, SPECIALS, CardKind
from rules.khan.events import Cause
from rules.khan.state import Table


def _footprint(_: Table, cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    if not cells or len(set(cells)) < len(cells):
        raise Unnamed("a cell stands twice in the footprint", "expected the cells under a piece, each once")
    return tuple(sorted(cells))


def _cell_set(table: Table, cells: tuple[Cell, ...]) -> CellSet:
    return table.parts.board.union(_footprint(table, cells))


SEAT: Final = Seats[Table](lambda table: table.names)
CARD: Final = Named[Table, CardKind]("card", lambda table: table.parts.faces, too_many=True)
LEADER: Final = Named[Table, int]("leader", lambda table: table.parts.leader_names)
SHAPE: Final = Named[Table, int]("shape", lambda table: table.parts.shape_names)
REGION: Final = Choice("region", REGIONS, [region.word for region in REGIONS])
SPECIAL: Final = Choice("special", SPECIALS, [special.name.lower() for special in SPECIALS], "special card")
CAUSE: Final = Choice("cause", tuple(Cause), [cause.value for cause in Cause])
COUNT: Final = number("count", (1 << 32) - 1)
FOOTPRINT: Final = Gathered[Table, tuple[Cell, ...], Cell](
    "cells", CELL, lambda _, cells: sorted(cells), _footprint, article="its cells"
)
CELLS: Final = Gathered[Table, CellSet, Cell](
    "cells", CELL, lambda table, cells: table.parts.board.each(cells), _cell_set
)
