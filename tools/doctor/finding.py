"""What a checkup finds, and what is to be done about it."""

from dataclasses import dataclass
from enum import Enum


class Health(Enum):
    """How bad it is, as `--json` has it."""

    WELL = "well"
    HINT = "hint"
    """Well enough, but worth knowing."""
    WRONG = "wrong"
    """Somebody must see to it."""
    UNKNOWN = "unknown"
    """It could not be looked at."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    about: str
    """A word or two, as in "disk space"."""
    health: Health
    found: str
    advice: str = ""
    """What to do; there is nothing to do about what is well."""


def well(about: str, found: str) -> Finding:
    """Nothing is to be done."""
    return Finding(about, Health.WELL, found)


def hint(about: str, found: str, advice: str) -> Finding:
    """Worth knowing."""
    return Finding(about, Health.HINT, found, advice)


def wrong(about: str, found: str, advice: str) -> Finding:
    """Somebody must see to it."""
    return Finding(about, Health.WRONG, found, advice)


def unknown(about: str, found: str, advice: str) -> Finding:
    """It could not be looked at."""
    return Finding(about, Health.UNKNOWN, found, advice)


def size(count: float) -> str:
    """A number of bytes as people say it."""
    for unit in ("bytes", "KB", "MB", "GB"):
        if count < 1000:  # noqa: PLR2004 - the next unit is a thousand of this one
            return f"{count:.0f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"
