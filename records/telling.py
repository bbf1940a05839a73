"""Entries of a record in words."""

from collections.abc import Iterator, Sequence

from records.arbiter import Standing
from records.codec.shape import CorruptEvents, CorruptMove
from records.entry import Entry, EntryKind, MatchHeader, actor_of
from records.replay import BadRecord, open_record, retracted_to
from rules.kernel.actors import Actor, Office


def actor_name(header: MatchHeader, actor: Actor) -> str:
    """An actor as people call him."""
    if isinstance(actor, Office):
        return actor.value
    seats = header.setup.seats
    return seats[actor] if actor < len(seats) else f"seat {actor}"


def told(header: MatchHeader, before: Standing, entry: Entry) -> str:
    """An entry as a line: a move as a transcript has it, or how far a retraction goes back.

    Raises CorruptMove, CorruptRecord or ValueError where the entry tells nothing.
    """
    actor = actor_of(entry.actor)
    if entry.kind == EntryKind.RETRACT:
        return f"{actor_name(header, actor)} goes back to entry {retracted_to(entry)}"
    return before.write_move(actor, entry.move)


def in_words(entries: Sequence[Entry]) -> Iterator[tuple[str | None, tuple[str, ...]]]:
    """The text and the events of each entry; neither of the header, and of nothing that cannot be folded."""
    past: list[Standing] = []
    header: MatchHeader | None = None
    for entry in entries:
        text: str | None = None
        events: tuple[str, ...] = ()
        try:
            if header is None:
                opened = open_record(entry)
                header = opened.header
                past.append(opened.start)
            elif len(past) == entry.sequence:
                text, events = told(header, past[-1], entry), past[-1].tell_events(entry.events)
                past.append(_after(past, entry))
        except (BadRecord, CorruptMove, CorruptEvents, ValueError):
            text, events = None, ()
        yield text, events


def _after(past: Sequence[Standing], entry: Entry) -> Standing:
    return past[retracted_to(entry)] if entry.kind == EntryKind.RETRACT else past[-1].fold(entry.events)
