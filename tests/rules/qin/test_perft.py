"""Counts of placement sequences, fixed in files, found again by the real rules and by the plain model."""

import os
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import pytest

from rules.kernel.setup import Setup
from rules.qin.game import QIN
from rules.qin.notation import write_placement
from rules.qin.perft import divide, perft
from rules.qin.rulebook import QIN_1
from rules.qin.state import State
from tests.rules.qin.naive import KINDS, Naive
from tests.rules.qin.strategies import NAMES

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
MOST = 30_000_000 if LONG else 100_000
"""Lines that go through more sequences than this are left to the long profile."""
MOST_NAIVE = 1_000_000 if LONG else 50_000
"""The same for the plain model, which looks at every cell of every position that it lists."""
FILES = sorted(Path(__file__).with_name("perft").glob("*.perft"))


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file, with what the file says about the board."""

    file: str
    board: str
    seats: int
    depth: int
    count: int

    def __str__(self) -> str:
        return f"{self.file} depth {self.depth}"

    def start(self) -> State:
        return QIN.start(Setup(QIN_1, NAMES[: self.seats], self.board))


def read_lines() -> Iterator[tuple[Line, int]]:
    """Every line of every file, and how many positions come before its last placement."""
    for file in FILES:
        text = file.read_text().splitlines()
        said = dict(line.removeprefix("# ").split(" ", 1) for line in text if line.startswith("#"))
        positions = 1
        for line in text:
            if not line.startswith("#"):
                depth, count = map(int, line.split())
                yield Line(file.stem, said["board"], int(said["seats"]), depth, count), positions
                positions = count


FOR_THE_REAL_RULES = [line for line, positions in read_lines() if max(line.count, positions) <= MOST]
FOR_THE_PLAIN_MODEL = [
    line for line, positions in read_lines() if positions * len(line.start().table.board.cells) <= MOST_NAIVE
]


def naive_start(start: State) -> Naive:
    match = Naive(start.table.board.map, len(start.table.names))
    _give_all_kinds(match)
    return match


def _give_all_kinds(match: Naive) -> None:
    """Every seat holds all six kinds at all times, and there is no limit of twelve a kind."""
    match.hands = [list(KINDS) for _ in range(match.seats)]
    match.placed = dict.fromkeys(KINDS, 0)


def naive_perft(match: Naive, depth: int) -> int:
    if depth == 0:
        return 1
    moves = match.legal()
    return len(moves) if depth == 1 else sum(naive_perft(_after(match, move), depth - 1) for move in moves)


def _after(match: Naive, move: str) -> Naive:
    after = deepcopy(match)
    after.play(after.turn[1], move)
    _give_all_kinds(after)
    return after


def test_there_are_counts_of_bird_and_of_small_maps() -> None:
    assert {f"bird-{seats}" for seats in (2, 3, 4)} <= {file.stem for file in FILES}
    assert len(FILES) >= 8


@pytest.mark.parametrize("line", FOR_THE_REAL_RULES, ids=str)
def test_the_real_rules_count_what_the_file_says(line: Line) -> None:
    assert perft(line.start(), line.depth) == line.count


@pytest.mark.parametrize("line", FOR_THE_PLAIN_MODEL, ids=str)
def test_the_plain_model_counts_what_the_file_says_below_each_first_placement(line: Line) -> None:
    start = line.start()
    first = naive_start(start)
    divided = {move: naive_perft(_after(first, move), line.depth - 1) for move in first.legal()}

    assert sum(divided.values()) == line.count
    assert {write_placement(move): count for move, count in divide(start, line.depth)} == divided
