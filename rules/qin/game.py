"""The Game value of Qin."""

from typing import Final

from rules.kernel.game import About, Game, Notation
from rules.kernel.setup import GameKey
from rules.qin import rulebook
from rules.qin.board_info import board_info
from rules.qin.chance import CHANCE
from rules.qin.completions import other_outcomes
from rules.qin.components import BOARDS
from rules.qin.decide import decide, play
from rules.qin.display import DISPLAY
from rules.qin.events import Event
from rules.qin.evolve import evolve, fold
from rules.qin.invariants import problems, tolerates
from rules.qin.legal import awaiting, legal_moves
from rules.qin.moves import Move
from rules.qin.notation import depends_on_turn, read_move, write_move
from rules.qin.outcome import outcome
from rules.qin.perft import PERFT
from rules.qin.position import write_position
from rules.qin.position_reader import read_position
from rules.qin.render import draw
from rules.qin.rulings import RULINGS
from rules.qin.series import series
from rules.qin.start import setup, start
from rules.qin.state import MOST_SEATS, State
from rules.qin.tiles import TILES
from rules.qin.view import SECRETS, has_secrets, seen_events, seen_move, view

QIN: Final[Game[State, Move, Event]] = Game(
    about=About(
        key=GameKey("qin"),
        title="Qin",
        author="Reiner Knizia, 2012",
        editions=rulebook.EDITIONS,
        rules=rulebook.RULES,
        rulings=RULINGS,
        components=BOARDS,
    ),
    # Deals, then at most 72 placements with a draw each, a full round of passes before each, and an end.
    max_entries=MOST_SEATS + TILES * (2 + MOST_SEATS) + MOST_SEATS + 1,
    start=start,
    setup=setup,
    decide=decide,
    evolve=evolve,
    fold=fold,
    legal_moves=legal_moves,
    awaiting=awaiting,
    outcome=outcome,
    problems=problems,
    view=view,
    seen_move=seen_move,
    seen_events=seen_events,
    has_secrets=has_secrets,
    chance=CHANCE,
    notation=Notation(write_move, read_move, write_position, read_position, depends_on_turn, tolerates),
    draw=draw,
    display=DISPLAY,
    perft=PERFT,
    board_info=board_info,
    series=series,
    secrets=SECRETS,
    other_outcomes=other_outcomes,
    play=play,
)
