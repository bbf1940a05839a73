"""The colours of seats, and of what is wrong, for every kind of picture."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

ALARM: Final = "#b00020"
"""What is wrong; never told by this colour alone."""


@dataclass(frozen=True, slots=True)
class SeatColours:
    """The colours of a seat's markers."""

    fill: str
    sign: str
    """The number on it."""


def dressed(names: tuple[str, ...], colours: Mapping[str, SeatColours]) -> tuple[SeatColours, ...]:
    """By seat: the colour that its name is, or one that is left."""
    left = [colour for colour in colours if colour not in {name.lower() for name in names}]
    return tuple(colours.get(name.lower()) or colours[left.pop(0)] for name in names)
