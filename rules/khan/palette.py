"""The colours of land, leaders, pieces and seats, for every kind of picture."""

from typing import Final

from rules.kernel.seat_colours import SeatColours, assign_colours
from rules.khan.cards import Region
from rules.khan.shapes import PieceKind

LAND: Final = {
    Region.MOUNTAIN: "#c9c3bb",
    Region.ICE: "#e4f0f5",
    Region.TUNDRA: "#cfd8ae",
    Region.ROCK: "#d9b08c",
    Region.SAND: "#f2dfa0",
    Region.FOREST: "#a9cf9b",
}
WATER: Final = "#8fb8cc"
ON_LAND: Final = "#5d5343"
NEUTRAL: Final = SeatColours("#3a3531", "#ffffff")
PIECES: Final = {PieceKind.TILE: "#fffaf0", PieceKind.BRIDGE: "#b98a58"}
"""Bridges have planks as well."""

LEADERS: Final = (
    SeatColours("#8a8d91", "#000000"),
    SeatColours("#7cc4ee", "#000000"),
    SeatColours("#e05a2b", "#000000"),
    SeatColours("#9b6bd0", "#000000"),
    SeatColours("#f08fb5", "#000000"),
    SeatColours("#2f9e8f", "#000000"),
    SeatColours("#c8a415", "#000000"),
    SeatColours("#a8552f", "#ffffff"),
)
"""In the order of the set; leaders are also distinguished by a letter."""

_COLOURS_BY_NAME: Final = {
    "red": SeatColours("#c62f2f", "#ffffff"),
    "yellow": SeatColours("#f4cf3a", "#1d1a16"),
    "blue": SeatColours("#2a62b8", "#ffffff"),
    "green": SeatColours("#1c8048", "#ffffff"),
}
"""The four colours of the printed game."""


def colours_by_seat(names: tuple[str, ...]) -> tuple[SeatColours, ...]:
    """By seat: the colour that the seat is named after, or one that no seat is named after."""
    return assign_colours(names, _COLOURS_BY_NAME)
