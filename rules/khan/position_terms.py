"""What the words of a position line are made of: the board, pieces, hands, restrictions and the turn."""

from typing import Final, TypeAlias

from typing_extensions import override

from rules.kernel.amounts import Lettered, Multiset
from rules.kernel.cells import cell_names, read_cells
from rules.kernel.composed import Gathered
from rules.kernel.composite import record
from rules.kernel.forms import Unnamed
from rules.kernel.nouns import Choice, SeatNumber, SeatNumbers, number
from rules.kernel.phrases import phrase
from rules.kernel.remembered import Remembered
from rules.kernel.setup import UNRECORDED
from rules.kernel.stated import Stated
from rules.kernel.statements import Statements
from rules.kernel.terms import Term
from rules.kernel.text import Unreadable, Word, quoted
from rules.khan import state as s
from rules.khan.board import OFF_BOARD, CellSet
from rules.khan.cards import CARDS, HAND, SPECIALS, UNKNOWN, CardKind, Hand, Special
from rules.khan.notation import CARD, LEADER, REGION, SEAT, SHAPE
from rules.khan.state import Table

# The board.

FREE: Final = "."
OPEN_RIVER: Final = "~"
COVERED: Final = "#"
NEUTRAL: Final = "0"
LEADERS: Final = "ABCDEFGH"
_MARKS: Final = bytes.maketrans(
    b"0123456789abcdef", f"{OFF_BOARD}{NEUTRAL}1234{COVERED}{OPEN_RIVER}{FREE}???????".encode()
)
"""The mark of each layer, by the hexadecimal digit of its number; 0 is off the board."""

Layers: TypeAlias = tuple[tuple[CellSet, ...], tuple[CellSet, ...], CellSet, CellSet]
"""Yurts by seat with the neutral ones last, leaders, covered cells and free ones."""


class _Rows(Term[Table, Layers]):
    """The board with everything on it, one character per cell: docs/khan.md lists the marks."""

    what = "rows"

    @override
    def write(self, table: Table, thing: Layers) -> str:
        yurts, leaders, covered, free = thing
        board = table.parts.board
        size = board.stride * board.height
        coloured = (*yurts[:-1], *[0] * s.MOST_SEATS)[: s.MOST_SEATS]
        # Binary digits read as hexadecimal ones: added up, they name the layer of every cell at once. The
        # layers are in the order of _MARKS, and the first that has a cell shows.
        codes, taken = 0, ~((1 << size) - 1)
        for code, cells in enumerate((yurts[-1], *coloured, covered, board.river, free), start=1):
            codes += code * int(f"{cells & ~taken:b}", 16)
            taken |= cells
        rows = bytearray(f"{codes:0{size}x}".encode()[::-1].translate(_MARKS))
        for leader, cells in zip(LEADERS.encode(), leaders, strict=True):
            if cells and cells.bit_length() <= size:
                rows[cells.bit_length() - 1] = leader
        rows[board.width :: board.stride] = b"/" * board.height
        return rows[:-1].decode()

    @override
    def read(self, table: Table, word: Word) -> Layers:
        board = table.parts.board
        seats = [str(seat + 1) for seat in table.seats]
        layers = dict.fromkeys((FREE, OPEN_RIVER, COVERED, NEUTRAL, *seats, *LEADERS), 0)
        size = board.stride * board.height - 1
        if len(word.text) != size:
            raise word.fault(f"the rows have {len(word.text)} characters, the board has {size}")
        land, on_land = board.land, "".join((FREE, COVERED, NEUTRAL, *seats, LEADERS))
        for at, mark in enumerate(word.text):
            bit = 1 << at
            if bit & land:
                allowed = on_land
            elif at % board.stride == board.width:
                allowed = "/"
            else:
                allowed = OPEN_RIVER + COVERED if bit & board.river else OFF_BOARD
            if mark not in allowed:
                raise Unreadable(f"{quoted(mark)} stands where only {allowed} can stand", word.column + at)
            if mark in layers:
                if layers[mark] and mark in LEADERS:
                    raise Unreadable(f"leader {mark} stands twice", word.column + at)
                layers[mark] |= bit
        yurts = (*(layers[seat] for seat in seats), layers[NEUTRAL])
        return yurts, tuple(layers[mark] for mark in LEADERS), layers[COVERED], layers[FREE]


ROWS: Final = _Rows()


# Pieces.


class _Sites(Term[Table, s.Site]):
    """A shape on the cells of a footprint that it has: `T3V:d5e5d6`."""

    what = "shape and its cells"
    layout = (":", 2)

    @override
    def write(self, table: Table, thing: s.Site) -> str:
        shape = table.parts.shapes[thing.shape]
        return f"{shape.id}:{''.join(cell_names(table.parts.board.each(thing.cells)))}"

    @override
    def read(self, table: Table, word: Word) -> s.Site:
        name, sign, rest = word.text.partition(":")
        if not sign:
            raise word.fault(f"{quoted(word.text)}; expected {self.article} such as T2:a1b1")
        number = SHAPE.read(table, Word(name, word.column))
        cells = Word(rest, word.column + len(name) + len(sign))
        footprint = table.parts.board.union(read_cells(cells))
        if footprint not in table.parts.shapes[number].footprints:
            raise cells.fault(f"{name} cannot lie on {quoted(rest)}")
        return s.Site(number, footprint)


SEATS: Final = SeatNumbers[Table](lambda table: table.names)
SITE: Final = _Sites()
PIECE: Final = Remembered(
    record("piece", s.Piece, SITE, SEATS, joined=":", example="T3V:d5e5d6:12"), lambda table: table.parts
)
PROPOSAL: Final = record("proposal", s.Proposal, SITE, SEATS, joined=":", example="T2:a1b1:23")


# Cards.


def _known_card_fault(table: Table, card: CardKind | None) -> str | None:
    if card is None or table.draws is not UNRECORDED:
        return None
    return "a known card where draws are not recorded; expected ?, or the option draws=recorded"


def _hand(_: Table, cards: tuple[CardKind | None, ...]) -> Hand:
    if len(cards) > HAND:
        raise Unnamed(f"a hand has at most {HAND} cards")
    return bytes(sorted(UNKNOWN if card is None else card for card in cards))


HELD: Final = Remembered(
    Gathered[Table, Hand, CardKind | None](
        "hand",
        CARD.or_unknown().unless(_known_card_fault),
        lambda _, hand: [None if card == UNKNOWN else CardKind(card) for card in hand],
        _hand,
        joined=",",
        nothing="",
    ),
    lambda table: table.parts,
)


DISCARDS: Final = Multiset(CARD, lambda table: table.parts.copies, nothing="-")
APART: Final = Multiset(CARD, lambda table: table.parts.copies)
LAID: Final = record(
    "seat, a card and a number",
    s.Laid,
    SeatNumber[Table](lambda table: table.names),
    CARD.or_unknown().known("a card that was laid aside is known"),
    number("number of cards", CARDS),
    joined=":",
    example="1:seljuk.N.ice:2",
)


SPECIAL_CARDS: Final = Lettered("special cards", "".join(special.letter for special in SPECIALS), "M2P1S1E1")
RETIRED: Final = Choice(
    "special", (Special.PROTECTION, Special.SUPPORT), ("protection", "support")
).expecting("protection or support")


_RESTRICTIONS: Final[Statements[Table, s.Restriction]] = Statements(
    s.Restriction,
    phrase("protection", s.Protection),
    phrase("support", s.Support, REGION.or_nothing()),
    phrase("explore", s.Reservation, SHAPE),
)
RESTRICTION: Final = Stated("restriction", _RESTRICTIONS).or_nothing()


# The turn.

_TURNS: Final[dict[str, type[s.SeatTurn]]] = {
    "open": s.Opening,
    "draw": s.Drawing,
    "act": s.Acting,
    "discard": s.Discarding,
    "special": s.Choosing,
    "conquer": s.Conquering,
}
_WORDS: Final = {kind: word for word, kind in _TURNS.items()}
_WITH_ACTIONS: Final = ("act", "conquer")
_LEFT: Final = number("number of actions", s.ACTIONS, least=1)
_TURN_SHAPES: Final = (
    "first, open:NAME, draw:NAME, turn:NAME, turn:NAME:LEFT:LEADER, act:NAME:LEFT, discard:NAME,"
    " special:NAME, conquer:NAME:LEFT or over"
)
TURN_BEGINS: Final = r"(first|over)$|(open|draw|turn|act|discard|special|conquer):"


class _Turns(Term[Table, tuple[s.Turn, int]]):
    """What is awaited of whom, and the actions left: `turn:green:2:seljuk`."""

    what = "turn"

    @override
    def write(self, table: Table, thing: tuple[s.Turn, int]) -> str:
        turn, left = thing
        if isinstance(turn, s.Beginning | s.Over):
            return "over" if isinstance(turn, s.Over) else "first"
        name = table.names[turn.seat]
        if isinstance(turn, s.Turning):
            chased = "" if turn.leader is None else f":{left}:{LEADER.write(table, turn.leader)}"
            return f"turn:{name}{chased}"
        word = _WORDS[type(turn)]
        return f"{word}:{name}:{left}" if word in _WITH_ACTIONS else f"{word}:{name}"

    @override
    def read(self, table: Table, word: Word) -> tuple[s.Turn, int]:
        what, *rest = word.split(":")
        if word.text in {"first", "over"}:
            return (s.Over() if word.text == "over" else s.Beginning()), 0
        if not rest or rest[0].text not in table.names:
            raise word.fault(f"{quoted(word.text)} names no seat; expected {', '.join(table.names)}")
        seat, more = SEAT.read(table, rest[0]), rest[1:]
        match what.text, more:
            case "turn", []:
                return s.Turning(seat, None), s.ACTIONS
            case "turn", [left, leader] if leader.text in table.parts.leader_names.number_of:
                return s.Turning(seat, LEADER.read(table, leader)), _LEFT.read(table, left)
            case ("act" | "conquer") as which, [left]:
                return _TURNS[which](seat), _LEFT.read(table, left)
            case ("open" | "draw" | "discard" | "special") as which, []:
                return _TURNS[which](seat), 0
            case _:
                raise word.fault(f"{quoted(word.text)} is no turn; expected {_TURN_SHAPES}")


TURN: Final = _Turns()
