"""Copies a SQLite archive while a server writes it, and compares the copy with it."""

import os
from dataclasses import dataclass
from pathlib import Path

from records.log.contract import BadCopy, LogUnavailable
from records.log.schema import copy_committed
from records.log.sqlite import SqliteLog
from records.log.sqlite_file import translated
from records.log.tree import Tree


@dataclass(frozen=True, slots=True)
class BackupResult:
    """A backup that has been read again and compared."""

    entries: int
    """Entries of the copy."""
    root: bytes
    """The root of the Merkle tree over them, the same as that of the archive at this size."""


def back_up(path: Path, copy: Path) -> BackupResult:
    """Copy the archive as of one moment to a file that does not exist yet.

    Raises LogFault, and BadCopy if the copy is not the beginning of the archive.
    """
    if copy.exists() or copy.is_symlink():
        raise LogUnavailable(f"{copy} exists; a backup never overwrites a file: choose another name")
    with SqliteLog.open(path, read_only=True) as log:
        try:
            with translated(copy):
                copy_committed(path, copy)
                _sync(copy)
        except OSError as fault:
            raise LogUnavailable(f"{copy} cannot be written: {fault.strerror}") from fault
        with SqliteLog.open(copy, read_only=True) as copied:
            entries = copied.last_position()
            root = Tree(copied).root(entries)
            if copied.flaws() or Tree(log).root(entries) != root:
                raise BadCopy(f"{copy} is not a copy of {path}: do not use it, and check the disk")
    return BackupResult(entries, root)


def _sync(file: Path) -> None:
    """Make the file and its name durable."""
    for path in (file, file.parent):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
