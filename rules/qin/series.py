"""A series of matches, added up (QIN-MATCH-1, AMB-31)."""

from collections.abc import Sequence

from rules.kernel.series import BadSeries, Standings
from rules.qin.rulebook import MATCH_1
from rules.qin.state import Over, State


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
    left = tuple(_left(match, names) for match in matches)
    return Standings(names, left, "pagodas left", MATCH_1)


def _left(match: State, names: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(match.supplies[match.table.names.index(name)] for name in names)
