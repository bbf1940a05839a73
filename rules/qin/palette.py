"""The colours of territories and seats, for every kind of picture."""

from typing import Final

from rules.kernel.livery import SeatColours, dressed
from rules.qin.tiles import Colour

FILL: Final = {Colour.RED: "#c9453b", Colour.YELLOW: "#f0c23b", Colour.BLUE: "#3d78bd"}
ON_FILL: Final = {Colour.RED: "#ffffff", Colour.YELLOW: "#3a2c00", Colour.BLUE: "#ffffff"}
"""A letter on a territory."""

WATER: Final = "#a9c0c7"
VILLAGE: Final = "#8a6a45"
ON_VILLAGE: Final = "#ffffff"

_LIVERIES: Final = {
    "green": SeatColours("#1c8048", "#ffffff"),
    "violet": SeatColours("#7a3fb0", "#ffffff"),
    "white": SeatColours("#ffffff", "#1d1a16"),
    "black": SeatColours("#1d1a16", "#ffffff"),
}
"""The four colours of the printed game; none is a colour of territories."""


def liveries(names: tuple[str, ...]) -> tuple[SeatColours, ...]:
    """By seat: the colour that its name is, or one that is left."""
    return dressed(names, _LIVERIES)
