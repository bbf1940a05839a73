"""The dike as a whole game: tasks, text, positions, pictures, outcomes."""

from typing import Final

from rules.kernel.agenda import Agenda, by_task
from rules.kernel.assembly import fold_of, game_of
from rules.kernel.chance import no_chance
from rules.kernel.composite import record
from rules.kernel.display import EventText, Highlights
from rules.kernel.edition import Edition, find_edition
from rules.kernel.game import About, Game, Outcome, Score, all_won, nobody_won, who_won
from rules.kernel.language import Language
from rules.kernel.nouns import Seats, number
from rules.kernel.panels import Owner, Panel, PanelToken, SeatTable, Space, Track
from rules.kernel.pending import Tasks
from rules.kernel.phrases import fact, phrase
from rules.kernel.plan import emblem
from rules.kernel.plugin import Plugin
from rules.kernel.position import PositionLine, by_seat, keyed
from rules.kernel.rule import Breach, Check, Rule, RuleId, Violation
from rules.kernel.seat_colours import SeatColours
from rules.kernel.setup import BadSetup, ComponentSet, GameKey, Setup, require_valid_seats
from rules.kernel.statements import Statements
from rules.kernel.svg import element
from rules.kernel.tasks import TaskCase, automatic, task
from rules.kernel.views import Views
from tests.rules.kit.dike import values as v

COMPONENTS: Final = ComponentSet("dike-0", "cards", "made up", verified=False, notes=(), data="")
EDITIONS: Final = (
    Edition(v.TOGETHER_1, "The dike, together", ()),
    Edition(v.DIKE_1, "The dike", ()),
)
SEAT_COUNTS: Final = {v.DIKE_1: range(1, 5), v.TOGETHER_1: range(2, 5)}


def _rule(key: str, title: str) -> Rule:
    return Rule(RuleId(f"DIKE-{key}"), title, "", title)


TURN: Final = _rule("TURN-1", "seats act in turn")
BUILD: Final = _rule("BUILD-1", "the dike is no higher than six")
RIVER: Final = _rule("RIVER-1", "the river rises after every round")


# Tasks.


def _too_high(case: TaskCase[v.State, v.Act, v.Build]) -> Breach | None:
    return Breach("the dike is as high as it gets") if case.state.dike == v.HIGHEST else None


ACT: Final = (
    task(v.State, v.Act, TURN, lambda _, due: (due.seat,))
    .takes(
        v.Build,
        (Check(BUILD, _too_high),),
        each=lambda _, __: (v.Build(),),
        then=lambda case: (v.StoneLaid(case.task.seat),),
    )
    .takes(v.Fish, each=lambda _, __: (v.Fish(),), then=lambda case: (v.FishCaught(case.task.seat),))
)
RISE: Final = automatic(v.State, v.Rise, RIVER, lambda state, _: (v.RiverRose(state.table.rise),))


def awaited(state: v.State) -> str:
    """Whose turn it is, or who won."""
    names, ended = state.table.setup.seats, outcome(state)
    if ended is not None:
        return f"over ({ended.reason}): {who_won(ended, names)}"
    due = state.agenda[0]
    return f"{names[due.seat]} acts" if isinstance(due, v.Act) else "the river rises"


VIEWS: Final[Views[v.State, v.Move, v.Event]] = Views(v.State)

AGENDA: Final[Agenda[v.State, v.Task, v.Move, v.Event]] = Agenda(
    v.Task,
    ACT,
    RISE,
    pending=lambda state: state.agenda,
    fold=fold_of(v.evolve),
    public=VIEWS.public,
    out_of_turn=lambda state, _: Violation(TURN, awaited(state)),
    not_now=by_task(awaited),
)


# Text.

SEAT: Final = Seats[v.Table](lambda table: table.setup.seats)
COUNT: Final = number("count", 99)
STATED_TASKS: Final[Statements[v.Table, v.Task]] = Statements(
    v.Task, phrase("act", v.Act, SEAT), phrase("rise", v.Rise)
)
TASKS: Final = Tasks(STATED_TASKS)
MOVES: Final[Statements[v.Table, v.Move]] = Statements(
    v.Move, phrase("build", v.Build), phrase("fish", v.Fish)
)
EVENTS: Final[Statements[v.Table, v.Event]] = Statements(
    v.Event, fact(v.StoneLaid, SEAT), fact(v.FishCaught, SEAT), fact(v.RiverRose, COUNT)
)
TEXT: Final = Language(MOVES, lambda table: table.setup.seats, lambda table: table.setup.seats)


def lay_out(setup: Setup) -> v.Table:
    if setup.components != COMPONENTS.name:
        raise BadSetup("components", f"no set is called {setup.components!r}")
    edition = find_edition("The dike", EDITIONS, setup.edition)
    reserved = TEXT.reserved | POSITION.reserved | {v.RIVER}
    require_valid_seats("The dike", setup.seats, SEAT_COUNTS[edition], reserved=reserved)
    return v.Table(setup)


def problems(state: v.State) -> tuple[str, ...]:
    laid = sum(player.stones for player in state.players)
    over = bool(state.agenda) and state.flooded
    faults = [
        (state.dike != v.HEIGHT + laid, "the dike has stones that nobody laid"),
        (state.dike > v.HIGHEST, "the dike is too high"),
        (over, "the match goes on after a flood"),
    ]
    return tuple(why for wrong, why in faults if wrong)


PLAYER: Final = record("player", v.Player, COUNT, COUNT, joined="/")
POSITION: Final = PositionLine(
    v.State,
    keyed("dike", COUNT),
    keyed("river", COUNT),
    by_seat("players", PLAYER),
    keyed("then", TASKS, field="agenda"),
    setup=lambda state: state.table.setup,
    lay_out=lay_out,
    edition=v.DIKE_1,
    options=v.OPTIONS,
    fault=lambda state: next(iter(problems(state)), None),
)


# Pictures and words.

COLOURS: Final = tuple(SeatColours(fill, "#ffffff") for fill in ("#1c8048", "#c62f2f", "#2a62b8", "#6b3fa0"))


def panels(state: v.State, _: Highlights[v.Move]) -> tuple[Panel, ...]:
    levels = (Space("dike", (PanelToken(str(state.dike)),)), Space("river", (PanelToken(str(state.river)),)))
    return (Track("Levels", levels),)


def seat_table(state: v.State) -> SeatTable:
    rows = [
        Owner(name, emblem(seat, COLOURS[seat]), (str(player.fish), str(player.stones)))
        for seat, name, player in zip(state.table.seats, state.table.setup.seats, state.players, strict=True)
    ]
    river = Owner(v.RIVER, element("circle", r=12), (str(state.river), "-"), is_seat=False)
    return SeatTable("Seats", ("fish", "stones"), (*rows, river))


def describe(_: v.State, event: v.Event) -> EventText:
    return EventText(type(event).__name__, (RIVER if isinstance(event, v.RiverRose) else TURN,))


def scores(state: v.State) -> tuple[Score, ...]:
    by_seat = [
        Score(seat, player.fish + player.stones, (("fish", player.fish), ("stones", player.stones)))
        for seat, player in zip(state.table.seats, state.players, strict=True)
    ]
    return (*by_seat, Score(v.RIVER, state.river))


def outcome(state: v.State) -> Outcome | None:
    """The most fish win if the dike holds; where all play together, or one alone, the dike is all."""
    if state.agenda:
        return None
    seats, counted = state.table.seats, scores(state)
    if state.flooded:
        return nobody_won(seats, "flood", counted)
    if state.table.setup.edition == v.TOGETHER_1:
        return all_won(seats, "dry", counted)
    fish = [player.fish for player in state.players]
    ranking = tuple(
        tuple(seat for seat in seats if fish[seat] == most) for most in sorted(set(fish), reverse=True)
    )
    return Outcome(ranking[0], ranking, "dry", scores=counted)


DIKE: Final[Game[v.State, v.Move, v.Event]] = game_of(
    About(
        key=GameKey("dike"),
        title="The dike",
        author="",
        editions=EDITIONS,
        rules=(TURN, BUILD, RIVER),
        rulings=(v.LEVEL,),
        components=(COMPONENTS,),
        options=v.OPTIONS,
    ),
    max_entries=5 * 4,
    table=lambda state: state.table,
    setup=lambda table: table.setup,
    start=lambda setup: v.start(lay_out(setup)),
    evolve=v.evolve,
    agenda=AGENDA,
    views=VIEWS,
    text=TEXT,
    position=POSITION,
    problems=problems,
    outcome=outcome,
    chance=no_chance(),
    panels=panels,
    seats=seat_table,
    turn=awaited,
    describe=describe,
    has_secrets=lambda _: False,
)
PLUGIN: Final = Plugin(
    DIKE, v.State, lambda state: state.table, MOVES, EVENTS, same_names=lambda table: table.setup.seats
)
