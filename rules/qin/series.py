"""A series of matches, added up (QIN-MATCH-1, AMB-31)."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.qin.state import Over, State


class BadSeries(ValueError):
    """These matches do not make a series."""


@dataclass(frozen=True, slots=True)
class Standings:
    """What each player had left, in all and match by match."""

    names: tuple[str, ...]
    """As the first match seats them; a player may sit elsewhere in the next one."""
    left: tuple[tuple[int, ...], ...]
    """By match, then by name: pagodas left in the supply."""

    @property
    def totals(self) -> tuple[int, ...]:
        """By name: pagodas left in all matches."""
        return tuple(map(sum, zip(*self.left, strict=True)))

    @property
    def winners(self) -> tuple[str, ...]:
        """Whoever has the lowest total; equal totals share the series."""
        lowest = min(self.totals)
        return tuple(name for name, total in zip(self.names, self.totals, strict=True) if total == lowest)


def series(matches: Sequence[State]) -> Standings:
    """The standings after matches that are all over and have the same players, in any order of seats."""
    if not matches:
        raise BadSeries("a series has at least one match")
    names = matches[0].table.names
    for number, match in enumerate(matches, start=1):
        if set(match.table.names) != set(names):
            others = ", ".join(match.table.names)
            raise BadSeries(f"match {number} is between {others}, match 1 between {', '.join(names)}")
        if not isinstance(match.turn, Over):
            raise BadSeries(f"match {number} is not over")
    return Standings(names, tuple(_left(match, names) for match in matches))


def _left(match: State, names: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(match.supplies[match.table.names.index(name)] for name in names)
