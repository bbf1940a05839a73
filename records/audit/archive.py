"""The audit of a whole archive, match by match, in several processes and bounded memory."""

from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Protocol, TypeAlias

from records.audit.chunk import AuditRange, AuditTask, Chunk, ChunkAudit, audit_chunk, audit_range, hash_at
from records.audit.rule_change import RuleChange
from records.audit.workers import Processes, cores
from records.entry import Entry, MatchId
from records.log.contract import Log, UnreadableEntry
from records.verdict import AS_SHOWN, AuditReport, Verified, rules_broken, word

MATCHES_PER_CHUNK: Final = 32
"""Matches handed to a process at a time."""

SINGLE_PROCESS_ENTRIES: Final = 20_000
"""Below this number of entries one process is faster, because starting others takes longer."""

_MAX_FLAWS: Final = 100
"""Flaws of an archive that are reported; more would add nothing."""


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

    cautions: set[str] = field(default_factory=set)
    """What to be warned of in some matches, such as component sets that are invented."""

    not_checked: tuple[str, ...] = ()
    """What of the storage was not checked, and why."""

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
        if report.caution:
            self.cautions.add(report.caution)

    def flaw(self, text: str) -> None:
        """Add a flaw of the archive."""
        if len(self.flaws) < _MAX_FLAWS:
            self.flaws.append(text)


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
            self.summary.not_checked = log.unchecked()
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
        yield AuditRange(chunk, position, hash_at(log, position))
