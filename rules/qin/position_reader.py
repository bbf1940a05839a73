"""Reads the line of text that position.py writes, without guessing."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.cells import cell_at, cell_name, read_cell
from rules.kernel.lines import SetupWords, read_options
from rules.kernel.setup import Draws
from rules.kernel.text import Unreadable, Word, quoted, words
from rules.qin.board import Board, CellSet
from rules.qin.decide import is_stalled
from rules.qin.invariants import owned_groups, problems_on_any_board, too_many
from rules.qin.notation import read_tile
from rules.qin.rulebook import QIN_1
from rules.qin.start import read_table
from rules.qin.state import (
    ALLOTMENT,
    DEALING,
    DRAWING,
    OVER,
    PLACING,
    VACANT,
    ByColour,
    Drawing,
    EndReason,
    Over,
    Placing,
    Province,
    Provinces,
    State,
    Table,
    Turn,
    due,
)
from rules.qin.tiles import (
    COLOUR_OF,
    COLOURS,
    EACH,
    EMPTY,
    HAND,
    KIND_OF,
    KINDS,
    TILES,
    UNKNOWN,
    Counts,
    Hand,
    hand_of,
)

_SEAT_PARTS: Final = 5
_OPTIONS: Final = ("passes", "drawn")
_TURN: Final = re.compile(r"deal$|(place|draw|over):[^:]*$")
_LEAST_WORDS: Final = 6
"""Board, rows, two seats, turn, tiles placed."""


@dataclass(frozen=True, slots=True)
class _Line:
    """The words of a position line, by meaning."""

    board: Word
    rows: Word
    seats: tuple[tuple[Word, ...], ...]
    turn: Word
    placed: Word
    options: dict[str, Word] = field(default_factory=dict)


def read_position(text: str) -> State:
    """The state that a position line describes."""
    line = _split(text)
    table = _read_table(line)
    board = table.board
    territories = _read_rows(board, line.rows)
    provinces = _read_provinces(board, territories, line)
    placed = _read_placed(line.placed)
    hands = tuple(_read_hand(seat[4], table.draws) for seat in line.seats)
    most = ALLOTMENT[len(hands)]
    state = State(
        table=table,
        free=board.steppe & ~sum(territories),
        territories=territories,
        provinces=provinces,
        villages=_read_villages(board, line),
        supplies=tuple(seat[1].whole_number(0, most, "supply") for seat in line.seats),
        placed=placed,
        hands=hands,
        stock=TILES - sum(placed) - sum(map(sum, hands)),
        drawn=_read_drawn(table.rulings.piles, line.options.get("drawn")),
        turn=_read_turn(table, line.turn),
        passes=_read_passes(len(hands), line.options.get("passes")),
    )
    _refuse_contradictions(state, line)
    return state


def _split(text: str) -> _Line:
    given = list(words(text))
    if len(given) < _LEAST_WORDS:
        raise Unreadable(
            "a position has a board, its rows, a word for each seat, the turn and the tiles placed",
            given[-1].column if given else 1,
        )
    turn = 2
    seats = []
    while turn < len(given) and not _TURN.match(given[turn].text):
        word = given[turn]
        if word.text.count(":") != _SEAT_PARTS - 1:
            raise word.fault(
                f"{quoted(word.text)} is no seat and no turn; expected NAME:SUPPLY:PROVINCES:VILLAGES:HAND,"
                " and after the seats expected deal, place:NAME, draw:NAME or over:REASON"
            )
        seats.append(tuple(word.split(":")))
        turn += 1
    if turn + 1 >= len(given):
        raise given[-1].fault("expected the turn and the tiles placed after the seats")
    options = read_options(given[turn + 2 :])
    return _Line(given[0], given[1], tuple(seats), given[turn], given[turn + 1], options)


def _read_table(line: _Line) -> Table:
    seats = [seat[0] for seat in line.seats]
    return SetupWords(line.board, seats, line.turn, line.options).laid_out(QIN_1, _OPTIONS, read_table)


def _read_rows(board: Board, word: Word) -> ByColour[CellSet]:
    expected = board.map
    if len(word.text) != len(expected):
        raise word.fault(f"the rows have {len(word.text)} characters, the board's map has {len(expected)}")
    territories = list(board.starts)
    for at, (mark, printed) in enumerate(zip(word.text, expected, strict=True)):
        if mark == printed:
            continue
        if printed != "." or mark not in COLOUR_OF:
            raise Unreadable(f"{quoted(mark)} stands where the board has {quoted(printed)}", word.column + at)
        row, column = divmod(at, board.stride)
        territories[COLOUR_OF[mark]] |= board.bit[cell_at(row, column)]
    red, yellow, blue = territories
    return red, yellow, blue


def _read_provinces(board: Board, territories: ByColour[CellSet], line: _Line) -> Provinces:
    by_colour = [owned_groups(board, territories, colour) for colour in COLOURS]
    owned: dict[CellSet, Province] = {}
    for seat, parts in enumerate(line.seats):
        for word in parts[2].split(","):
            name, star, count = word.text.partition("*")
            cell = read_cell(Word(name, word.column))
            group = next((g for of_colour in by_colour for g in of_colour if g & board.bit[cell]), None)
            if group is None:
                raise word.fault(f"no province lies at {cell_name(cell)}")
            if group in owned:
                raise word.fault(f"the province at {cell_name(cell)} has an owner already")
            pagodas = due(group)
            if star:
                pagodas = Word(count, word.column + len(name) + 1).whole_number(
                    0, pagodas, "count of pagodas"
                )
            owned[group] = Province(group, Seat(seat), pagodas)
    for of_colour in by_colour:
        for group in of_colour:
            if group not in owned:
                raise line.rows.fault(f"nobody owns the province at {cell_name(board.first(group))}")
    reds, yellows, blues = (tuple(owned[group] for group in of_colour) for of_colour in by_colour)
    return reds, yellows, blues


def _read_villages(board: Board, line: _Line) -> bytes:
    letters = [village.letter for village in board.villages]
    owners = [VACANT] * len(letters)
    for seat, parts in enumerate(line.seats):
        for word in parts[3].split(","):
            if word.text not in letters:
                raise word.fault(f"the board has no village {quoted(word.text)}")
            if owners[letters.index(word.text)] != VACANT:
                raise word.fault(f"village {word.text} has an owner already")
            owners[letters.index(word.text)] = seat + 1
    return bytes(owners)


def _read_hand(word: Word, draws: Draws) -> Hand:
    tiles = word.split(",")
    if len(tiles) > HAND:
        raise word.fault(f"a hand has at most {HAND} tiles")
    hand = hand_of(tuple(read_tile(tile) for tile in tiles))
    if draws is Draws.UNRECORDED and sum(hand) > hand[UNKNOWN]:
        raise word.fault(
            "a known tile where draws are not recorded; expected ?, or the option draws=recorded"
        )
    return hand


def _read_placed(word: Word) -> Counts:
    counts = [0] * len(KINDS)
    if word.text == "-":
        return bytes(counts)
    for part in word.split(","):
        kind = KIND_OF.get(part.text[:2])
        if kind is None:
            raise part.fault(f"{quoted(part.text)} counts no tiles; expected for instance RR2,YB1 or -")
        if counts[kind]:
            raise part.fault(f"{kind.name} stands twice")
        counts[kind] = Word(part.text[2:], part.column + 2).whole_number(1, EACH, "count of tiles")
    return bytes(counts)


def _read_turn(table: Table, word: Word) -> Turn:
    what, _, value = word.text.partition(":")
    by_seat: dict[str, Callable[[int], Turn]] = {"place": PLACING.__getitem__, "draw": DRAWING.__getitem__}
    if word.text == "deal":
        return DEALING
    if what in by_seat and value in table.names:
        return by_seat[what](table.names.index(value))
    if what == "over" and value in {reason.value for reason in EndReason}:
        return OVER[EndReason(value)]
    raise word.fault(f"{quoted(word.text)} is no turn; expected deal, place:NAME, draw:NAME or over:REASON")


def _read_passes(seats: int, word: Word | None) -> int:
    return 0 if word is None else word.whole_number(1, seats, "number of passes")


def _read_drawn(piles: int, word: Word | None) -> bytes:
    if word is None:
        return bytes(piles)
    counts = [part.whole_number(0, TILES, "count of draws") for part in word.split(".")]
    if len(counts) != piles:
        raise word.fault(f"{len(counts)} piles are counted, there are {piles}")
    return bytes(counts)


def _refuse_contradictions(state: State, line: _Line) -> None:
    turn = state.turn
    if state.stock < 0:
        raise line.placed.contradicted(f"there are more than {TILES} tiles")
    for kind in KIND_OF.values():
        if too_many(state, kind):
            raise line.placed.contradicted(f"there are more than {EACH} {kind.name} tiles")
    ended = turn == OVER[EndReason.LAST_PAGODA]
    if state.supplies.count(0) != int(ended):
        raise line.turn.contradicted(
            "exactly one supply is empty where the last pagoda ended the match, else none"
        )
    if not ended and any("*" in seat[2].text for seat in line.seats):
        raise line.turn.contradicted("pagodas are missing only where the last pagoda ended the match")
    recorded = state.table.draws is Draws.RECORDED
    if not recorded and not isinstance(turn, Placing | Over):
        raise line.turn.contradicted("nothing is dealt or drawn where draws are not recorded")
    if isinstance(turn, Drawing) and not state.stock:
        raise line.turn.contradicted("there is no tile left to draw")
    if turn == DEALING and (EMPTY not in state.hands or any(state.placed)):
        raise line.turn.contradicted("every hand has been dealt")
    for seat, parts in zip(state.table.seats, line.seats, strict=True):
        most = ALLOTMENT[len(line.seats)]
        if state.supplies[seat] + state.on_board(seat) > most:
            raise parts[1].contradicted(f"{parts[0].text} would have more than {most} pagodas in all")
    for problem in problems_on_any_board(state):
        raise line.rows.contradicted(problem)
    if is_stalled(state):
        raise line.turn.contradicted("no tile can be placed: the turn must be over:no-placement")
