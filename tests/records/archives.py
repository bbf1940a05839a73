"""Archive files to audit, and ways to damage them behind the log's back."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from records.audit.archive import ArchiveAudit, Summary
from records.audit.rule_change import RuleChange
from records.entry import Entry
from records.ledger.ledger import Ledger
from records.log.contract import NEW, Append, Log
from records.log.sqlite import SqliteLog
from records.verdict import AuditReport
from tests.records.matches import MOVES, begin


def make(path: Path, matches: int = 3, moves: Sequence[str] = MOVES) -> list[str]:
    """An archive of matches whose entries come in turn; their ids."""
    with SqliteLog.open(path) as log:
        ledger = Ledger(log)
        tables = [begin(ledger, request=f"start {number}") for number in range(matches)]
        for move in moves:
            for table in tables:
                table.play(move)
    return [table.match for table in tables]


def add(path: Path, entries: Sequence[Entry]) -> None:
    """Add a record, which the log stores as it is, forged or not."""
    with SqliteLog.open(path) as log:
        (answer,) = log.write([Append(entries[0].match, NEW, tuple(entries))])
        assert isinstance(answer, tuple)


@contextmanager
def unguarded(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that meets no guard; afterwards the guards are back, as a careful forger leaves them."""
    with closing(sqlite3.connect(path)) as raw:
        guards = raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            raw.execute(f"DROP TRIGGER {name}")
        raw.execute("PRAGMA ignore_check_constraints = ON")
        yield raw
        for _, guard in guards:
            raw.execute(guard)
        raw.commit()


def damage(path: Path, *statements: str) -> None:
    """Change the tables with every guard taken away."""
    with unguarded(path) as raw:
        for statement in statements:
            raw.execute(statement)


def open_log(path: Path) -> Log:
    return SqliteLog.open(path, read_only=True)


def audit(
    path: Path, *, since: int = 0, jobs: int = 1, change: RuleChange | None = None
) -> tuple[list[AuditReport], Summary]:
    audited = ArchiveAudit(partial(open_log, path), since=since, jobs=jobs, change=change)
    return list(audited.reports()), audited.summary
