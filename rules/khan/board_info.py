"""Describes an empty board."""

from typing import Final

from rules.kernel.display import BoardInfo
from rules.khan.board import OFF
from rules.khan.components import find_file, usual_rows
from rules.khan.parts import find_parts
from rules.khan.position_terms import OFF_BOARD

KEY: Final = "M mountain, I ice, T tundra, R rocky desert, S sand desert, F forest, ~ river, _ off the board"


def board_info(text: str) -> BoardInfo:
    """The board of the set that a match header names or gives; raises BadSetup."""
    parts = find_parts(text, loose_bridges=False)
    board = parts.board
    return BoardInfo(
        name=parts.set_id,
        size=(
            f"{board.width} × {board.height} cells, {board.land.bit_count()} of them land,"
            f" {board.river.bit_count()} river"
        ),
        counts=(("columns", board.width), ("rows", board.height)),
        map="/".join(usual_rows(find_file(text))).replace(OFF, OFF_BOARD),
        key=KEY,
    )
