"""Seats by their numbers, as position lines have them on slots and on the track."""

from rules.kernel.actors import Seat
from rules.kernel.text import Unreadable, Word, quoted
from rules.zhanguo.state import Table


def read_seat(table: Table, word: Word, at: int) -> Seat:
    """The seat whose number stands at this place of the word."""
    mark = word.text[at : at + 1]
    known = "".join(str(seat + 1) for seat in table.seats)
    if not mark or mark not in known:
        raise Unreadable(f"{quoted(mark)} is no seat by number; expected one of {known}", word.column + at)
    return Seat(int(mark) - 1)


def write_seats(seats: tuple[Seat | None, ...], nobody: str) -> str:
    """The numbers of the seats, and a mark where nobody is."""
    return "".join([nobody if seat is None else str(seat + 1) for seat in seats])


def read_seats(table: Table, word: Word, nobody: str, count: int) -> tuple[Seat | None, ...]:
    """The seats at this many places."""
    if len(word.text) != count:
        raise word.fault(f"{quoted(word.text)} has {len(word.text)} places; expected {count}")
    return tuple(None if mark == nobody else read_seat(table, word, at) for at, mark in enumerate(word.text))
