"""The colours of seats, and of errors, for every kind of picture."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

ALARM: Final = "#b00020"
"""The colour of refused moves and violations; pictures always show them by a sign as well."""


@dataclass(frozen=True, slots=True)
class SeatColours:
    """The colours of a seat's markers."""

    fill: str
    sign: str
    """The number on the marker."""


def assign_colours(names: tuple[str, ...], colours: Mapping[str, SeatColours]) -> tuple[SeatColours, ...]:
    """By seat: the colour that the seat is named after, or one that no seat is named after."""
    left = [colour for colour in colours if colour not in {name.lower() for name in names}]
    return tuple(colours.get(name.lower()) or colours[left.pop(0)] for name in names)
