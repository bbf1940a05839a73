"""What a seat asks for at the wall, for itself or for the Reed Clan."""

from rules.great_wall.kinds import Figures, Kind, Section
from rules.great_wall.moves.base import Asked, Pay, Slot, Spots, Target


class Recruit(Asked, frozen=True):
    """Recruit a soldier that attacks or rests."""

    kind: Kind
    target: Target


class Attack(Asked, frozen=True):
    """Send a resting soldier to attack."""

    kind: Kind
    target: Spots | Slot


class Shoot(Asked, frozen=True):
    """An archer in a slot wounds a spot."""

    target: Spots


class BuildBarricade(Asked, frozen=True):
    """Build a barricade; a free one has no payment."""

    section: Section
    pay: Pay | None


class BuildWall(Asked, frozen=True):
    """Build the next part of a wall."""

    section: Section
    pay: Pay


class WoundSpot(Asked, frozen=True):
    """Wound a spot by an effect."""

    target: Spots


class Lose(Asked, frozen=True):
    """Say who dies and who is saved."""

    killed: Figures
    saved: Figures


class ReedSpearman(Asked, frozen=True):
    """Place a Reed spearman."""

    target: Spots


class ReedBarricade(Asked, frozen=True):
    """Place a barricade for Reed."""

    section: Section
