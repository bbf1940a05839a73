"""Checks an archive file and the files that belong to it."""

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

MIN_FREE_BYTES: Final = 256 * 1024**2
"""Free disk space below which there is a problem, however small the archive is: it leaves some time to
react before the disk is full."""

LARGE_WAL_BYTES: Final = 64 * 1024**2
"""Size from which the write-ahead log is suspicious: SQLite normally moves it into the file at a few MB,
unless a long-running reader prevents that."""

MAX_CLOCK_LEAD_SECONDS: Final = 60
"""How far the newest entry may be in the future: more than small differences between clocks explain."""

_SECRET_PATTERN: Final = re.compile(r"[0-9a-fA-F]{64}\s*")
"""The contents of a file with a server's secret."""


def examine(db: Path, secret: Path) -> Iterator[Finding]:
    """Check an archive and the file with the server's secret."""
    try:
        with SqliteLog.open(db, read_only=True) as log:
            yield well("format", f"{db} is an archive of this version")
            yield from _contents(log)
    except LogFault as fault:
        yield unknown(
            "archive", str(fault), f"restore a backup copy, or audit what is left: shiji audit {db}"
        )
        return
    yield _permissions(db)
    yield _disk_space(db)
    yield _journal(db)
    yield from _secret(secret)


def _contents(log: SqliteLog) -> Iterator[Finding]:
    flaws = log.flaws()
    if flaws:
        found = f"{plural(len(flaws), 'flaw', 'flaws')}, the first: {flaws[0]}"
        yield wrong("storage", found, "stop the server, keep this file, and restore a backup copy")
        return
    yield well("storage", "every page and index is in order; `shiji audit` checks the records themselves")
    last = log.last_position()
    newest = next(log.archive(last - 1), None) if last else None
    if newest is None:
        yield well("entries", "the archive is empty")
        return
    ahead = newest.recorded / 1e6 - time.time()
    if ahead > MAX_CLOCK_LEAD_SECONDS:
        found = f"the newest of {last} entries was recorded {ahead:.0f} seconds in the future"
        yield wrong("clock", found, "set this machine's clock, or find out which clock was wrong then")
    else:
        yield well("entries", f"{plural(last, 'entry', 'entries')}, the newest {_ago(-ahead)}")


def _permissions(db: Path) -> Finding:
    mode = stat.S_IMODE(db.stat().st_mode)
    if mode & 0o022:
        return wrong("rights", f"others can write to {db} (mode {mode:04o})", f"chmod go-w {db}")
    if not os.access(db, os.W_OK) or not os.access(db.absolute().parent, os.W_OK):
        return hint("rights", f"you cannot write to {db} and its folder", "run the server as a user who can")
    if mode & 0o004:
        advice = f"chmod o-r {db}, if it holds concealed hands of matches that are not over"
        return hint("rights", f"everyone on this machine can read {db} (mode {mode:04o})", advice)
    return well("rights", f"only its owner can write to {db}")


def _disk_space(db: Path) -> Finding:
    free, used = shutil.disk_usage(db.absolute().parent).free, db.stat().st_size
    found = f"{size(free)} free, the archive has {size(used)}"
    if free < MIN_FREE_BYTES:
        return wrong("disk space", found, "free some soon: a server with a full disk stores nothing more")
    if free < used:
        return hint("disk space", found, "there is no space for a backup copy: write it to another disk")
    return well("disk space", found)


def _journal(db: Path) -> Finding:
    wal = db.with_name(f"{db.name}-wal")
    used = wal.stat().st_size if wal.exists() else 0
    if used > LARGE_WAL_BYTES:
        advice = "end programs that keep the archive open (a copy, a shell); then it shrinks by itself"
        return hint("journal", f"{wal.name} has {size(used)}", advice)
    return well("journal", f"{size(used)} are not yet moved into the file")


def _secret(secret: Path) -> Iterator[Finding]:
    if not secret.exists():
        yield hint(
            "secret",
            f"{secret} does not exist; the server creates one",
            "if the service deals matches in this archive, restore the secret that they started with",
        )
        return
    yield private("secret", secret)
    try:
        valid = _SECRET_PATTERN.fullmatch(secret.read_text("ascii", errors="replace"))
    except OSError:
        return
    if valid is None:
        yield wrong("secret", f"{secret} does not hold a server's secret", "restore it from a backup copy")


def _ago(seconds: float) -> str:
    for unit, length in (("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit} ago"
    return f"{max(seconds, 0):.0f} seconds ago"
