"""The wall slice as a whole game: text, positions, pictures."""

from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.assembly import game_of, sound
from rules.kernel.chance import Chance, Take, any_order
from rules.kernel.composed import Constant, either
from rules.kernel.composite import record
from rules.kernel.display import EventText, Highlights
from rules.kernel.edition import Edition, EditionKey
from rules.kernel.game import About, Game, Outcome
from rules.kernel.language import Language
from rules.kernel.nouns import Choice, Flag, Named, Seats, number
from rules.kernel.panels import Market, Owner, Panel, PanelCard, PanelToken, SeatTable, Space, Track
from rules.kernel.pending import Tasks
from rules.kernel.phrases import fact, phrase
from rules.kernel.plan import emblem
from rules.kernel.plugin import Plugin
from rules.kernel.position import PositionLine, by_seat, keyed, section
from rules.kernel.seat_colours import SeatColours
from rules.kernel.setup import BadSetup, ComponentSet, GameKey, Setup, require_valid_seats
from rules.kernel.statements import Statements
from rules.kernel.svg import element
from tests.rules.kit.wall import tasks
from tests.rules.kit.wall import values as v
from tests.rules.kit.wall.tasks import AGENDA

EDITION: Final = EditionKey("wall/1")

SEAT: Final = Seats[v.Table](lambda table: table.setup.seats)
STRATEGY: Final = Named[v.Table, v.Strategy]("strategy", lambda _: v.STRATEGIES)
TACTIC: Final = Named[v.Table, v.Tactic]("tactic", lambda _: v.TACTICS)
SECTION: Final = Named[v.Table, v.Section]("section", lambda _: v.SECTIONS)
RESOURCE: Final = Choice("resource", tuple(v.Resource), [resource.value for resource in v.Resource])
PICKED: Final = either("strategy", STRATEGY, Constant("?", v.SEALED))
COUNT: Final = number("count", 99)

STATED_TASKS: Final[Statements[v.Table, v.Task]] = Statements(
    v.Task,
    phrase("deal", v.Deal, SEAT),
    phrase("pick", v.Pick),
    phrase("turn", v.Turn, SEAT),
    phrase("take", v.Take, SEAT, COUNT, Flag("played")),
    phrase("upgrade", v.UpgradeDue, SEAT),
    phrase("reed-builds", v.ReedBuilds, SEAT),
    phrase("reed", v.ReedTurn),
    phrase("yearend", v.YearEnd),
)
TASKS: Final = Tasks(STATED_TASKS)

MOVES: Final[Statements[v.Table, v.Move]] = Statements(
    v.Move,
    phrase("deal", v.DealTactic, TACTIC.or_unknown(), chance=True),
    phrase("pick", v.PickStrategy, PICKED),
    phrase("play", v.PlayTactic, TACTIC, Flag("boost", "boosted", "")),
    phrase("take", v.TakeResource, RESOURCE),
    phrase("upgrade", v.Upgrade),
    phrase("reed", v.MoveReed, SECTION),
    phrase("done", v.Done),
)

EVENTS: Final[Statements[v.Table, v.Event]] = Statements(
    v.Event,
    fact(v.TacticDrawn, SEAT, TACTIC.or_unknown()),
    fact(v.StrategyPicked, SEAT, PICKED),
    fact(v.StrategiesRevealed, STRATEGY.several()),
    fact(v.TasksDue, TASKS),
    fact(v.TacticPlayed, SEAT, TACTIC, Flag("boosted")),
    fact(v.ResourceTaken, SEAT, RESOURCE),
    fact(v.Upgraded, SEAT),
    fact(v.ReedBuilt, SECTION),
    fact(v.ReedScored, COUNT),
    fact(v.YearEnded),
)

TEXT: Final = Language(MOVES, lambda table: table.setup.seats, lambda table: table.setup.seats)


def lay_out(setup: Setup) -> v.Table:
    if setup.components != v.STRATEGIES.source:
        raise BadSetup("components", f"no set is called {setup.components!r}")
    reserved = TEXT.reserved | {"wall", "reed", "played", "track", "then"}
    require_valid_seats("Wall", setup.seats, (1, 2, 3), reserved=reserved)
    return v.Table(setup)


def problems(state: v.State) -> tuple[str, ...]:
    held = [tactic for player in state.players for tactic in player.tactics]
    seen = [*state.played, *held]
    totals = [total for player in state.players for total in (player.chi, player.wood) if total is not None]
    faults = [
        (any(seen.count(tactic) > v.COPIES for tactic in v.TACTICS.number_of.values()), "too many tactics"),
        (any(high > v.HIGHEST for high in state.wall) or len(state.wall) != 3, "the wall is no wall"),
        (any(total < 0 for total in totals), "something is owed"),
        (not _in_its_course(state), "what is pending is no part of a year"),
        (any(not _can_pick(state, player) for player in state.players), "a pick is none of the hand"),
    ]
    return tuple(why for wrong, why in faults if wrong)


def _in_its_course(state: v.State) -> bool:
    """A question may come before the rest of a year; strategies are revealed once they are picked."""
    rest, year = state.agenda, v.new_year(state.table)
    if not rest:
        return state.year == v.YEARS + 1 and not state.track
    if isinstance(rest[0], v.Take | v.UpgradeDue | v.ReedBuilds):
        rest = rest[1:]
    revealed = 0 if v.Pick() in rest else len(state.players)
    in_order = 0 < len(rest) <= len(year) and rest == year[-len(rest) :]
    return in_order and 1 <= state.year <= v.YEARS and len(state.track) == revealed


def _can_pick(state: v.State, player: v.Player) -> bool:
    left = len(v.STRATEGIES.names) - state.year + 1 - bool(state.track)
    is_asked = state.agenda[:1] == (v.Pick(),)
    picked = player.pick is None or (is_asked and player.pick in {*player.strategies, v.SEALED})
    return picked and len({*player.strategies}) == len(player.strategies) == left


PLAYER: Final = record(
    "player",
    v.Player,
    COUNT.or_unknown(),
    COUNT.or_unknown(),
    TACTIC.or_unknown().several(),
    STRATEGY.several(),
    COUNT,
    PICKED.or_word("-"),
    joined="/",
)

POSITION: Final = PositionLine(
    v.State,
    section("year", number("year", v.YEARS + 1)),
    keyed("wall", number("level", v.HIGHEST).several("/")),
    keyed("reed", COUNT),
    keyed("played", TACTIC.several()),
    keyed("track", STRATEGY.several()),
    by_seat("players", PLAYER),
    keyed("then", TASKS, field="agenda"),
    setup=lambda state: state.table.setup,
    lay_out=lay_out,
    edition=EDITION,
    fault=sound(AGENDA, problems),
)


# Pictures and words.

COLOURS: Final = (
    SeatColours("#1c8048", "#ffffff"),
    SeatColours("#c62f2f", "#ffffff"),
    SeatColours("#2a62b8", "#ffffff"),
)


def panels(state: v.State, marks: Highlights[v.Move]) -> tuple[Panel, ...]:
    wall = tuple(
        Space(name, (PanelToken(f"level {high}"),), pointed_out="!" if name in marks.places else "")
        for name, high in zip(v.SECTIONS.names, state.wall, strict=True)
    )
    track = tuple(
        PanelCard(v.STRATEGIES.names[strategy], (f"picked by {name}",))
        for strategy, name in zip(state.track, state.table.setup.seats, strict=False)
    )
    return (Track(f"Wall, year {state.year}", wall), Market("Strategies", track))


def seat_table(state: v.State) -> SeatTable:
    table = state.table
    rows = [
        Owner(
            table.setup.seats[seat],
            emblem(seat, COLOURS[seat]),
            (
                str(player.honour),
                COUNT.or_unknown().write(table, player.chi),
                TACTIC.or_unknown().several().write(table, player.tactics),
                PICKED.or_word("-").write(table, player.pick),
            ),
        )
        for seat, player in zip(table.seats, state.players, strict=True)
    ]
    reed = Owner("Reed", element("circle", r=12), (str(state.reed), "-", "-", "-"), is_seat=False)
    return SeatTable("Clans", ("honour", "chi", "tactics", "pick"), (*rows, reed))


def tell(_: v.State, event: v.Event) -> EventText:
    return EventText(type(event).__name__, (tasks.YEA_01,))


def outcome(state: v.State) -> Outcome | None:
    if state.agenda:
        return None
    honour = [player.honour for player in state.players]
    ranking = tuple(
        tuple(Seat(seat) for seat, mine in enumerate(honour) if mine == level)
        for level in sorted(set(honour), reverse=True)
    )
    return Outcome(ranking[0], ranking, "years")


def _due(state: v.State) -> tuple[Take, ...]:
    if not (state.agenda and isinstance(state.agenda[0], v.Deal)):
        return ()
    drawn = len(state.played) + sum(len(player.tactics) for player in state.players)
    return (Take("tactics", 0, drawn),)


def _stock(_: v.State, __: str) -> tuple[str, ...]:
    return v.TACTICS.names * v.COPIES


def _bring(_: v.State, names: tuple[str, ...]) -> v.Move:
    return v.DealTactic(v.TACTICS.number_of[names[0]])


WALL: Final[Game[v.State, v.Move, v.Event]] = game_of(
    About(
        key=GameKey("wall"),
        title="Wall",
        author="",
        editions=(Edition(EDITION, "Wall", ()),),
        rules=tasks.RULES,
        rulings=(),
        components=(ComponentSet(v.STRATEGIES.source, "cards", "made up", verified=True, notes=(), data=""),),
    ),
    longest=100,
    table=lambda state: state.table,
    setup=lambda table: table.setup,
    start=lambda setup: v.start(lay_out(setup)),
    evolve=v.evolve,
    agenda=AGENDA,
    views=tasks.VIEWS,
    text=TEXT,
    position=POSITION,
    problems=problems,
    outcome=outcome,
    chance=Chance(("tactics",), _due, _stock, any_order, _bring),
    panels=panels,
    seats=seat_table,
    turn=tasks.told,
    tell=tell,
    has_secrets=lambda _: True,
)
PLUGIN: Final = Plugin(
    WALL, v.State, lambda state: state.table, MOVES, EVENTS, same_names=lambda table: table.setup.seats
)
