"""Looks at an archive file, and at what lies beside it."""

import os
import re
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from records.log.contract import LogFault
from records.log.sqlite import SqliteLog
from tools.doctor.files import private
from tools.doctor.finding import Finding, hint, size, unknown, well, wrong
from tools.terminal.output import plural

LEAST_ROOM: Final = 256 * 1024**2
"""So many bytes should be free, however small the archive is."""

LARGE_WAL: Final = 64 * 1024**2
"""SQLite folds its journal into the file at a few MB; a larger one has a reader that keeps it from that."""

AHEAD: Final = 60
"""So many seconds a clock may be ahead."""

_SECRET: Final = re.compile(r"[0-9a-fA-F]{64}\s*")


def examine(db: Path, secret: Path) -> Iterator[Finding]:
    """Everything about an archive and its secret."""
    try:
        with SqliteLog.open(db, read_only=True) as log:
            yield well("format", f"{db} is an archive of this version")
            yield from _contents(log)
    except LogFault as fault:
        yield unknown(
            "archive", str(fault), f"go back to a backup copy, or audit what is left: shiji audit {db}"
        )
        return
    yield _rights(db)
    yield _room(db)
    yield _journal(db)
    yield from _secret(secret)


def _contents(log: SqliteLog) -> Iterator[Finding]:
    flaws = log.flaws()
    if flaws:
        told = f"{plural(len(flaws), 'flaw', 'flaws')}, the first: {flaws[0]}"
        yield wrong("storage", told, "stop the server, keep this file, and go back to a backup copy")
        return
    yield well("storage", "every page and index is in order; `shiji audit` checks the records themselves")
    last = log.last_position()
    newest = next(log.archive(last - 1), None) if last else None
    if newest is None:
        yield well("entries", "the archive is empty")
        return
    ahead = newest.recorded / 1e6 - time.time()
    if ahead > AHEAD:
        found = f"the newest of {last} entries was recorded {ahead:.0f} seconds from now"
        yield wrong("clock", found, "set the clock of this machine, or find the one that was wrong then")
    else:
        yield well("entries", f"{plural(last, 'entry', 'entries')}, the newest {_ago(-ahead)}")


def _rights(db: Path) -> Finding:
    mode = stat.S_IMODE(db.stat().st_mode)
    if mode & 0o022:
        return wrong("rights", f"others can write to {db} (mode {mode:04o})", f"chmod go-w {db}")
    if not os.access(db, os.W_OK) or not os.access(db.absolute().parent, os.W_OK):
        return hint("rights", f"you cannot write to {db} and its folder", "run the server as whoever can")
    if mode & 0o004:
        advice = f"chmod o-r {db}, if hands of matches under way are nobody's business"
        return hint("rights", f"everybody on this machine can read {db} (mode {mode:04o})", advice)
    return well("rights", f"{db} is written by its owner only")


def _room(db: Path) -> Finding:
    free, held = shutil.disk_usage(db.absolute().parent).free, db.stat().st_size
    told = f"{size(free)} are free, the archive has {size(held)}"
    if free < LEAST_ROOM:
        return wrong("disk space", told, "make room soon: a server without any stores nothing more")
    if free < held:
        return hint("disk space", told, "a backup copy has no room here: write it to another disk")
    return well("disk space", told)


def _journal(db: Path) -> Finding:
    wal = db.with_name(f"{db.name}-wal")
    held = wal.stat().st_size if wal.exists() else 0
    if held > LARGE_WAL:
        advice = (
            "end programs that keep the archive open for long (a copy, a shell); it shrinks by itself then"
        )
        return hint("journal", f"{wal.name} has {size(held)}", advice)
    return well("journal", f"{size(held)} wait to be folded into the file")


def _secret(secret: Path) -> Iterator[Finding]:
    if not secret.exists():
        yield hint(
            "secret",
            f"{secret} is not there; the server makes one",
            "where matches are dealt by the service, put back the one that they began with",
        )
        return
    yield private("secret", secret)
    try:
        known = _SECRET.fullmatch(secret.read_text("ascii", errors="replace"))
    except OSError:
        return
    if known is None:
        yield wrong("secret", f"{secret} holds no secret of a server", "put it back from where it is kept")


def _ago(seconds: float) -> str:
    for unit, length in (("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit} ago"
    return f"{max(seconds, 0):.0f} seconds ago"
