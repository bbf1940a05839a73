"""What lies on the table of a plain match of Khan, and plain questions about it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tests.rules.khan.naive_set import CLOCKWISE, REFERENCE, CellXY, Footprint, Printed

UNKNOWN = "?"
HAND = 4
CAMP = 5
LEADERS_TO_LEAVE = 5
CARDS = 72

# The first value of each is the default.
RULINGS: dict[str, tuple[str, ...]] = {
    "opening-rounds": ("3", "5", "8"),
    "last-camp-yurt": ("remove", "flee"),
    "river-cells": ("side", "corner"),
    "bridge-water": ("exact", "at-least-one"),
    "reshuffle": ("when-needed", "when-empty"),
}
SPECIALS = {
    2: {"M": 2, "P": 2, "S": 2, "E": 2},
    3: {"M": 2, "P": 1, "S": 1, "E": 1},
    4: {"M": 1, "P": 1, "S": 1, "E": 1},
}  # KHAN-SETUP-3


@dataclass(frozen=True, slots=True)
class Turn:
    """What is awaited: the first word of a position line's TURN, then its parts."""

    due: str
    seat: int = -1
    left: int = 0  # actions or conquests
    leader: str | None = None  # named in action B


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on the board."""

    shape: str
    cells: Footprint
    owners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A conquest that awaits consent."""

    shape: str
    cells: Footprint
    asked: tuple[int, ...]


class Position:
    """A table, at first as it is laid out; tests may change any part of it."""

    def __init__(
        self,
        names: Iterable[str],
        *,
        recorded: bool = False,
        rulings: Mapping[str, str] | None = None,
        printed: Printed = REFERENCE,
    ) -> None:
        self.names = list(names)
        self.seats = len(self.names)
        self.recorded = recorded
        self.rulings = {name: values[0] for name, values in RULINGS.items()}
        for name, value in (rulings or {}).items():
            if value not in RULINGS.get(name, ()):
                raise ValueError(f"no such ruling: {name}={value}")
            self.rulings[name] = value
        self.printed = printed

        self.yurts: dict[CellXY, int | None] = {}  # None is a neutral one
        self.leaders: dict[str, CellXY] = dict(printed.starts)
        self.camps = dict.fromkeys(printed.starts, CAMP)
        self.pieces: list[Piece] = []
        self.specials = [dict(SPECIALS[self.seats]) for _ in self.names]
        self.active = [""] * self.seats  # as in a position line
        self.hands: list[list[str]] = [[] for _ in self.names]
        self.discard: list[str] = []
        self.shuffles = 0
        self.old = [0] * self.seats  # cards held since before the last shuffle
        self.apart: list[str] = []  # which cards those are
        self.first = 0
        self.turn = Turn("first")
        self.morale = False
        self.proposal: Proposal | None = None
        self.refused: list[tuple[str, Footprint]] = []
        self.retired = ""

    # The board.

    def covered(self) -> set[CellXY]:
        """The cells under pieces."""
        return {cell for piece in self.pieces for cell in piece.cells}

    def is_free(self, cell: CellXY) -> bool:
        """KHAN-FREE-1."""
        return (
            cell in self.printed.terrain
            and cell not in self.printed.river
            and cell not in self.yurts
            and cell not in self.leaders.values()
            and not any(cell in piece.cells for piece in self.pieces)
        )

    def free_cells(self) -> list[CellXY]:
        """From the top, then from the left."""
        return [cell for cell in sorted(self.printed.terrain) if self.is_free(cell)]

    def flee_target(self, origin: CellXY, printed: str) -> CellXY | None:
        """Where a leader flees to (KHAN-FLEE-1)."""
        turned = list(CLOCKWISE).index(printed)
        for way in (list(CLOCKWISE) * 2)[turned : turned + 8]:
            down, right = CLOCKWISE[way]
            for distance in (1, 2, 3):
                cell = (origin[0] + distance * down, origin[1] + distance * right)
                if cell not in self.printed.terrain:
                    break  # AMB-19: the ray does not come back
                if self.is_free(cell):
                    return cell
        return None

    def triggered(self) -> bool:
        """Whether five leaders have left, so all of them (KHAN-TRIG-1)."""
        return not self.leaders

    def touched(self, cells: Footprint) -> dict[int | None, int]:
        """How many yurts of each seat (None: neutral) these cells bear."""
        owners = [self.yurts[cell] for cell in cells if cell in self.yurts]
        return {owner: owners.count(owner) for owner in owners}

    # Pieces.

    def supply(self, shape: str) -> int:
        """How many pieces of a shape are not on the board."""
        return self.printed.shapes[shape].copies - sum(piece.shape == shape for piece in self.pieces)

    def reserved_by_others(self, seat: int, shape: str) -> bool:
        """Whether reservations leave nothing of this shape to this seat (KHAN-SPEC-E)."""
        others = [self.active[each] for each in range(self.seats) if each != seat]
        reserved = others.count(f"explore.{shape}")
        return reserved > 0 if self.seats < 4 else 0 < self.supply(shape) <= reserved

    # Protections.

    def protectors(self, cells: Footprint) -> tuple[set[int], set[int]]:
        """Who protects own, and who protects neutral, yurts on these cells."""
        own, neutral = set(), set()
        for seat, active in enumerate(self.active):
            word, _, region = active.partition(".")
            for cell in cells:
                if cell not in self.yurts:
                    continue
                owner = self.yurts[cell]
                if word == "protection" and owner == seat:
                    own.add(seat)
                if word == "support" and owner is None and region in ("", self.printed.terrain[cell]):
                    neutral.add(seat)
        return own, neutral

    # Cards.

    def pile(self) -> int:
        """How many cards are in the draw pile."""
        return CARDS - len(self.discard) - sum(len(hand) for hand in self.hands)

    def known(self) -> set[str]:
        """The cards that are known to be in a hand."""
        return {card for hand in self.hands for card in hand} - {UNKNOWN}

    def unknown(self, seat: int) -> tuple[int, int]:
        """How many cards a hand holds whose face is not known: from before the last shuffle, and since."""
        hand = self.hands[seat]
        old = self.old[seat] - sum(card in self.apart for card in hand)
        return old, hand.count(UNKNOWN) - old

    def dealing(self) -> bool:
        """Whether the hands are still being dealt: later, some camp has lost a yurt."""
        return all(count == CAMP for count in self.camps.values())

    # Whose turn.

    def awaiting(self) -> list[int | None]:
        """Who must act, in seat order; None is chance."""
        if self.turn.due == "over":
            return []
        if self.proposal is not None:
            return list(self.proposal.asked)
        return [None if self.turn.due in ("first", "draw", "turn") else self.turn.seat]

    def next_seat(self, seat: int) -> int:
        """Clockwise."""
        return (seat + 1) % self.seats
