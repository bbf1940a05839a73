"""Opens files that may show hidden hands: nobody but their owner reads them."""

import os
import stat
from pathlib import Path
from typing import BinaryIO, Final

_OWNER_ONLY: Final = 0o600


def create_file(path: Path, *, private: bool) -> BinaryIO:
    """Create a file; a private one has its rights before it has any content. Raises FileExistsError."""
    return path.open("xb") if not private else open(path, "xb", opener=_opener)


def replace_text(path: Path, text: str, *, private: bool) -> None:
    """Write text to a file, a pipe or a device; a private file loses the rights that others had on it."""
    with open(path, "w", encoding="utf-8", opener=_opener if private else None) as file:
        if private and stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            os.fchmod(file.fileno(), _OWNER_ONLY)
        file.write(text)


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags, _OWNER_ONLY)
