"""What the words of a position line are made of: the board, pieces, hands, restrictions and the turn."""

import re
from typing import Final, TypeAlias

from typing_extensions import override

from rules.kernel import terms
from rules.kernel.cells import cell_names, read_cells
from rules.kernel.composed import Gathered
from rules.kernel.composite import record
from rules.kernel.forms import Unnamed
from rules.kernel.nouns import Choice, Named, SeatNumber, SeatNumbers, number
from rules.kernel.remembered import Remembered
from rules.kernel.setup import UNRECORDED
from rules.kernel.terms import Term
from rules.kernel.text import Unreadable, Word, quoted
from rules.khan import state as s
from rules.khan.board import CellSet
from rules.khan.cards import CARDS, HAND, REGIONS, SPECIALS, UNKNOWN, CardKind, Hand, Special
from rules.khan.names import CARD, LEADER, SEAT, SHAPE
from rules.khan.state import Table

# The board.

FREE: Final = "."
OPEN_RIVER: Final = "~"
OFF_BOARD: Final = "_"
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
        for at, mark in enumerate(word.text):
            bit = 1 << at
            if at % board.stride == board.width:
                allowed = "/"
            elif bit & board.land:
                allowed = "".join((FREE, COVERED, NEUTRAL, *seats, LEADERS))
            else:
                allowed = OPEN_RIVER + COVERED if bit & board.river else OFF_BOARD
            if mark not in allowed:
                raise Unreadable(f"{quoted(mark)} stands where only {allowed} can stand", word.column + at)
            if mark in LEADERS and layers[mark]:
                raise Unreadable(f"leader {mark} stands twice", word.column + at)
            if mark in layers:
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


def _is_told(table: Table, card: CardKind | None) -> str | None:
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
        CARD.or_unknown().unless(_is_told),
        lambda _, hand: [None if card == UNKNOWN else card for card in hand],
        _hand,
        joined=",",
        nothing="",
    ),
    lambda table: table.parts,
)


class _LaidAside(Named[Table, CardKind]):
    """A card that is known, since it lies open."""

    @override
    def read(self, table: Table, word: Word) -> CardKind:
        if word.text == terms.UNKNOWN:
            raise word.fault(f"{quoted(word.text)}; a card that was laid aside is known")
        return super().read(table, word)


LAID: Final = record(
    "seat, a card and a number",
    s.Laid,
    SeatNumber[Table](lambda table: table.names),
    _LaidAside("card", CARD.names, too_many=True),
    number("number of cards", CARDS),
    joined=":",
    example="1:seljuk.N.ice:2",
)


class _Specials(Term[Table, bytes]):
    """How many special cards of each kind: `M2P1`."""

    what = "special cards"
    _letters: Final = "".join(special.letter for special in SPECIALS)
    _pattern: Final = re.compile("".join(f"(?:{letter}([1-9]))?" for letter in _letters))

    @override
    def write(self, table: Table, thing: bytes) -> str:
        return "".join(
            [f"{letter}{count}" for letter, count in zip(self._letters, thing, strict=True) if count]
        )

    @override
    def read(self, table: Table, word: Word) -> bytes:
        found = self._pattern.fullmatch(word.text)
        if found is None:
            raise word.fault(f"{quoted(word.text)} counts no special cards; expected for instance M2P1S1E1")
        return bytes(int(count or 0) for count in found.groups())


SPECIAL_CARDS: Final = _Specials()
RETIRED: Final = Choice(
    "special", (Special.PROTECTION, Special.SUPPORT), ("protection", "support")
).expecting("protection or support")


class _Restrictions(Term[Table, s.Restriction | None]):
    """What a seat has in force: `support.rock`, or nothing."""

    what = "restriction"

    @override
    def write(self, table: Table, thing: s.Restriction | None) -> str:
        match thing:
            case None:
                return ""
            case s.Protection():
                return "protection"
            case s.Support():
                return "support" if thing.region is None else f"support.{thing.region.word}"
            case s.Reservation():
                return f"explore.{SHAPE.write(table, thing.shape)}"

    @override
    def read(self, table: Table, word: Word) -> s.Restriction | None:
        what, _, value = word.text.partition(".")
        if word.text in _SUPPORTS:
            return _SUPPORTS[word.text]
        if what == "explore":
            return s.Reservation(SHAPE.read(table, Word(value, word.column + len("explore."))))
        raise word.fault(
            f"{quoted(word.text)} is no restriction; expected protection, support, support.REGION or"
            " explore.SHAPE"
        )


_SUPPORTS: Final[dict[str, s.Restriction | None]] = {
    "": None,
    "protection": s.Protection(),
    "support": s.Support(None),
    **{f"support.{region.word}": s.Support(region) for region in REGIONS},
}
RESTRICTION: Final = _Restrictions()


# The turn.

_WORDS: Final[dict[type[s.Turn], str]] = {
    s.Beginning: "first",
    s.Opening: "open",
    s.Drawing: "draw",
    s.Turning: "turn",
    s.Acting: "act",
    s.Discarding: "discard",
    s.Choosing: "special",
    s.Conquering: "conquer",
    s.Over: "over",
}
_LEFT: Final = number("number of actions", s.ACTIONS, least=1)
TURN_BEGINS: Final = r"(first|over)$|(open|draw|turn|act|discard|special|conquer):"


class _Turns(Term[Table, tuple[s.Turn, int]]):
    """What is awaited of whom, and the actions left: `turn:green:2:seljuk`."""

    what = "turn"

    @override
    def write(self, table: Table, thing: tuple[s.Turn, int]) -> str:
        turn, left = thing
        word = _WORDS[type(turn)]
        match turn:
            case s.Beginning() | s.Over():
                return word
            case s.Turning(seat, leader) if leader is not None:
                return f"{word}:{table.names[seat]}:{left}:{LEADER.write(table, leader)}"
            case s.Acting(seat) | s.Conquering(seat):
                return f"{word}:{table.names[seat]}:{left}"
            case _:
                return f"{word}:{table.names[turn.seat]}"

    @override
    def read(self, table: Table, word: Word) -> tuple[s.Turn, int]:
        what, *rest = word.split(":")
        if word.text == "first":
            return s.Beginning(), 0
        if word.text == "over":
            return s.Over(), 0
        if not rest or rest[0].text not in table.names:
            raise word.fault(f"{quoted(word.text)} names no seat; expected {', '.join(table.names)}")
        seat = SEAT.read(table, rest[0])
        match what.text, rest[1:]:
            case "open", []:
                return s.Opening(seat), 0
            case "draw", []:
                return s.Drawing(seat), 0
            case "turn", []:
                return s.Turning(seat, None), s.ACTIONS
            case "turn", [left, leader] if leader.text in table.parts.leader_names.number_of:
                return s.Turning(seat, LEADER.read(table, leader)), _LEFT.read(table, left)
            case "act", [left]:
                return s.Acting(seat), _LEFT.read(table, left)
            case "discard", []:
                return s.Discarding(seat), 0
            case "special", []:
                return s.Choosing(seat), 0
            case "conquer", [left]:
                return s.Conquering(seat), _LEFT.read(table, left)
            case _:
                raise word.fault(
                    f"{quoted(word.text)} is no turn; expected first, open:NAME, draw:NAME, turn:NAME,"
                    " turn:NAME:LEFT:LEADER, act:NAME:LEFT, discard:NAME, special:NAME, conquer:NAME:LEFT"
                    " or over"
                )


TURN: Final = _Turns()
