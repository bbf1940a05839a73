"""Positions of Khan for tests, drawn on the reference board."""

from collections.abc import Mapping
from typing import Final

from rules.kernel.actors import Actor, Seat
from rules.kernel.rule import Illegal
from rules.khan.events import Event
from rules.khan.game import KHAN
from rules.khan.moves import Move
from rules.khan.state import State
from tests.rules.khan.strategies import NAMES, SET
from tests.rules.laws import cited

ROWS: Final = (
    "....~.....~...",
    "....~.....~...",
    "....~.....~...",
    "....~.....~...",
    "....~~~~~~~...",
    ".......~......",
    ".......~......",
    ".......~~.....",
    "........~.....",
    "........~.....",
    "........~.....",
)
"""Nothing on the board."""

GONE: Final = "0.0.0.0.0.0.0.0"


def at(row: int, column: int) -> str:
    """The name of a cell, from row and column as the digest counts them."""
    return f"{chr(ord('a') + column)}{row + 1}"


def board(marks: Mapping[str, str]) -> str:
    """The rows of an empty board with these marks on it, by the names of cells."""
    rows = [list(row) for row in ROWS]
    for cell, mark in marks.items():
        rows[int(cell[1:]) - 1][ord(cell[0]) - ord("a")] = mark
    return "/".join(map("".join, rows))


LEADERS: Final = {"a1": "A", "d1": "B", "f1": "C", "j1": "D", "l1": "E", "n1": "F", "a4": "G", "n5": "H"}
"""Eight leaders out of the way."""


def position(  # noqa: PLR0913 - a position has many parts, and a test states the few it is about
    marks: Mapping[str, str],
    turn: str,
    *,
    seats: int = 4,
    camps: str = "",
    pieces: str = "-",
    specials: str = "M1P1S1E1",
    active: Mapping[str, str] | None = None,
    hands: Mapping[str, str] | None = None,
    discard: str = "-",
    options: str = "",
    leaders: Mapping[str, str] | None = None,
) -> State:
    """A state from what stands on the board; by default all leaders are on it, out of the way."""
    on_board = LEADERS if leaders is None else leaders
    if not camps:
        camps = ".".join("5" if letter in on_board.values() else "0" for letter in "ABCDEFGH")
    covered = {
        cell: "#" for piece in pieces.split(",") if piece != "-" for cell in cells_of(piece.split(":")[1])
    }
    drawn = board({**on_board, **marks, **covered})
    words = [
        f"{name}:{specials}:{(active or {}).get(name, '')}:{(hands or {}).get(name, '?,?,?,?')}"
        for name in NAMES[:seats]
    ]
    line = f"{SET} {drawn} {camps} {pieces} {' '.join(words)} {turn} {discard} {options}"
    return KHAN.notation.read_position(line.strip())


def cells_of(footprint: str) -> list[str]:
    """The names in 'd5e5d6'."""
    names: list[str] = []
    for mark in footprint:
        if mark.isalpha():
            names.append(mark)
        else:
            names[-1] += mark
    return names


def ask(state: State, text: str) -> tuple[Event, ...] | Illegal:
    """The verdict on a move as a transcript has it."""
    return KHAN.decide(state, *read(state, text))


def read(state: State, text: str) -> tuple[Actor, Move]:
    """Actor and move of a line."""
    return KHAN.notation.read_move(state, text)


def do(state: State, *texts: str) -> State:
    """The state after these entries, which must be legal."""
    for text in texts:
        verdict = ask(state, text)
        assert not isinstance(verdict, Illegal), (text, verdict)
        state = KHAN.fold(state, verdict)
    return state


def rules_broken(state: State, text: str) -> list[str]:
    """The rules that a move breaks, by id; none where it is legal."""
    return [str(rule) for rule in cited(ask(state, text))]


def is_legal(state: State, text: str) -> bool:
    """Whether a move is legal, by the verdict and by the list of legal moves alike."""
    actor, move = read(state, text)
    legal = not isinstance(KHAN.decide(state, actor, move), Illegal)
    assert legal == (move in list(KHAN.legal_moves(state, actor)))
    return legal


def seat(name: str) -> Seat:
    """A seat by its colour."""
    return Seat(NAMES.index(name))


def turn_of(state: State) -> str:
    """The word of the position line that says what is awaited."""
    return KHAN.notation.write_position(state).split()[4 + len(state.table.names)]


def drawn(state: State) -> dict[str, str]:
    """What stands on the board, by the names of cells; free cells and open river left out."""
    rows = KHAN.notation.write_position(state).split()[1].split("/")
    return {at(y, x): mark for y, row in enumerate(rows) for x, mark in enumerate(row) if mark not in ".~"}
