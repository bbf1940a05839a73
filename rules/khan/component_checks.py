"""Whether a component set agrees with every count that the rulebook states (KHAN-COMP-1 to -3)."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias, TypeVar

from rules.kernel.cells import COLUMNS, ROWS
from rules.kernel.component_sets import FileCheck, found, source_faults
from rules.kernel.setup import ComponentFault, ComponentReport
from rules.kernel.text import quoted
from rules.khan import components
from rules.khan.board import OFF, RIVER, make_board
from rules.khan.cards import CARDS, EACH, GROUND_OF, Direction
from rules.khan.components import OFF_WORD, RIVER_WORD, STANDARD_LEGEND, ComponentFile, usual_rows
from rules.khan.shapes import Outline, PieceKind, Printed, is_connected, make_shape, orientations

_CELLS: Final = {"mountain": 22, "ice": 20, "tundra": 22, "rock": 21, "sand": 22, "forest": 25, "river": 22}
_WITHOUT_NEIGHBOUR: Final = {"mountain": 4, "sand": 3, "forest": 4}
_TILES: Final = {2: 4, 3: 8, 4: 5, 6: 12}
_BRIDGES: Final = {3: 5, 4: 4}
_SPECIALS: Final = {"high-morale": 6, "protection": 4, "gods-support": 4, "exploration": 4}
_LEADERS: Final = 8
_LARGEST: Final = 6
"""Cells of the largest piece."""
_L: Final = orientations(((0, 0), (0, 1), (0, 2), (1, 0)))
_ID: Final = re.compile(r"[a-z0-9-]{1,20}")
_SHAPE_ID: Final = re.compile(r"[A-Za-z0-9]{1,12}")
_MOST: Final = 99
"""Copies and values have at most two digits."""

Key = TypeVar("Key", int, str)
Found: TypeAlias = Iterator[tuple[str, str]]
"""Fields, each with what is wrong with it."""


def check_file(text: str) -> ComponentReport:
    """What a component file in TOML holds, and everything that is wrong with it."""
    file = components.read_file(text)
    tag, hashed = components.set_tag(file), components.set_hash(file)
    return ComponentReport(file.set_id, file.provenance, hashed, tag, faults(file))


def faults(file: ComponentFile) -> tuple[ComponentFault, ...]:
    """Everything that does not agree; what builds on sound rows or outlines is asked only of such."""
    all_found = found(_ROWS, file)
    sound = not all_found
    all_found += found(_ALWAYS, file)
    if sound:
        all_found += found(_ON_A_BOARD, file)
    if sound and not any(fault.field.startswith("shape") and not fault.warning for fault in all_found):
        all_found += found(_WITH_SHAPES, file)
    return tuple(all_found)


def _rows(file: ComponentFile) -> Found:
    board = file.board
    if not board.cells or not board.cells[0]:
        yield "board.cells", "there are no rows; expected the rows of the board"
        return
    width, height = len(board.cells[0]), len(board.cells)
    if width > COLUMNS or height > ROWS:
        yield "board.cells", f"{width} columns and {height} rows; at most {COLUMNS} and {ROWS}"
    words = tuple(STANDARD_LEGEND.values())
    for mark, word in board.legend.items():
        if len(mark) != 1 or word not in words:
            expected = f"expected one character for a word of {' '.join(words)}"
            yield f"board.legend.{mark}", f"{quoted(mark)} = {quoted(word)}; {expected}"
    for part, rows in (("board.cells", board.cells), ("board.neighbour", board.neighbour)):
        if len(rows) != height:
            yield part, f"{len(rows)} rows; expected {height} as in board.cells"
        marks = set(board.legend) if part == "board.cells" else set("+. ")
        for number, row in enumerate(rows):
            if len(row) != width:
                yield f"{part}[{number}]", f"{len(row)} characters; expected {width}"
            if strange := sorted(set(row) - marks):
                expected = f"expected one of {''.join(sorted(marks))}"
                yield f"{part}[{number}]", f"{' '.join(map(quoted, strange))}: no such mark; {expected}"


def _differing(where: str, what: str, found: Mapping[Key, int], expected: Mapping[Key, int]) -> Found:
    """Counts that are not as expected, in the order in which they are; {} in the texts stands for the key."""
    for key, count in expected.items():
        if found.get(key, 0) != count:
            yield where.format(key), f"{found.get(key, 0)} {what.format(key)}; expected {count}"


def _counts(file: ComponentFile) -> Found:
    counts = Counter(STANDARD_LEGEND.get(mark, OFF_WORD) for row in usual_rows(file) for mark in row)
    yield from _differing("board.cells", "cells of {}", counts, _CELLS)
    whole = counts.total() - counts[OFF_WORD]
    yield from _differing("board.cells", "cells in all", {"": whole}, {"": sum(_CELLS.values())})


def _marked_neighbours(file: ComponentFile) -> Found:
    rows = usual_rows(file)
    for y, marks in enumerate(file.board.neighbour):
        for x, mark in enumerate(marks):
            if mark == "+" and not _is_land_on_the_outline(rows, y, x):
                yield f"board.neighbour[{y}]", f"column {x} is marked, but is no land on the outline"


def _bare_neighbours(file: ComponentFile) -> Found:
    rows, marked = usual_rows(file), file.board.neighbour
    bare = Counter(
        STANDARD_LEGEND[mark]
        for y, row in enumerate(rows)
        for x, mark in enumerate(row)
        if marked[y][x] != "+" and _is_land_on_the_outline(rows, y, x)
    )
    expected = {word: _WITHOUT_NEIGHBOUR.get(word, 0) for word in _CELLS if word != RIVER_WORD}
    yield from _differing("board.neighbour", "outline cells of {} without a neighbour", bare, expected)


def _is_land_on_the_outline(rows: tuple[str, ...], y: int, x: int) -> bool:
    return rows[y][x] not in {RIVER, OFF} and any(
        not (0 <= down < len(rows) and 0 <= right < len(rows[0])) or rows[down][right] == OFF
        for down, right in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1))
    )


def _leaders(file: ComponentFile) -> Found:
    if len(file.leader) != _LEADERS:
        yield "leader", f"{len(file.leader)} leaders; expected {_LEADERS}"
    for what, values in (
        ("id", [leader.id for leader in file.leader]),
        ("colour", [leader.colour for leader in file.leader]),
        ("start", [f"{leader.start[0]},{leader.start[1]}" for leader in file.leader]),
    ):
        for value, count in Counter(values).items():
            if count > 1:
                yield f"leader.{what}", f"{count} leaders have {quoted(value)}; expected one"
    for number, leader in enumerate(file.leader):
        if not _ID.fullmatch(leader.id):
            yield f"leader[{number}].id", f"{quoted(leader.id)}; expected small letters, digits and -"


def _starts(file: ComponentFile) -> Found:
    rows = usual_rows(file)
    for number, leader in enumerate(file.leader):
        y, x = leader.start
        if not (0 <= y < len(rows) and 0 <= x < len(rows[0])) or rows[y][x] in {RIVER, OFF}:
            yield f"leader[{number}].start", f"row {y}, column {x} is no land"


def _tiles(file: ComponentFile) -> Found:
    return _pieces(file, PieceKind.TILE, _TILES, 3, [4, 4])


def _bridges(file: ComponentFile) -> Found:
    yield from _pieces(file, PieceKind.BRIDGE, _BRIDGES, 4, [2, 2])
    bent = sum(part.kind is PieceKind.BRIDGE and part.outline in _L for part in file.shape)
    if bent != 1:
        yield "shape (bridge, 4 cells)", f"{bent} shapes are an L; expected 1"


def _pieces(
    file: ComponentFile, kind: PieceKind, expected: Mapping[int, int], split: int, each: list[int]
) -> Found:
    """Pieces of one kind: their number by size, and how the two shapes of one size share it."""
    parts = [part for part in file.shape if part.kind is kind]
    sizes: Counter[int] = Counter()
    for part in parts:
        sizes[len(part.outline)] += part.copies
    wanted = {size: expected.get(size, 0) for size in sorted(sizes.keys() | expected.keys())}
    yield from _differing(f"shape ({kind.value}, {{}} cells)", "copies", sizes, wanted)
    copies = sorted(part.copies for part in parts if len(part.outline) == split)
    if copies != each:
        yield f"shape ({kind.value}, {split} cells)", f"copies {copies}; expected two shapes with {each}"


def _outlines(file: ComponentFile) -> Found:
    seen: dict[tuple[PieceKind, Outline], str] = {}
    ids = Counter(part.id for part in file.shape)
    for number, part in enumerate(file.shape):
        where = f"shape[{number}].cells"
        outline = part.outline
        if ids[part.id] > 1 or not _SHAPE_ID.fullmatch(part.id):
            yield f"shape[{number}].id", f"{quoted(part.id)}; expected an id of its own, letters and digits"
        if set("".join(part.cells)) - set("#. ") or not 1 < len(outline) <= _LARGEST:
            yield where, f"{len(outline)} cells; expected 2 to {_LARGEST}, drawn with # and ."
        elif not is_connected(outline):
            yield where, f"the {len(outline)} cells of {part.id} do not hang together by sides"
        else:
            key = (part.kind, orientations(outline)[0])
            if key in seen:
                yield where, f"{part.id} is {seen[key]} again, turned or turned over"
            seen.setdefault(key, part.id)
        if not 0 < part.copies <= _MOST:
            yield f"shape[{number}].copies", f"{part.copies}; expected 1 to {_MOST}"


def _values(file: ComponentFile) -> Found:
    for number, part in enumerate(file.shape):
        if not 0 < part.value <= _MOST:
            yield f"shape[{number}].value", f"{part.value}; expected 1 to {_MOST}"
    yield from _rising([part for part in file.shape if part.kind is PieceKind.TILE])


def _values_of_bridges(file: ComponentFile) -> Found:
    return _rising([part for part in file.shape if part.kind is PieceKind.BRIDGE])


def _rising(parts: list[Printed]) -> Found:
    """Larger pieces are worth more."""
    for part in parts:
        smaller = [each for each in parts if len(each.outline) < len(part.outline)]
        most = max(smaller, key=lambda each: each.value, default=None)
        if most is not None and part.value <= most.value:
            why = f"{part.value} for a larger piece than {most.id} with {most.value}; expected more"
            yield f"shape ({part.id}).value", why


def _water(file: ComponentFile) -> Found:
    for number, part in enumerate(file.shape):
        bridge = 2 if part.outline in _L else 1
        expected = bridge if part.kind is PieceKind.BRIDGE else 0
        if part.water != expected:
            yield f"shape[{number}].water", f"{part.water} for {part.id}; expected {expected}"


def _cards(file: ComponentFile) -> Found:
    ids = [leader.id for leader in file.leader]
    for name in sorted(file.cards.keys() - set(ids)):
        yield f"cards.{name}", "no leader has this id"
    total = sum(len(faces) for faces in file.cards.values())
    if total != CARDS:
        yield "cards", f"{total} cards; expected {CARDS}"
    for name in ids:
        faces = file.cards.get(name, ())
        if len(faces) != EACH:
            yield f"cards.{name}", f"{len(faces)} cards; expected {EACH}"
        for number, face in enumerate(faces):
            direction, _, ground = face.partition(":")
            if direction not in Direction.__members__ or ground not in GROUND_OF:
                why = f"{quoted(face)}; expected direction:ground as in N:ice"
                yield f"cards.{name}[{number}]", why


def _grounds(file: ComponentFile) -> Found:
    faces = [face for leader in file.leader for face in file.cards.get(leader.id, ())]
    grounds = {face.partition(":")[2] for face in faces}
    for ground in GROUND_OF:
        if ground not in grounds:
            yield "cards", f"0 cards of {ground}; expected at least 1"


def _special(file: ComponentFile) -> Found:
    expected = {name: _SPECIALS.get(name, 0) for name in sorted(file.special.keys() | _SPECIALS.keys())}
    return _differing("special.{}", "cards", file.special, expected)


def _source(file: ComponentFile) -> Found:
    names = ((f"leader[{number}].name", leader.name) for number, leader in enumerate(file.leader))
    colours = ((f"leader[{number}].colour", leader.colour) for number, leader in enumerate(file.leader))
    return source_faults(components.COMPONENT_SETS, file, (*names, *colours))


def _river(file: ComponentFile) -> Found:
    board = make_board(usual_rows(file), file.board.neighbour)
    parts = sum(1 for _ in board.groups(board.river))
    if parts > 1:
        yield "board.cells", f"the river is in {parts} parts; expected 1"


def _bridge_sites(file: ComponentFile) -> Found:
    board = make_board(usual_rows(file), file.board.neighbour)
    for number, part in enumerate(file.shape):
        if part.kind is PieceKind.BRIDGE and not make_shape(board, part, loose=False).footprints:
            yield f"shape[{number}]", f"0 places for {part.id}; expected some"


_ROWS: Final = (FileCheck("CHK-1", _rows),)
_ALWAYS: Final = (
    FileCheck("CHK-1", _source),
    FileCheck("CHK-5", _leaders),
    FileCheck("CHK-6", _tiles),
    FileCheck("CHK-7", _bridges),
    FileCheck("CHK-8", _outlines),
    FileCheck("CHK-9", _values),
    FileCheck("CHK-9", _values_of_bridges, warning=True),
    FileCheck("CHK-10", _water),
    FileCheck("CHK-11", _cards),
    FileCheck("CHK-12", _grounds),
    FileCheck("CHK-13", _special),
)
_ON_A_BOARD: Final = (
    FileCheck("CHK-2", _counts),
    FileCheck("CHK-3", _marked_neighbours),
    FileCheck("CHK-4", _bare_neighbours),
    FileCheck("CHK-5", _starts),
    FileCheck("CHK-14", _river, warning=True),
)
_WITH_SHAPES: Final = (FileCheck("CHK-14", _bridge_sites, warning=True),)
