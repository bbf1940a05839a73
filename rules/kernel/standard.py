"""A whole game from what its author states, where the usual answers to everything else will do.

Its table is the setup of the match, in the field `table` of the state. Events are described by their parts,
seats by what the position line says of each.
"""

from collections.abc import Callable, Collection, Sequence
from operator import attrgetter
from typing import Final, Never, TypeVar

from msgspec import Struct
from typing_extensions import TypeForm

from rules.kernel.actors import Actor, Office, Seat
from rules.kernel.agenda import Agenda, by_task, due_now
from rules.kernel.assembly import fold_of, game_of, sound
from rules.kernel.chance import Chance, Take, any_order
from rules.kernel.display import EventText, Highlights
from rules.kernel.edition import (
    Edition,
    EditionKey,
    Reading,
    Ruling,
    chosen,
    chosen_options,
    find_edition,
)
from rules.kernel.forms import Names
from rules.kernel.game import About, Outcome, Score, who_won
from rules.kernel.hands import all_known
from rules.kernel.language import Language
from rules.kernel.nouns import Seats
from rules.kernel.panels import Owner, Panel, SeatTable
from rules.kernel.plan import emblem
from rules.kernel.plugin import OwnLaw, Plugin
from rules.kernel.position import PositionLine
from rules.kernel.position_sections import LineSection, SeatWords, seat_words
from rules.kernel.rule import Rule, RuleId, Violation
from rules.kernel.seat_colours import SeatColours
from rules.kernel.setup import BadSetup, ComponentSet, GameKey, Setup, require_valid_seats
from rules.kernel.statements import Misstated, Statements
from rules.kernel.tasks import AnyTask, TaskKind, task
from rules.kernel.text import quoted
from rules.kernel.views import Views

State = TypeVar("State", bound=Struct)
Task = TypeVar("Task")
Move = TypeVar("Move", bound=Struct)
Event = TypeVar("Event", bound=Struct)
Thing = TypeVar("Thing", bound=int)

SEAT: Final[Seats[Setup]] = Seats(lambda setup: setup.seats)
"""A seat, where the table is the setup."""

COLOURS: Final = tuple(
    SeatColours(fill, "#ffffff")
    for fill in ("#1c8048", "#c62f2f", "#2a62b8", "#6b3fa0", "#8a5a00", "#00747a", "#9c2c77", "#4a4a4a")
)
"""By seat; shapes and numbers tell seats apart as well."""


def seats_of(setup: Setup) -> tuple[Seat, ...]:
    """The seats of a match, in turn order."""
    return tuple(Seat(at) for at in range(len(setup.seats)))


def by_points(points: Sequence[int], reason: str) -> Outcome:
    """The outcome where the most points win, and seats with equally many share their place."""
    ranking = tuple(
        tuple(Seat(seat) for seat, mine in enumerate(points) if mine == level)
        for level in sorted(set(points), reverse=True)
    )
    scores = tuple(Score(Seat(seat), mine) for seat, mine in enumerate(points))
    return Outcome(ranking[0], ranking, reason, scores=scores)


class Rulebook:
    """Makes the rules and the rulings of one rulebook."""

    def __init__(self, prefix: str, source: str) -> None:
        self._prefix: Final = prefix
        self._source: Final = source

    def rule(self, key: str, text: str, unchecked: str = "") -> Rule:
        """The rule PREFIX-KEY; `unchecked` says why no move can break it, if none can."""
        return Rule(RuleId(f"{self._prefix}-{key}"), text, self._source, f"{text}.", unchecked)

    def ruling(self, name: str, ambiguity: str, question: str, why: str, **readings: str) -> Ruling:
        """An open question with its answers by value, the default first, and why that is the default."""
        answers = tuple(Reading(value, text) for value, text in readings.items())
        return Ruling(name, ambiguity, question, answers, why)

    def first_edition(self, key: str, title: str, author: str, components: str, *of: Rule | Ruling) -> About:
        """A game with the edition KEY/1 and one component set, and all its rules and rulings."""
        return About(
            GameKey(key),
            title,
            author,
            editions=(Edition(EditionKey(f"{key}/1"), title, (self._source,)),),
            rules=tuple(each for each in of if isinstance(each, Rule)),
            rulings=tuple(each for each in of if isinstance(each, Ruling)),
            components=(ComponentSet(components, "cards", self._source, verified=True, notes=(), data=""),),
        )


def of_seats(then: str, *columns: LineSection[Setup]) -> SeatWords[Setup]:
    """A section with a word for each seat, NAME:COLUMN:COLUMN, before the one that is keyed `then`."""
    shape = ":".join(("NAME", *(one.field.upper() for one in columns)))
    return seat_words(":", *columns, shape=shape, until=f"{then}=", example=f"{then}=…")


def single_draws(
    decks: tuple[str, ...],
    names: Names[Thing],
    kind: type[Task],
    taken: Callable[[State, Task], tuple[str, int]],
    make: Callable[[Thing], Move],
) -> Chance[State, Move]:
    """Chance that draws one thing at a time, from decks with each of the names once that are shuffled once.

    kind   the task that a draw answers; the state has what is pending in `agenda`
    taken  the deck that a task draws from, and how many were drawn from it before
    make   the move that draws a thing
    """

    def due(state: State) -> tuple[Take, ...]:
        top = due_now(attrgetter("agenda")(state), kind)
        return () if top is None else (Take(taken(state, top)[0], 0, taken(state, top)[1]),)

    return Chance(
        decks, due, lambda _, __: names.names, any_order, lambda _, drawn: make(names.number_of[drawn[0]])
    )


def simultaneous(
    _: type[State],
    kind: type[Task],
    rule: Rule,
    answers: Callable[[State], tuple[tuple[Thing | None, ...], ...]],
    reveal: Callable[[tuple[Thing, ...]], Event],
) -> TaskKind[State, Task, Never, Event]:
    """A question that all seats answer at once and in secret; add the move that answers it with `takes`.

    answers  by seat: nothing yet, or one thing, which is None for those who may not know it
    reveal   the event of all answers, by seat
    """

    def awaited(state: State, __: Task) -> tuple[Actor, ...]:
        return tuple(Seat(seat) for seat, answer in enumerate(answers(state)) if not answer)

    def revealed(state: State, __: Task) -> tuple[Event, ...]:
        known = all_known(answers(state))
        return () if known is None else (reveal(known),)

    return task(_, kind, rule, awaited, happens=revealed, sealed=True)


def standard_game(  # noqa: PLR0913 - all of them are what a game is
    about: About,
    state: type[State],
    union: TypeForm[Task],
    *kinds: AnyTask[State, Move, Event],
    seats: Collection[int],
    max_entries: int,
    moves: Statements[Setup, Move],
    events: Statements[Setup, Event],
    sections: Sequence[LineSection[Setup] | SeatWords[Setup]],
    views: Views[State, Move, Event],
    start: Callable[[Setup], State],
    evolve: Callable[[State, Event], State],
    problems: Callable[[State], tuple[str, ...]],
    outcome: Callable[[State], Outcome | None],
    chance: Chance[State, Move],
    panels: Callable[[State, Highlights[Move]], tuple[Panel, ...]],
    rule_of: Callable[[Event], Rule] | None = None,
    laws: tuple[OwnLaw[State, Move, Event], ...] = (),
) -> Plugin[State, Setup, Move, Event]:
    """The game, ready to be registered; the state has its setup in `table` and what is pending in `agenda`.

    Who is not awaited breaks the rule of the task that is due, and after the end the first rule.

    union     the classes of tasks, and after it a kind for each
    seats     numbers of seats that a match may have
    sections  of the position line; one of them has a word for each seat
    rule_of   the rule that an event follows from, for people
    """
    for field in ("table", "agenda"):
        if field not in state.__struct_fields__:
            raise Misstated(f"{state.__name__} has no field {field}")
    table: Callable[[State], Setup] = attrgetter("table")
    pending: Callable[[State], tuple[Task, ...]] = attrgetter("agenda")
    text = Language(moves, lambda setup: setup.seats, lambda setup: setup.seats)

    def describe_turn(current: State) -> str:
        won, names = outcome(current), table(current).seats
        if won is not None:
            return f"the match is over: {who_won(won, names)}"
        due = pending(current)[:1]
        awaited = [
            actor.value if isinstance(actor, Office) else names[actor] for actor in agenda.awaiting(current)
        ]
        return f"{', '.join(awaited)}: {', '.join(_spaced(type(task).__name__) for task in due)}"

    def rule_of_turn(current: State) -> Rule:
        top = agenda.top(current)
        return about.rules[0] if top is None else top[0].rule

    agenda: Agenda[State, Task, Move, Event] = Agenda(
        union,
        *kinds,
        pending=pending,
        fold=fold_of(evolve),
        public=views.public,
        out_of_turn=lambda current, _: Violation(rule_of_turn(current), describe_turn(current)),
        not_now=by_task(describe_turn),
    )

    def lay_out(setup: Setup) -> Setup:
        find_edition(about.title, about.editions, setup.edition)
        chosen(about.rulings, setup.rulings)
        chosen_options(about.options, setup.options)
        if setup.components not in {known.name for known in about.components}:
            why = f"no set of {about.title} is called {quoted(setup.components)}"
            raise BadSetup("components", why)
        reserved = text.reserved | position.reserved
        require_valid_seats(about.title, setup.seats, seats, reserved=reserved)
        return setup

    position: PositionLine[State, Setup] = PositionLine(
        state,
        *sections,
        setup=table,
        lay_out=lay_out,
        edition=about.editions[-1].key,
        fault=sound(agenda, problems),
    )
    game = game_of(
        about,
        max_entries=max_entries,
        table=table,
        setup=lambda setup: setup,
        start=lambda setup: start(lay_out(setup)),
        evolve=evolve,
        agenda=agenda,
        views=views,
        text=text,
        position=position,
        problems=problems,
        outcome=outcome,
        chance=chance,
        panels=panels,
        seats=lambda current: _seat_table(sections, table(current), current),
        turn=describe_turn,
        describe=lambda current, event: EventText(
            _event_words(events, table(current), event), () if rule_of is None else (rule_of(event),)
        ),
    )
    return Plugin(game, state, table, moves, events, same_names=lambda setup: setup.seats, laws=laws)


def _spaced(name: str) -> str:
    """'CardDrawn' as 'card drawn'."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip()


def _event_words(events: Statements[Setup, Event], setup: Setup, event: Event) -> str:
    """'card drawn: green 7'."""
    one = events.of[type(event)]
    parts = [term.write(setup, part) for term, part in zip(one.terms, one.parts(event), strict=True)]
    return ": ".join(filter(None, (_spaced(type(event).__name__), " ".join(filter(None, parts)))))


def _seat_table(
    sections: Sequence[LineSection[Setup] | SeatWords[Setup]], setup: Setup, state: Struct
) -> SeatTable:
    """A row for each seat with what the position line says of it."""
    columns = [column for one in sections if isinstance(one, SeatWords) for column in one.columns]
    rows = []
    for seat, name in zip(seats_of(setup), setup.seats, strict=True):
        values = [column.term.write(setup, getattr(state, column.field)[seat]) for column in columns]
        rows.append(Owner(name, emblem(seat, COLOURS[seat]), tuple(values)))
    return SeatTable("Seats", tuple(column.field for column in columns), tuple(rows))
