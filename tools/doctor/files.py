"""Checks the permissions of files that only their owner should read and write."""

import stat
from pathlib import Path

from tools.doctor.finding import Finding, unknown, well, wrong


def private(about: str, path: Path) -> Finding:
    """Check that only its owner can read and write a file."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except OSError as fault:
        return unknown(
            about, f"{path} cannot be read: {fault.strerror}", "check the path and its permissions"
        )
    if mode & 0o077:
        return wrong(about, f"others can read or write {path} (mode {mode:04o})", f"chmod 600 {path}")
    return well(about, f"only its owner can read {path}")
