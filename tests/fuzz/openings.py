"""Matches that an archive has before the fuzzed server starts: no caller makes such within some calls."""

from pathlib import Path
from typing import Final

from records.codec.evidence import Dispute, encode_dispute
from records.codec.header import Retraction
from records.entry import EntryKind, MatchHeader, MatchId
from records.ledger.builder import Notice, PreparedAppend
from records.ledger.ledger import Ledger
from records.ledger.notices import add_notice, judge_retract
from records.ledger.room import notices_each
from records.ledger.transfer import Imported, VerifiedImport, judge, store
from records.log.contract import NEW, Append
from records.log.memory import MemoryLog
from records.log.owners import Owners
from records.log.sqlite import SqliteLog
from rules.kernel.actors import ARBITER, Seat
from rules.kernel.edition import EditionKey
from rules.kernel.setup import Draws, GameKey, Setup
from tools.dev.golden_version_2 import FOLDER as GOLDEN

MAX_MESSAGE_BYTES: Final = 256 * 1024
"""Maximum size of a message of the fuzzed server, so that a record of some length is too large for one."""

_COPIED: Final = GOLDEN / "recorded-spectator.jsonl"
"""A record without some of its concealed parts."""

_LONG_ENTRIES: Final = 1200
"""Entries of the long record: its file is larger than a message."""


def fill(db: Path, owner: str) -> list[MatchId]:
    """A copy, and a long match in which one seat has made all of its notices; returns their ids."""
    with SqliteLog.open(db) as log:
        matches = [_copy(log), _long(log)]
    owners = Owners(db.with_name(f"{db.name}.owners"), ())
    for match in matches:
        owners.claim(match, owner)
    return matches


def _copy(log: SqliteLog) -> MatchId:
    judged = judge(_COPIED.read_bytes(), as_shown=True)
    assert isinstance(judged, VerifiedImport)
    assert judged.lacking
    [stored] = store(log, [judged])
    assert isinstance(stored, Imported)
    return stored.match


def _long(log: SqliteLog) -> MatchId:
    ledger = Ledger(MemoryLog())  # without a disk, and then written at once
    setup = Setup(EditionKey("qin/1"), ("green", "violet"), "bird", Draws.UNRECORDED)
    match = ledger.start(MatchHeader(GameKey("qin"), setup), "long").entry.match
    ledger.append(match, 0, "move", ledger.state_at(match).parse_text("green Re8Re9"))
    dispute = Notice(EntryKind.OPEN_DISPUTE, Seat(0), encode_dispute(Dispute(1, "not so")))
    for sequence in range(1, notices_each(2) + 1):
        add_notice(ledger, match, sequence, f"d{sequence}", dispute)
    while (sequence := ledger.current(match).sequence) < _LONG_ENTRIES:
        judged = judge_retract(
            ledger, match, sequence, f"r{sequence}", ARBITER, Retraction(sequence - 1, "x" * 100)
        )
        assert isinstance(judged, PreparedAppend)
        ledger.store(judged)
    log.write([Append(match, NEW, tuple(ledger.read(match)))])
    return match
