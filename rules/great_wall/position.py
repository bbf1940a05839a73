"""A position as one line of text that contains everything needed to continue from it.

docs/great_wall.md describes every word.
"""

from dataclasses import replace
from typing import Final

from rules.great_wall import names as n
from rules.great_wall import position_terms as terms
from rules.great_wall import start
from rules.great_wall.agenda import AGENDA
from rules.great_wall.invariants import inconsistencies
from rules.great_wall.options import OPTIONS
from rules.great_wall.pending_text import TASK, TASKS
from rules.great_wall.rulebook import GREAT_WALL_1
from rules.great_wall.state import Shuffled, State
from rules.great_wall.table import Table
from rules.kernel.component_sets import HASH_MARK
from rules.kernel.inconsistency import Inconsistency
from rules.kernel.nouns import Flag, number
from rules.kernel.position import RECORDED_DRAWS, PositionLine, by_seat, keyed, optional
from rules.kernel.setup import Setup

_SLOT: Final = number("slot", 99)


def _setup(state: State) -> Setup:
    """The setup of the match, with the name of its component set alone."""
    whole = start.setup_of(state.table)
    return replace(whole, components=whole.components.partition(HASH_MARK)[0])


def _fault(state: State) -> Inconsistency | None:
    try:
        for found in inconsistencies(state):
            return found
        due = AGENDA.due(state)
    except (LookupError, ValueError, TypeError) as broken:
        return Inconsistency("ask", f"the position contradicts itself: {broken}")
    if due:
        return Inconsistency("ask", f"here something happens before anybody acts: {type(due[0]).__name__}")
    return None


POSITION: Final[PositionLine[State, Table]] = PositionLine(
    State,
    keyed("time", _SLOT),
    keyed("pool", n.COUNT.several(".", count=2), field="pool removed"),
    keyed("top", n.BACK.or_word("-")),
    keyed("tea", n.CLAN.several(distinct=True)),
    keyed("ware", terms.WARE),
    keyed("left", terms.SECTION),
    keyed("centre", terms.SECTION),
    keyed("right", terms.SECTION),
    keyed("at", terms.AT),
    by_seat("players", terms.PLAYER),
    optional("reed", n.COUNT.or_nothing(), None),
    optional("qin", terms.QIN.or_nothing(), None),
    keyed("hordes", terms.HORDES),
    keyed("advisors", terms.ADVISORS),
    keyed("tactics", terms.TACTICS),
    optional("artefacts", n.ARTEFACT.several(), ()),
    optional("coop", terms.COOP.or_nothing(), None),
    keyed("track", terms.TRACK),
    keyed("secret", terms.SECRETS, field="secrets"),
    keyed("ask", TASK.or_word("-")),
    keyed("then", TASKS),
    optional("owed", terms.OWED, ()),
    optional("saves", terms.SAVES, ()),
    optional("shuffled", terms.SHUFFLED, Shuffled()),
    optional("ended", terms.RESULT.or_nothing(), None, field="result"),
    RECORDED_DRAWS,
    optional("emptied", Flag("emptied", "yes", "no"), default=False),
    setup=_setup,
    lay_out=start.read_table,
    edition=GREAT_WALL_1,
    options=OPTIONS,
    fault=_fault,
)
