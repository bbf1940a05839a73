"""The game's nouns, each stated once: what notation, messages and positions call them."""

from typing import Final, cast

from typing_extensions import override

from rules.great_wall.events import Deck, Season, Way
from rules.great_wall.kinds import (
    COLUMNS,
    KINDS,
    LOCATIONS,
    QIN,
    REED,
    RESOURCES,
    ROWS,
    SEALED,
    SECTIONS,
    SLOTS,
    TRACK_TOKENS,
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
    Location,
    Request,
    Role,
    Script,
    Strategy,
    Tactic,
)
from rules.great_wall.moves import OnHorde, Pay, Rest, Slot, Spots
from rules.great_wall.pending import Step
from rules.great_wall.table import Table
from rules.kernel.composed import After, Constant, Tally, either
from rules.kernel.composite import record
from rules.kernel.forms import Names
from rules.kernel.nouns import Choice, Flag, Named, Seats, longest_prefix, number
from rules.kernel.terms import Term
from rules.kernel.text import Unreadable, Word, quoted


class _Clans(Term[Table, Clan]):
    """Clans: seats by their names, `reed` and `qin`."""

    what = "clan"

    @staticmethod
    def _names(table: Table) -> dict[str, Clan]:
        return {table.name(clan): clan for clan in table.clans}

    @override
    def write(self, table: Table, thing: Clan) -> str:
        return table.name(thing)

    @override
    def prefix(self, table: Table, word: Word, at: int) -> tuple[Clan, int]:
        names = self._names(table)
        longest = longest_prefix(tuple(names), word.text, at)
        if longest is None:
            why = f"{quoted(word.text[at:])} begins with no clan; expected {', '.join(names)}"
            raise Unreadable(why, word.column + at)
        return names[longest], at + len(longest)

    @override
    def read(self, table: Table, word: Word) -> Clan:
        names = self._names(table)
        if word.text not in names:
            raise word.fault(f"{quoted(word.text)} is no clan; expected {', '.join(names)}")
        return names[word.text]

    @override
    def holds(self, thing: object) -> bool:
        return type(thing) is int

    @override
    def rank(self, thing: Clan) -> int:
        return thing


_CELLS: Final = Names(
    (f"{chr(ord('a') + column)}{row + 1}" for row in range(ROWS) for column in range(COLUMNS)), Cell
)

SEAT: Final = Seats[Table](lambda table: table.names)
CLAN: Final = _Clans()
HORDE: Final = Named[Table, Horde]("horde", lambda table: table.parts.horde_names, too_many=True)
GENERAL: Final = Named[Table, General]("general", lambda table: table.parts.general_names, too_many=True)
ADVISOR: Final = Named[Table, Advisor]("advisor", lambda table: table.parts.advisor_names, too_many=True)
STRATEGY: Final = Named[Table, Strategy]("strategy", lambda table: table.parts.strategy_names)
TACTIC: Final = Named[Table, Tactic]("tactic", lambda table: table.parts.tactic_names)
ARTEFACT: Final = Named[Table, Artefact]("artefact", lambda table: table.parts.artefact_names)
REQUEST: Final = Named[Table, Request]("request", lambda table: table.parts.request_names)
EVENT_CARD: Final = Named[Table, EventCard]("event", lambda table: table.parts.event_names)
SCRIPT: Final = Named[Table, Script]("script", lambda table: table.parts.script_names, too_many=True)
CELL: Final = Named[object, Cell]("spot", lambda _: _CELLS, too_many=True)

RESOURCE: Final = Choice("resource", RESOURCES, [each.word for each in RESOURCES])
KIND: Final = Choice("kind", KINDS, [each.word for each in KINDS], "kind of soldier")
ANY_LOCATION: Final = Choice("location", tuple(Location), [each.word for each in Location])
"""What a move can ask for, the warehouse too, where no clerk may go (GW-CLK-06)."""
LOCATION: Final = ANY_LOCATION.first(len(LOCATIONS))
SECTION: Final = Choice("section", SECTIONS, [each.letter for each in SECTIONS])
BACK: Final = Choice("back", SECTIONS, [each.word for each in SECTIONS])
ROLE: Final = Choice("role", tuple(Role), [each.value for each in Role])
QIN_TOKEN: Final = Choice("qin token", TRACK_TOKENS, [each.word for each in TRACK_TOKENS], "token of Qin")
DECK: Final = Choice("deck", tuple(Deck), [each.value for each in Deck])
SEASON: Final = Choice("season", tuple(Season), [each.value for each in Season])
WAY: Final = Choice("way", tuple(Way), [each.value for each in Way], "way to march")
CAUSE: Final = Choice("cause", tuple(Cause), [each.value for each in Cause])
ENDING: Final = Choice("ending", tuple(Ending), [each.value for each in Ending])
STEP: Final = Choice("step", tuple(Step), [each.value for each in Step])

COUNT: Final = number("count", 999)
LINE: Final = number("line", SLOTS)
SPACE: Final = number("space", 9)
BOOSTED: Final = Flag("boost", "boosted", "")
ADVANCED: Final = Flag("advanced", "advanced", "plain")

# Tallies know how many letters they have, and their type does not.
PAY: Final = cast("Term[object, Pay]", Tally("payment", "wsg", numbers=True))
FIGURES: Final = cast("Term[object, Figures]", Tally("soldiers", "sah", numbers=True))
HOLDINGS: Final = cast("Term[object, Holdings]", Tally("resources", "wsgc", numbers=True))

SPOTS: Final = record(
    "target", Spots, SECTION, LINE, CELL.several("", canonical=True, distinct=True), message=False
)
SLOT: Final = record("slot", Slot, SECTION)
REST: Final = record("rest zone", Rest, SECTION)
TARGET: Final = either("target", SPOTS, SLOT, After("rest", REST))
ATTACKED: Final = either("target", SPOTS, SLOT)
TOKEN: Final = either("token", KIND, record("claimed horde", OnHorde, HORDE))
CHOSEN_GENERAL: Final = either("general", GENERAL, Constant("?", SEALED))
CHOSEN_ADVISOR: Final = either("advisor", ADVISOR, Constant("?", SEALED))
CHOSEN_STRATEGY: Final = either("strategy", STRATEGY, Constant("?", SEALED))

CLAN_LETTERS: Final = {"1": Clan(0), "2": Clan(1), "3": Clan(2), "4": Clan(3), "r": REED, "q": QIN}
"""Clans as positions count them."""
