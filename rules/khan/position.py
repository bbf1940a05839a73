"""A position as one line of text that contains everything needed to continue from it.

    SET ROWS CAMPS PIECES NAME:SPECIALS:ACTIVE:HAND … TURN DISCARD [OPTION=VALUE …]

docs/khan.md describes every word.
"""

from dataclasses import replace
from typing import Final

from rules.kernel.amounts import Counts
from rules.kernel.component_sets import HASH_MARK
from rules.kernel.nouns import Flag, number
from rules.kernel.position import (
    RECORDED_DRAWS,
    PositionLine,
    SectionValues,
    column,
    optional,
    seat_words,
    section,
)
from rules.kernel.setup import Setup
from rules.khan import position_terms as terms
from rules.khan import start
from rules.khan import state as s
from rules.khan.agenda import AGENDA
from rules.khan.cards import CARDS, HAND
from rules.khan.conquest import somebody_could_conquer
from rules.khan.invariants import inconsistencies
from rules.khan.rulebook import KHAN_1
from rules.khan.state import State, Table

_MOST_SHUFFLES: Final = 99


ROWS: Final = section("yurts leaders covered free", terms.ROWS, title="its rows")
PIECES: Final = section("placed", terms.PIECE.several(","), title="the pieces")
HANDS: Final = column("hands", terms.HELD)
TURN: Final = section("turn left", terms.TURN, title="the turn")
DISCARD: Final = section("discard", terms.DISCARDS, title="the discards")
ASKED: Final = optional("asked", terms.PROPOSAL.or_nothing(), field="proposal")


def _setup(state: State) -> Setup:
    """The setup of the match, with the name of its component set alone."""
    whole = start.setup(state)
    return replace(whole, components=whole.components.partition(HASH_MARK)[0])


def _made(values: SectionValues[Table]) -> State:
    table = values.table
    _, _, drawn_covered, _ = values[ROWS]
    placed, hands, discard = values[PIECES], values[HANDS], values[DISCARD]
    turn, _ = values[TURN]
    supply = bytearray(shape.printed.copies for shape in table.parts.shapes)
    covered = 0
    for piece in placed:
        if not supply[piece.shape]:
            raise values.fault(PIECES, f"there are not that many {table.parts.shapes[piece.shape].id}")
        supply[piece.shape] -= 1
        covered |= piece.cells
    pile = CARDS - sum(discard) - sum(map(len, hands))
    state = values.made(State, covered=covered, supply=bytes(supply), pile=pile)
    if drawn_covered != covered:
        raise values.fault(ROWS, f"the cells with {terms.COVERED} are not those under the pieces")
    _refuse_contradictions(values, state, turn)
    return state


def _refuse_contradictions(values: SectionValues[Table], state: State, turn: s.Turn) -> None:
    for found in inconsistencies(state):
        raise values.contradicted(found)
    if isinstance(turn, s.Beginning | s.Opening) and not (state.pile == CARDS and state.placed == ()):
        raise values.fault(TURN, "no card or piece is in play before the opening yurts stand")
    if isinstance(turn, s.Over) and (not state.triggered or somebody_could_conquer(state)):
        raise values.fault(TURN, "the match is not over while somebody can conquer")
    following = AGENDA.due(state)
    if following:
        why = f"here something happens before anybody acts: {type(following[0]).__name__}"
        raise values.fault(TURN, why)


POSITION: Final = PositionLine(
    State,
    ROWS,
    section("camps", Counts("count", s.CAMP, lambda table: len(table.parts.leaders)), title="the camps"),
    PIECES,
    seat_words(
        ":",
        column("specials", terms.SPECIAL_CARDS),
        column("active", terms.RESTRICTION),
        HANDS,
        shape="NAME:SPECIALS:ACTIVE:HAND",
        until=terms.TURN_BEGINS,
        example="act:NAME:2",
    ),
    TURN,
    DISCARD,
    RECORDED_DRAWS,
    optional("morale", Flag("morale", "used", "").expecting("used, or no such option")),
    ASKED,
    optional("refused", terms.SITE.several(",", nothing="")),
    optional("retired", terms.RETIRED.or_nothing()),
    optional("shuffles", number("number of shuffles", _MOST_SHUFFLES, least=1), 0),
    optional("old", Counts("count", HAND, lambda table: len(table.names), zeros_are_nothing=True)),
    optional("apart", terms.APART),
    optional("either", terms.LAID.several(",", nothing="")),
    setup=_setup,
    lay_out=start.read_table,
    edition=KHAN_1,
    build=_made,
)
