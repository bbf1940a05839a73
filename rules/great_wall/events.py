"""What has happened."""

import enum
from typing import TypeAlias

from msgspec import Struct

from rules.great_wall.kinds import (
    Advisor,
    Artefact,
    Cause,
    Cell,
    Clan,
    Ending,
    EventCard,
    Figures,
    General,
    Holdings,
    Horde,
    Kind,
    Location,
    Request,
    Resource,
    Role,
    Sealed,
    Section,
    Strategy,
    Tactic,
    Token,
)
from rules.great_wall.moves import Pay, Shamed
from rules.great_wall.pending import Task
from rules.kernel.actors import Seat


class _Event(Struct, frozen=True):
    """What every event is: a value."""


class Deck(enum.Enum):
    """A deck that can be shuffled anew."""

    HORDES = "hordes"
    ADVISORS = "advisors"
    TACTICS = "tactics"
    SOLO = "solo"


class Season(enum.Enum):
    """A part of the year."""

    SPRING = "spring"
    SUMMER = "summer"
    AUTUMN = "autumn"
    WINTER = "winter"


class Way(enum.Enum):
    """How soldiers march: rest to rest, slot to rest, slot to slot."""

    SHIFT = "shift"
    LOWER = "lower"
    CROSS = "cross"


class TasksDue(_Event, frozen=True):
    """The first task is done, and these come before the rest."""

    tasks: tuple[Task, ...]


# Set-up and chance.


class ArtefactsLaid(_Event, frozen=True):
    """These artefacts will count."""

    artefacts: tuple[Artefact, ...]


class RequestLaid(_Event, frozen=True):
    """A request lies open."""

    request: Request


class EventRevealed(_Event, frozen=True):
    """An event holds from now on."""

    event: EventCard


class TopShown(_Event, frozen=True):
    """The back of the top horde card is known."""

    section: Section


class GeneralsDealt(_Event, frozen=True):
    """A seat has generals to choose from."""

    seat: Seat
    generals: tuple[General | None, ...]


class AdvisorsDealt(_Event, frozen=True):
    """A seat has advisors to choose from."""

    seat: Seat
    advisors: tuple[Advisor | None, ...]


class GeneralChosen(_Event, frozen=True):
    """A seat has chosen a general."""

    seat: Seat
    general: General | Sealed


class ActiveChosen(_Event, frozen=True):
    """A seat has chosen its active advisor."""

    seat: Seat
    advisor: Advisor | Sealed


class GeneralRevealed(_Event, frozen=True):
    """A seat's general lies open."""

    seat: Seat
    general: General


class AdvisorsRevealed(_Event, frozen=True):
    """A seat's active advisor lies open, its assistant face down."""

    seat: Seat
    advisor: Advisor
    assistant: Advisor | None


class QinAdvised(_Event, frozen=True):
    """Qin has got advisors that nobody has seen."""

    n: int


class TeaStacked(_Event, frozen=True):
    """The tea markers, from the top."""

    clans: tuple[Clan, ...]


class StartTaken(_Event, frozen=True):
    """A seat has the resources of its general."""

    seat: Seat
    resources: Holdings


class AdvisorLaid(_Event, frozen=True):
    """An advisor lies on the track."""

    advisor: Advisor


class TacticDrawn(_Event, frozen=True):
    """A seat has drawn a tactic."""

    seat: Seat
    tactic: Tactic | None


class TrackLaid(_Event, frozen=True):
    """Qin's location track, from the highest space."""

    tokens: tuple[Token, ...]


class SoloCardTurned(_Event, frozen=True):
    """Qin's strategy of this year."""

    card: Strategy


class DeckReshuffled(_Event, frozen=True):
    """A discard has become a deck."""

    deck: Deck


# The year.


class SeasonBegan(_Event, frozen=True):
    """A season begins."""

    season: Season


class TimeAdvanced(_Event, frozen=True):
    """The time token has moved on."""


class HordePlaced(_Event, frozen=True):
    """A drawn horde lies before a section, behind those that lie there."""

    horde: Horde
    section: Section


class Raided(_Event, frozen=True):
    """A drawn horde found no room: it is discarded, and shame leaves the game."""

    horde: Horde
    section: Section
    removed: int


class AdvisorsDropped(_Event, frozen=True):
    """The leftmost advisors are discarded."""

    n: int


class AdvisorEnlisted(_Event, frozen=True):
    """An advisor of the track assists Qin."""

    advisor: Advisor


class IncomePaid(_Event, frozen=True):
    """A seat has the income of its foremen."""

    seat: Seat
    resources: Holdings


class TrackCleared(_Event, frozen=True):
    """The cards of the strategy track are discarded."""


class CardsRecovered(_Event, frozen=True):
    """A seat has all its strategy cards back."""

    seat: Seat


class CardRecovered(_Event, frozen=True):
    """A seat has one strategy card back."""

    seat: Seat
    card: Strategy


class StrategyPicked(_Event, frozen=True):
    """A seat has picked a strategy card."""

    seat: Seat
    card: Strategy | Sealed


class StrategyRevealed(_Event, frozen=True):
    """A seat's picked card lies open."""

    seat: Seat
    card: Strategy


class StrategyPlaced(_Event, frozen=True):
    """A clan's card lies on a space of the track."""

    clan: Clan
    card: Strategy
    space: int


class TurnBegan(_Event, frozen=True):
    """A clan's turn begins."""

    clan: Clan


class TurnEnded(_Event, frozen=True):
    """A clan's turn is over."""

    clan: Clan


class MatchEnded(_Event, frozen=True):
    """The match is over; without winners it is lost."""

    cause: Ending
    winners: tuple[Seat, ...]


# Clerks and locations.


class ClerkMoved(_Event, frozen=True):
    """A clerk has gone from the reserve (None) or a location to a location."""

    clan: Clan
    source: Location | None
    target: Location


class LocationActivated(_Event, frozen=True):
    """A location is activated."""

    location: Location
    advanced: bool


class Collected(_Event, frozen=True):
    """A seat has collected."""

    seat: Seat
    resource: Resource
    n: int


class ForemanUpgraded(_Event, frozen=True):
    """A foreman has risen; a figure of this kind is the new one."""

    clan: Clan
    location: Location
    kind: Kind | None


class Donated(_Event, frozen=True):
    """A unit lies in the warehouse."""

    clan: Clan
    resource: Resource


class ClerksReturned(_Event, frozen=True):
    """Clerks have gone home; Reed's stay."""

    location: Location


class TokenAdvanced(_Event, frozen=True):
    """A token lies on the highest space of Qin's track."""

    token: Token


class TeaRose(_Event, frozen=True):
    """A marker has risen some places."""

    clan: Clan
    places: int


class ClerkHired(_Event, frozen=True):
    """A seat has one clerk more."""

    seat: Seat


class AdvisorHired(_Event, frozen=True):
    """A seat has one advisor more."""

    seat: Seat
    advisor: Advisor
    role: Role


class AdvisorDismissed(_Event, frozen=True):
    """An advisor of the track is discarded."""

    advisor: Advisor


class SoldiersMoved(_Event, frozen=True):
    """Soldiers have marched."""

    seat: Seat
    kind: Kind
    n: int
    origin: Section
    goal: Section
    way: Way


# The army and the wall.


class Recruited(_Event, frozen=True):
    """A new soldier stands in a rest zone."""

    seat: Seat
    kind: Kind
    section: Section


class Covered(_Event, frozen=True):
    """A soldier stands on a horde, come from the rest zone; of Reed and Qin, from their reserve."""

    clan: Clan
    kind: Kind
    section: Section
    line: int
    cells: tuple[Cell, ...]


class ArcherPosted(_Event, frozen=True):
    """An archer stands in a firing slot, come from the rest zone; of Qin, from his reserve."""

    clan: Clan
    section: Section


class Wounded(_Event, frozen=True):
    """A spot has a wound."""

    clan: Clan
    section: Section
    line: int
    cell: Cell


class BarricadeBuilt(_Event, frozen=True):
    """A section has one barricade more."""

    clan: Clan
    section: Section


class WallBuilt(_Event, frozen=True):
    """A section has risen one level."""

    clan: Clan
    section: Section


class WarehouseUsed(_Event, frozen=True):
    """Units are taken from the warehouse."""

    units: Pay


class HordeDefeated(_Event, frozen=True):
    """A horde is defeated."""

    horde: Horde


class SoldiersLost(_Event, frozen=True):
    """Soldiers on a horde, or (None) archers in slots, are killed or saved."""

    clan: Clan
    section: Section
    horde: Horde | None
    killed: Figures
    saved: Figures


class SoldiersRested(_Event, frozen=True):
    """The soldiers that are still on a horde go to the rest zone, those of Reed and Qin home."""

    section: Section
    horde: Horde


class HordeClaimed(_Event, frozen=True):
    """A clan has claimed a horde, and the others close up."""

    clan: Clan
    section: Section
    horde: Horde


class HordeDiscarded(_Event, frozen=True):
    """A defeated horde is discarded, and the others close up."""

    section: Section
    horde: Horde


class SectionHeld(_Event, frozen=True):
    """A section has held."""

    section: Section
    defence: int
    power: int


class SectionBreached(_Event, frozen=True):
    """A section is breached."""

    section: Section
    defence: int
    power: int


class BarricadesCleared(_Event, frozen=True):
    """All barricades are gone."""


# Holdings, honour and shame.


class Gained(_Event, frozen=True):
    """A seat has gained resources."""

    seat: Seat
    resource: Resource
    n: int
    cause: Cause


class RewardOwed(_Event, frozen=True):
    """A seat will be credited resources when the resolution ends."""

    seat: Seat
    resource: Resource
    n: int
    cause: Cause


class OwedCredited(_Event, frozen=True):
    """A seat has what it was owed."""

    seat: Seat


class Paid(_Event, frozen=True):
    """A seat has paid."""

    seat: Seat
    resources: Holdings


class Lost(_Event, frozen=True):
    """A seat has lost resources."""

    seat: Seat
    resource: Resource
    n: int


class HonourGained(_Event, frozen=True):
    """A clan has more honour."""

    clan: Clan
    n: int
    cause: Cause


class HonourLost(_Event, frozen=True):
    """A clan has less honour."""

    clan: Clan
    n: int
    cause: Cause


class ShameGained(_Event, frozen=True):
    """A seat has a token of the pool in hand."""

    seat: Seat


class ShamePlaced(_Event, frozen=True):
    """The token lies under a figure or on a claimed horde."""

    seat: Seat
    token: Shamed


class ShameShed(_Event, frozen=True):
    """The token is back in the pool."""

    seat: Seat


class ShameRemoved(_Event, frozen=True):
    """The token has left the game."""

    seat: Seat


class ShameReturned(_Event, frozen=True):
    """A token that lay somewhere is back in the pool."""

    seat: Seat
    token: Shamed


class TacticPlayed(_Event, frozen=True):
    """A seat has played a tactic."""

    seat: Seat
    tactic: Tactic
    boosted: bool


class TacticSpent(_Event, frozen=True):
    """A played tactic is discarded."""

    seat: Seat
    tactic: Tactic


class TacticDiscarded(_Event, frozen=True):
    """A seat has discarded a tactic from its hand."""

    seat: Seat
    tactic: Tactic


class SavesGranted(_Event, frozen=True):
    """A seat may save soldiers without chi."""

    seat: Seat
    n: int


class SavesUsed(_Event, frozen=True):
    """A seat has saved soldiers without chi."""

    seat: Seat
    n: int


class SavesLapsed(_Event, frozen=True):
    """Free saves that are left are gone."""


class RequestFulfilled(_Event, frozen=True):
    """A request is fulfilled."""

    request: Request


class SacrificeMade(_Event, frozen=True):
    """Figures of a seat's reserve have left the game."""

    seat: Seat
    figures: Figures


class Declined(_Event, frozen=True):
    """A seat does nothing more."""

    seat: Seat


Event: TypeAlias = (
    TasksDue
    | ArtefactsLaid
    | RequestLaid
    | EventRevealed
    | TopShown
    | GeneralsDealt
    | AdvisorsDealt
    | GeneralChosen
    | ActiveChosen
    | GeneralRevealed
    | AdvisorsRevealed
    | QinAdvised
    | TeaStacked
    | StartTaken
    | AdvisorLaid
    | TacticDrawn
    | TrackLaid
    | SoloCardTurned
    | DeckReshuffled
    | SeasonBegan
    | TimeAdvanced
    | HordePlaced
    | Raided
    | AdvisorsDropped
    | AdvisorEnlisted
    | IncomePaid
    | TrackCleared
    | CardsRecovered
    | CardRecovered
    | StrategyPicked
    | StrategyRevealed
    | StrategyPlaced
    | TurnBegan
    | TurnEnded
    | MatchEnded
    | ClerkMoved
    | LocationActivated
    | Collected
    | ForemanUpgraded
    | Donated
    | ClerksReturned
    | TokenAdvanced
    | TeaRose
    | ClerkHired
    | AdvisorHired
    | AdvisorDismissed
    | SoldiersMoved
    | Recruited
    | Covered
    | ArcherPosted
    | Wounded
    | BarricadeBuilt
    | WallBuilt
    | WarehouseUsed
    | HordeDefeated
    | SoldiersLost
    | SoldiersRested
    | HordeClaimed
    | HordeDiscarded
    | SectionHeld
    | SectionBreached
    | BarricadesCleared
    | Gained
    | RewardOwed
    | OwedCredited
    | Paid
    | Lost
    | HonourGained
    | HonourLost
    | ShameGained
    | ShamePlaced
    | ShameShed
    | ShameRemoved
    | ShameReturned
    | TacticPlayed
    | TacticSpent
    | TacticDiscarded
    | SavesGranted
    | SavesUsed
    | SavesLapsed
    | RequestFulfilled
    | SacrificeMade
    | Declined
)
