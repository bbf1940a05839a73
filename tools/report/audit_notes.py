"""Keeps the verdicts of `shiji audit` in the index of the archive, and reads the last audit from there."""

import time
from contextlib import ExitStack
from typing import Final, NamedTuple

import click

from records.audit.archive import Summary
from records.closeable import Closeable
from records.verdict import AuditReport
from tools.terminal.indexed_archives import indexed

_REPORTS_PER_WRITE: Final = 500
"""Verdicts that are written together."""


class LastAuditNote(NamedTuple):
    """Up to where an archive was audited, and what was found."""

    position: int
    bad: int
    """The number of matches that the index knows as illegal, diverged or corrupt."""


class AuditNotes(Closeable):
    """The verdicts of an audit on their way to the index."""

    def __init__(self, archive: str) -> None:
        """Opens the archive for reading; raises LogFault."""
        self._opened: Final = ExitStack()
        _, self._index = self._opened.enter_context(indexed(archive))
        self._begun: Final = time.time_ns() // 1000
        self._reports: Final[list[AuditReport]] = []

    def last(self) -> LastAuditNote:
        """The last audit of the archive; ends the command if there is none."""
        known = self._index.coverage()
        if known is None:
            raise click.BadParameter(
                "the index knows no audit of this archive as it is; audit all of it once, without --since",
                param_hint="'--since'",
            )
        bad = sum(each.matches for each in self._index.counts() if each.audit.bad)
        return LastAuditNote(known.position, bad)

    def add(self, report: AuditReport, summary: Summary) -> None:
        """Keep a verdict."""
        self._reports.append(report)
        if len(self._reports) >= _REPORTS_PER_WRITE:
            self._write(summary)

    def finish(self, summary: Summary) -> None:
        """Keep that everything was audited."""
        self._write(summary)
        self._index.cover(summary.since, summary.position, self._begun)

    def _write(self, summary: Summary) -> None:
        self._index.note(self._reports, summary.position, self._begun)
        self._reports.clear()

    def close(self) -> None:
        """Close the index and the archive."""
        self._opened.close()
