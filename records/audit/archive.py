"""The audit of a whole archive, match by match, in several processes and bounded memory."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, Protocol, TypeAlias

from records.audit.record import RecordAudit, audit_record
from records.audit.rule_change import RuleChange
from records.audit.workers import Processes, cores
from records.entry import Entry, MatchId
from records.log.contract import Log, LogFault, LogUnavailable, UnreadableEntry
from records.log.listing import MatchListing, listed
from records.replay.completion import lacking_parts
from records.verdict import AS_SHOWN, AuditReport, Verified, rules_broken, word

MATCHES_PER_CHUNK: Final = 32
"""Matches handed to a process at a time."""

MAX_READ_TOGETHER: Final = 20_000
"""Entries that are read over a network in one query, about 12 MB: match by match takes five times as long."""

CATCH_UP_SECONDS: Final = 120.0
"""How long a process waits for a standby that has not replayed yet what is to be audited."""

ENTRIES_PER_STEP: Final = 500
"""Entries that go through each step of the audit together: one step at a time keeps caches warm."""

SINGLE_PROCESS_ENTRIES: Final = 20_000
"""Below this number of entries one process is faster, because starting others takes longer."""

_MAX_FLAWS: Final = 100
"""Flaws of an archive that are reported; more would add nothing."""


class OtherArchive(LogFault):
    """A process that audits reads another archive than it should."""


OpenLog: TypeAlias = Callable[[], Log]
"""Opens the archive for reading; must be picklable, since every process opens it itself."""


@dataclass(slots=True)
class Summary:
    """The totals of an audit so far."""

    since: int
    position: int
    """The last position that this audit covers; the next audit may begin there."""
    matches: int = 0
    entries: int = 0
    seen: int = 0
    """The number of audited entries after `since` and up to `position`."""
    verdicts: Counter[str] = field(default_factory=Counter)
    editions: defaultdict[tuple[str, str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """The verdicts by game and edition."""
    rules: Counter[str] = field(default_factory=Counter)
    """The number of matches that break each rule."""
    flaws: list[str] = field(default_factory=list)
    """Damage to the archive itself, outside of any match, and matches of games that are not installed."""

    @property
    def clean(self) -> bool:
        """Whether all matches are verified in full and the archive has no flaw."""
        return not self.flaws and set(self.verdicts) <= {word(Verified())}

    @property
    def clean_as_shown(self) -> bool:
        """Whether nothing was found, but some matches are verified only as far as they are shown."""
        return not self.clean and not self.flaws and set(self.verdicts) <= {word(Verified()), AS_SHOWN}

    def add(self, report: AuditReport) -> None:
        """Count a match."""
        verdict = word(report.verdict)
        self.matches += 1
        self.entries += report.entries
        self.verdicts[verdict] += 1
        self.editions[report.game or "", report.edition or ""][verdict] += 1
        self.rules.update(set(rules_broken(report.verdict)))

    def flaw(self, text: str) -> None:
        """Add a flaw of the archive."""
        if len(self.flaws) < _MAX_FLAWS:
            self.flaws.append(text)


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


class AuditCluster(Protocol):
    """Other machines that audit ranges of an archive."""

    matches_per_range: int

    def audit(
        self, task: AuditTask, ranges: Iterator[AuditRange], note: Callable[[Iterable[str]], None]
    ) -> Iterator[ChunkAudit]:
        """The audits of the ranges, in order; flaws of the archive itself are noted at the end."""


class ArchiveAudit:
    """One audit: reports come in the order in which the matches began; the summary is updated with each."""

    def __init__(  # noqa: PLR0913 - all but the first have a default
        self,
        open_log: OpenLog,
        *,
        since: int = 0,
        last: int | None = None,
        jobs: int | None = None,
        change: RuleChange | None = None,
        cluster: AuditCluster | None = None,
    ) -> None:
        """Audits the entries after `since` up to `last`, by default to the end of the archive.

        In this process and others of this machine, or on a cluster.
        """
        self._open: Final = open_log
        self._cluster: Final = cluster
        self._matches_per_chunk: Final = cluster.matches_per_range if cluster else MATCHES_PER_CHUNK
        self._change: Final = change
        if last is None:
            with open_log() as log:
                last = log.last_position()
        self.summary: Final = Summary(since, last)
        if last < since:
            self.summary.flaw(
                f"the archive ends at position {last}: everything after it, up to {since}, is gone"
            )
        small = last - since < SINGLE_PROCESS_ENTRIES
        self._jobs: Final = jobs or (1 if small else cores())

    def reports(self) -> Generator[AuditReport, None, None]:
        """The report on every match that has entries after `since`.

        Raises LogFault if the audit cannot continue.
        """
        with self._open() as log:
            task = self.task(log)
            for done in self._spread(self.chunks(log), task, log):
                yield from self.add(done)
            self.look_for_gaps(log)

    def task(self, log: Log) -> AuditTask:
        """What audit_chunk needs to know in addition to the matches."""
        summary = self.summary
        copies = frozenset(row.match for row in log.listing() if row.copy) if summary.since else frozenset()
        return AuditTask(summary.since, summary.position, self._change, copies)

    def chunks(self, log: Log) -> Iterator[Chunk]:
        """The matches that are to be audited, some at a time."""
        return self._changed(log) if self.summary.since else self._all(log)

    def add(self, done: ChunkAudit) -> list[AuditReport]:
        """Count audited matches in the summary; returns their reports."""
        self.summary.seen += done.seen
        self.note(done.flaws)
        for report in done.reports:
            self.summary.add(report)
        return done.reports

    def _spread(self, work: Iterator[Chunk], task: AuditTask, log: Log) -> Iterator[ChunkAudit]:
        if self._cluster is not None:
            yield from self._cluster.audit(task, _ranges(log, work), self.note)
            return
        if self._jobs == 1:
            for chunk in work:
                yield audit_chunk(log, task, chunk)
            self.note(log.flaws())
            return
        with Processes(self._jobs, partial(_begin, self._open, task)) as processes:
            flaws = processes.submit(_flaws_here)
            yield from processes.spread(_audit_here, _ranges(log, work))
            self.note(flaws.result())

    def note(self, flaws: Iterable[str]) -> None:
        """Add flaws of the archive to the summary."""
        for flaw in flaws:
            self.summary.flaw(flaw)

    def _all(self, log: Log) -> Iterator[Chunk]:
        """All matches, in pages."""
        after = 0
        while page := list(log.listing(after, self._matches_per_chunk)):
            yield page
            after = page[-1].number

    def _changed(self, log: Log) -> Iterator[Chunk]:
        """All matches that have entries after `since`."""
        known: set[MatchId] = set()
        chunk: list[MatchId] = []
        for entry in self._archive(log, lambda _: None):
            if entry.match not in known:
                known.add(entry.match)
                chunk.append(entry.match)
                if len(chunk) == self._matches_per_chunk:
                    yield chunk
                    chunk = []
        if chunk:
            yield chunk

    def look_for_gaps(self, log: Log) -> None:
        """Report the positions without an entry, where some entries were found in no match."""
        if self.summary.seen == max(self.summary.position - self.summary.since, 0):
            return
        seen = sum(1 for _ in self._archive(log, self.summary.flaw))
        if seen == self.summary.position - self.summary.since and not self.summary.flaws:
            unseen = seen - self.summary.seen
            self.summary.flaw(f"{unseen} entries belong to matches that are not listed")

    def _archive(self, log: Log, flaw: Callable[[str], None]) -> Iterator[Entry]:
        """All entries that the audit covers; missing ones are reported and skipped."""
        after, end = self.summary.since, self.summary.position
        while after < end:
            try:
                for entry in log.archive(after, end - after):
                    after = entry.position
                    yield entry
            except UnreadableEntry as fault:
                flaw(str(fault))
                bad = max(after + 1, fault.position or 0)
                following = log.next_position(bad)
                for missing in range(bad + 1, min(following or end, bad + _MAX_FLAWS)):
                    flaw(f"the entry at position {missing} is missing")
                if following is None:
                    return
                after = following - 1
            else:
                return


_here: tuple[Log, AuditTask] | None = None
"""What this process audits; None in a process that was not started for an audit."""


def _begin(open_log: OpenLog, task: AuditTask) -> None:
    global _here  # noqa: PLW0603 - a process of a pool has no other place for its task
    _here = open_log(), task


def _audit_here(within: AuditRange) -> ChunkAudit:
    log, task = _task_here()
    return audit_range(log, task, within)


def _flaws_here() -> tuple[str, ...]:
    log, _ = _task_here()
    return log.flaws()


def _task_here() -> tuple[Log, AuditTask]:
    if _here is None:
        raise RuntimeError("this process has no archive to audit")
    return _here


def _ranges(log: Log, work: Iterable[Chunk]) -> Iterator[AuditRange]:
    """Matches that were just listed, with how far the archive is."""
    for chunk in work:
        position = log.last_position()
        yield AuditRange(chunk, position, _hash_at(log, position))


def _hash_at(log: Log, position: int) -> bytes:
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
    if _hash_at(log, within.position) != within.hash:
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
