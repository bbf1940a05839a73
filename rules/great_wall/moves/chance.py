"""What chance brings."""

from rules.great_wall.kinds import (
    Advisor,
    Artefact,
    EventCard,
    General,
    Horde,
    Request,
    Section,
    Strategy,
    Tactic,
    Token,
)
from rules.great_wall.moves.base import Asked
from rules.kernel.actors import Seat


class LayArtefacts(Asked, frozen=True):
    """The artefacts of the match."""

    artefacts: tuple[Artefact, ...]


class LayRequest(Asked, frozen=True):
    """A request comes to lie open."""

    request: Request


class RevealEvent(Asked, frozen=True):
    """An event is revealed."""

    event: EventCard


class ShowTop(Asked, frozen=True):
    """The back of the top horde card."""

    section: Section


class DrawHorde(Asked, frozen=True):
    """A horde, and the back of the card under it; None where there is none."""

    horde: Horde
    top: Section | None


class Deal(Asked, frozen=True):
    """Two generals for a seat, in the order of the set; None where the record does not show them."""

    seat: Seat
    generals: tuple[General | None, ...]


class Advise(Asked, frozen=True):
    """Two advisors for a seat, in the order of the set; None where the record does not show them."""

    seat: Seat
    advisors: tuple[Advisor | None, ...]


class DrawTactic(Asked, frozen=True):
    """A tactic for the seat that draws; None where the record does not show it."""

    tactic: Tactic | None


class LayAdvisor(Asked, frozen=True):
    """An advisor comes to lie on the track."""

    advisor: Advisor


class LayTrack(Asked, frozen=True):
    """Qin's location track, from the highest space."""

    tokens: tuple[Token, ...]


class TurnSoloCard(Asked, frozen=True):
    """Qin's strategy card of this year."""

    card: Strategy
