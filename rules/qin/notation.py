"""Moves as text: `green Rg7Bh7`, `green pass`, `green end`, `deal green RB YY RR`, `draw RB`."""

import re
from functools import lru_cache
from typing import Final, assert_never

from rules.kernel.actors import CHANCE, Actor, Office, Seat
from rules.kernel.cells import cell_name, read_cell_at, unexpected
from rules.kernel.text import Unreadable, Word, quoted, words
from rules.qin.moves import DealTiles, DeclareEnd, DrawTile, Half, Move, Pass, PlaceTile
from rules.qin.state import Drawing, Placing, State
from rules.qin.tiles import COLOUR_OF, COLOURS, HAND, KIND_OF, TILES, Kind, hand_of, tiles_in

UNKNOWN_TILE: Final = "?"
"""A tile that is not recorded."""

_LETTERS: Final = tuple(colour.letter for colour in COLOURS)
_SEAT_WORDS: Final = frozenset({"pass", "end", "draw"})
_USUAL: Final = re.compile(r"(\S+) ([RYB][a-z][0-9]\S+)")
"""A seat and its placement, as nearly every line has them."""


def write_move(state: State, actor: Actor, move: Move) -> str:
    """The move as in a transcript, including its actor; the text of a placement is canonical."""
    names = state.table.names
    match move:
        case DealTiles():
            return f"deal {names[move.seat]} {' '.join(write_tile(tile) for tile in move.tiles)}"
        case DrawTile():
            pile = "" if move.pile is None else f" from {move.pile}"
            return f"draw {write_tile(move.tile)}{pile}"
        case PlaceTile():
            written = write_placement(move)
        case Pass():
            written = "pass"
        case DeclareEnd():
            written = "end"
        case _:
            assert_never(move)
    return written if isinstance(actor, Office) else f"{names[actor]} {written}"


def write_placement(move: PlaceTile) -> str:
    """'Rg7Bh7', the half nearer the top (then the left) first."""
    placed = move.canonical
    return _write_half(placed.first) + _write_half(placed.second)


def write_tile(tile: Kind | None) -> str:
    """'RB', or '?' for a tile that is not recorded."""
    return UNKNOWN_TILE if tile is None else tile.name


def _write_half(half: Half) -> str:
    return _LETTERS[half.colour] + cell_name(half.cell)


def read_move(state: State, text: str) -> tuple[Actor, Move]:
    """The actor and the move of a transcript's line."""
    names = state.table.names
    usual = _USUAL.fullmatch(text)
    if usual is not None and usual[1] in names:
        return Seat(names.index(usual[1])), read_placement(Word(usual[2], usual.start(2) + 1))
    given = list(words(text))
    if not given:
        raise Unreadable("nothing stands here; expected a move")
    first, rest = given[0], given[1:]
    if _is_a_deal(names, first, rest):
        return CHANCE, _read_deal(names, first, rest)
    if first.text in names and rest and _is_a_seats_word(rest[0].text):
        return _read_seat_move(state, Seat(names.index(first.text)), rest)
    if first.text == "deal":
        return CHANCE, _read_deal(names, first, rest)
    if first.text == "draw":
        return CHANCE, _read_draw(first, rest)
    if first.text == "end":
        _refuse_more(rest)
        return _spokesman(state), DeclareEnd()
    if first.text in names:
        expected = "expected a placement such as Rg7Bh7, pass or end"
        if not rest:
            raise Unreadable(f"{first.text} does nothing; {expected}", first.column + len(first.text))
        raise rest[0].fault(f"{quoted(rest[0].text)} is no move; {expected}")
    raise first.fault(f"{quoted(first.text)} is no seat; expected {', '.join(names)}, deal, draw or end")


def depends_on_turn(text: str) -> bool:
    """Whether the text may leave open who acts: an `end` without a name, or a draw with one."""
    given = text.split(maxsplit=2)
    return given[:1] == ["end"] or given[1:2] == ["draw"]


def _is_a_deal(names: tuple[str, ...], first: Word, rest: list[Word]) -> bool:
    """A whole deal is one, even if a seat is called deal and the seat that is dealt to is called pass."""
    return (
        first.text == "deal"
        and len(rest) == 1 + HAND
        and rest[0].text in names
        and all(word.text in KIND_OF or word.text == UNKNOWN_TILE for word in rest[1:])
    )


def _is_a_seats_word(text: str) -> bool:
    return text in _SEAT_WORDS or (text[0] in COLOUR_OF and text not in KIND_OF)


def _read_seat_move(state: State, seat: Seat, rest: list[Word]) -> tuple[Actor, Move]:
    word, more = rest[0], rest[1:]
    if word.text == "draw":
        # Some write whose draw it is; a draw for any other seat stays that seat's, and is out of turn.
        due = isinstance(state.turn, Drawing) and state.turn.seat == seat
        return CHANCE if due else seat, _read_draw(word, more)
    _refuse_more(more)
    if word.text == "pass":
        return seat, Pass()
    if word.text == "end":
        return seat, DeclareEnd()
    return seat, read_placement(word)


def _spokesman(state: State) -> Actor:
    """An `end` without a name is said by the seat to act."""
    return state.turn.seat if isinstance(state.turn, Placing | Drawing) else Seat(0)


def read_placement(word: Word) -> PlaceTile:
    """A placement, either half first."""
    try:
        return _placement(word.text)
    except Unreadable as fault:
        raise fault.shifted(word.column - 1) from None


@lru_cache(maxsize=16_384)
def _placement(text: str) -> PlaceTile:
    """A board has some thousand placements, and they come again and again."""
    word = Word(text, 1)
    first, used = _read_half(word, 0)
    second, used = _read_half(word, used)
    if used < len(word.text):
        raise Unreadable(
            f"{quoted(word.text[used:])} stands after the placement; expected nothing", word.column + used
        )
    return PlaceTile(first, second).canonical


def _read_half(word: Word, at: int) -> tuple[Half, int]:
    letter = word.text[at : at + 1]
    if letter not in COLOUR_OF:
        raise unexpected("a colour R, Y or B", word, at)
    cell, used = read_cell_at(word, at + 1)
    return Half(COLOUR_OF[letter], cell), used


def read_tile(word: Word) -> Kind | None:
    """A kind of tile, its colours in either order, or '?'."""
    if word.text == UNKNOWN_TILE:
        return None
    if word.text not in KIND_OF:
        raise word.fault(f"{quoted(word.text)} is no tile; expected RR YY BB RY RB YB or ?")
    return KIND_OF[word.text]


def _read_deal(names: tuple[str, ...], first: Word, rest: list[Word]) -> DealTiles:
    if not rest:
        raise Unreadable("expected the seat that is dealt a hand", first.column + len(first.text))
    if rest[0].text not in names:
        raise rest[0].fault(f"{quoted(rest[0].text)} is no seat; expected {', '.join(names)}")
    if len(rest) > 1 + TILES:
        raise rest[1 + TILES].fault(f"there are only {TILES} tiles")
    tiles = tuple(read_tile(word) for word in rest[1:])
    return DealTiles(Seat(names.index(rest[0].text)), tiles_in(hand_of(tiles)))


def _read_draw(first: Word, rest: list[Word]) -> DrawTile:
    if not rest:
        raise Unreadable("expected the tile that was drawn, or ?", first.column + len(first.text))
    tile, more = read_tile(rest[0]), rest[1:]
    if not more:
        return DrawTile(tile)
    if more[0].text != "from":
        raise more[0].fault(f"{quoted(more[0].text)} stands after the tile; expected nothing, or: from PILE")
    if len(more) == 1:
        raise Unreadable("expected the number of a pile", more[0].column + len("from"))
    _refuse_more(more[2:])
    return DrawTile(tile, more[1].whole_number(1, 99, "pile"))


def _refuse_more(rest: list[Word]) -> None:
    if rest:
        raise rest[0].fault(f"{quoted(rest[0].text)} stands after the move; expected nothing")
