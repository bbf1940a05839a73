"""What several events share."""

import enum

from msgspec import Struct

from rules.kernel.actors import Seat


class Source(enum.Enum):
    """What points were scored for."""

    ABILITY = "ability"
    BONUS = "bonus"
    PALACE = "palace"
    PALACE_TILE = "palace tile"
    SOLDIER = "soldier"


class OfSeat(Struct, frozen=True):
    """Something that a seat did, or that happened to it."""

    seat: Seat
