"""Component sets: what a file lists that is printed, and the shipped set."""

from typing import Final, Literal

from msgspec import Struct, structs

from rules.kernel.component_sets import ComponentSets
from rules.kernel.setup import ComponentSet
from rules.khan.board import LETTERS, OFF, RIVER
from rules.khan.cards import REGIONS
from rules.khan.reference import REFERENCE
from rules.khan.shapes import Printed

OFF_WORD: Final = "off"
RIVER_WORD: Final = "river"


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


class ComponentFile(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that a file of this schema says."""

    schema: Literal["khan-components/1"]
    set_id: str
    provenance: Literal["transcribed", "invented-reference"]
    transcribed_from: str
    board: BoardPart
    leader: tuple[LeaderPart, ...]
    shape: tuple[Printed, ...]
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


def _normal(file: ComponentFile) -> ComponentFile:
    """The same set with the usual letters and marks."""
    letters = {word: letter for letter, word in STANDARD_LEGEND.items()}
    to_usual = {mark: letters.get(word, mark) for mark, word in file.board.legend.items()}
    board = BoardPart(
        legend=STANDARD_LEGEND,
        cells=tuple("".join(to_usual.get(mark, mark) for mark in row) for row in file.board.cells),
        neighbour=tuple(row.replace(" ", ".") for row in file.board.neighbour),
    )
    return structs.replace(file, board=board)


def usual_rows(file: ComponentFile) -> tuple[str, ...]:
    """The board's rows in the usual letters."""
    return _normal(file).board.cells


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

COMPONENT_SETS: Final = ComponentSets(ComponentFile, SETS, _normal)
read_file: Final = COMPONENT_SETS.read
find_file: Final = COMPONENT_SETS.find
canonical_text: Final = COMPONENT_SETS.canonical_text
set_hash: Final = COMPONENT_SETS.hash
set_tag: Final = COMPONENT_SETS.tag
