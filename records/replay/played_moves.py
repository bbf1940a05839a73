"""The moves of a record that stand, in full: what a transcript of it has."""

from collections.abc import Sequence
from typing import NamedTuple

from records.codec.concealment import decode_reveal
from records.entry import MOVE, Entry, EntryKind, actor_of
from records.replay.disclosure import in_full
from records.replay.fold import CorruptRecord, moves_that_stand
from rules.kernel.actors import Actor, Seat


class PlayedMove(NamedTuple):
    """A move of a record that was not taken back."""

    sequence: int
    """Of the entry that makes it known."""
    actor: Actor
    move: bytes


def played_moves(entries: Sequence[Entry]) -> list[PlayedMove]:
    """The moves of a complete record that were not taken back, in full and in order.

    Sealed choices are moves of their seats once they are revealed, in the order of seats. Raises BadRecord.
    """
    moves: list[PlayedMove] = []
    for entry in moves_that_stand(entries):
        try:
            if entry.kind == MOVE:
                moves.append(PlayedMove(entry.sequence, actor_of(entry.actor), in_full(entry)[0]))
            elif entry.kind == EntryKind.REVEAL_CHOICES:
                choices = decode_reveal(entry.move)
                moves += [PlayedMove(entry.sequence, Seat(each.seat), each.move) for each in choices]
        except ValueError as fault:
            raise CorruptRecord(entry.match, entry.sequence, str(fault)) from fault
    return moves
