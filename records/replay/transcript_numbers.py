"""How a transcript numbers what a record has: without takebacks, notices and moves that were taken back."""

from collections.abc import Sequence

from records.codec.concealment import decode_reveal
from records.entry import Entry, EntryKind
from records.replay.fold import CorruptRecord, moves_that_stand


def transcript_numbers(entries: Sequence[Entry]) -> dict[int, range]:
    """The numbers in its transcript of each entry of a complete record that has moves; raises BadRecord.

    An entry that reveals several choices has several.
    """
    numbers = dict[int, range]()
    following = 1
    for entry in moves_that_stand(entries):
        moves = 1
        if entry.kind == EntryKind.CHOOSE:
            continue
        if entry.kind == EntryKind.REVEAL_CHOICES:
            try:
                moves = len(decode_reveal(entry.move))
            except ValueError as fault:
                raise CorruptRecord(entry.match, entry.sequence, str(fault)) from fault
        numbers[entry.sequence] = range(following, following + moves)
        following += moves
    return numbers


def number_words(numbers: range | None, sequence: int) -> str:
    """The numbers of an entry in a transcript, where its own is another; else empty."""
    if numbers is None:
        return "not in the transcript"
    if len(numbers) == 1:
        return "" if numbers[0] == sequence else f"{numbers[0]} in the transcript"
    return f"{numbers[0]} to {numbers[-1]} in the transcript"


def shifts(numbers: dict[int, range]) -> list[int]:
    """The sequences of the entries from which on a transcript counts differently than before."""
    found, before = [], 0
    for sequence, each in numbers.items():
        if sequence - each[0] != before:
            found.append(sequence)
        before = sequence - each[-1]
    return found
