"""The Game value of Khan."""

from typing import Final

from rules.kernel.game import About, Game, Notation
from rules.kernel.perft import perft_of
from rules.kernel.setup import RECORDED, GameKey
from rules.khan import evolve, panels, rulebook, start
from rules.khan.agenda import AGENDA
from rules.khan.chance import CHANCE
from rules.khan.component_checks import check_file
from rules.khan.components import SETS
from rules.khan.events import Event
from rules.khan.invariants import problems
from rules.khan.moves import Move
from rules.khan.notation import read_move, write_move
from rules.khan.outcome import outcome
from rules.khan.parts import board_info
from rules.khan.position import POSITION
from rules.khan.rulings import RULINGS
from rules.khan.state import State
from rules.khan.view import VIEWS
from rules.khan.words import caution

MAX_ENTRIES: Final = 20_000
"""As many as a record holds, far more than play needs: 37 turns with every card turned twice, 160 turns of
the final phase, and proposals that are refused, no two alike in a turn (AMB-5)."""

KHAN: Final[Game[State, Move, Event]] = Game(
    about=About(
        key=GameKey("khan"),
        title="Khan",
        author="Christwart Conrad, 2010",
        editions=rulebook.EDITIONS,
        rules=rulebook.RULES,
        rulings=RULINGS,
        components=SETS,
    ),
    max_entries=MAX_ENTRIES,
    start=start.start,
    setup=start.setup,
    decide=AGENDA.decide,
    evolve=evolve.evolve,
    fold=evolve.fold,
    legal_moves=AGENDA.legal_moves,
    awaiting=AGENDA.awaiting,
    outcome=outcome,
    problems=problems,
    view=VIEWS.state,
    seen_move=VIEWS.move,
    seen_events=VIEWS.events,
    has_secrets=lambda state: state.table.draws is RECORDED,
    chance=CHANCE,
    notation=Notation(write_move, read_move, lambda state: POSITION.write(state.table, state), POSITION.read),
    draw=panels.draw,
    display=panels.DISPLAY,
    perft=perft_of(AGENDA.awaiting, AGENDA.legal_moves, AGENDA.decide, evolve.fold, write_move),
    board_info=board_info,
    caution=caution,
    check_components=check_file,
    secrets=VIEWS.secrets,
    play=AGENDA.play,
)
