"""The result of a check, with advice."""

from dataclasses import dataclass
from enum import Enum


class Health(Enum):
    """Severity of a finding; the values are those of `--json`."""

    WELL = "well"
    """No problem."""
    HINT = "hint"
    """Not a problem, but worth knowing."""
    WRONG = "wrong"
    """A problem that needs to be fixed."""
    UNKNOWN = "unknown"
    """It could not be checked."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    about: str
    """What was checked, in a word or two, such as "disk space"."""
    health: Health
    found: str
    advice: str = ""
    """What to do about it; empty if there is no problem."""


def well(about: str, found: str) -> Finding:
    """A finding without a problem."""
    return Finding(about, Health.WELL, found)


def hint(about: str, found: str, advice: str) -> Finding:
    """A finding that is worth knowing."""
    return Finding(about, Health.HINT, found, advice)


def wrong(about: str, found: str, advice: str) -> Finding:
    """A problem that needs to be fixed."""
    return Finding(about, Health.WRONG, found, advice)


def unknown(about: str, found: str, advice: str) -> Finding:
    """A finding about something that could not be checked."""
    return Finding(about, Health.UNKNOWN, found, advice)


def size(count: float) -> str:
    """A number of bytes for people to read, such as "12 MB"."""
    for unit in ("bytes", "KB", "MB", "GB"):
        if count < 1000:  # noqa: PLR2004 - the next unit is a thousand of this one
            return f"{count:.0f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"
