"""Values read from files, and read again when the files change."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final, Generic, TypeAlias, TypeVar

from service.observability.logs import log_event

Value = TypeVar("Value")
_Version: TypeAlias = tuple[int, int, int] | None


class ReloadingFile(Generic[Value]):
    """A value that is read from one or more files.

    If changed files cannot be read, the value stays as it was, and the log says so.
    """

    def __init__(self, paths: tuple[Path, ...], read: Callable[[], Value]) -> None:
        """Reads at once; raises what `read` raises, which is a ValueError or an OSError."""
        self._paths: Final = paths
        self._read: Final = read
        self._versions = self._current_versions()
        self.value = read()

    def reload(self) -> bool:
        """Read again if a file has changed; True if there is a new value."""
        # Taken before the files are read, so that a change in between is noticed the next time.
        versions = self._current_versions()
        if versions == self._versions:
            return False
        self._versions = versions
        try:
            self.value = self._read()
        except (ValueError, OSError) as fault:
            log_event(logging.ERROR, "kept what was read before", {"why": fault})
            return False
        return True

    def _current_versions(self) -> tuple[_Version, ...]:
        return tuple(map(_version, self._paths))


def _version(path: Path) -> _Version:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino, found.st_size
