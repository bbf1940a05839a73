"""A match laid out from its header, and the header back from a match."""

from typing import Final

from rules.great_wall import rulebook
from rules.great_wall.kinds import (
    ALL_CLANS,
    ARMY,
    CLERKS,
    IN_CLERK_SPACE,
    LOCATIONS,
    NOBODY,
    NOTHING,
    PRODUCTION,
    REED,
    REED_ARMY,
    SLOTS,
    Kind,
    Location,
    Section,
)
from rules.great_wall.options import QIN_HONOUR, read_options
from rules.great_wall.parts import find_parts
from rules.great_wall.pending import (
    ActiveDue,
    AdviseDue,
    ArtefactsDue,
    Autumn,
    DealDue,
    GeneralDue,
    HordesDue,
    OpenActiveDue,
    OpenGeneralDue,
    RequestsDue,
    SetOut,
    Task,
    TopDue,
    Winter,
    YearEnd,
)
from rules.great_wall.rulings import read_rulings
from rules.great_wall.state import (
    AdvisorDeck,
    Coop,
    Foreman,
    HordeDeck,
    Player,
    Qin,
    SeatSecret,
    Shuffled,
    State,
    TacticDeck,
)
from rules.great_wall.table import Table
from rules.great_wall.wall import NO_ARCHERS, NOBODY_RESTS, WallSection
from rules.kernel.edition import find_edition
from rules.kernel.setup import BadSetup, Setup, require_valid_seats

TITLE: Final = "The Great Wall"
_QIN_FOREMEN: Final = (Kind.HORSEMAN, Kind.HORSEMAN, Kind.SPEARMAN, Kind.SPEARMAN)
"""By production location (GW-SOL-05)."""
RESERVED: Final = frozenset(
    (
        "artefacts",
        "request",
        "event",
        "top",
        "horde",
        "deal",
        "advise",
        "draw",
        "advisor",
        "track",
        "solo",
        "reed",
        "qin",
        "reserve",
        "chance",
        "-",
    )
) | frozenset(
    (
        "seats",
        "time",
        "pool",
        "tea",
        "ware",
        "left",
        "centre",
        "right",
        "at",
        "hordes",
        "advisors",
        "tactics",
        "coop",
        "secret",
        "ask",
        "then",
        "owed",
        "saves",
        "shuffled",
        "ended",
        "emptied",
        QIN_HONOUR.name,
        "draws",
        "edition",
    )
)
"""What no seat may be called: entries of chance and words of the position line begin so."""


def read_table(setup: Setup) -> Table:
    """The fixed part of a match; every error names the part of the setup that is wrong."""
    edition = find_edition(TITLE, rulebook.EDITIONS, setup.edition)
    coop = edition == rulebook.COOP_1
    require_valid_seats(TITLE, setup.seats, range(2 if coop else 1, 5), reserved=RESERVED)
    rulings = read_rulings(setup.rulings, coop=coop)
    options = read_options(setup.options)
    if options.given and (coop or len(setup.seats) > 1):
        raise BadSetup("options", f"{QIN_HONOUR.name} is for a match of one seat")
    parts = find_parts(setup.components, coop=coop)
    qin = int(options.in_force[QIN_HONOUR.name])
    return Table(edition, parts, setup.seats, setup.draws, rulings, options.given, qin)


def setup_of(table: Table) -> Setup:
    """The setup that the match was started with."""
    return Setup(table.edition, table.names, table.parts.tag, table.draws, table.rulings.given, table.options)


def laid_out(table: Table) -> State:
    """The state before anything has happened of itself."""
    parts = table.parts
    hordes = sum(card.back in table.sections for card in parts.hordes)
    return State(
        table=table,
        time=0,
        pool=table.shame,
        removed=0,
        emptied=False,
        top=None,
        tea=(),
        ware=(0, 0, 0),
        left=_section(table, Section.LEFT),
        centre=_section(table, Section.CENTRE),
        right=_section(table, Section.RIGHT),
        at=tuple(_clerks(table, location) for location in LOCATIONS),
        players=(_player(table),) * len(table.seats),
        reed=REED_ARMY if table.has_reed else None,
        qin=_qin(table) if table.has_qin else None,
        hordes=HordeDeck(hordes, ()),
        advisors=AdvisorDeck((), (), 0),
        tactics=TacticDeck(parts.tactic_count, ()),
        artefacts=(),
        coop=Coop((), (), ()) if table.coop else None,
        track=(),
        secrets=(SeatSecret(),) * len(table.seats),
        owed=(),
        saves=(),
        shuffled=Shuffled(),
        ask=_setting_up(table)[0],
        then=_setting_up(table)[1:],
        result=None,
    )


def _section(table: Table, section: Section) -> WallSection | None:
    if section not in table.sections:
        return None
    return WallSection(0, SLOTS, (), NO_ARCHERS, NOBODY_RESTS)


def _clerks(table: Table, location: Location) -> tuple[int, ...]:
    """Reed's clerks stand in the first three production locations (GW-2P-05)."""
    reed = table.has_reed and location in PRODUCTION[:3]
    return tuple(int(reed and clan == REED) for clan in range(ALL_CLANS))


def _player(table: Table) -> Player:
    return Player(
        general=None,
        active=(),
        assistants=(),
        resources=NOTHING,
        honour=0,
        clerks=CLERKS - IN_CLERK_SPACE,
        space=IN_CLERK_SPACE,
        reserve=ARMY,
        shamed=NOBODY,
        foremen=(None,) * len(PRODUCTION),
        strategies=table.cards,
        discarded=(),
        tactics=(),
        claimed=(),
        sacrificed=NOBODY,
    )


def _qin(table: Table) -> Qin:
    used = [_QIN_FOREMEN.count(kind) for kind in Kind]
    spearmen, archers, horsemen = (have - gone for have, gone in zip(ARMY, used, strict=True))
    return Qin(
        honour=table.qin_honour,
        clerks=CLERKS,
        assistants=(),
        reserve=(spearmen, archers, horsemen),
        foremen=tuple(Foreman(1, kind) for kind in _QIN_FOREMEN),
        track=(),
        claimed=(),
        played=(),
    )


def _setting_up(table: Table) -> tuple[Task, ...]:
    first: Task = RequestsDue(table.request_slots) if table.coop else ArtefactsDue()
    dealt: tuple[Task, ...] = (
        *map(DealDue, table.seats),
        *map(AdviseDue, table.seats),
        GeneralDue(),
        ActiveDue(),
    )
    if not table.recorded:
        dealt = (*map(OpenGeneralDue, table.seats), *map(OpenActiveDue, table.seats))
    return (
        first,
        TopDue(),
        HordesDue(table.first_hordes),
        *dealt,
        SetOut(),
        Autumn(),
        Winter(),
        YearEnd(),
    )
