"""Component sets: the file that lists what is printed, its canonical text and hash, and the shipped sets."""

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal

import msgspec
from msgspec import Struct

from rules.kernel.setup import BadSetup, ComponentSet, UnreadableComponents
from rules.kernel.text import quoted
from rules.khan.board import LETTERS, OFF, RIVER
from rules.khan.cards import REGIONS
from rules.khan.reference import REFERENCE
from rules.khan.shapes import PieceKind, Printed, outline_of

SET_PREFIX: Final = "set:"
HASH_MARK: Final = "#sha256="
OFF_WORD: Final = "off"
RIVER_WORD: Final = "river"
_LONGEST: Final = 65_536
"""No set has a longer canonical text."""


class BoardPart(Struct, frozen=True, forbid_unknown_fields=True):
    """The board as rows of marks, and as rows that point out what touches a neighbouring territory."""

    legend: dict[str, str]
    cells: tuple[str, ...]
    neighbour: tuple[str, ...]


class LeaderPart(Struct, frozen=True, forbid_unknown_fields=True):
    """A leader and its printed start."""

    id: str
    name: str
    colour: str
    start: tuple[int, int]


class ShapePart(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A kind of piece."""

    id: str
    kind: Literal["tile", "bridge"]
    cells: tuple[str, ...]
    copies: int
    value: int
    water: int = 0


class ComponentFile(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that a file of this schema says."""

    schema: Literal["khan-components/1"]
    set_id: str
    provenance: Literal["transcribed", "invented-reference"]
    transcribed_from: str
    board: BoardPart
    leader: tuple[LeaderPart, ...]
    shape: tuple[ShapePart, ...]
    cards: dict[str, tuple[str, ...]]
    special: dict[str, int]

    @property
    def invented(self) -> bool:
        """Whether it is no transcription of the published game."""
        return self.provenance == "invented-reference"


STANDARD_LEGEND: Final = {
    **{letter: region.word for letter, region in zip(LETTERS, REGIONS, strict=True)},
    RIVER: RIVER_WORD,
    OFF: OFF_WORD,
}


def read_file(text: str) -> ComponentFile:
    """A component file in TOML; not checked yet."""
    try:
        return msgspec.toml.decode(text, type=ComponentFile)
    except msgspec.MsgspecError as fault:
        raise UnreadableComponents(_told(str(fault))) from None


def _told(fault: str) -> str:
    """'Expected `int`, got `str` - at `$.shape[3].value`' with the field as a file has it."""
    what, _, where = fault.partition(" - at ")
    field = where.strip("`").removeprefix("$.").removeprefix("$")
    return f"{field}: {what}" if field else what


def canonical_text(file: ComponentFile) -> str:
    """The set as JSON without blanks: the same for sets that say the same."""
    return msgspec.json.encode(_normal(file), order="deterministic").decode().replace(" ", "\\u0020")


def _normal(file: ComponentFile) -> ComponentFile:
    """The same set with the usual letters and marks."""
    letters = {word: letter for letter, word in STANDARD_LEGEND.items()}
    to_usual = {mark: letters.get(word, mark) for mark, word in file.board.legend.items()}
    board = BoardPart(
        legend=STANDARD_LEGEND,
        cells=tuple("".join(to_usual.get(mark, mark) for mark in row) for row in file.board.cells),
        neighbour=tuple(row.replace(" ", ".") for row in file.board.neighbour),
    )
    return msgspec.structs.replace(file, board=board)


def printed(part: ShapePart) -> Printed:
    """What a part of a file says of a kind of piece."""
    outline = outline_of(part.cells)
    return Printed(part.id, PieceKind(part.kind), outline, part.copies, part.value, part.water)


def usual_rows(file: ComponentFile) -> tuple[str, ...]:
    """The board's rows in the usual letters."""
    return _normal(file).board.cells


def set_hash(file: ComponentFile) -> str:
    """SHA-256 of the canonical text, in hexadecimal."""
    return hashlib.sha256(canonical_text(file).encode()).hexdigest()


KHAN_REFERENCE: Final = ComponentSet(
    name="khan-reference-0",
    kind="components",
    provenance="Invented for this project; not a transcription of anything printed.",
    verified=False,
    notes=(
        "This is not the published game: board, start cells, some outlines, values and cards are made up.",
        "Every count that the rulebook states is kept.",
    ),
    data=REFERENCE,
)

SETS: Final = (KHAN_REFERENCE,)


def set_tag(file: ComponentFile) -> str:
    """How a match header calls the set: a shipped one by name and hash, any other in full."""
    if _is_shipped(file):
        return f"{file.set_id}{HASH_MARK}{set_hash(file)}"
    return SET_PREFIX + canonical_text(file)


def is_impostor(file: ComponentFile) -> bool:
    """Whether it bears the name of a shipped set without being it."""
    return file.set_id in _names() and not _is_shipped(file)


def _is_shipped(file: ComponentFile) -> bool:
    return file.set_id in _names() and set_hash(file) == set_hash(_shipped(file.set_id))


@lru_cache(maxsize=32)
def find_file(text: str) -> ComponentFile:
    """The set that a match header names, with or without its hash, or gives in full; not checked yet."""
    if text.startswith(SET_PREFIX):
        if len(text) > _LONGEST:
            raise BadSetup("components", f"the component set is longer than {_LONGEST} characters")
        try:
            return _normal(msgspec.json.decode(text.removeprefix(SET_PREFIX), type=ComponentFile))
        except msgspec.MsgspecError as fault:
            raise BadSetup("components", f"the component set cannot be read: {_told(str(fault))}") from None
    name, mark, stated = text.partition(HASH_MARK)
    if name not in _names():
        known = ", ".join(_names())
        raise BadSetup(
            "components",
            f"no component set is called {quoted(name)}; known: {known}, or give one in full as "
            f"{SET_PREFIX}…",
        )
    file = _shipped(name)
    if mark and stated != set_hash(file):
        raise BadSetup("components", f"{name} has the hash {set_hash(file)}, not {quoted(stated, 70)}")
    return file


def _names() -> Iterator[str]:
    return (known.name for known in SETS)


@lru_cache(maxsize=len(SETS))
def _shipped(name: str) -> ComponentFile:
    return read_file(next(known.data for known in SETS if known.name == name))
