"""The audit of a record file: its entries, and what a file of version 1 says about them in words."""

from dataclasses import replace

from records.audit.record import audit_record
from records.entry import ENTRY_VERSION_1, Entry, MatchHeader
from records.files.record_file import RecordFile
from records.games.state import GameState
from records.replay.wording import describe_entry
from records.verdict import AuditReport, CorruptAt, Verified, VerifiedAsShown
from rules.kernel.text import quoted


def audit_file(record: RecordFile, upto: int | None = None) -> AuditReport:
    """Audit a record file, or only its entries up to a sequence."""
    entries = record.entries if upto is None else record.entries[: upto + 1]

    def wording_fault(header: MatchHeader, before: GameState, entry: Entry) -> str | None:
        text = record.texts[entry.sequence]
        if text is None or text == (own := describe_entry(header, before, entry)):
            return None
        return f"the file says {quoted(text)} in words, but the move is {quoted(own)}"

    check = wording_fault if record.version == ENTRY_VERSION_1 else None
    report = audit_record(record.match, entries, check=check)
    whole = len(entries) == len(record.entries)
    if isinstance(report.verdict, Verified | VerifiedAsShown) and whole:
        last = record.entries[-1]
        if (last.sequence, last.hash) != (record.last, record.head):
            why = (
                f"the first line promises {record.last} entries, but the last of them is different or missing"
            )
            verdict = CorruptAt(min(record.last, last.sequence + 1), why)
            return replace(report, verdict=verdict)
    return report
