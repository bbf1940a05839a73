"""Moves as text: `green invade d5 seljuk.N.ice`, `turn seljuk.N.ice`; docs/khan.md lists them all."""

from collections.abc import Callable
from typing import Final, assert_never

from rules.kernel.actors import CHANCE, Actor, Office, Seat
from rules.kernel.cells import Cell, cell_name, read_cell, read_cells
from rules.kernel.text import Unreadable, Word, quoted, words
from rules.khan.cards import REGION_OF, CardKind, Region
from rules.khan.kit import Kit
from rules.khan.moves import (
    Agree,
    Chase,
    Conquer,
    Discard,
    DrawCard,
    DrawFirstPlayer,
    Explore,
    Finish,
    Invade,
    InvadeAnywhere,
    InvokeProtection,
    InvokeSupport,
    Move,
    Pass,
    PlaceYurt,
    RaiseMorale,
    Refuse,
    SeatMove,
    TurnCard,
)
from rules.khan.state import State

NOT_TOLD: Final = "?"
"""A card that is not recorded."""

_PLAIN: Final[dict[str, SeatMove]] = {
    "done": Finish(),
    "morale": RaiseMorale(),
    "protection": InvokeProtection(),
    "agree": Agree(),
    "refuse": Refuse(),
    "pass": Pass(),
}
"""Moves that are one word."""

_PLAIN_WORDS: Final = {move: word for word, move in _PLAIN.items()}


def write_move(state: State, actor: Actor, move: Move) -> str:
    """The move as in a transcript, including its actor; footprints are canonical."""
    said = _said(state, move)
    if isinstance(actor, Office) or isinstance(move, DrawFirstPlayer | TurnCard | DrawCard):
        return said
    return f"{state.table.names[actor]} {said}"


def _said(state: State, move: Move) -> str:
    kit = state.table.kit
    match move:
        case DrawFirstPlayer():
            return f"first {state.table.names[move.seat]}"
        case TurnCard():
            return f"turn {kit.card_names[move.card]}"
        case DrawCard():
            return f"draw {write_card(kit, move.card)}"
        case PlaceYurt():
            return f"yurt {cell_name(move.cell)}"
        case Invade():
            return f"invade {cell_name(move.cell)} {kit.card_names[move.card]}"
        case Chase():
            return f"chase {kit.leaders[move.leader].id}"
        case Conquer():
            return f"conquer {kit.shapes[move.shape].id} {write_cells(move.canonical.cells)}"
        case InvadeAnywhere():
            return f"anywhere {cell_name(move.cell)}"
        case Discard():
            return f"discard {kit.card_names[move.card]}"
        case InvokeSupport():
            return "support" if move.region is None else f"support {move.region.word}"
        case Explore():
            return f"explore {kit.shapes[move.shape].id}"
        case Finish() | RaiseMorale() | InvokeProtection() | Agree() | Refuse() | Pass():
            return _PLAIN_WORDS[move]
        case _:
            assert_never(move)


def write_card(kit: Kit, card: CardKind | None) -> str:
    """'seljuk.N.ice', or '?' for a card that is not recorded."""
    return NOT_TOLD if card is None else kit.card_names[card]


def write_cells(cells: tuple[Cell, ...]) -> str:
    """'d5e5d6'."""
    return "".join(map(cell_name, cells))


def read_move(state: State, text: str) -> tuple[Actor, Move]:
    """The actor and the move of a transcript's line."""
    said = list(words(text))
    if not said:
        raise Unreadable("nothing stands here; expected a move")
    first, rest = said[0], said[1:]
    names = state.table.names
    if first.text in _BY_CHANCE:
        return CHANCE, _BY_CHANCE[first.text](state, _one(first, rest))
    if first.text not in names:
        expected = f"expected {', '.join(names)}, first, turn or draw"
        raise first.fault(f"{quoted(first.text)} is no seat; {expected}")
    if not rest:
        raise Unreadable(f"{first.text} does nothing; {_EXPECTED}", first.column + len(first.text))
    return Seat(names.index(first.text)), _read_seat_move(state.table.kit, rest[0], rest[1:])


def _read_first(state: State, word: Word) -> Move:
    names = state.table.names
    if word.text not in names:
        raise word.fault(f"{quoted(word.text)} is no seat; expected {', '.join(names)}")
    return DrawFirstPlayer(Seat(names.index(word.text)))


def _read_turn(state: State, word: Word) -> Move:
    return TurnCard(_read_known_card(state.table.kit, word))


def _read_draw(state: State, word: Word) -> Move:
    return DrawCard(read_card(state.table.kit, word))


_BY_CHANCE: Final[dict[str, Callable[[State, Word], Move]]] = {
    "first": _read_first,
    "turn": _read_turn,
    "draw": _read_draw,
}


def _read_seat_move(kit: Kit, verb: Word, rest: list[Word]) -> Move:
    match verb.text:
        case "yurt":
            return PlaceYurt(read_cell(_one(verb, rest)))
        case "invade":
            cell, card = _two(verb, rest, "a cell and a card")
            return Invade(read_cell(cell), _read_known_card(kit, card))
        case "chase":
            return Chase(_read_leader(kit, _one(verb, rest)))
        case "conquer":
            shape, cells = _two(verb, rest, "a shape and its cells")
            return Conquer(read_shape(kit, shape), _read_footprint(cells))
        case "anywhere":
            return InvadeAnywhere(read_cell(_one(verb, rest)))
        case "discard":
            return Discard(_read_known_card(kit, _one(verb, rest)))
        case "support":
            return InvokeSupport(_read_region(_one(verb, rest)) if rest else None)
        case "explore":
            return Explore(read_shape(kit, _one(verb, rest)))
        case plain if plain in _PLAIN:
            _refuse_more(rest)
            return _PLAIN[plain]
        case _:
            raise verb.fault(f"{quoted(verb.text)} is no move; {_EXPECTED}")


_EXPECTED: Final = (
    "expected yurt, invade, chase, conquer, anywhere, discard, done, morale, protection, support, explore,"
    " agree, refuse or pass"
)


def _read_footprint(word: Word) -> tuple[Cell, ...]:
    cells = read_cells(word)
    if len(set(cells)) < len(cells):
        raise word.fault("a cell stands twice in the footprint")
    return tuple(sorted(cells))


def read_card(kit: Kit, word: Word) -> CardKind | None:
    """A card of the set, or '?'."""
    return None if word.text == NOT_TOLD else _read_known_card(kit, word)


def _read_known_card(kit: Kit, word: Word) -> CardKind:
    if word.text not in kit.card_of:
        raise word.fault(
            f"{quoted(word.text)} is no card of {kit.set_id}; expected one such as {kit.card_names[0]}"
        )
    return kit.card_of[word.text]


def _read_leader(kit: Kit, word: Word) -> int:
    if word.text not in kit.leader_of:
        raise word.fault(f"{quoted(word.text)} is no leader; expected {', '.join(kit.leader_of)}")
    return kit.leader_of[word.text]


def read_shape(kit: Kit, word: Word) -> int:
    """A shape of the set."""
    if word.text not in kit.shape_of:
        raise word.fault(f"{quoted(word.text)} is no shape; expected {', '.join(kit.shape_of)}")
    return kit.shape_of[word.text]


def _read_region(word: Word) -> Region:
    if word.text not in REGION_OF:
        raise word.fault(f"{quoted(word.text)} is no region; expected {', '.join(REGION_OF)}")
    return REGION_OF[word.text]


def _one(verb: Word, rest: list[Word]) -> Word:
    if not rest:
        raise Unreadable(f"something is missing after {verb.text}", verb.column + len(verb.text))
    _refuse_more(rest[1:])
    return rest[0]


def _two(verb: Word, rest: list[Word], expected: str) -> tuple[Word, Word]:
    last = rest[-1] if rest else verb
    if len(rest) <= 1:
        raise Unreadable(f"expected {expected} after {verb.text}", last.column + len(last.text))
    _refuse_more(rest[2:])
    return rest[0], rest[1]


def _refuse_more(rest: list[Word]) -> None:
    if rest:
        raise rest[0].fault(f"{quoted(rest[0].text)} stands after the move; expected nothing")
