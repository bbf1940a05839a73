"""The Game value of The Great Wall."""

from dataclasses import replace
from itertools import product
from typing import Final

from rules.great_wall import rulebook
from rules.great_wall.agenda import AGENDA
from rules.great_wall.board_info import board_info
from rules.great_wall.chance import CHANCE
from rules.great_wall.choice_words import explain
from rules.great_wall.component_checks import check_file
from rules.great_wall.components import SHIPPED
from rules.great_wall.events import Event, Lost
from rules.great_wall.evolve import evolve
from rules.great_wall.invariants import problems
from rules.great_wall.moves import Move
from rules.great_wall.notation import EVENTS, MOVES, TEXT
from rules.great_wall.options import OPTIONS
from rules.great_wall.panels import panels, seats, touches
from rules.great_wall.position import POSITION
from rules.great_wall.rulings import RULINGS
from rules.great_wall.scoring import outcome
from rules.great_wall.start import TITLE, laid_out, read_table, setup_of
from rules.great_wall.state import State
from rules.great_wall.table import Table
from rules.great_wall.view import VIEWS
from rules.great_wall.words import caution, describe, turn
from rules.kernel.assembly import game_of
from rules.kernel.game import About, Game
from rules.kernel.plugin import Plugin
from rules.kernel.setup import GameKey

MAX_ENTRIES: Final = 20_000
"""As many as a record holds; a match on the reference set has some hundred."""


def _other_outcomes(state: State, events: tuple[Event, ...]) -> tuple[tuple[Event, ...], ...]:
    """What an event costs depends on holdings, which a view may not show."""
    choices: list[tuple[Event | None, ...]] = []
    for event in events:
        if isinstance(event, Lost) and state.players[event.seat].resources is None:
            less = [Lost(event.seat, event.resource, n) for n in range(event.n - 1, 0, -1)]
            choices.append((event, *less, None))
        else:
            choices.append((event,))
    found = (tuple(event for event in chosen if event is not None) for chosen in product(*choices))
    return tuple(chosen for chosen in found if chosen != events)


GREAT_WALL: Final[Game[State, Move, Event]] = replace(
    game_of(
        About(
            key=GameKey("great-wall"),
            title=TITLE,
            author="Awaken Realms",
            editions=(rulebook.EDITIONS[1], rulebook.EDITIONS[0]),
            rules=rulebook.RULES,
            rulings=RULINGS,
            components=SHIPPED,
            options=OPTIONS,
        ),
        max_entries=MAX_ENTRIES,
        table=lambda state: state.table,
        setup=setup_of,
        start=lambda setup: laid_out(read_table(setup)),
        evolve=evolve,
        agenda=AGENDA,
        views=VIEWS,
        text=TEXT,
        position=POSITION,
        problems=problems,
        outcome=outcome,
        chance=CHANCE,
        panels=panels,
        seats=seats,
        turn=turn,
        describe=describe,
        touches=touches,
        explain=explain,
        caution=caution,
    ),
    board_info=board_info,
    check_components=check_file,
    other_outcomes=_other_outcomes,
)

PLUGIN: Final[Plugin[State, Table, Move, Event]] = Plugin(
    game=GREAT_WALL,
    state=State,
    table=lambda state: state.table,
    moves=MOVES,
    events=EVENTS,
    same_names=lambda table: (table.parts, table.names),
)
