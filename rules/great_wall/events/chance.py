"""What set-up and chance bring."""

from rules.great_wall.events.base import Deck, Happening
from rules.great_wall.kinds import (
    Advisor,
    Artefact,
    Clan,
    EventCard,
    General,
    Holdings,
    Request,
    Sealed,
    Section,
    Strategy,
    Tactic,
    Token,
)
from rules.kernel.actors import Seat


class ArtefactsLaid(Happening, frozen=True):
    """These artefacts will count."""

    artefacts: tuple[Artefact, ...]


class RequestLaid(Happening, frozen=True):
    """A request lies open."""

    request: Request


class EventRevealed(Happening, frozen=True):
    """An event holds from now on."""

    event: EventCard


class TopShown(Happening, frozen=True):
    """The back of the top horde card is known."""

    section: Section


class GeneralsDealt(Happening, frozen=True):
    """A seat has generals to choose from."""

    seat: Seat
    generals: tuple[General | None, ...]


class AdvisorsDealt(Happening, frozen=True):
    """A seat has advisors to choose from."""

    seat: Seat
    advisors: tuple[Advisor | None, ...]


class GeneralChosen(Happening, frozen=True):
    """A seat has chosen a general."""

    seat: Seat
    general: General | Sealed


class ActiveChosen(Happening, frozen=True):
    """A seat has chosen its active advisor."""

    seat: Seat
    advisor: Advisor | Sealed


class GeneralRevealed(Happening, frozen=True):
    """A seat's general lies open."""

    seat: Seat
    general: General


class AdvisorsRevealed(Happening, frozen=True):
    """A seat's active advisor lies open, its assistant face down."""

    seat: Seat
    advisor: Advisor
    assistant: Advisor | None


class QinAdvised(Happening, frozen=True):
    """Qin has got advisors that nobody has seen."""

    n: int


class TeaStacked(Happening, frozen=True):
    """The tea markers, from the top."""

    clans: tuple[Clan, ...]


class StartTaken(Happening, frozen=True):
    """A seat has the resources of its general."""

    seat: Seat
    resources: Holdings


class AdvisorLaid(Happening, frozen=True):
    """An advisor lies on the track."""

    advisor: Advisor


class TacticDrawn(Happening, frozen=True):
    """A seat has drawn a tactic."""

    seat: Seat
    tactic: Tactic | None


class TrackLaid(Happening, frozen=True):
    """Qin's location track, from the highest space."""

    tokens: tuple[Token, ...]


class SoloCardTurned(Happening, frozen=True):
    """Qin's strategy of this year."""

    card: Strategy


class DeckReshuffled(Happening, frozen=True):
    """A discard has become a deck."""

    deck: Deck
