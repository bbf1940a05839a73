"""Describes an empty board."""

from rules.kernel.display import BoardInfo
from rules.qin.components import find_board

KEY = ". steppe, ~ blocked, R Y B a start of that colour, a-z a village (one letter for all its cells)"


def board_info(text: str) -> BoardInfo:
    """The board that a match header names or gives; raises BadSetup or Unreadable."""
    board = find_board(text)
    starts = sum(of_colour.bit_count() for of_colour in board.starts)
    villages = len(board.villages)
    return BoardInfo(
        name=board.name,
        size=(
            f"{board.width} × {board.height} cells, {board.steppe.bit_count()} of them steppe,"
            f" {starts} {'start' if starts == 1 else 'starts'},"
            f" {villages} {'village' if villages == 1 else 'villages'}"
        ),
        counts=(("columns", board.width), ("rows", board.height), ("villages", villages)),
        map=board.map,
        key=KEY,
    )
