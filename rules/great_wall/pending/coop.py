"""Requests, and steps that seats do in any order."""

import enum

from rules.great_wall.kinds import Location, Request, Script, Section
from rules.great_wall.pending.base import Pending
from rules.kernel.actors import Seat


class FulfilDue(Pending, frozen=True):
    """Requests may be fulfilled: who wants no more, and what was refused."""

    done: tuple[Seat, ...]
    refused: tuple[Request, ...]


class AgreeDue(Pending, frozen=True):
    """Everybody agrees to a request or refuses it; then fulfilling goes on as it was."""

    request: Request
    agreed: tuple[Seat, ...]
    done: tuple[Seat, ...]
    refused: tuple[Request, ...]


class Step(enum.Enum):
    """What seats do in any order in co-op."""

    UPGRADE = "upgrade"
    DONATE = "donate"
    RECRUIT = "recruit"
    BUILD = "build"
    HIRE = "hire"
    MARCH = "march"
    STUDY = "study"
    FIRE = "fire"
    OTHERS = "others"
    PLACE = "place"


class Free(Pending, frozen=True):
    """Seats that do something in any order; one that has begun finishes before another begins."""

    step: Step
    seats: tuple[Seat, ...]
    location: Location | None = None
    section: Section | None = None
    script: Script | None = None
