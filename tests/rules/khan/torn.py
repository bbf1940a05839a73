"""Component sets that are like the reference set but for their boards, which are full of holes."""

import random

from msgspec import structs

from rules.khan.components import KHAN_REFERENCE, LeaderPart, read_file, set_tag
from tests.rules.khan.naive_set import REGIONS, TERRAINS, CellXY, sides

WITHOUT_NEIGHBOUR = {"M": 4, "S": 3, "F": 4}


def torn_set(chance: random.Random) -> str:
    """A set with a hole in every row of its board, as a match header has it."""
    file = read_file(KHAN_REFERENCE.data)
    holes = [chance.randrange(len(row) + 1) for row in file.board.cells]
    cells = tuple(row[:hole] + " " + row[hole:] for row, hole in zip(file.board.cells, holes, strict=True))
    board = structs.replace(file.board, cells=cells, neighbour=_neighbour(chance, cells))
    leaders = tuple(_moved(leader, holes[leader.start[0]]) for leader in file.leader)
    return set_tag(structs.replace(file, set_id="torn", board=board, leader=leaders))


def _moved(leader: LeaderPart, hole: int) -> LeaderPart:
    """Still on its cell, which a hole may have pushed to the right."""
    row, column = leader.start
    return structs.replace(leader, start=(row, column + (hole <= column)))


def _neighbour(chance: random.Random, rows: tuple[str, ...]) -> tuple[str, ...]:
    """Every land cell of the border but eleven touches a neighbouring territory."""
    marks: dict[CellXY, str] = {
        (row, column): mark
        for row, line in enumerate(rows)
        for column, mark in enumerate(line)
        if mark in TERRAINS
    }
    border = [
        cell
        for cell, mark in marks.items()
        if mark in REGIONS and any(beside not in marks for beside in sides(cell))
    ]
    for mark, count in WITHOUT_NEIGHBOUR.items():
        for cell in chance.sample([each for each in border if marks[each] == mark], count):
            border.remove(cell)
    return tuple(
        "".join("+" if (row, column) in border else "." for column in range(len(line)))
        for row, line in enumerate(rows)
    )
