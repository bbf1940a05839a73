"""Reads the notes in the table of checkpoints."""

from collections.abc import Iterator
from typing import Final

from records.evidence.checkpoint import MalformedCheckpoint, parse_checkpoint
from records.evidence.note import MalformedNote, Note, parse_note
from records.log.contract import LogUnreadable
from records.log.postgres.connection import Session
from records.log.postgres.rows import rows_of

_CHECKED_NOTES: Final = 1000
"""Checkpoints that are looked at, the newest: there may be one for every second of years."""

_LAST: Final = "SELECT size, note FROM shiji.checkpoint ORDER BY size DESC LIMIT %b"


def stored_note(text: str) -> Note:
    """A note of the table of checkpoints; raises LogUnreadable."""
    try:
        note = parse_note(text.encode())
        parse_checkpoint(note.text)
    except (MalformedNote, MalformedCheckpoint) as fault:
        raise LogUnreadable(f"a stored checkpoint is damaged: {fault}") from fault
    return note


def note_flaws(session: Session) -> Iterator[str]:
    """Stored checkpoints, among the newest, that are damaged or of another size than their row says."""
    for size, text in rows_of(session, _LAST, (_CHECKED_NOTES,)):
        try:
            sound = parse_checkpoint(stored_note(str(text)).text).size == size
        except LogUnreadable:
            sound = False
        if not sound:
            yield f"the stored checkpoint of {size} entries is damaged"
