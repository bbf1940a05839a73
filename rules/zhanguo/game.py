"""The Game value of Zhanguo."""

from typing import Final

from rules.kernel.assembly import checked
from rules.kernel.display import BoardInfo
from rules.kernel.game import About, Game, Notation
from rules.kernel.perft import perft_of
from rules.kernel.setup import GameKey
from rules.zhanguo import rulebook
from rules.zhanguo.agenda import AGENDA
from rules.zhanguo.chance import CHANCE
from rules.zhanguo.component_checks import check_file
from rules.zhanguo.components import SETS
from rules.zhanguo.events import Event
from rules.zhanguo.evolve import evolve, fold
from rules.zhanguo.invariants import order_problems, problems
from rules.zhanguo.invariants_flow import frame_problems
from rules.zhanguo.moves import Move
from rules.zhanguo.notation import read_move, write_move
from rules.zhanguo.outcome import outcome
from rules.zhanguo.panels import DISPLAY, draw
from rules.zhanguo.position import read_position, write_position
from rules.zhanguo.printed import find_printed
from rules.zhanguo.rulings import OPTIONS, RULINGS
from rules.zhanguo.start import setup, start
from rules.zhanguo.state import State
from rules.zhanguo.view import VIEWS, has_secrets
from rules.zhanguo.words import caution

MAX_ENTRIES: Final = 11_000
"""Entries of a match with the most choices in every turn (ZHG-LST)."""


def board_info(text: str) -> BoardInfo:
    """The set that a match header names or gives; raises BadSetup."""
    printed = find_printed(text, 4)
    return BoardInfo(
        name=printed.name,
        size=f"5 regions, 6 wall sections, 9 Mausoleum spots, a route of {printed.route.end} spaces",
        counts=(("regions", 5), ("sections", 6), ("spots", 9), ("spaces", printed.route.end)),
        map="",
        key="",
    )


def _fault(state: State) -> str | None:
    """Why no match has the state that some events led to; what they cannot change, they refuse themselves."""
    for problem in (*order_problems(state), *frame_problems(state)):
        return problem
    due = AGENDA.due(state)
    return f"here something happens before anybody acts: {type(due[0]).__name__}" if due else None


ZHANGUO: Final[Game[State, Move, Event]] = Game(
    about=About(
        key=GameKey("zhanguo"),
        title="Zhanguo: The First Empire",
        author="Marco Canetta and Stefania Niccolini, 2023",
        editions=rulebook.EDITIONS,
        rules=rulebook.RULES,
        rulings=RULINGS,
        components=SETS,
        options=OPTIONS,
    ),
    max_entries=MAX_ENTRIES,
    start=start,
    setup=setup,
    decide=AGENDA.decide,
    evolve=evolve,
    fold=checked(fold, _fault),
    legal_moves=AGENDA.legal_moves,
    awaiting=AGENDA.awaiting,
    outcome=outcome,
    problems=problems,
    view=VIEWS.state,
    seen_move=VIEWS.move,
    seen_events=VIEWS.events,
    has_secrets=has_secrets,
    chance=CHANCE,
    notation=Notation(write_move, read_move, write_position, read_position),
    draw=draw,
    display=DISPLAY,
    perft=perft_of(AGENDA.awaiting, AGENDA.legal_moves, AGENDA.decide, fold, write_move),
    board_info=board_info,
    caution=caution,
    check_components=check_file,
    secrets=VIEWS.secrets,
    play=AGENDA.play,
)
