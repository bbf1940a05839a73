"""Formats measured figures, as text and as JSON."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured figure and its target."""

    what: str
    figure: float
    unit: str
    target: float | None = None
    at_most: bool = False
    """Whether the target is an upper limit."""

    @property
    def reached(self) -> bool | None:
        """Whether the target is met; None if there is none."""
        if self.target is None:
            return None
        return self.figure <= self.target if self.at_most else self.figure >= self.target


def as_text(lines: Iterable[Figure]) -> str:
    """The figures as a table, one per line."""
    rows = []
    for line in lines:
        figure = f"{line.figure:,.0f}" if abs(line.figure) >= 1000 else f"{line.figure:,.2f}"  # noqa: PLR2004
        sign = "≤" if line.at_most else "≥"
        target = (
            ""
            if line.target is None
            else f"{sign} {line.target:g}  {'reached' if line.reached else 'MISSED'}"
        )
        rows.append(f"{line.what:<64} {figure:>12} {line.unit:<18} {target}".rstrip())
    return "\n".join(rows)


def as_json(lines: Iterable[Figure]) -> str:
    """The figures as JSON objects, one per line."""
    return "\n".join(json.dumps(asdict(line) | {"reached": line.reached}) for line in lines)
