"""Looks for damage in the table of checkpoints."""

from collections.abc import Iterator
from typing import Final

from records.evidence.checkpoint import parse_checkpoint
from records.log.contract import LogUnreadable
from records.log.postgres.connection import Session
from records.log.postgres.rows import rows_of
from records.log.stored_notes import stored_note

_CHECKED_NOTES: Final = 1000
"""Checkpoints that are looked at, the newest: there may be one for every second of years."""

_LAST: Final = "SELECT size, note FROM shiji.checkpoint ORDER BY size DESC LIMIT %b"


def note_flaws(session: Session) -> Iterator[str]:
    """Stored checkpoints, among the newest, that are damaged or of another size than their row says."""
    for size, text in rows_of(session, _LAST, (_CHECKED_NOTES,)):
        try:
            sound = parse_checkpoint(stored_note(str(text)).text).size == size
        except LogUnreadable:
            sound = False
        if not sound:
            yield f"the stored checkpoint of {size} entries is damaged"
