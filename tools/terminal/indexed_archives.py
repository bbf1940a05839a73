"""Opens an archive together with its index."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from records.index.index import ArchiveIndex
from records.log.contract import Log
from records.log.opening import is_postgres, open_log, shown_address, sqlite_path


@contextmanager
def indexed(address: str) -> Iterator[tuple[Log, ArchiveIndex]]:
    """An archive for reading, and its index; raises LogFault."""
    with (
        open_log(address, read_only=True) as log,
        ArchiveIndex(log, index_place(address)) as index,
    ):
        yield log, index


def index_place(address: str) -> Path | str:
    """The archive, as its index knows it."""
    return shown_address(address) if is_postgres(address) else sqlite_path(address)
