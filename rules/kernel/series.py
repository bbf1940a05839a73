"""The standings of a series of matches between the same players."""

from dataclasses import dataclass

from rules.kernel.rule import Rule


class BadSeries(ValueError):
    """These matches do not make a series."""


@dataclass(frozen=True, slots=True)
class Standings:
    """Each player's count in every match and in total; the lowest total wins."""

    names: tuple[str, ...]
    """In the order of the first match's seats; a player may have another seat in the next match."""
    left: tuple[tuple[int, ...], ...]
    """By match, then by name."""
    what: str
    """What is counted: 'pagodas left'."""
    rule: Rule

    @property
    def totals(self) -> tuple[int, ...]:
        """By name: the sum over all matches."""
        return tuple(map(sum, zip(*self.left, strict=True)))

    @property
    def winners(self) -> tuple[str, ...]:
        """The players with the lowest total; tied players share the win."""
        lowest = min(self.totals)
        return tuple(name for name, total in zip(self.names, self.totals, strict=True) if total == lowest)
