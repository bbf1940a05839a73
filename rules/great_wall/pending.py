"""Tasks: everything that can be pending in a match, as values.

A question ends in Due and awaits a seat or chance; all others are done of themselves.
"""

import enum
from typing import TypeAlias

from msgspec import Struct

from rules.great_wall.kinds import Clan, Horde, Location, Request, Script, Section, Tactic
from rules.kernel.actors import Seat


class _Task(Struct, frozen=True, tag=True, array_like=True):
    """What every task has: a tag of its own in the bytes of a state."""


# Chance.


class ArtefactsDue(_Task, frozen=True):
    """Artefacts are laid out."""


class RequestsDue(_Task, frozen=True):
    """Requests are laid out."""

    left: int


class TopDue(_Task, frozen=True):
    """The back of the top horde card is shown."""


class HordesDue(_Task, frozen=True):
    """Hordes are drawn."""

    left: int


class DealDue(_Task, frozen=True):
    """A seat is dealt generals."""

    seat: Seat


class AdviseDue(_Task, frozen=True):
    """A seat is dealt advisors."""

    seat: Seat


class AdvisorsDue(_Task, frozen=True):
    """The advisor track is filled."""

    left: int


class DrawDue(_Task, frozen=True):
    """A seat draws tactics."""

    seat: Seat
    left: int


class QinTrackDue(_Task, frozen=True):
    """Qin's location track is laid."""


class SoloDue(_Task, frozen=True):
    """Qin's strategy card is turned."""


class EventDue(_Task, frozen=True):
    """An event is revealed."""


# Set-up and the year.


class GeneralDue(_Task, frozen=True):
    """Everybody keeps a general."""


class ActiveDue(_Task, frozen=True):
    """Everybody makes an advisor active."""


class OpenGeneralDue(_Task, frozen=True):
    """A seat keeps a general, where deals are not recorded."""

    seat: Seat


class OpenActiveDue(_Task, frozen=True):
    """A seat makes an advisor active, where deals are not recorded."""

    seat: Seat


class SetOut(_Task, frozen=True):
    """The tea markers are stacked and the generals' resources taken."""


class Spring(_Task, frozen=True):
    """Spring begins."""


class EnlistDue(_Task, frozen=True):
    """In solo the player gives Qin an advisor."""


class DropAdvisors(_Task, frozen=True):
    """The leftmost advisors of the track go to the discard."""

    n: int


class Summer(_Task, frozen=True):
    """Summer begins."""


class CleanseDue(_Task, frozen=True):
    """A seat may discard shame."""

    seat: Seat


class ClearTrack(_Task, frozen=True):
    """The strategy track is cleared, and cards may be recovered."""


class RecoverDue(_Task, frozen=True):
    """A seat recovers its strategy cards or takes honour."""

    seat: Seat


class Autumn(_Task, frozen=True):
    """Autumn begins."""


class PickDue(_Task, frozen=True):
    """Everybody picks a strategy card in secret."""


class Places(_Task, frozen=True):
    """The revealed cards are to be placed on the track."""


class PlaceDue(_Task, frozen=True):
    """A seat places its card."""

    seat: Seat


class ClanPlaces(_Task, frozen=True):
    """Reed or Qin takes the first free space."""

    clan: Clan


class Turns(_Task, frozen=True):
    """The turns of the placed cards begin."""


class Turn(_Task, frozen=True):
    """The turn of the card on a space."""

    space: int


class TurnOver(_Task, frozen=True):
    """The end of a clan's turn."""

    clan: Clan


class Winter(_Task, frozen=True):
    """Winter begins."""


class YearEnd(_Task, frozen=True):
    """The year ends."""


class EndCheck(_Task, frozen=True):
    """The end conditions are tested."""


class NextYear(_Task, frozen=True):
    """What follows a year that did not end the match."""


# Effects of cards.


class Others(_Task, frozen=True):
    """A block for every clan but this one."""

    clan: Clan
    script: Script


class Do(_Task, frozen=True):
    """The operations of a list, from a place in it, for a clan."""

    clan: Clan
    script: Script
    at: int


class ClerksDue(_Task, frozen=True):
    """Clerks of a clan may be moved, to locations not used before."""

    seat: Seat
    clan: Clan
    left: int
    used: tuple[Location, ...]


class TakeDue(_Task, frozen=True):
    """A seat takes resources of its choice."""

    seat: Seat
    left: int
    chi_too: bool


class CopyDue(_Task, frozen=True):
    """A seat copies a card of the track, or does another list."""

    seat: Seat
    otherwise: Script


class AdvanceDue(_Task, frozen=True):
    """A seat may activate a location in advance."""

    seat: Seat


class OrderDue(_Task, frozen=True):
    """A seat's soldiers may attack; by section, archers in slots that have."""

    seat: Seat
    shot: tuple[int, ...]


class UpgradesDue(_Task, frozen=True):
    """A seat may raise foremen that were not raised before."""

    seat: Seat
    left: int
    used: tuple[Location, ...]


class BarricadesDue(_Task, frozen=True):
    """A seat may build barricades free of cost."""

    seat: Seat
    left: int


class WoundsDue(_Task, frozen=True):
    """A seat may wound hordes of the first lines."""

    seat: Seat
    left: int
    line: int


class FreesDue(_Task, frozen=True):
    """A seat may return shame tokens free of cost."""

    seat: Seat
    left: int


class LimitDue(_Task, frozen=True):
    """A seat with too many tactics discards one."""

    seat: Seat


class TacticEnd(_Task, frozen=True):
    """The effect of a tactic is finished."""

    seat: Seat
    tactic: Tactic


# Locations.


class StartActs(_Task, frozen=True):
    """The activation step of a clan's turn begins."""

    clan: Clan


class ActsDue(_Task, frozen=True):
    """The activation step of a clan's turn: what was activated, and what Qin's order still has."""

    clan: Clan
    done: tuple[Location, ...]
    fixed: tuple[Location, ...]


class Activate(_Task, frozen=True):
    """A location is activated."""

    location: Location
    advanced: bool


class Collect(_Task, frozen=True):
    """The first step of a production location: these clans still collect."""

    location: Location
    clans: tuple[Clan, ...]


class Upgrading(_Task, frozen=True):
    """Its second step."""

    location: Location


class Donating(_Task, frozen=True):
    """Its third step."""

    location: Location


class Home(_Task, frozen=True):
    """Clerks go home."""

    location: Location
    advanced: bool


class UpgradeDue(_Task, frozen=True):
    """A seat may upgrade its foreman."""

    seat: Seat
    location: Location


class DonateDue(_Task, frozen=True):
    """A seat may donate."""

    seat: Seat
    location: Location


class RiseDue(_Task, frozen=True):
    """A seat's tea marker may rise, to the top where the tea house is its own."""

    seat: Seat
    alone: bool


class RecruitDue(_Task, frozen=True):
    """A seat may recruit."""

    seat: Seat
    left: int


class BuildDue(_Task, frozen=True):
    """A seat may build; sections whose wall it has built already."""

    seat: Seat
    left: int
    built: tuple[Section, ...]


class AgainDue(_Task, frozen=True):
    """In co-op a builder may take back a strategy card."""

    seat: Seat


class HireDue(_Task, frozen=True):
    """A seat may hire."""

    seat: Seat
    left: int


class MarchDue(_Task, frozen=True):
    """A seat may march."""

    seat: Seat
    left: int


class ShiftDue(_Task, frozen=True):
    """A seat that marches moves soldiers from one section to another."""

    seat: Seat
    origin: Section
    goal: Section


class StudyDue(_Task, frozen=True):
    """A seat may draw tactics."""

    seat: Seat
    most: int


class Settle(_Task, frozen=True):
    """A seat is credited what it is owed."""

    seat: Seat


class ReedAt(_Task, frozen=True):
    """What Reed's clerk does at a location."""

    location: Location


class QinAt(_Task, frozen=True):
    """What Qin's clerks do at a location."""

    location: Location


class ReedSpearDue(_Task, frozen=True):
    """The overlord places a Reed spearman."""

    seat: Seat


class ReedBarricadeDue(_Task, frozen=True):
    """The overlord places a barricade for Reed."""

    seat: Seat


class DismissDue(_Task, frozen=True):
    """The overlord discards an advisor."""

    seat: Seat


class AbsolveDue(_Task, frozen=True):
    """The active player returns a shame token free of cost."""

    seat: Seat


# Shame, hordes and winter.


class TakeShame(_Task, frozen=True):
    """A seat gains shame tokens, one after the other."""

    seat: Seat
    n: int


class ShameDue(_Task, frozen=True):
    """A seat places a token that it has gained."""

    seat: Seat


class DefeatCheck(_Task, frozen=True):
    """Full hordes are looked for."""


class Defeat(_Task, frozen=True):
    """Full hordes are defeated, one after the other."""

    hordes: tuple[Horde, ...]


class Kill(_Task, frozen=True):
    """Soldiers die on a defeated horde, or in a whole section that was breached."""

    section: Section
    horde: Horde | None


class LoseDue(_Task, frozen=True):
    """A seat says who dies and who is saved on a horde, or in the firing slots of a section."""

    seat: Seat
    section: Section
    horde: Horde | None


class ClanDies(_Task, frozen=True):
    """Soldiers of Reed or Qin die there."""

    clan: Clan
    section: Section
    horde: Horde | None


class BatchEnd(_Task, frozen=True):
    """Everybody is credited what they are owed, and free saves lapse."""


class Claim(_Task, frozen=True):
    """A defeated horde goes to a clan or to the discard."""

    section: Section
    horde: Horde
    clan: Clan | None


class Fire(_Task, frozen=True):
    """Archers of a section fire."""

    section: Section


class FireDue(_Task, frozen=True):
    """Archers of a seat fire."""

    seat: Seat
    section: Section
    left: int


class QinFires(_Task, frozen=True):
    """Qin's archers of a section fire."""

    section: Section


class Assault(_Task, frozen=True):
    """Hordes assault a section."""

    section: Section


class ClearBarricades(_Task, frozen=True):
    """All barricades are discarded."""


# Co-op.


class FulfilDue(_Task, frozen=True):
    """Requests may be fulfilled: who wants no more, and what was refused."""

    done: tuple[Seat, ...]
    refused: tuple[Request, ...]


class AgreeDue(_Task, frozen=True):
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


class Free(_Task, frozen=True):
    """Seats that do something in any order; one that has begun finishes before another begins."""

    step: Step
    seats: tuple[Seat, ...]
    location: Location | None = None
    section: Section | None = None
    script: Script | None = None


Task: TypeAlias = (
    ArtefactsDue
    | RequestsDue
    | TopDue
    | HordesDue
    | DealDue
    | AdviseDue
    | AdvisorsDue
    | DrawDue
    | QinTrackDue
    | SoloDue
    | EventDue
    | GeneralDue
    | ActiveDue
    | OpenGeneralDue
    | OpenActiveDue
    | SetOut
    | Spring
    | EnlistDue
    | DropAdvisors
    | Summer
    | CleanseDue
    | ClearTrack
    | RecoverDue
    | Autumn
    | PickDue
    | Places
    | PlaceDue
    | ClanPlaces
    | Turns
    | Turn
    | TurnOver
    | Winter
    | YearEnd
    | EndCheck
    | NextYear
    | Others
    | Do
    | ClerksDue
    | TakeDue
    | CopyDue
    | AdvanceDue
    | OrderDue
    | UpgradesDue
    | BarricadesDue
    | WoundsDue
    | FreesDue
    | LimitDue
    | TacticEnd
    | StartActs
    | ActsDue
    | Activate
    | Collect
    | Upgrading
    | Donating
    | Home
    | UpgradeDue
    | DonateDue
    | RiseDue
    | RecruitDue
    | BuildDue
    | AgainDue
    | HireDue
    | MarchDue
    | ShiftDue
    | StudyDue
    | Settle
    | ReedAt
    | QinAt
    | ReedSpearDue
    | ReedBarricadeDue
    | DismissDue
    | AbsolveDue
    | TakeShame
    | ShameDue
    | DefeatCheck
    | Defeat
    | Kill
    | LoseDue
    | ClanDies
    | BatchEnd
    | Claim
    | Fire
    | FireDue
    | QinFires
    | Assault
    | ClearBarricades
    | FulfilDue
    | AgreeDue
    | Free
)
