"""Positions drawn as text, moves as a transcript has them, and what came of a verdict.

A drawing has a row a line, or its rows joined by `/`: territories in upper case, villages in lower case,
`~` water, `.` steppe. The first cell of every connected group of a colour is a starting territory of the
board, the others are tiles on steppe, so that every group is one that play could have made.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from rules.kernel.actors import Seat
from rules.kernel.cells import cell_at, read_cell
from rules.kernel.rule import Illegal, Rule
from rules.kernel.text import Word
from rules.qin.board import CellSet
from rules.qin.events import Event, MatchEnded, TilePlaced
from rules.qin.game import QIN
from rules.qin.moves import PlaceTile
from rules.qin.notation import read_placement
from rules.qin.state import ALLOTMENT, Over, Province, State
from rules.qin.tiles import COLOUR_OF

GREEN: Final = Seat(0)
WHITE: Final = Seat(1)
VIOLET: Final = Seat(2)
BLACK: Final = Seat(3)

TWO: Final = ("green", "white")
THREE: Final = ("green", "white", "violet")
FOUR: Final = ("green", "white", "violet", "black")

Verdict: TypeAlias = tuple[Event, ...] | Illegal
Group: TypeAlias = frozenset[tuple[int, int]]


def position(  # noqa: PLR0913 - a position has that many parts, and an example gives few of them
    drawing: str,
    *,
    board: str = "",
    seats: Sequence[str] = TWO,
    to_act: str = "",
    turn: str = "",
    villages: Mapping[str, str] | None = None,
    supplies: Mapping[str, int] | None = None,
    hands: Mapping[str, str] | None = None,
    placed: str = "-",
    rulings: str = "",
    options: str = "",
    **provinces: Sequence[str],
) -> State:
    """The position that is drawn; provinces are named by one cell each: `green=["a1"], white=["d1"]`.

    The first seat is to place unless to_act names another, or turn says what else is due. A supply that is
    not given is what the pagodas on the board leave of the allotment, one at least. Hands are unknown; to
    give one (`{"green": "RR YB ?"}`) makes draws recorded, and a hand not given is then three unknown tiles.
    A board is given where it is not the one that the drawing implies.
    """
    rows = "/".join(drawing.split())
    strangers = sorted(set(provinces) - set(seats))
    if strangers:
        raise ValueError(f"no such seat: {', '.join(strangers)}")
    holders = villages or {}
    supply = {name: _left(rows, len(seats), name, provinces.get(name, ()), holders) for name in seats}
    supply |= supplies or {}
    seat_words = [
        ":".join(
            (
                name,
                str(supply[name]),
                ",".join(provinces.get(name, ())),
                ",".join(sorted(village for village in holders if holders[village] == name)),
                ",".join((hands or {}).get(name, "? ? ?").split()),
            )
        )
        for name in seats
    ]
    recorded = "draws=recorded" if hands is not None else ""
    words = (
        f"map:{board or board_of(rows)}",
        rows,
        *seat_words,
        turn or f"place:{to_act or seats[0]}",
        placed,
        recorded,
        options,
        rulings,
    )
    return QIN.notation.read_position(" ".join(word for word in words if word))


def board_of(rows: str) -> str:
    """The map under a drawing: of each group the first cell is a start, and the others are steppe."""
    lines = [list(line) for line in rows.split("/")]
    for group in _groups(rows):
        for row, column in sorted(group)[1:]:
            lines[row][column] = "."
    return "/".join("".join(line) for line in lines)


def _left(rows: str, seats: int, name: str, provinces: Sequence[str], villages: Mapping[str, str]) -> int:
    groups = [next(group for group in _groups(rows) if _xy(cell) in group) for cell in provinces]
    standing = sum(2 if len(group) > 4 else 1 for group in groups) + list(villages.values()).count(name)
    return max(ALLOTMENT[seats] - standing, 1)


def _xy(cell: str) -> tuple[int, int]:
    return int(cell[1:]) - 1, ord(cell[0]) - ord("a")


def _groups(rows: str) -> Iterator[Group]:
    marks = {
        (row, column): mark
        for row, line in enumerate(rows.split("/"))
        for column, mark in enumerate(line)
        if mark in COLOUR_OF
    }
    while marks:
        start = next(iter(marks))
        colour, group, todo = marks[start], {start}, [start]
        while todo:
            row, column = todo.pop()
            for beside in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
                if beside not in group and marks.get(beside) == colour:
                    group.add(beside)
                    todo.append(beside)
        yield frozenset(group)
        for cell in group:
            del marks[cell]


def place(text: str) -> PlaceTile:
    """A placement as a transcript has it: `Rc1Yc2`."""
    return read_placement(Word(text, 1))


def judged(state: State, text: str) -> Verdict:
    """The verdict on a transcript's move, its actor included: `green Rc1Yc2`, `draw RB`."""
    actor, move = QIN.notation.read_move(state, text)
    return QIN.decide(state, actor, move)


def broken(verdict: Verdict) -> list[Rule]:
    """The rules that the move breaks; none where it is legal."""
    return [violation.rule for violation in verdict.violations] if isinstance(verdict, Illegal) else []


def events(verdict: Verdict) -> tuple[Event, ...]:
    """What a legal move caused."""
    assert not isinstance(verdict, Illegal), "; ".join(violation.why for violation in verdict.violations)
    return verdict


def caused(verdict: Verdict) -> tuple[Event, ...]:
    """What a legal placement caused, the laying of the tile itself left out."""
    first, *rest = events(verdict)
    assert isinstance(first, TilePlaced)
    return tuple(rest)


def after(state: State, verdict: Verdict) -> State:
    """The state that a legal move leads to."""
    return QIN.fold(state, events(verdict))


def changes(state: State, verdict: Verdict) -> list[int]:
    """How a legal move changes the supplies, by seat."""
    return [now - then for now, then in zip(after(state, verdict).supplies, state.supplies, strict=True)]


def cells(state: State, names: str) -> CellSet:
    """The set of the cells named: `a1 b1`; `a1-e1` is a run along a row or down a column."""
    found = 0
    for name in names.split():
        first, _, last = name.partition("-")
        (top, left), (bottom, right) = _xy(first), _xy(last or first)
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                found |= state.table.board.bit[cell_at(row, column)]
    return found


def province(state: State, cell: str) -> Province:
    """The province that has this cell."""
    found = state.province_at(state.table.board.bit[read_cell(Word(cell, 1))])
    assert found is not None, f"no province lies at {cell}"
    return found


def holder(state: State, letter: str) -> Seat | None:
    """Who holds a village."""
    letters = [village.letter for village in state.table.board.villages]
    return state.village_owner(letters.index(letter))


def winners(state: State) -> tuple[Seat, ...]:
    """Who has won; nobody while the match goes on."""
    outcome = QIN.outcome(state)
    return () if outcome is None else outcome.winners


def is_over(state: State) -> bool:
    """Whether the match has ended."""
    return isinstance(state.turn, Over)


def ending(verdict: Verdict) -> MatchEnded | None:
    """The end of the match, if a legal move brought it about."""
    last = events(verdict)[-1]
    return last if isinstance(last, MatchEnded) else None
