"""Who can read and write a file that nobody else should."""

import stat
from pathlib import Path

from tools.doctor.finding import Finding, unknown, well, wrong


def private(about: str, path: Path) -> Finding:
    """A file that is its owner's alone."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except OSError as fault:
        return unknown(about, f"{path} cannot be read: {fault.strerror}", "see to the path and its rights")
    if mode & 0o077:
        return wrong(about, f"others can read or write {path} (mode {mode:04o})", f"chmod 600 {path}")
    return well(about, f"{path} is its owner's alone")
