"""Colours, the six kinds of tile, and what a hand of them is known to hold."""

import enum
from typing import Final, NewType, TypeAlias

EACH: Final = 12
"""Tiles of each kind (QIN-COMP-1)."""

TILES: Final = 72
HAND: Final = 3


class Colour(enum.IntEnum):
    """The colour of a territory."""

    RED = 0
    YELLOW = 1
    BLUE = 2

    @property
    def letter(self) -> str:
        """'R', 'Y' or 'B'."""
        return self.name[0]


class Kind(enum.IntEnum):
    """A kind of tile, by the colours of its halves."""

    RR = 0
    YY = 1
    BB = 2
    RY = 3
    RB = 4
    YB = 5

    @property
    def plain(self) -> bool:
        """Whether both halves have one colour."""
        return self <= Kind.BB


COLOURS: Final = tuple(Colour)
KINDS: Final = tuple(Kind)
COLOUR_OF: Final = {colour.letter: colour for colour in COLOURS}
KIND_OF: Final = {kind.name: kind for kind in KINDS} | {kind.name[::-1]: kind for kind in KINDS}

KIND: Final = tuple(tuple(KIND_OF[one.letter + other.letter] for other in COLOURS) for one in COLOURS)
"""By the colours of the two halves."""

Counts: TypeAlias = bytes
"""How many tiles, by kind."""

Hand = NewType("Hand", bytes)
"""How many tiles of each kind a seat is known to hold, and last how many it holds of a kind not known."""

UNKNOWN: Final = len(KINDS)
"""Where a hand counts its unknown tiles."""

EMPTY: Final = Hand(bytes(UNKNOWN + 1))


_NO_KIND: Final = bytes(UNKNOWN)
"""The counts of a hand in which no kind is known."""


def hand_of(tiles: tuple[Kind | None, ...]) -> Hand:
    """A hand of these tiles; None is one whose kind is not known."""
    counts = [0] * (UNKNOWN + 1)
    for tile in tiles:
        counts[UNKNOWN if tile is None else tile] += 1
    return Hand(bytes(counts))


def tiles_in(hand: Hand) -> tuple[Kind | None, ...]:
    """The tiles of a hand, known ones first, in the order of kinds."""
    known: tuple[Kind | None, ...] = tuple(kind for kind in KINDS for _ in range(hand[kind]))
    return known + (None,) * hand[UNKNOWN]


def added(hand: Hand, tile: Kind | None) -> Hand:
    """The hand with one tile more."""
    return _changed(hand, UNKNOWN if tile is None else tile, 1)


def played(hand: Hand, kind: Kind) -> Hand:
    """The hand after a tile of this kind left it; where none was known, an unknown one turns out to be it."""
    return _changed(hand, kind if hand[kind] else UNKNOWN, -1)


def forgotten(hand: Hand, kind: Kind, count: int) -> Hand:
    """The hand with this many tiles of a kind no longer known."""
    return _changed(_changed(hand, kind, -count), UNKNOWN, count)


def concealed(hand: Hand) -> Hand:
    """The hand as others see it: how many tiles, not which."""
    return Hand(_NO_KIND + bytes((sum(hand),)))


def _changed(hand: Hand, place: int, by: int) -> Hand:
    counts = bytearray(hand)
    counts[place] += by
    return Hand(bytes(counts))
