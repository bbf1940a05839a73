"""What an actor can ask for."""

from typing import TypeAlias

from msgspec import Struct

from rules.great_wall.kinds import (
    Advisor,
    Artefact,
    Cell,
    Clan,
    EventCard,
    Figures,
    General,
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
from rules.kernel.actors import Seat


class _Move(Struct, frozen=True):
    """What every move is: a value."""


class Spots(_Move, frozen=True):
    """One spot of a horde card, or the two that a horseman covers, in reading order."""

    section: Section
    line: int
    cells: tuple[Cell, ...]


class Slot(_Move, frozen=True):
    """A firing slot, where an archer finds nothing to wound."""

    section: Section


class Rest(_Move, frozen=True):
    """A rest zone."""

    section: Section


class OnHorde(_Move, frozen=True):
    """A claimed horde, on which shame tokens lie."""

    horde: Horde


Target: TypeAlias = Spots | Slot | Rest
Shamed: TypeAlias = Kind | OnHorde
"""Where a shame token lies: under a figure in reserve, or on a claimed horde."""
Pay: TypeAlias = tuple[int, int, int]
"""Wood, stone and gold: taken from a warehouse that holds enough, else added to all that it holds."""


# Chance.


class LayArtefacts(_Move, frozen=True):
    """The artefacts of the match."""

    artefacts: tuple[Artefact, ...]


class LayRequest(_Move, frozen=True):
    """A request comes to lie open."""

    request: Request


class RevealEvent(_Move, frozen=True):
    """An event is revealed."""

    event: EventCard


class ShowTop(_Move, frozen=True):
    """The back of the top horde card."""

    section: Section


class DrawHorde(_Move, frozen=True):
    """A horde, and the back of the card under it; None where there is none."""

    horde: Horde
    top: Section | None


class Deal(_Move, frozen=True):
    """Two generals for a seat, in the order of the set; None where the record does not show them."""

    seat: Seat
    generals: tuple[General | None, ...]


class Advise(_Move, frozen=True):
    """Two advisors for a seat, in the order of the set; None where the record does not show them."""

    seat: Seat
    advisors: tuple[Advisor | None, ...]


class DrawTactic(_Move, frozen=True):
    """A tactic for the seat that draws; None where the record does not show it."""

    tactic: Tactic | None


class LayAdvisor(_Move, frozen=True):
    """An advisor comes to lie on the track."""

    advisor: Advisor


class LayTrack(_Move, frozen=True):
    """Qin's location track, from the highest space."""

    tokens: tuple[Token, ...]


class TurnSoloCard(_Move, frozen=True):
    """Qin's strategy card of this year."""

    card: Strategy


# Seats.


class ChooseGeneral(_Move, frozen=True):
    """Keep a general."""

    general: General | Sealed


class ChooseActive(_Move, frozen=True):
    """Make a dealt advisor active."""

    advisor: Advisor | Sealed


class Pick(_Move, frozen=True):
    """Pick a strategy card in secret."""

    card: Strategy | Sealed


class Place(_Move, frozen=True):
    """Place the card on a space of the track."""

    space: int


class MoveClerk(_Move, frozen=True):
    """Move a clerk from the reserve (None) or a location to a location."""

    source: Location | None
    target: Location


class TakeResource(_Move, frozen=True):
    """Take a unit."""

    resource: Resource


class Copy(_Move, frozen=True):
    """Copy the card of a clan."""

    clan: Clan


class ActivateLocation(_Move, frozen=True):
    """Activate a location."""

    location: Location


class Upgrade(_Move, frozen=True):
    """Raise a foreman; a figure is named for the first level."""

    location: Location
    kind: Kind | None


class Donate(_Move, frozen=True):
    """Put a unit into the warehouse."""


class Rise(_Move, frozen=True):
    """Let the tea marker rise."""


class Study(_Move, frozen=True):
    """Draw tactics."""

    n: int


class Recruit(_Move, frozen=True):
    """Recruit a soldier that attacks or rests."""

    kind: Kind
    target: Target


class Attack(_Move, frozen=True):
    """Send a resting soldier to attack."""

    kind: Kind
    target: Spots | Slot


class Shoot(_Move, frozen=True):
    """An archer in a slot wounds a spot."""

    target: Spots


class BuildBarricade(_Move, frozen=True):
    """Build a barricade; a free one has no payment."""

    section: Section
    pay: Pay | None


class BuildWall(_Move, frozen=True):
    """Build the next part of a wall."""

    section: Section
    pay: Pay


class HireClerk(_Move, frozen=True):
    """Hire a clerk."""


class HireAdvisor(_Move, frozen=True):
    """Hire an advisor of the track."""

    advisor: Advisor
    role: Role


class March(_Move, frozen=True):
    """March from one section to another."""

    origin: Section
    goal: Section


class Shift(_Move, frozen=True):
    """Move soldiers from rest zone to rest zone."""

    kind: Kind
    n: int


class Lower(_Move, frozen=True):
    """Move archers from slots to the rest zone."""

    n: int


class Cross(_Move, frozen=True):
    """Move archers from slots to slots."""

    n: int


class WoundSpot(_Move, frozen=True):
    """Wound a spot by an effect."""

    target: Spots


class PlaceShame(_Move, frozen=True):
    """Place a gained token."""

    token: Shamed


class Shed(_Move, frozen=True):
    """Give up honour instead of placing the token."""


class Cleanse(_Move, frozen=True):
    """Return a token to the pool."""

    token: Shamed


class Absolve(_Move, frozen=True):
    """Return a token to the pool by Reed's clerk in the temple."""

    token: Shamed


class Lose(_Move, frozen=True):
    """Say who dies and who is saved."""

    killed: Figures
    saved: Figures


class PlayTactic(_Move, frozen=True):
    """Play a tactic."""

    tactic: Tactic
    boosted: bool


class DiscardTactic(_Move, frozen=True):
    """Discard a tactic over the limit."""

    tactic: Tactic


class RecoverAll(_Move, frozen=True):
    """Take back all strategy cards."""


class TakeHonour(_Move, frozen=True):
    """Take honour for discarded strategy cards."""


class RecoverOne(_Move, frozen=True):
    """Take back one strategy card."""

    card: Strategy


class Enlist(_Move, frozen=True):
    """Give Qin an advisor."""

    advisor: Advisor


class Fulfil(_Move, frozen=True):
    """Fulfil a request, or propose to."""

    request: Request


class Agree(_Move, frozen=True):
    """Agree to a request."""


class Refuse(_Move, frozen=True):
    """Refuse a request."""


class MoveReed(_Move, frozen=True):
    """Move a Reed clerk."""

    source: Location
    target: Location


class ReedSpearman(_Move, frozen=True):
    """Place a Reed spearman."""

    target: Spots


class ReedBarricade(_Move, frozen=True):
    """Place a barricade for Reed."""

    section: Section


class Dismiss(_Move, frozen=True):
    """Discard an advisor of the track for Reed."""

    advisor: Advisor


class Done(_Move, frozen=True):
    """Do nothing more."""


Move: TypeAlias = (
    LayArtefacts
    | LayRequest
    | RevealEvent
    | ShowTop
    | DrawHorde
    | Deal
    | Advise
    | DrawTactic
    | LayAdvisor
    | LayTrack
    | TurnSoloCard
    | ChooseGeneral
    | ChooseActive
    | Pick
    | Place
    | MoveClerk
    | TakeResource
    | Copy
    | ActivateLocation
    | Upgrade
    | Donate
    | Rise
    | Study
    | Recruit
    | Attack
    | Shoot
    | BuildBarricade
    | BuildWall
    | HireClerk
    | HireAdvisor
    | March
    | Shift
    | Lower
    | Cross
    | WoundSpot
    | PlaceShame
    | Shed
    | Cleanse
    | Absolve
    | Lose
    | PlayTactic
    | DiscardTactic
    | RecoverAll
    | TakeHonour
    | RecoverOne
    | Enlist
    | Fulfil
    | Agree
    | Refuse
    | MoveReed
    | ReedSpearman
    | ReedBarricade
    | Dismiss
    | Done
)
