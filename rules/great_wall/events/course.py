"""What happens in the course of a year."""

from rules.great_wall.events.base import Happening, Season
from rules.great_wall.kinds import Advisor, Clan, Ending, Holdings, Horde, Sealed, Section, Strategy
from rules.kernel.actors import Seat


class SeasonBegan(Happening, frozen=True):
    """A season begins."""

    season: Season


class TimeAdvanced(Happening, frozen=True):
    """The time token has moved on."""


class HordePlaced(Happening, frozen=True):
    """A drawn horde lies before a section, behind those that lie there."""

    horde: Horde
    section: Section


class Raided(Happening, frozen=True):
    """A drawn horde found no room: it is discarded, and shame leaves the game."""

    horde: Horde
    section: Section
    removed: int


class AdvisorsDropped(Happening, frozen=True):
    """The leftmost advisors are discarded."""

    n: int


class AdvisorEnlisted(Happening, frozen=True):
    """An advisor of the track assists Qin."""

    advisor: Advisor


class IncomePaid(Happening, frozen=True):
    """A seat has the income of its foremen."""

    seat: Seat
    resources: Holdings


class TrackCleared(Happening, frozen=True):
    """The cards of the strategy track are discarded."""


class CardsRecovered(Happening, frozen=True):
    """A seat has all its strategy cards back."""

    seat: Seat


class CardRecovered(Happening, frozen=True):
    """A seat has one strategy card back."""

    seat: Seat
    card: Strategy


class StrategyPicked(Happening, frozen=True):
    """A seat has picked a strategy card."""

    seat: Seat
    card: Strategy | Sealed


class StrategyRevealed(Happening, frozen=True):
    """A seat's picked card lies open."""

    seat: Seat
    card: Strategy


class StrategyPlaced(Happening, frozen=True):
    """A clan's card lies on a space of the track."""

    clan: Clan
    card: Strategy
    space: int


class TurnBegan(Happening, frozen=True):
    """A clan's turn begins."""

    clan: Clan


class TurnEnded(Happening, frozen=True):
    """A clan's turn is over."""

    clan: Clan


class MatchEnded(Happening, frozen=True):
    """The match is over; without winners it is lost."""

    cause: Ending
    winners: tuple[Seat, ...]
