"""Position lines of Khan, read and written by the plain model for itself."""

from itertools import takewhile

from tests.rules.khan.naive import Naive
from tests.rules.khan.naive_position import RULINGS, UNKNOWN, Piece, Proposal, Turn
from tests.rules.khan.naive_set import CellXY, read_cells, read_printed, write_cells

SEAT_PARTS = 4
"""Name, special cards, restriction, hand."""


def write_line(match: Naive) -> str:
    """Everything in a position line."""
    seats = [
        ":".join(
            (
                name,
                "".join(f"{kind}{count}" for kind, count in match.specials[seat].items() if count),
                match.active[seat],
                ",".join(_in_order(match, match.hands[seat])),
            )
        )
        for seat, name in enumerate(match.names)
    ]
    return " ".join(
        (
            match.printed.name,
            _write_rows(match),
            ".".join(str(count) for count in match.camps.values()),
            ",".join(_write_piece(piece) for piece in match.pieces) or "-",
            *seats,
            _write_turn(match),
            ",".join(_in_order(match, match.discard)) or "-",
            *_write_options(match),
        )
    )


def _in_order(match: Naive, cards: list[str]) -> list[str]:
    return sorted(cards, key=[*match.printed.cards, UNKNOWN].index)


def _write_rows(match: Naive) -> str:
    marks = {cell: "~" if cell in match.printed.river else "." for cell in match.printed.terrain}
    marks |= {cell: "0" if seat is None else str(seat + 1) for cell, seat in match.yurts.items()}
    for number, leader in enumerate(match.camps):
        if leader in match.leaders:
            marks[match.leaders[leader]] = "ABCDEFGH"[number]
    marks |= dict.fromkeys(match.covered(), "#")
    return "/".join(
        "".join(marks.get((row, col), "_") for col in range(match.printed.width))
        for row in range(match.printed.height)
    )


def _numbers(seats: tuple[int, ...]) -> str:
    return "".join(str(seat + 1) for seat in seats)


def _write_piece(piece: Piece) -> str:
    return f"{piece.shape}:{write_cells(piece.cells)}:{_numbers(piece.owners)}"


def _write_turn(match: Naive) -> str:
    turn = match.turn
    words = [turn.due]
    if turn.seat >= 0:
        words.append(match.names[turn.seat])
    if turn.left:
        words.append(str(turn.left))
    if turn.leader is not None:
        words.append(turn.leader)
    return ":".join(words)


def _write_options(match: Naive) -> list[str]:
    proposal = match.proposal
    options = {
        "draws": "recorded" if match.recorded else "",
        "morale": "used" if match.morale else "",
        "asked": _write_piece(Piece(proposal.shape, proposal.cells, proposal.asked)) if proposal else "",
        "refused": ",".join(f"{shape}:{write_cells(cells)}" for shape, cells in match.refused),
        "retired": match.retired,
        "shuffles": str(match.shuffles or ""),
        "old": ".".join(map(str, match.old)) if any(match.old) else "",
        "apart": ",".join(_in_order(match, match.apart)),
    }
    for name in sorted(RULINGS):
        options[name] = "" if match.rulings[name] == RULINGS[name][0] else match.rulings[name]
    return [f"{name}={value}" for name, value in options.items() if value]


def read_line(line: str) -> Naive:
    """A match that goes on from a position line."""
    printed, rows, camps, pieces, *rest = line.split(" ")
    seats = [word.split(":") for word in takewhile(_is_of_a_seat, rest)]
    turn, discard = rest[len(seats) : len(seats) + 2]
    options = dict(option.split("=") for option in rest[len(seats) + 2 :])
    match = Naive(
        [name for name, *_ in seats],
        recorded="draws" in options,
        rulings={name: value for name, value in options.items() if name in RULINGS},
        printed=read_printed(printed),
    )
    match.camps = {leader: int(count) for leader, count in zip(match.camps, camps.split("."), strict=True)}
    _read_rows(match, rows)
    match.pieces = [_read_piece(word) for word in _listed(pieces)]
    for seat, (_, specials, active, hand) in enumerate(seats):
        held = dict(zip(specials[::2], map(int, specials[1::2]), strict=True))
        match.specials[seat] = {kind: held.get(kind, 0) for kind in "MPSE"}
        match.active[seat] = active
        match.hands[seat] = _listed(hand)
    match.turn = _read_turn(match, turn)
    match.discard = _listed(discard)
    match.first = _first_seat(match)
    _read_options(match, options)
    return match


def _is_of_a_seat(word: str) -> bool:
    return word.count(":") == SEAT_PARTS - 1 and not word.startswith("turn:")  # no seat has that name


def _listed(word: str) -> list[str]:
    return word.split(",") if word not in ("", "-") else []


def _read_rows(match: Naive, rows: str) -> None:
    match.leaders = {}
    for row, line in enumerate(rows.split("/")):
        for col, mark in enumerate(line):
            cell: CellXY = (row, col)
            if mark in "01234":
                match.yurts[cell] = int(mark) - 1 if mark != "0" else None
            elif mark in "ABCDEFGH":
                match.leaders[list(match.camps)["ABCDEFGH".index(mark)]] = cell


def _read_seats(word: str) -> tuple[int, ...]:
    return tuple(int(digit) - 1 for digit in word)


def _read_piece(word: str) -> Piece:
    shape, cells, owners = word.split(":")
    return Piece(shape, read_cells(cells), _read_seats(owners))


def _read_turn(match: Naive, word: str) -> Turn:
    due, *parts = word.split(":")
    return Turn(
        due,
        match.names.index(parts[0]) if parts else -1,
        int(parts[1]) if len(parts) > 1 else 0,
        parts[2] if len(parts) > 2 else None,
    )


def _first_seat(match: Naive) -> int:
    """Who began, while that matters: a seat that has had more yurts or cards than the next came before it."""
    had = [len(hand) for hand in match.hands]
    if match.turn.due == "open":
        had = [list(match.yurts.values()).count(seat) for seat in range(match.seats)]
    first = match.turn.seat
    for _ in match.names:
        before = (first - 1) % match.seats
        if had[before] > had[match.turn.seat]:
            first = before
    return first


def _read_options(match: Naive, options: dict[str, str]) -> None:
    match.morale = "morale" in options
    if "asked" in options:
        asked = _read_piece(options["asked"])
        match.proposal = Proposal(asked.shape, asked.cells, asked.owners)
    refused = [word.split(":") for word in _listed(options.get("refused", ""))]
    match.refused = [(shape, read_cells(cells)) for shape, cells in refused]
    match.retired = options.get("retired", "")
    match.shuffles = int(options.get("shuffles", "0"))
    match.old = [int(count) for count in options.get("old", ".".join("0" * match.seats)).split(".")]
    match.apart = _listed(options.get("apart", ""))
