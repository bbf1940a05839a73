"""Shame, defeats, losses and winter."""

from rules.great_wall.kinds import Clan, Horde, Section
from rules.great_wall.pending.base import Pending
from rules.kernel.actors import Seat


class TakeShame(Pending, frozen=True):
    """A seat gains shame tokens, one after the other."""

    seat: Seat
    n: int


class ShameDue(Pending, frozen=True):
    """A seat places a token that it has gained."""

    seat: Seat


class DefeatCheck(Pending, frozen=True):
    """Full hordes are looked for."""


class Defeat(Pending, frozen=True):
    """Full hordes are defeated, one after the other."""

    hordes: tuple[Horde, ...]


class Kill(Pending, frozen=True):
    """Soldiers die on a defeated horde, or in a whole section that was breached."""

    section: Section
    horde: Horde | None


class LoseDue(Pending, frozen=True):
    """A seat says who dies and who is saved on a horde, or in the firing slots of a section."""

    seat: Seat
    section: Section
    horde: Horde | None


class ClanDies(Pending, frozen=True):
    """Soldiers of Reed or Qin die there."""

    clan: Clan
    section: Section
    horde: Horde | None


class BatchEnd(Pending, frozen=True):
    """Everybody is credited what they are owed, and free saves lapse."""


class Claim(Pending, frozen=True):
    """A defeated horde goes to a clan or to the discard."""

    section: Section
    horde: Horde
    clan: Clan | None


class Fire(Pending, frozen=True):
    """Archers of a section fire."""

    section: Section


class FireDue(Pending, frozen=True):
    """Archers of a seat fire."""

    seat: Seat
    section: Section
    left: int


class QinFires(Pending, frozen=True):
    """Qin's archers of a section fire."""

    section: Section


class Assault(Pending, frozen=True):
    """Hordes assault a section."""

    section: Section


class ClearBarricades(Pending, frozen=True):
    """All barricades are discarded."""
