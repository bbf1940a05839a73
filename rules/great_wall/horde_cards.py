"""Horde cards: their spots, what covers them, and what they change."""

from dataclasses import dataclass, field
from typing import Final

from rules.great_wall.component_file import AbilityPart, HordePart
from rules.great_wall.kinds import COLUMNS, Cell, Kind, Resource, Section

_RESOURCE_MARKS: Final = "wsgc"
NO_SPOT: Final = "."
PLAIN_SPOT: Final = "o"


@dataclass(frozen=True, slots=True)
class SpotReward:
    """What a soldier gains who covers a spot."""

    resource: Resource | None
    """None for honour."""
    n: int


@dataclass(frozen=True, slots=True)
class HordeCard:
    """What is printed on a horde card."""

    back: Section
    power: int
    reward: int
    cells: tuple[Cell, ...]
    """Of its spots, in reading order."""
    rewards: tuple[SpotReward | None, ...]
    """By spot."""
    pairs: tuple[tuple[int, int], ...]
    """Spots side by side, in reading order."""
    by_columns: tuple[int, ...]
    """Spots down the columns, from left to right."""
    ability: tuple[AbilityPart, ...] = field(repr=False)

    def change(self, stat: str, *, front: bool) -> int:
        """How much the card changes a value while it lies on the first line or behind it."""
        return sum(each.by for each in self.ability if each.stat == stat and (front or each.when == "always"))

    def is_immune(self, kind: Kind, *, front: bool) -> bool:
        """Whether such a soldier can neither be put on it nor wound it."""
        return any(
            each.stat == "immune" and each.to == kind.word and (front or each.when == "always")
            for each in self.ability
        )


def horde_card(part: HordePart) -> HordeCard:
    """A card of a component file."""
    marked = [
        (Cell(row * COLUMNS + column), mark)
        for row, marks in enumerate(part.spots)
        for column, mark in enumerate(marks)
        if mark != NO_SPOT
    ]
    cells = tuple(cell for cell, _ in marked)
    pairs = tuple(
        (one, other)
        for one, cell in enumerate(cells)
        for other, beside in enumerate(cells)
        if beside in {cell + COLUMNS, cell + 1 if (cell + 1) % COLUMNS else -1}
    )
    return HordeCard(
        back=Section[part.back.upper()],
        power=part.power,
        reward=part.reward,
        cells=cells,
        rewards=tuple(_reward(mark) for _, mark in marked),
        pairs=pairs,
        by_columns=tuple(sorted(range(len(cells)), key=lambda spot: (cells[spot] % COLUMNS, cells[spot]))),
        ability=part.ability,
    )


def _reward(mark: str) -> SpotReward | None:
    if mark == PLAIN_SPOT:
        return None
    if mark in _RESOURCE_MARKS:
        return SpotReward(Resource(_RESOURCE_MARKS.index(mark)), 1)
    return SpotReward(None, int(mark))
