"""A component set worked out for play: board, pieces, leaders and cards by their places in the set."""

from dataclasses import dataclass, field
from functools import lru_cache

from rules.kernel.component_sets import require_sound_set
from rules.kernel.display import BoardInfo
from rules.kernel.forms import Names
from rules.khan.board import OFF, OFF_BOARD, Board, CellSet, make_board
from rules.khan.cards import GROUND_OF, Card, CardKind, Direction, Ground, Leader
from rules.khan.component_checks import faults
from rules.khan.components import ComponentFile, find_file, set_tag, usual_rows
from rules.khan.shapes import Shape, ShapeKind, make_shape


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything printed, ready for quick questions. They are equal when their sets are."""

    tag: str
    """As a match header has it: name and hash of a shipped set, or a set in full."""
    loose_bridges: bool
    """Whether any water will do under a bridge (AMB-10)."""
    set_id: str = field(compare=False)
    invented: bool = field(compare=False)
    board: Board = field(compare=False, repr=False)
    leaders: tuple[CellSet, ...] = field(compare=False, repr=False)
    """By leader: the cell where it starts."""
    shapes: tuple[Shape, ...] = field(compare=False, repr=False)
    cards: tuple[Card, ...] = field(compare=False, repr=False)
    """Every face once."""
    copies: bytes = field(compare=False, repr=False)
    """By face: how many such cards there are."""
    shape_names: Names[ShapeKind] = field(compare=False, repr=False)
    leader_names: Names[Leader] = field(compare=False, repr=False)
    faces: Names[CardKind] = field(compare=False, repr=False)
    """'seljuk.N.ice'."""

    @property
    def card_names(self) -> tuple[str, ...]:
        """By face."""
        return self.faces.names


@lru_cache(maxsize=16)
def find_parts(text: str, *, loose_bridges: bool) -> Parts:
    """The parts of the set in a match header; a set that contradicts the rulebook is refused."""
    file = find_file(text)
    require_sound_set(faults(file))
    return _made(file, loose_bridges=loose_bridges)


def _made(file: ComponentFile, *, loose_bridges: bool) -> Parts:
    board = make_board(usual_rows(file), file.board.neighbour)
    ids, starts = [leader.id for leader in file.leader], [leader.start for leader in file.leader]
    counts: dict[Card, int] = {}
    for number, name in enumerate(ids):
        for face in file.cards[name]:
            direction, _, ground = face.partition(":")
            card = Card(Leader(number), Direction[direction], GROUND_OF[ground])
            counts[card] = counts.get(card, 0) + 1
    names = tuple(f"{ids[card.leader]}.{card.direction.name}.{card.ground.word}" for card in counts)
    shapes = tuple(make_shape(board, part, loose=loose_bridges) for part in file.shape)
    return Parts(
        tag=set_tag(file),
        loose_bridges=loose_bridges,
        set_id=file.set_id,
        invented=file.invented,
        board=board,
        leaders=tuple(1 << (row * board.stride + column) for row, column in starts),
        shapes=shapes,
        cards=tuple(counts),
        copies=bytes(counts.values()),
        shape_names=Names((shape.id for shape in shapes), ShapeKind, file.set_id),
        leader_names=Names(ids, Leader, file.set_id),
        faces=Names(names, CardKind, file.set_id),
    )


def openings(parts: Parts, *, corners: bool) -> tuple[CellSet, ...]:
    """By face: the land that a card opens (KHAN-ACT-A)."""
    by_ground = [parts.board.allowed(ground, corners=corners) for ground in Ground]
    return tuple(by_ground[card.ground] for card in parts.cards)


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
        key="M mountain, I ice, T tundra, R rocky desert, S sand desert, F forest, ~ river, _ off the board",
    )
