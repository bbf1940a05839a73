"""The audit of a whole archive, match by match in several processes, in bounded memory whatever its size."""

from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, TypeAlias

from records.audit.record import RecordAudit, audit_record
from records.audit.rule_change import RuleChange
from records.audit.workers import Processes, cores
from records.entry import Entry, MatchId
from records.log.contract import Log, MatchListing, UnreadableEntry
from records.log.listing import listed
from records.verdict import AuditReport, Verified, rules_broken, word

CHUNK: Final = 32
"""So many matches are handed to a process at a time."""

TOGETHER: Final = 500
"""About so many entries go through the audit together, a step after the other."""

SMALL: Final = 20_000
"""So few entries are audited sooner in one process than others can be started."""

_MOST_FLAWS: Final = 100
"""So many flaws of an archive are told; more say nothing new."""

OpenLog: TypeAlias = Callable[[], Log]
"""Opens the archive for reading; must be picklable, since every process opens it for itself."""


@dataclass(slots=True)
class Summary:
    """What an audit has found so far."""

    since: int
    position: int
    """The position up to which the archive is audited; the next audit may begin there."""
    matches: int = 0
    entries: int = 0
    seen: int = 0
    """How many entries after `since` and up to `position` have been audited."""
    verdicts: Counter[str] = field(default_factory=Counter)
    editions: defaultdict[tuple[str, str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """By game and edition: the verdicts."""
    rules: Counter[str] = field(default_factory=Counter)
    """By rule: in how many matches it is broken."""
    flaws: list[str] = field(default_factory=list)
    """What is wrong with the archive itself, beyond any match."""

    @property
    def clean(self) -> bool:
        """Whether nothing at all is wrong."""
        return not self.flaws and set(self.verdicts) <= {word(Verified())}

    def add(self, report: AuditReport) -> None:
        """Count a match."""
        verdict = word(report.verdict)
        self.matches += 1
        self.entries += report.entries
        self.verdicts[verdict] += 1
        self.editions[report.game or "", report.edition or ""][verdict] += 1
        self.rules.update(set(rules_broken(report.verdict)))

    def flaw(self, told: str) -> None:
        """Note what is wrong with the archive."""
        if len(self.flaws) < _MOST_FLAWS:
            self.flaws.append(told)


@dataclass(frozen=True, slots=True)
class _Task:
    """What a process needs to know beside the matches."""

    since: int
    position: int
    change: RuleChange | None


_Work: TypeAlias = Sequence[MatchListing | MatchId]
_Done: TypeAlias = tuple[list[AuditReport], int]


class ArchiveAudit:
    """One audit: reports come in the order in which the matches began, and the summary grows with them."""

    def __init__(
        self, open_log: OpenLog, *, since: int = 0, jobs: int | None = None, change: RuleChange | None = None
    ) -> None:
        self._open: Final = open_log
        self._change: Final = change
        with open_log() as log:
            self.summary: Final = Summary(since, log.last_position())
        last = self.summary.position
        if last < since:
            self.summary.flaw(
                f"the archive ends at position {last}: everything after it, up to {since}, is gone"
            )
        small = last - since < SMALL
        self._jobs: Final = jobs or (1 if small else cores())

    def reports(self) -> Generator[AuditReport, None, None]:
        """The report on every match with entries after the position to begin at.

        Raises LogFault if it cannot go on.
        """
        summary = self.summary
        task = _Task(summary.since, summary.position, self._change)
        with self._open() as log:
            work = self._changed(log) if summary.since else self._all(log)
            for found, seen in self._spread(work, task, log):
                summary.seen += seen
                for report in found:
                    summary.add(report)
                    yield report
            if summary.seen != max(summary.position - summary.since, 0):
                self._look_for_gaps(log)

    def _spread(self, work: Iterator[_Work], task: _Task, log: Log) -> Iterator[_Done]:
        if self._jobs == 1:
            for chunk in work:
                yield _audit_chunk(log, task, chunk)
            self._note(log.flaws())
            return
        with Processes(self._jobs, partial(_begin, self._open, task)) as processes:
            flaws = processes.submit(_flaws_here)
            yield from processes.spread(_audit_here, work)
            self._note(flaws.result())

    def _note(self, flaws: Iterable[str]) -> None:
        for flaw in flaws:
            self.summary.flaw(flaw)

    def _all(self, log: Log) -> Iterator[_Work]:
        """Every match, page by page."""
        after = 0
        while page := list(log.listing(after, CHUNK)):
            yield page
            after = page[-1].number

    def _changed(self, log: Log) -> Iterator[_Work]:
        """Every match that has entries after the position to begin at."""
        known: set[MatchId] = set()
        chunk: list[MatchId] = []
        for entry in self._archive(log, lambda _: None):
            if entry.match not in known:
                known.add(entry.match)
                chunk.append(entry.match)
                if len(chunk) == CHUNK:
                    yield chunk
                    chunk = []
        if chunk:
            yield chunk

    def _look_for_gaps(self, log: Log) -> None:
        """Say which positions have no entry: some were not seen in any match."""
        seen = sum(1 for _ in self._archive(log, self.summary.flaw))
        if seen == self.summary.position - self.summary.since and not self.summary.flaws:
            unseen = seen - self.summary.seen
            self.summary.flaw(f"{unseen} entries belong to matches that are not listed")

    def _archive(self, log: Log, flaw: Callable[[str], None]) -> Iterator[Entry]:
        """Every entry between the positions of the audit, however many are missing."""
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
                for missing in range(bad + 1, min(following or end, bad + _MOST_FLAWS)):
                    flaw(f"the entry at position {missing} is missing")
                if following is None:
                    return
                after = following - 1
            else:
                return


_here: tuple[Log, _Task] | None = None
"""What this process audits, if it is one that audits."""


def _begin(open_log: OpenLog, task: _Task) -> None:
    global _here  # noqa: PLW0603 - a process of a pool has no other place for what it is to do
    _here = open_log(), task


def _audit_here(chunk: _Work) -> _Done:
    return _audit_chunk(*_told(), chunk)


def _flaws_here() -> tuple[str, ...]:
    log, _ = _told()
    return log.flaws()


def _told() -> tuple[Log, _Task]:
    if _here is None:
        raise RuntimeError("this process was not told what to audit")
    return _here


def _audit_chunk(log: Log, task: _Task, chunk: _Work) -> _Done:
    seen = 0
    found: list[AuditReport] = []
    for readings in _together(_Reading(log, item, task) for item in chunk):
        for reading in readings:
            reading.audit.link()
        for reading in readings:
            reading.audit.judge()
        found += [reading.report() for reading in readings]
        seen += sum(reading.seen for reading in readings)
    return found, seen


def _together(readings: Iterable["_Reading"]) -> Iterator[list["_Reading"]]:
    """The readings, so many at a time that they have TOGETHER entries, or one that is long."""
    group: list[_Reading] = []
    size = 0
    for reading in readings:
        group.append(reading)
        size += len(reading.audit.kept)
        if size >= TOGETHER:
            yield group
            group, size = [], 0
    if group:
        yield group


class _Reading:
    """One match on its way through the audit."""

    def __init__(self, log: Log, item: MatchListing | MatchId, task: _Task) -> None:
        self.log = log
        self.task = task
        self.listed = item if isinstance(item, MatchListing) else None
        self.number = item.number if isinstance(item, MatchListing) else 0
        self.match = item.match if isinstance(item, MatchListing) else item
        self.audit = RecordAudit(self.match, self._entries(), task.change)

    def report(self) -> AuditReport:
        """The report on the match, fit to be sent to another process."""
        report = self.audit.report().detached()
        if self.task.change is None:
            return report
        own = report
        if not isinstance(report.verdict, Verified):
            own = audit_record(self.match, self.log.read(self.match))
        return replace(report, before=word(own.verdict))

    @property
    def seen(self) -> int:
        """How many of its entries are between the positions of the audit."""
        since, last = self.task.since, self.task.position
        return len([entry for entry in self.audit.kept if since < entry.position <= last])

    def _entries(self) -> Iterator[Entry]:
        entries = iter(self.log.read(self.match))
        for header in entries:
            yield header
            told = self.listed
            if told is not None and told != listed(self.number, header, copy=told.copy):
                raise UnreadableEntry("the listing of the match tells otherwise than its header", sequence=0)
            yield from entries
