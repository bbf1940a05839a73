"""A position as one line of text that contains everything needed to continue from it (ZHG-POS).

    SET TABLE.ROUND TRACK|COLUMN COURT MAUSOLEUM WALLS EMPERORS MAP MASTERS SEAT … TURN [OPTION=VALUE …]

docs/zhanguo.md describes every word.
"""

from dataclasses import replace
from typing import Final

from rules.kernel.component_sets import HASH_MARK
from rules.kernel.position import (
    RECORDED_DRAWS,
    PositionLine,
    SectionValues,
    column,
    optional,
    seat_words,
    section,
)
from rules.kernel.position_sections import LineSection
from rules.kernel.setup import Setup
from rules.zhanguo import position_board as board
from rules.zhanguo import position_terms as terms
from rules.zhanguo import start
from rules.zhanguo.agenda import AGENDA
from rules.zhanguo.invariants import Area, faults
from rules.zhanguo.names import CARD
from rules.zhanguo.position_players import PLAYER
from rules.zhanguo.rulebook import ZHANGUO_1
from rules.zhanguo.rulings import OPTIONS, TABLE
from rules.zhanguo.state import State, Table

ROUND: Final = section("table round", terms.TABLE_AND_ROUND, title="the table and the round")
ORDER: Final = section("track column", terms.ORDER, title="the turn order")
COURT: Final = section("court", CARD.several(","), title="the Court pile")
MAUSOLEUM: Final = section("mausoleum", board.MAUSOLEUM, title="the Mausoleum")
WALLS: Final = section("walls", board.WALLS, title="the walls")
EMPERORS: Final = section("emperors", board.EMPERORS, title="the Emperor tiles")
MAP: Final = section("regions", board.MAP, title="the map")
MASTERS: Final = section("masters", CARD.several("", canonical=True, distinct=True), title="the Masters")
PLAYERS: Final = column("players", PLAYER)
TURN: Final = section("agenda", terms.TURN, title="the turn")
STARTS: Final = optional("start", terms.STARTS, field="starts")
ACTIONS: Final = optional("actions", terms.ACTIONS)
KEPT: Final = optional("kept", terms.KEPT)
DECK: Final = optional("deck", terms.DECK)

_WHERE: Final[dict[Area, LineSection[Table]]] = {
    Area.ROUND: ROUND,
    Area.ORDER: ORDER,
    Area.COURT: COURT,
    Area.MAUSOLEUM: MAUSOLEUM,
    Area.WALLS: WALLS,
    Area.EMPERORS: EMPERORS,
    Area.MAP: MAP,
    Area.MASTERS: MASTERS,
    Area.TURN: TURN,
    Area.STARTS: STARTS,
    Area.ACTIONS: ACTIONS,
    Area.KEPT: KEPT,
    Area.DECK: DECK,
}
"""The word of what an invariant is about; those of the seats are found by their place."""


def _setup(state: State) -> Setup:
    """The setup of the match with the name of its component set alone; the table has a word of its own."""
    whole = start.setup(state)
    return replace(
        whole,
        components=whole.components.partition(HASH_MARK)[0],
        options=tuple(option for option in whole.options if option[0] != TABLE),
    )


def _made(values: SectionValues[Table]) -> State:
    table, number = values[ROUND]
    track, cells = values[ORDER]
    state = State(
        table=table,
        round=number,
        track=track,
        column=cells,
        court=values[COURT],
        mausoleum=values[MAUSOLEUM],
        walls=values[WALLS],
        emperors=values[EMPERORS],
        regions=values[MAP],
        masters=values[MASTERS],
        players=values[PLAYERS],
        starts=values[STARTS],
        actions=values[ACTIONS],
        kept=values[KEPT],
        deck=values[DECK],
        agenda=values[TURN],
    )
    for fault in faults(state):
        where = _WHERE.get(fault.area, PLAYERS)
        raise values.fault(where if where in values else TURN, fault.why, fault.seat)
    following = AGENDA.due(state)
    if following:
        why = f"here something happens before anybody acts: {type(following[0]).__name__}"
        raise values.fault(TURN, why)
    return state


_LINE: Final = PositionLine(
    State,
    ROUND,
    ORDER,
    COURT,
    MAUSOLEUM,
    WALLS,
    EMPERORS,
    MAP,
    MASTERS,
    seat_words(
        ":",
        PLAYERS,
        shape="NAME:VP:BOAT:LOCKED.ENTRANCE:TOKENS:HAND:ASIDE:BOARD",
        until=r"[^/]*$",
        example="play:1",
    ),
    TURN,
    STARTS,
    RECORDED_DRAWS,
    ACTIONS,
    KEPT,
    DECK,
    setup=_setup,
    lay_out=start.lay_out,
    edition=ZHANGUO_1,
    options=[option for option in OPTIONS if option.name != TABLE],
    build=_made,
)


def write_position(state: State) -> str:
    """The position as one line."""
    return _LINE.write(state.table, state)


read_position: Final = _LINE.read
