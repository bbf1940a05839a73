"""Whether a component set agrees with every count that the rulebook states (KHAN-COMP-1 to -3)."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from rules.kernel.cells import COLUMNS, ROWS
from rules.kernel.setup import ComponentFault, ComponentReport
from rules.kernel.text import quoted
from rules.khan.board import OFF, RIVER, make_board
from rules.khan.cards import CARDS, EACH, GROUND_OF, Direction
from rules.khan.components import (
    OFF_WORD,
    RIVER_WORD,
    STANDARD_LEGEND,
    ComponentFile,
    ShapePart,
    is_impostor,
    printed,
    read_file,
    set_hash,
    set_tag,
    usual_rows,
)
from rules.khan.shapes import Outline, is_connected, make_shape, orientations, outline_of

_CELLS: Final = {
    "mountain": 22,
    "ice": 20,
    "tundra": 22,
    "rock": 21,
    "sand": 22,
    "forest": 25,
    "river": 22,
}
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
_SET_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,60}")
_LONGEST: Final = 200
_MOST: Final = 99
"""Copies and values have at most two digits."""


Found: TypeAlias = Iterator[ComponentFault]


def check_file(text: str) -> ComponentReport:
    """What a component file in TOML holds, and everything that is wrong with it."""
    file = read_file(text)
    return ComponentReport(file.set_id, file.provenance, set_hash(file), set_tag(file), faults(file))


def faults(file: ComponentFile) -> tuple[ComponentFault, ...]:
    """Everything that does not agree; what builds on sound rows or outlines is asked only of such."""
    found = list(_rows(file))
    sound = not found
    found += [fault for part in _ALWAYS for fault in part(file)]
    if sound:
        found += [fault for part in _ON_A_BOARD for fault in part(file)]
    if sound and not any(fault.field.startswith("shape") and not fault.warning for fault in found):
        found += _bridge_sites(file)
    return tuple(found)


def _rows(file: ComponentFile) -> Found:
    board = file.board
    if not board.cells or not board.cells[0]:
        yield ComponentFault("CHK-1", "board.cells", "there are no rows; expected the rows of the board")
        return
    width = len(board.cells[0])
    if width > COLUMNS or len(board.cells) > ROWS:
        yield ComponentFault(
            "CHK-1",
            "board.cells",
            f"{width} columns and {len(board.cells)} rows; at most {COLUMNS} and {ROWS}",
        )
    words = tuple(STANDARD_LEGEND.values())
    for mark, word in board.legend.items():
        if len(mark) != 1 or word not in words:
            yield ComponentFault(
                "CHK-1",
                f"board.legend.{mark}",
                f"{quoted(mark)} = {quoted(word)}; expected one character for a word of {' '.join(words)}",
            )
    for part, rows in (("board.cells", board.cells), ("board.neighbour", board.neighbour)):
        if len(rows) != len(board.cells):
            yield ComponentFault(
                "CHK-1", part, f"{len(rows)} rows; expected {len(board.cells)} as in board.cells"
            )
        marks = set(board.legend) if part == "board.cells" else set("+. ")
        for number, row in enumerate(rows):
            if len(row) != width:
                yield ComponentFault("CHK-1", f"{part}[{number}]", f"{len(row)} characters; expected {width}")
            if strange := sorted(set(row) - marks):
                yield ComponentFault(
                    "CHK-1",
                    f"{part}[{number}]",
                    f"{' '.join(map(quoted, strange))}: no such mark; expected one of "
                    f"{''.join(sorted(marks))}",
                )


def _counts(file: ComponentFile) -> Found:
    marks = Counter("".join(usual_rows(file)))
    counts = {STANDARD_LEGEND[mark]: count for mark, count in marks.items() if mark in STANDARD_LEGEND}
    for word, expected in _CELLS.items():
        if counts.get(word, 0) != expected:
            yield ComponentFault(
                "CHK-2", "board.cells", f"{counts.get(word, 0)} cells of {word}; expected {expected}"
            )
    whole = sum(count for word, count in counts.items() if word != OFF_WORD)
    if whole != sum(_CELLS.values()):
        yield ComponentFault("CHK-2", "board.cells", f"{whole} cells in all; expected {sum(_CELLS.values())}")


def _neighbours(file: ComponentFile) -> Found:
    rows, marked = usual_rows(file), file.board.neighbour
    bare: Counter[str] = Counter()
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            touches = marked[y][x] == "+"
            if touches and (mark in {RIVER, OFF} or not _on_the_outline(rows, y, x)):
                yield ComponentFault(
                    "CHK-3", f"board.neighbour[{y}]", f"column {x} is marked, but is no land on the outline"
                )
            if not touches and mark not in {RIVER, OFF} and _on_the_outline(rows, y, x):
                bare[STANDARD_LEGEND[mark]] += 1
    for word in _CELLS:
        if word != RIVER_WORD and bare[word] != _WITHOUT_NEIGHBOUR.get(word, 0):
            yield ComponentFault(
                "CHK-4",
                "board.neighbour",
                f"{bare[word]} outline cells of {word} without a neighbour;"
                f" expected {_WITHOUT_NEIGHBOUR.get(word, 0)}",
            )


def _on_the_outline(rows: tuple[str, ...], y: int, x: int) -> bool:
    return any(
        not (0 <= down < len(rows) and 0 <= right < len(rows[0])) or rows[down][right] == OFF
        for down, right in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1))
    )


def _leaders(file: ComponentFile) -> Found:
    if len(file.leader) != _LEADERS:
        yield ComponentFault("CHK-5", "leader", f"{len(file.leader)} leaders; expected {_LEADERS}")
    for what, values in (
        ("id", [leader.id for leader in file.leader]),
        ("colour", [leader.colour for leader in file.leader]),
        ("start", [f"{leader.start[0]},{leader.start[1]}" for leader in file.leader]),
    ):
        for value, count in Counter(values).items():
            if count > 1:
                yield ComponentFault(
                    "CHK-5", f"leader.{what}", f"{count} leaders have {quoted(value)}; expected one"
                )
    for number, leader in enumerate(file.leader):
        if not _ID.fullmatch(leader.id):
            yield ComponentFault(
                "CHK-5", f"leader[{number}].id", f"{quoted(leader.id)}; expected small letters, digits and -"
            )


def _starts(file: ComponentFile) -> Found:
    rows = usual_rows(file)
    for number, leader in enumerate(file.leader):
        y, x = leader.start
        if not (0 <= y < len(rows) and 0 <= x < len(rows[0])) or rows[y][x] in {RIVER, OFF}:
            yield ComponentFault("CHK-5", f"leader[{number}].start", f"row {y}, column {x} is no land")


def _pieces(file: ComponentFile) -> Found:
    for kind, expected, check in (("tile", _TILES, "CHK-6"), ("bridge", _BRIDGES, "CHK-7")):
        parts = [part for part in file.shape if part.kind == kind]
        sizes: Counter[int] = Counter()
        for part in parts:
            sizes[len(outline_of(part.cells))] += part.copies
        for size in sorted(sizes.keys() | expected.keys()):
            if sizes[size] != expected.get(size, 0):
                yield ComponentFault(
                    check,
                    f"shape ({kind}, {size} cells)",
                    f"{sizes[size]} copies; expected {expected.get(size, 0)}",
                )
        split, each = (3, [4, 4]) if kind == "tile" else (4, [2, 2])
        copies = sorted(part.copies for part in parts if len(outline_of(part.cells)) == split)
        if copies != each:
            yield ComponentFault(
                check, f"shape ({kind}, {split} cells)", f"copies {copies}; expected two shapes with {each}"
            )
    bent = [part.id for part in file.shape if part.kind == "bridge" and outline_of(part.cells) in _L]
    if len(bent) != 1:
        yield ComponentFault("CHK-7", "shape (bridge, 4 cells)", f"{len(bent)} shapes are an L; expected 1")


def _outlines(file: ComponentFile) -> Found:
    seen: dict[tuple[str, Outline], str] = {}
    ids = Counter(part.id for part in file.shape)
    for number, part in enumerate(file.shape):
        where = f"shape[{number}].cells"
        outline = outline_of(part.cells)
        if ids[part.id] > 1 or not _SHAPE_ID.fullmatch(part.id):
            yield ComponentFault(
                "CHK-8",
                f"shape[{number}].id",
                f"{quoted(part.id)}; expected an id of its own, letters and digits",
            )
        if set("".join(part.cells)) - set("#. ") or not 1 < len(outline) <= _LARGEST:
            yield ComponentFault(
                "CHK-8", where, f"{len(outline)} cells; expected 2 to {_LARGEST}, drawn with # and ."
            )
        elif not is_connected(outline):
            yield ComponentFault(
                "CHK-8", where, f"the {len(outline)} cells of {part.id} do not hang together by sides"
            )
        else:
            key = (part.kind, orientations(outline)[0])
            if key in seen:
                yield ComponentFault("CHK-8", where, f"{part.id} is {seen[key]} again, turned or turned over")
            seen.setdefault(key, part.id)
        if not 0 < part.copies <= _MOST:
            yield ComponentFault("CHK-8", f"shape[{number}].copies", f"{part.copies}; expected 1 to {_MOST}")


def _values(file: ComponentFile) -> Found:
    for number, part in enumerate(file.shape):
        if not 0 < part.value <= _MOST:
            yield ComponentFault("CHK-9", f"shape[{number}].value", f"{part.value}; expected 1 to {_MOST}")
    for kind in ("tile", "bridge"):
        parts = [part for part in file.shape if part.kind == kind]
        for part in parts:
            smaller = [each for each in parts if len(outline_of(each.cells)) < len(outline_of(part.cells))]
            most = max(smaller, key=lambda each: each.value, default=None)
            if most is not None and part.value <= most.value:
                yield ComponentFault(
                    "CHK-9",
                    f"shape ({part.id}).value",
                    f"{part.value} for a larger piece than {most.id} with {most.value}; expected more",
                    warning=kind == "bridge",
                )


def _water(file: ComponentFile) -> Found:
    for number, part in enumerate(file.shape):
        expected = _expected_water(part)
        if part.water != expected:
            yield ComponentFault(
                "CHK-10", f"shape[{number}].water", f"{part.water} for {part.id}; expected {expected}"
            )


def _expected_water(part: ShapePart) -> int:
    if part.kind == "tile":
        return 0
    return 2 if outline_of(part.cells) in _L else 1


def _cards(file: ComponentFile) -> Found:
    ids = [leader.id for leader in file.leader]
    for name in sorted(file.cards.keys() - set(ids)):
        yield ComponentFault("CHK-11", f"cards.{name}", "no leader has this id")
    total = sum(len(faces) for faces in file.cards.values())
    if total != CARDS:
        yield ComponentFault("CHK-11", "cards", f"{total} cards; expected {CARDS}")
    grounds: set[str] = set()
    for name in ids:
        faces = file.cards.get(name, ())
        if len(faces) != EACH:
            yield ComponentFault("CHK-11", f"cards.{name}", f"{len(faces)} cards; expected {EACH}")
        for number, face in enumerate(faces):
            direction, _, ground = face.partition(":")
            grounds.add(ground)
            if direction not in Direction.__members__ or ground not in GROUND_OF:
                yield ComponentFault(
                    "CHK-11",
                    f"cards.{name}[{number}]",
                    f"{quoted(face)}; expected direction:ground as in N:ice",
                )
    for ground in GROUND_OF:
        if ground not in grounds:
            yield ComponentFault("CHK-12", "cards", f"0 cards of {ground}; expected at least 1")


def _special(file: ComponentFile) -> Found:
    for name in sorted(file.special.keys() | _SPECIALS.keys()):
        count = file.special.get(name, 0)
        if count != _SPECIALS.get(name, 0):
            yield ComponentFault(
                "CHK-13", f"special.{name}", f"{count} cards; expected {_SPECIALS.get(name, 0)}"
            )


def _source(file: ComponentFile) -> Found:
    if not _SET_ID.fullmatch(file.set_id):
        yield ComponentFault(
            "CHK-1", "set_id", f"{quoted(file.set_id)}; expected letters, digits, points, - and _"
        )
    if is_impostor(file):
        yield ComponentFault(
            "CHK-1", "set_id", f"{file.set_id} is the name of a shipped set that says something else"
        )
    for what, text in (
        ("transcribed_from", file.transcribed_from),
        *((f"leader[{number}].name", leader.name) for number, leader in enumerate(file.leader)),
        *((f"leader[{number}].colour", leader.colour) for number, leader in enumerate(file.leader)),
    ):
        if not text.isprintable() or len(text) > _LONGEST:
            yield ComponentFault("CHK-1", what, f"expected at most {_LONGEST} printable characters")
    if not file.invented and not file.transcribed_from.strip():
        yield ComponentFault(
            "CHK-1", "transcribed_from", "it is empty; expected edition, printing, by whom and when"
        )


def _river(file: ComponentFile) -> Found:
    board = make_board(usual_rows(file), file.board.neighbour)
    parts = sum(1 for _ in board.groups(board.river))
    if parts > 1:
        yield ComponentFault(
            "CHK-14", "board.cells", f"the river is in {parts} parts; expected 1", warning=True
        )


def _bridge_sites(file: ComponentFile) -> Found:
    board = make_board(usual_rows(file), file.board.neighbour)
    for number, part in enumerate(file.shape):
        if part.kind == "bridge" and not make_shape(board, printed(part), loose=False).footprints:
            why = f"0 places for {part.id}; expected some"
            yield ComponentFault("CHK-14", f"shape[{number}]", why, warning=True)


_Part: TypeAlias = Callable[[ComponentFile], Found]
_ALWAYS: Final[tuple[_Part, ...]] = (
    _source,
    _leaders,
    _pieces,
    _outlines,
    _values,
    _water,
    _cards,
    _special,
)
_ON_A_BOARD: Final[tuple[_Part, ...]] = (_counts, _neighbours, _starts, _river)
