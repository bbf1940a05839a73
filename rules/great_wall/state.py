"""The state of a match: an immutable value."""

from msgspec import Struct

from rules.great_wall.kinds import (
    HIGHEST,
    MOST_SEATS,
    QIN,
    REED,
    Advisor,
    Artefact,
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
    Sealed,
    Section,
    Strategy,
    Tactic,
    Token,
    seats_of,
)
from rules.great_wall.pending import Task
from rules.great_wall.table import Table
from rules.great_wall.wall import WallSection
from rules.kernel.actors import Seat


class Foreman(Struct, frozen=True, array_like=True):
    """A foreman of a production location."""

    level: int
    kind: Kind


class Claimed(Struct, frozen=True, array_like=True):
    """A claimed horde, and the shame tokens on it."""

    horde: Horde
    tokens: int


class Player(Struct, frozen=True, array_like=True):
    """What lies before a seat and behind its screen."""

    general: General | None
    active: tuple[Advisor, ...]
    assistants: tuple[Advisor | None, ...]
    """The dealt one first, which others do not see; then those hired, in the order of the set."""
    resources: Holdings | None
    """None in the views of others."""
    honour: int
    clerks: int
    """In the reserve."""
    space: int
    """Clerks in the clerk space."""
    reserve: Figures
    """Shamed figures included."""
    shamed: Figures
    foremen: tuple[Foreman | None, ...]
    """By production location."""
    strategies: tuple[Strategy, ...]
    """In hand; a picked card is among them until the reveal."""
    discarded: tuple[Strategy, ...]
    tactics: tuple[Tactic | None, ...]
    """Known ones in the order of the set, then unknown ones."""
    claimed: tuple[Claimed, ...]
    """In the order of the set."""
    sacrificed: Figures


class SeatSecret(Struct, frozen=True, array_like=True):
    """What a seat was dealt or has answered, and is not revealed yet."""

    generals: tuple[General | None, ...] = ()
    advisors: tuple[Advisor | None, ...] = ()
    general: General | Sealed | None = None
    active: Advisor | Sealed | None = None
    pick: Strategy | Sealed | None = None


class Qin(Struct, frozen=True, array_like=True):
    """Qin Jiushao's clan."""

    honour: int
    clerks: int
    assistants: tuple[Advisor | None, ...]
    """The first two are not known to anybody."""
    reserve: Figures
    foremen: tuple[Foreman | None, ...]
    track: tuple[Token, ...]
    """From the highest space to the lowest; empty until it is laid."""
    claimed: tuple[Claimed, ...]
    played: tuple[Strategy, ...]
    """Cards of earlier years."""


class HordeDeck(Struct, frozen=True, array_like=True):
    """Horde cards that lie face down, and the discard."""

    size: int
    discard: tuple[Horde, ...]


class AdvisorDeck(Struct, frozen=True, array_like=True):
    """The advisor track from left to right, the discard, and how many dealt cards are not public."""

    track: tuple[Advisor, ...]
    discard: tuple[Advisor, ...]
    unknown: int


class TacticDeck(Struct, frozen=True, array_like=True):
    """Tactic cards that lie face down, and the discard."""

    size: int
    discard: tuple[Tactic, ...]


class Coop(Struct, frozen=True, array_like=True):
    """What a co-op match has besides."""

    requests: tuple[Request, ...]
    fulfilled: tuple[Request, ...]
    events: tuple[EventCard, ...]


class OnTrack(Struct, frozen=True, array_like=True):
    """A strategy card on the track; on space 0 it is revealed and not yet placed."""

    space: int
    clan: Clan
    card: Strategy


class Owed(Struct, frozen=True, array_like=True):
    """What a seat has gained in a resolution that goes on (GW-EFX-04)."""

    seat: Seat
    resources: Holdings


class Saves(Struct, frozen=True, array_like=True):
    """Soldiers that a seat may still save without chi in this kill batch."""

    seat: Seat
    n: int


class Shuffled(Struct, frozen=True, array_like=True):
    """How often decks were shuffled anew, and what lay in those that hide something, since the last time."""

    hordes: int = 0
    advisors: int = 0
    tactics: int = 0
    solo: int = 0
    advisor_pile: tuple[Advisor, ...] = ()
    tactic_pile: tuple[Tactic, ...] = ()


class Result(Struct, frozen=True, array_like=True):
    """How the match ended."""

    cause: Ending
    winners: tuple[Seat, ...]


class State(Struct, frozen=True):
    """Everything that a match has come to."""

    table: Table
    time: int
    pool: int
    removed: int
    """Shame tokens out of the game."""
    emptied: bool
    """Whether the pool has been empty, where that is remembered (AMB-16)."""
    top: Section | None
    """The back of the top horde card, as last published."""
    tea: tuple[Clan, ...]
    """From the top; empty until the generals are chosen."""
    ware: tuple[int, int, int]
    left: WallSection | None
    centre: WallSection | None
    right: WallSection | None
    """A closed section is None."""
    at: tuple[tuple[int, ...], ...]
    """Clerks by location and clan."""
    players: tuple[Player, ...]
    reed: int | None
    """Reed's spearmen in reserve."""
    qin: Qin | None
    hordes: HordeDeck
    advisors: AdvisorDeck
    tactics: TacticDeck
    artefacts: tuple[Artefact, ...]
    coop: Coop | None
    track: tuple[OnTrack, ...]
    """By space."""
    secrets: tuple[SeatSecret, ...]
    """By seat."""
    owed: tuple[Owed, ...]
    saves: tuple[Saves, ...]
    shuffled: Shuffled
    ask: Task | None
    """What is pending first; None once the match is over."""
    then: tuple[Task, ...]
    """What is pending after it."""
    result: Result | None

    @property
    def agenda(self) -> tuple[Task, ...]:
        """What is pending, the next task first."""
        return () if self.ask is None else (self.ask, *self.then)

    @property
    def sections(self) -> tuple[WallSection | None, ...]:
        """By section."""
        return self.left, self.centre, self.right

    def section(self, section: Section) -> WallSection:
        """An open section; raises ValueError for a closed one."""
        found = self.sections[section]
        if found is None:
            raise ValueError(f"the {section.word} section is closed")
        return found

    @property
    def events(self) -> tuple[EventCard, ...]:
        """Revealed events, whose passive effects hold."""
        return () if self.coop is None else self.coop.events

    def passive(self, stat: str) -> int:
        """By how much events change a value."""
        faces = self.table.parts.events
        return sum(by for event in self.events for name, by in faces[event].passive if name == stat)

    @property
    def mortality(self) -> int:
        """Of the time slot and events, without what a horde adds."""
        return self.table.board.mortality[self.time] + self.passive("mortality")

    def clerks(self, location: Location, clan: Clan) -> int:
        """A clan's clerks at a location."""
        return self.at[location][clan]

    def free_slots(self, location: Location) -> int | None:
        """Slots without a clerk; None for a special location."""
        slots = self.table.board.places[location].slots
        return None if slots is None else slots - sum(self.at[location])

    def is_full(self, location: Location) -> bool:
        """Whether it is a standard location without a free slot."""
        return self.free_slots(location) == 0

    def free_firing(self, section: Section) -> int:
        """Free firing slots of an open section."""
        wall = self.section(section)
        return self.table.parts.wall[wall.level].firing - sum(wall.firing)

    def in_tea_order(self, clans: tuple[Clan, ...] | None = None) -> tuple[Clan, ...]:
        """Some clans, or all of them, from the top of the stack."""
        return self.tea if clans is None else tuple(clan for clan in self.tea if clan in clans)

    @property
    def seats_in_tea_order(self) -> tuple[Seat, ...]:
        """Players from the top of the stack."""
        return seats_of(self.tea)

    def honour(self, clan: Clan) -> int:
        """A clan's honour; Reed has none."""
        if clan == REED:
            return 0
        return self.of_qin.honour if clan == QIN else self.players[clan].honour

    def reserve(self, clan: Clan) -> Figures:
        """A clan's soldiers in reserve, shamed ones included."""
        if clan == REED:
            return self.reed or 0, 0, 0
        return self.of_qin.reserve if clan == QIN else self.players[clan].reserve

    def usable(self, seat: Seat, kind: Kind) -> int:
        """Soldiers in reserve without a shame token."""
        player = self.players[seat]
        return player.reserve[kind] - player.shamed[kind]

    @property
    def of_qin(self) -> Qin:
        """Qin's clan; raises ValueError where he does not play."""
        if self.qin is None:
            raise ValueError("Qin does not play in this match")
        return self.qin

    @property
    def in_coop(self) -> Coop:
        """What a co-op match has; raises ValueError in any other."""
        if self.coop is None:
            raise ValueError("this is no co-op match")
        return self.coop

    def foreman_level(self, clan: Clan, location: Location) -> int:
        """The level of a clan's foreman, 0 without one."""
        if clan == REED or location >= MOST_SEATS:
            return 0
        foremen = self.of_qin.foremen if clan == QIN else self.players[clan].foremen
        foreman = foremen[location]
        return 0 if foreman is None else foreman.level

    def complete_walls(self) -> int:
        """Sections at the highest level."""
        return sum(wall is not None and wall.level == HIGHEST for wall in self.sections)

    def owed_to(self, seat: Seat) -> Holdings:
        """What a seat has gained in the resolution that goes on."""
        return next((owed.resources for owed in self.owed if owed.seat == seat), (0, 0, 0, 0))

    def saves_of(self, seat: Seat) -> int:
        """Soldiers that a seat may still save without chi."""
        return next((saves.n for saves in self.saves if saves.seat == seat), 0)
