"""The audit of some matches of an archive together, by whichever process or machine reads them."""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from records.audit.record import RecordAudit, audit_record
from records.audit.rule_change import RuleChange
from records.entry import Entry, MatchId
from records.log.contract import Log, LogFault, LogUnavailable, UnreadableEntry
from records.log.listing import MatchListing, listed
from records.replay.completion import lacking_parts
from records.verdict import AuditReport, Verified, word

MAX_READ_TOGETHER: Final = 20_000
"""Entries that are read over a network in one query, about 12 MB: match by match takes five times as long."""

CATCH_UP_SECONDS: Final = 120.0
"""How long a process waits for a standby that has not replayed yet what is to be audited."""

ENTRIES_PER_STEP: Final = 500
"""Entries that go through each step of the audit together: one step at a time keeps caches warm."""


class OtherArchive(LogFault):
    """A process that audits reads another archive than it should."""


@dataclass(frozen=True, slots=True)
class AuditTask:
    """What a process needs to know in addition to the matches."""

    since: int
    position: int
    change: RuleChange | None
    copies: frozenset[MatchId]
    """Matches that are audited without their listing and are copies, which may lack concealed parts."""


Chunk: TypeAlias = Sequence[MatchListing | MatchId]
"""Matches that are audited together."""


@dataclass(frozen=True, slots=True)
class AuditRange:
    """Matches that are audited together, and what the archive must have for that."""

    chunk: Chunk
    position: int
    """The last position when the matches were listed: a standby may be behind."""
    hash: bytes
    """The hash of the entry there; empty if it cannot be read, or there is none."""


@dataclass(slots=True)
class ChunkAudit:
    """The audit of some matches; can be sent to another process."""

    reports: list[AuditReport] = field(default_factory=list)
    seen: int = 0
    """The number of its entries that the audit covers."""
    flaws: list[str] = field(default_factory=list)


def hash_at(log: Log, position: int) -> bytes:
    """The hash of the entry at a position; empty if it cannot be read, or there is none."""
    try:
        return next(iter(log.hashes(position - 1, 1)), b"") if position else b""
    except UnreadableEntry:
        return b""


def audit_range(log: Log, task: AuditTask, within: AuditRange) -> ChunkAudit:
    """Audit some matches, once the log has all that was there when they were listed.

    Raises LogUnavailable if it does not get it in time, and OtherArchive if it is not the same archive.
    """
    end = time.monotonic() + CATCH_UP_SECONDS
    while (last := log.wait(within.position - 1, 1.0)) < within.position:
        if time.monotonic() > end:
            raise LogUnavailable(
                f"the archive that is read ends at position {last}, and the audit needs {within.position}: "
                "the standby is behind"
            )
    if hash_at(log, within.position) != within.hash:
        raise OtherArchive(
            f"another archive is read than the one to be audited: they differ at position {within.position}"
        )
    return audit_chunk(log, task, within.chunk)


def audit_chunk(log: Log, task: AuditTask, chunk: Chunk) -> ChunkAudit:
    """Audit some matches of an archive."""
    done = ChunkAudit()
    for readings in _grouped(_readings(log, task, chunk)):
        for reading in readings:
            reading.audit.link()
        for reading in readings:
            reading.audit.judge()
        done.reports += [reading.report() for reading in readings if not reading.audit.missing_game]
        done.flaws += [flaw for reading in readings for flaw in reading.flaws()]
        done.seen += sum(reading.seen for reading in readings)
    return done


def _readings(log: Log, task: AuditTask, chunk: Chunk) -> Iterator["_Reading"]:
    """The matches, read together where a query takes longer than what it reads."""
    if log.local:
        yield from (_Reading(log, item, task) for item in chunk)
        return
    names = [item.match if isinstance(item, MatchListing) else item for item in chunk]
    heads = log.heads(names)
    together: list[MatchListing | MatchId] = []
    size = 0
    for item, name in zip(chunk, names, strict=True):
        together.append(item)
        size += heads[name].sequence + 1 if name in heads else 0
        if size >= MAX_READ_TOGETHER:
            yield from _read_together(log, task, together)
            together, size = [], 0
    yield from _read_together(log, task, together)


def _read_together(log: Log, task: AuditTask, items: Chunk) -> list["_Reading"]:
    names = [item.match if isinstance(item, MatchListing) else item for item in items]
    try:
        read = log.read_many(dict.fromkeys(names, 0))
    except UnreadableEntry:  # find out in which match
        return [_Reading(log, item, task) for item in items]
    return [_Reading(log, item, task, read[name]) for item, name in zip(items, names, strict=True)]


def _grouped(readings: Iterable["_Reading"]) -> Iterator[list["_Reading"]]:
    """The readings in groups of about ENTRIES_PER_STEP entries; a long match is a group of its own."""
    group: list[_Reading] = []
    size = 0
    for reading in readings:
        group.append(reading)
        size += len(reading.audit.kept)
        if size >= ENTRIES_PER_STEP:
            yield group
            group, size = [], 0
    if group:
        yield group


class _Reading:
    """One match during the audit."""

    def __init__(
        self,
        log: Log,
        item: MatchListing | MatchId,
        task: AuditTask,
        read: Sequence[Entry] | None = None,
    ) -> None:
        """`read` are its entries, if they are known."""
        self.log = log
        self.read = read
        self.task = task
        self.listed = item if isinstance(item, MatchListing) else None
        self.number = item.number if isinstance(item, MatchListing) else 0
        self.match = item.match if isinstance(item, MatchListing) else item
        self.copy = self.match in task.copies if self.listed is None else self.listed.copy
        self.audit = RecordAudit(self.match, self._entries(), task.change, complete=not self.copy)

    def report(self) -> AuditReport:
        """The report on the match, in a form that can be sent to another process."""
        report = self.audit.report().detached()
        if self.task.change is None:
            return report
        own = report
        if not isinstance(report.verdict, Verified):
            own = audit_record(self.match, self.log.read(self.match), complete=not self.copy)
        return replace(report, before=word(own.verdict))

    def flaws(self) -> list[str]:
        """What the archive says of the match that its record does not bear out; call it after judging.

        Of a match whose game is not installed: that it cannot be audited.
        """
        audit = self.audit
        if audit.missing_game:
            return [f"match {self.match} cannot be audited: {audit.missing_game}"]
        if not self.copy or audit.header is None or audit.bad is not None:
            return []
        if lacking_parts(audit.header, audit.kept):
            return []
        return [f"match {self.match} is marked as a copy, but nothing is left out of it"]

    @property
    def seen(self) -> int:
        """The number of its entries that the audit covers."""
        since, last = self.task.since, self.task.position
        return len([entry for entry in self.audit.kept if since < entry.position <= last])

    def _entries(self) -> Iterator[Entry]:
        entries = iter(self.log.read(self.match) if self.read is None else self.read)
        for header in entries:
            yield header
            row = self.listed
            if row is not None and row != listed(self.number, header, copy=row.copy):
                raise UnreadableEntry("the listing of the match differs from its header", sequence=0)
            yield from entries
