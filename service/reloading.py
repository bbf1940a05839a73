"""What is read from files, and read anew when they change."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final, Generic, TypeAlias, TypeVar

from service.observability.logs import note

Value = TypeVar("Value")
_Version: TypeAlias = tuple[int, int, int] | None


class ReloadingFile(Generic[Value]):
    """A value that is read from files.

    Files that change into something that cannot be read leave the value as it was, and the log says so.
    """

    def __init__(self, paths: tuple[Path, ...], read: Callable[[], Value]) -> None:
        """Reads at once; raises what `read` raises, which is a ValueError or an OSError."""
        self._paths: Final = paths
        self._read: Final = read
        self._versions = self._look()
        self.value = read()

    def renew(self) -> bool:
        """Read again if a file has changed; whether there is a new value."""
        # Looked at before they are read: a change in between is seen the next time.
        versions = self._look()
        if versions == self._versions:
            return False
        self._versions = versions
        try:
            self.value = self._read()
        except (ValueError, OSError) as fault:
            note(logging.ERROR, "kept what was read before", {"why": fault})
            return False
        return True

    def _look(self) -> tuple[_Version, ...]:
        return tuple(map(_version, self._paths))


def _version(path: Path) -> _Version:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino, found.st_size
