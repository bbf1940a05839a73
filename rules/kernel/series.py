"""Several matches of the same players, added up."""

from dataclasses import dataclass

from rules.kernel.rule import Rule


class BadSeries(ValueError):
    """These matches do not make a series."""


@dataclass(frozen=True, slots=True)
class Standings:
    """What each player is counted, in all and match by match; the lowest total wins."""

    names: tuple[str, ...]
    """As the first match seats them; a player may sit elsewhere in the next one."""
    left: tuple[tuple[int, ...], ...]
    """By match, then by name."""
    what: str
    """What is counted: 'pagodas left'."""
    rule: Rule

    @property
    def totals(self) -> tuple[int, ...]:
        """By name: the count of all matches."""
        return tuple(map(sum, zip(*self.left, strict=True)))

    @property
    def winners(self) -> tuple[str, ...]:
        """Whoever has the lowest total; equal totals share the series."""
        lowest = min(self.totals)
        return tuple(name for name, total in zip(self.names, self.totals, strict=True) if total == lowest)
