"""The colours of territories and seats, for every kind of picture."""

from typing import Final

from rules.kernel.seat_colours import SeatColours, assign_colours
from rules.qin.tiles import Colour

FILL: Final = {Colour.RED: "#c9453b", Colour.YELLOW: "#f0c23b", Colour.BLUE: "#3d78bd"}
ON_FILL: Final = {Colour.RED: "#ffffff", Colour.YELLOW: "#3a2c00", Colour.BLUE: "#ffffff"}
"""A letter on a territory."""

WATER: Final = "#a9c0c7"
VILLAGE: Final = "#8a6a45"
ON_VILLAGE: Final = "#ffffff"

_COLOURS_BY_NAME: Final = {
    "green": SeatColours("#1c8048", "#ffffff"),
    "violet": SeatColours("#7a3fb0", "#ffffff"),
    "white": SeatColours("#ffffff", "#1d1a16"),
    "black": SeatColours("#1d1a16", "#ffffff"),
}
"""The four colours of the printed game; none is a colour of territories."""


def colours_by_seat(names: tuple[str, ...]) -> tuple[SeatColours, ...]:
    """By seat: the colour that the seat is named after, or one that no seat is named after."""
    return assign_colours(names, _COLOURS_BY_NAME)
