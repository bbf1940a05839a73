"""What a run of the fuzzer has found, and the bounds that must hold."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

SLOW_SECONDS: Final = 1.0
"""Nothing may take longer, in processor time when nothing else is going on."""


@dataclass
class Findings:
    """What a run has found."""

    done: int = 0
    slowest: float = 0.0
    """Processor time of the slowest, in seconds, as far as it was measured."""
    slow: list[str] = field(default_factory=list)
    """What took too long."""
    crashes: list[str] = field(default_factory=list)
    """What went wrong, in full."""
    reasons: Counter[str] = field(default_factory=Counter)
    """Of calls: how often each method had each answer, OK or the reason of a refusal."""
    verified: int = 0
    """Records that were stored on the way, and verify."""
    rendered: int = 0
    """Records of those that were exported, read and rendered in every way."""

    @property
    def good(self) -> bool:
        """Whether all bounds hold."""
        return not self.crashes and not self.slow

    def took(self, seconds: float, what: str) -> None:
        """Count the processor time of something."""
        self.slowest = max(self.slowest, seconds)
        if seconds > SLOW_SECONDS:
            self.slow.append(f"{seconds:.1f} s: {what}")

    def add(self, other: "Findings") -> None:
        """Count what another run has found."""
        self.done += other.done
        self.slowest = max(self.slowest, other.slowest)
        self.slow += other.slow
        self.crashes += other.crashes
        self.reasons += other.reasons
        self.verified += other.verified
        self.rendered += other.rendered
