"""A whole game, put together from what its author states with the kit."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from msgspec import Struct

from rules.kernel.agenda import Agenda
from rules.kernel.chance import Chance
from rules.kernel.display import BoardInfo, EventText, Highlights, no_places, no_words
from rules.kernel.game import About, Game, Outcome
from rules.kernel.language import Language
from rules.kernel.notations import notation
from rules.kernel.panel_display import draw_panels, panel_display
from rules.kernel.panels import Panel, SeatTable
from rules.kernel.perft import perft_of
from rules.kernel.position import PositionLine
from rules.kernel.setup import BadSetup, ComponentReport, Setup
from rules.kernel.text import quoted
from rules.kernel.views import Views

State = TypeVar("State", bound=Struct)
Table = TypeVar("Table")
Task = TypeVar("Task")
Move = TypeVar("Move", bound=Struct)
Event = TypeVar("Event", bound=Struct)
Seen = TypeVar("Seen")
Fact = TypeVar("Fact")
Asked = TypeVar("Asked")
Due = TypeVar("Due")


class ImpossibleEvents(ValueError):
    """Events that no match can have."""


def fold_of(evolve: Callable[[Seen, Fact], Seen]) -> Callable[[Seen, Iterable[Fact]], Seen]:
    """Applies events one after the other, and asks nothing of the state that they lead to."""

    def fold(state: Seen, events: Iterable[Fact]) -> Seen:
        for event in events:
            state = evolve(state, event)
        return state

    return fold


def sound(
    agenda: Agenda[Seen, Due, Asked, Fact], problems: Callable[[Seen], tuple[str, ...]]
) -> Callable[[Seen], str | None]:
    """What is wrong with a state that was read or forged: an invariant is broken, or something is due."""

    def fault(state: Seen) -> str | None:
        for problem in problems(state):
            return problem
        due = agenda.due(state)
        return f"here something happens before anybody acts: {type(due[0]).__name__}" if due else None

    return fault


def checked(
    fold: Callable[[Seen, Iterable[Fact]], Seen], fault: Callable[[Seen], str | None]
) -> Callable[[Seen, Iterable[Fact]], Seen]:
    """Applies the events of an entry; raises ImpossibleEvents for those that lead to no sound state.

    Events may be forged: whatever an event runs into, and whatever a question about the state runs into that
    it leads to, means that no match has it.
    """

    def fold_checked(state: Seen, events: Iterable[Fact]) -> Seen:
        try:
            after = fold(state, events)
            why = fault(after)
        except (LookupError, ValueError, TypeError, AttributeError, ArithmeticError, RuntimeError) as broken:
            raise ImpossibleEvents(f"{type(broken).__name__}: {broken}") from broken
        if why is not None:
            raise ImpossibleEvents(why)
        return after

    return fold_checked


def game_of(  # noqa: PLR0913 - a game has all of these; most of the last have defaults
    about: About,
    *,
    max_entries: int,
    table: Callable[[State], Table],
    setup: Callable[[Table], Setup],
    start: Callable[[Setup], State],
    evolve: Callable[[State, Event], State],
    agenda: Agenda[State, Task, Move, Event],
    views: Views[State, Move, Event],
    text: Language[Table, Move],
    position: PositionLine[State, Table],
    problems: Callable[[State], tuple[str, ...]],
    outcome: Callable[[State], Outcome | None],
    chance: Chance[State, Move],
    panels: Callable[[State, Highlights[Move]], tuple[Panel, ...]],
    seats: Callable[[State], SeatTable],
    turn: Callable[[State], str],
    describe: Callable[[State, Event], EventText],
    touches: Callable[[State, Move], tuple[str, ...]] = no_places,
    explain: Callable[[State, Move], str] = no_words,
    has_secrets: Callable[[State], bool] = lambda _: True,
    caution: Callable[[State], str] = lambda _: "",
    check_components: Callable[[str], ComponentReport] | None = None,
) -> Game[State, Move, Event]:
    """The game: everything else follows.

    max_entries  maximum number of entries of a match
    table        what never changes in a match, with its setup
    start        the state before anything has happened; what is due then happens of itself
    problems     every invariant that is broken, in words; a forged state with one is refused
    turn         whose turn it is and what is asked, or who won
    describe     an event in words, with the rules that caused it
    touches      the places that a move is about, by the names that panels have
    explain      the names of the cards that a move chooses and what they do
    """
    fold = fold_of(evolve)

    def start_settled(given: Setup) -> State:
        state = start(given)
        return fold(state, agenda.settled(state, ()))

    def board_info(components: str) -> BoardInfo:
        known = {each.name: each for each in about.components}
        if components not in known:
            raise BadSetup("components", f"no set of {about.title} is called {quoted(components)}")
        return BoardInfo(components, known[components].kind, (), "", "")

    texts = notation(table, text, position)
    fold_checked = checked(fold, sound(agenda, problems))
    return Game(
        about=about,
        max_entries=max_entries,
        start=start_settled,
        setup=lambda state: setup(table(state)),
        decide=agenda.decide,
        evolve=evolve,
        fold=fold_checked,
        legal_moves=agenda.legal_moves,
        awaiting=agenda.awaiting,
        outcome=outcome,
        problems=problems,
        view=views.state,
        seen_move=views.move,
        seen_events=views.events,
        has_secrets=has_secrets,
        chance=chance,
        notation=texts,
        draw=draw_panels(panels, seats, turn),
        display=panel_display(panels, seats, turn, describe, touches=touches, explain=explain),
        perft=perft_of(agenda.awaiting, agenda.legal_moves, agenda.decide, fold, texts.write_move),
        secrets=views.secrets,
        board_info=board_info,
        caution=caution,
        check_components=check_components,
        choices=agenda.choices,
        play=agenda.play,
    )
