"""Whether the files of an open archive are still the ones at their paths."""

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Final

from records.log.contract import LogUnavailable

SIDE_FILES: Final = ("-wal", "-shm")
"""What SQLite adds to the name of an archive for the files beside it: the write-ahead log, and its index."""

_MOVED: Final = "{} was moved or replaced while it was open: put it back, or restart the program"
_SIDE_FILE_GONE: Final = (
    "{} was deleted or replaced while the archive was open, and what is written now could be lost: nothing "
    "is acknowledged until the program is restarted"
)


class FilesMisplaced(LogUnavailable):
    """The archive or a file beside it is no longer at its path, so that no write can be acknowledged."""


class SideFileMisplaced(FilesMisplaced):
    """It is a file beside the archive."""


class PlacedFiles:
    """The files of an archive that is open for writing, as they were when it was opened.

    SQLite keeps them open, so their inodes are not used for other files meanwhile.
    """

    def __init__(self, path: Path) -> None:
        paths = (os.fspath(path), *(f"{path}{suffix}" for suffix in SIDE_FILES))
        self.files: Final = tuple((each, identity(each)) for each in paths)
        """Their paths, with device and inode; the archive first."""
        self._rescued = False
        """Whether _rescue was tried."""

    def require(self) -> None:
        """Raises FilesMisplaced for the first file that is not at its path."""
        (archive, expected), *beside = self.files
        if identity(archive) != expected:
            raise FilesMisplaced(_MOVED.format(archive))
        for path, expected in beside:
            if identity(path) != expected:
                raise SideFileMisplaced(_SIDE_FILE_GONE.format(path))

    def require_or_rescue(self, writer: sqlite3.Connection) -> None:
        """As require(); where the write-ahead log has gone, what was acknowledged is saved from it first."""
        try:
            self.require()
        except SideFileMisplaced:
            if not self._rescued:
                self._rescued = True
                self._rescue(writer)
            raise

    def _rescue(self, writer: sqlite3.Connection) -> None:
        """Copy what was acknowledged from a write-ahead log without a name into the archive.

        Where another one is at its path, another program may be writing by it, and nothing is touched.
        """
        with suppress(sqlite3.Error):
            if not os.path.lexists(self.files[1][0]):
                writer.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()


def identity(path: str) -> tuple[int, int] | None:
    """Device and inode of the file; None if it does not exist."""
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
