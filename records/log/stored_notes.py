"""Published checkpoints as they are stored with an archive: the text of their notes."""

from records.evidence.checkpoint import MalformedCheckpoint, parse_checkpoint
from records.evidence.note import MalformedNote, Note, format_note, parse_note
from records.log.contract import LogUnreadable


def stored_note(text: str) -> Note:
    """The note in a text; raises LogUnreadable unless it is a checkpoint."""
    try:
        note = parse_note(text.encode())
        parse_checkpoint(note.text)
    except (MalformedNote, MalformedCheckpoint) as fault:
        raise LogUnreadable(f"a stored checkpoint is damaged: {fault}") from fault
    return note


def note_row(note: Note) -> tuple[int, str]:
    """The size of a checkpoint, and its text."""
    return parse_checkpoint(note.text).size, format_note(note).decode()
