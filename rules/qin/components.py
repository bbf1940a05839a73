"""The boards that this build ships, as data with their provenance."""

from typing import Final

from rules.kernel.setup import BadSetup, ComponentSet
from rules.kernel.text import Unreadable, quoted
from rules.qin.board import Board, read_map

MAP_PREFIX: Final = "map:"

BIRD: Final = ComponentSet(
    name="bird",
    kind="board",
    provenance=(
        "Two public transcriptions of the printed side called Bird: Kruutteri/Qin-boardgame-ai (2021), and"
        " demeesterroel/boardgames, which lacks one edge row and one edge column. They agree on 143 of the"
        " 144 cells that both have."
    ),
    verified=False,
    notes=(
        "Not compared with a printed board yet.",
        "Disputed cell b8: steppe here, as in the first transcription; part of village g in the second.",
        "The villages at a1, m1 and a5 and the cell a13 rest on the first transcription alone.",
    ),
    data=(
        "a...........b/............./....cc...d.../............./e............/............f/"
        "....R.Y.B...f/............./.g.........../.........h.../.....i......./.....i......./jj..........k"
    ),
)

BOARDS: Final = (BIRD,)

_NOT_SHIPPED: Final = {
    "lion": "nobody has transcribed the Lion side yet, so it is not shipped",
    "toad": "the expansion boards are not shipped",
    "dragon-turtle": "the expansion boards are not shipped",
}


def find_board(text: str) -> Board:
    """The board that a match header names or gives as 'map:' and its map."""
    if text.startswith(MAP_PREFIX):
        try:
            return read_map(text.removeprefix(MAP_PREFIX))
        except Unreadable as fault:
            raise fault.shifted(len(MAP_PREFIX)) from None
    for board in BOARDS:
        if board.name == text:
            return read_map(board.data, board.name)
    known = ", ".join(board.name for board in BOARDS)
    reason = _NOT_SHIPPED.get(text.lower(), f"no board is called {quoted(text)}")
    raise BadSetup("components", f"{reason}; known: {known}, or give a map as {MAP_PREFIX}ROW/ROW/…")
