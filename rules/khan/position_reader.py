"""Reads the line of text that position.py writes, without guessing."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.cells import read_cells
from rules.kernel.lines import SetupWords, read_options
from rules.kernel.setup import Draws
from rules.kernel.text import Unreadable, Word, quoted, words
from rules.khan.agenda import AGENDA
from rules.khan.board import CellSet
from rules.khan.cards import CARDS, HAND, REGION_OF, SPECIALS, UNKNOWN, Hand, Special
from rules.khan.conquest import somebody_could_conquer
from rules.khan.invariants import problems, proposal_problem
from rules.khan.notation import read_card, read_shape
from rules.khan.parts import Parts
from rules.khan.position import (
    COVERED,
    FREE,
    LEADERS,
    NEUTRAL,
    NOTHING,
    OFF_BOARD,
    OPEN_RIVER,
    RETIRED,
)
from rules.khan.rulebook import KHAN_1
from rules.khan.start import read_table
from rules.khan.state import (
    ACTIONS,
    CAMP,
    Acting,
    Beginning,
    Choosing,
    Conquering,
    Discarding,
    Drawing,
    Laid,
    Opening,
    Over,
    Piece,
    Proposal,
    Protection,
    Reservation,
    Restriction,
    Site,
    State,
    Support,
    Table,
    Turn,
    Turning,
)

_SEAT_PARTS: Final = 4
_MOST: Final = 99
"""No match has more shuffles."""
_FRONT: Final = 4
"""Words before the seats: set, rows, camps, pieces."""
_TURN: Final = re.compile(r"(first|over)$|(open|draw|turn|act|discard|special|conquer):")
_OPTIONS: Final = ("morale", "asked", "refused", "retired", "shuffles", "old", "apart", "either")
_ALIKE: Final[dict[str, Callable[[Seat], Turn]]] = {
    "open": Opening,
    "draw": Drawing,
    "discard": Discarding,
    "special": Choosing,
}
"""Turns that consist only of their seat."""


@dataclass(frozen=True, slots=True)
class _Line:
    """The words of a position line, by meaning."""

    components: Word
    rows: Word
    camps: Word
    pieces: Word
    seats: tuple[tuple[Word, ...], ...]
    turn: Word
    discard: Word
    options: dict[str, Word] = field(default_factory=dict)


def read_position(text: str) -> State:
    """The state that a position line describes."""
    line = _split(text)
    table = _read_table(line)
    parts, options = table.parts, line.options
    layers = _read_rows(table, line.rows)
    placed = _read_pieces(table, line.pieces)
    hands = tuple(_read_hand(parts, seat[3], table.draws) for seat in line.seats)
    discard = _read_cards(parts, None if line.discard.text == NOTHING else line.discard)
    turn, left = _read_turn(table, line.turn)
    supply = [shape.printed.copies for shape in parts.shapes]
    covered = 0
    for piece in placed:
        supply[piece.shape] -= 1
        covered |= piece.cells
        if supply[piece.shape] < 0:
            raise line.pieces.fault(f"there are not that many {parts.shapes[piece.shape].id}")
    state = State(
        table=table,
        free=layers[FREE],
        yurts=(*(layers[str(seat + 1)] for seat in table.seats), layers[NEUTRAL]),
        covered=covered,
        leaders=tuple(layers[mark] for mark in LEADERS),
        camps=_read_counts(line.camps, len(parts.leaders), CAMP),
        supply=bytes(supply),
        placed=placed,
        specials=tuple(_read_specials(seat[1]) for seat in line.seats),
        active=tuple(_read_restriction(parts, seat[2]) for seat in line.seats),
        hands=hands,
        pile=CARDS - sum(discard) - sum(map(len, hands)),
        discard=discard,
        apart=_read_cards(parts, options.get("apart")),
        old=_read_counts(options["old"], len(hands), HAND) if "old" in options else bytes(len(hands)),
        shuffles=options["shuffles"].whole_number(1, _MOST, "number of shuffles")
        if "shuffles" in options
        else 0,
        turn=turn,
        left=left,
        morale=_is_used(options.get("morale")),
        proposal=_read_proposal(table, options.get("asked")),
        refused=_read_refused(parts, options.get("refused")),
        retired=_read_retired(options.get("retired")),
        either=_read_either(table, options.get("either")),
    )
    _refuse_contradictions(state, line, layers[COVERED])
    return state


def _split(text: str) -> _Line:
    said = list(words(text))
    if len(said) <= _FRONT:
        raise Unreadable(
            "a position has a set, its rows, the camps, the pieces, a word for each seat, the turn and the"
            " discards",
            said[-1].column if said else 1,
        )
    turn = _FRONT
    seats = []
    while turn < len(said) and not _TURN.match(said[turn].text):
        parts = said[turn].split(":")
        if len(parts) != _SEAT_PARTS:
            raise said[turn].fault(
                f"{quoted(said[turn].text)} is no seat and no turn; expected NAME:SPECIALS:ACTIVE:HAND, "
                f"and after"
                " the seats the turn, such as act:NAME:2"
            )
        seats.append(tuple(parts))
        turn += 1
    if turn + 1 >= len(said):
        raise said[-1].fault("expected the turn and the discards after the seats")
    options = read_options(said[turn + 2 :])
    components, rows, camps, pieces = said[:_FRONT]
    return _Line(components, rows, camps, pieces, tuple(seats), said[turn], said[turn + 1], options)


def _read_table(line: _Line) -> Table:
    seats = [seat[0] for seat in line.seats]
    return SetupWords(line.components, seats, line.turn, line.options).laid_out(KHAN_1, _OPTIONS, read_table)


def _read_rows(table: Table, word: Word) -> dict[str, CellSet]:
    """By mark: where it stands."""
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
        if mark in layers:
            if mark in LEADERS and layers[mark]:
                raise Unreadable(f"leader {mark} stands twice", word.column + at)
            layers[mark] |= bit
    return layers


def _read_counts(word: Word, number: int, most: int) -> bytes:
    parts = word.split(".")
    if len(parts) != number:
        raise word.fault(f"{len(parts)} numbers; expected {number}, joined by points")
    return bytes(part.whole_number(0, most, "count") for part in parts)


def _read_pieces(table: Table, word: Word) -> tuple[Piece, ...]:
    pieces = []
    for part in word.split(",") if word.text != NOTHING else ():
        shape, cells, owners = _three(part, "a piece such as T3V:d5e5d6:12")
        site = _read_site(table.parts, shape, cells)
        pieces.append(Piece(site.shape, site.cells, _read_seats(table, owners)))
    return tuple(pieces)


def _three(word: Word, expected: str) -> tuple[Word, Word, Word]:
    parts = word.split(":")
    if len(parts) != len(("shape", "cells", "seats")):
        raise word.fault(f"{quoted(word.text)}; expected {expected}")
    return parts[0], parts[1], parts[2]


def _read_site(parts: Parts, shape: Word, cells: Word) -> Site:
    number = read_shape(parts, shape)
    footprint = parts.board.union(read_cells(cells))
    if footprint not in parts.shapes[number].footprints:
        raise cells.fault(f"{parts.shapes[number].id} cannot lie on {quoted(cells.text)}")
    return Site(number, footprint)


def _read_seats(table: Table, word: Word) -> tuple[Seat, ...]:
    known = [str(seat + 1) for seat in table.seats]
    marks = list(word.text)
    if not marks or any(mark not in known for mark in marks) or marks != sorted(set(marks)):
        raise word.fault(f"{quoted(word.text)}; expected seats by number, in order, of {''.join(known)}")
    return tuple(Seat(int(mark) - 1) for mark in marks)


def _read_specials(word: Word) -> bytes:
    letters = "".join(special.letter for special in SPECIALS)
    if not re.fullmatch("".join(f"({letter}[1-9])?" for letter in letters), word.text):
        raise word.fault(f"{quoted(word.text)} counts no special cards; expected for instance M2P1S1E1")
    counts = dict(re.findall(r"([A-Z])([0-9])", word.text))
    return bytes(int(counts.get(letter, 0)) for letter in letters)


def _read_restriction(parts: Parts, word: Word) -> Restriction | None:
    if not word.text:
        return None
    what, _, value = word.text.partition(".")
    if word.text == "protection":
        return Protection()
    if word.text == "support":
        return Support(None)
    if what == "support" and value in REGION_OF:
        return Support(REGION_OF[value])
    if what == "explore":
        return Reservation(read_shape(parts, Word(value, word.column + len("explore."))))
    raise word.fault(
        f"{quoted(word.text)} is no restriction; expected protection, support, support.REGION or "
        f"explore.SHAPE"
    )


def _read_hand(parts: Parts, word: Word, draws: Draws) -> Hand:
    cards = []
    for part in word.split(","):
        card = read_card(parts, part)
        if card is not None and draws is Draws.UNRECORDED:
            raise part.fault(
                "a known card where draws are not recorded; expected ?, or the option draws=recorded"
            )
        cards.append(UNKNOWN if card is None else card)
    if len(cards) > HAND:
        raise word.fault(f"a hand has at most {HAND} cards")
    return bytes(sorted(cards))


def _read_cards(parts: Parts, word: Word | None) -> bytes:
    counts = [0] * len(parts.cards)
    for part in word.split(",") if word is not None else ():
        card = read_card(parts, part)
        if card is None or counts[card] == parts.copies[card]:
            raise part.fault(f"{quoted(part.text)} cannot stand here so often")
        counts[card] += 1
    return bytes(counts)


def _read_turn(table: Table, word: Word) -> tuple[Turn, int]:
    what, *rest = word.split(":")
    if word.text in {"first", "over"}:
        return (Beginning() if word.text == "first" else Over()), 0
    if not rest or rest[0].text not in table.names:
        raise word.fault(f"{quoted(word.text)} names no seat; expected {', '.join(table.names)}")
    seat, more = Seat(table.names.index(rest[0].text)), rest[1:]
    if what.text in _ALIKE and not more:
        return _ALIKE[what.text](seat), 0
    if what.text == "turn" and not more:
        return Turning(seat, None), ACTIONS
    if what.text == "turn" and len(more) > 1 and more[-1].text in table.parts.leader_of:
        return Turning(seat, table.parts.leader_of[more[-1].text]), _read_left(more[0])
    if what.text in {"act", "conquer"} and len(more) == 1:
        return (Acting(seat) if what.text == "act" else Conquering(seat)), _read_left(more[0])
    raise word.fault(
        f"{quoted(word.text)} is no turn; expected first, open:NAME, draw:NAME, turn:NAME, "
        f"turn:NAME:LEFT:LEADER,"
        " act:NAME:LEFT, discard:NAME, special:NAME, conquer:NAME:LEFT or over"
    )


def _read_left(word: Word) -> int:
    return word.whole_number(1, ACTIONS, "number of actions")


def _is_used(word: Word | None) -> bool:
    if word is not None and word.text != "used":
        raise word.fault(f"{quoted(word.text)}; expected used, or no such option")
    return word is not None


def _read_proposal(table: Table, word: Word | None) -> Proposal | None:
    if word is None:
        return None
    shape, cells, seats = _three(word, "a proposal such as T2:a1b1:23")
    return Proposal(_read_site(table.parts, shape, cells), _read_seats(table, seats))


def _read_refused(parts: Parts, word: Word | None) -> tuple[Site, ...]:
    sites = []
    for part in word.split(",") if word is not None else ():
        shape, sign, cells = part.text.partition(":")
        if not sign:
            raise part.fault(f"{quoted(part.text)}; expected a shape and its cells such as T2:a1b1")
        sites.append(
            _read_site(parts, Word(shape, part.column), Word(cells, part.column + len(shape) + len(sign)))
        )
    return tuple(sites)


def _read_retired(word: Word | None) -> Special | None:
    if word is None:
        return None
    for special, name in RETIRED.items():
        if word.text == name:
            return special
    raise word.fault(f"{quoted(word.text)}; expected {' or '.join(RETIRED.values())}")


def _read_either(table: Table, word: Word | None) -> tuple[Laid, ...]:
    laid = []
    for part in word.split(",") if word is not None else ():
        number, name, most = _three(part, "a seat, a card and a number such as 1:seljuk.N.ice:2")
        seat = number.whole_number(1, len(table.names), "seat") - 1
        card = read_card(table.parts, name)
        if card is None:
            raise name.fault(f"{quoted(name.text)}; a card that was laid aside is known")
        laid.append(Laid(Seat(seat), card, most.whole_number(0, CARDS, "number of cards")))
    return tuple(laid)


def _refuse_contradictions(state: State, line: _Line, drawn_covered: CellSet) -> None:
    turn, options = state.turn, line.options
    if drawn_covered != state.covered:
        raise line.rows.fault(f"the cells with {COVERED} are not those under the pieces")
    if "asked" in options and (amiss := proposal_problem(state)) is not None:
        raise options["asked"].fault(amiss)
    for problem in problems(state):
        raise line.rows.fault(problem)
    if isinstance(turn, Beginning | Opening) and not (state.pile == CARDS and state.placed == ()):
        raise line.turn.fault("no card or piece is in play before the opening yurts stand")
    if isinstance(turn, Over) and (not state.triggered or somebody_could_conquer(state)):
        raise line.turn.fault("the match is not over while somebody can conquer")
    following = AGENDA.due(state)
    if following:
        raise line.turn.fault(f"here something happens before anybody acts: {type(following[0]).__name__}")
