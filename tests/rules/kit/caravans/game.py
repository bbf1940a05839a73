"""The caravans as a whole game: text, positions, pictures."""

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
from tests.rules.kit.caravans import tasks
from tests.rules.kit.caravans import values as v
from tests.rules.kit.caravans.tasks import AGENDA

EDITION: Final = EditionKey("caravans/1")

SEAT: Final = Seats[v.Table](lambda table: table.setup.seats)
ROUTE: Final = Named[v.Table, v.Route]("route", lambda _: v.ROUTES)
FAVOUR: Final = Named[v.Table, v.Favour]("favour", lambda _: v.FAVOURS)
STAGE: Final = Named[v.Table, v.Stage]("stage", lambda _: v.STAGES)
RESOURCE: Final = Choice("resource", tuple(v.Resource), [resource.value for resource in v.Resource])
PICKED: Final = either("route", ROUTE, Constant("?", v.SEALED))
COUNT: Final = number("count", 99)

STATED_TASKS: Final[Statements[v.Table, v.Task]] = Statements(
    v.Task,
    phrase("deal", v.Deal, SEAT),
    phrase("pick", v.Pick),
    phrase("turn", v.Turn, SEAT),
    phrase("take", v.Take, SEAT, COUNT, Flag("played")),
    phrase("upgrade", v.UpgradeDue, SEAT),
    phrase("guild-builds", v.GuildBuilds, SEAT),
    phrase("guild", v.GuildTurn),
    phrase("yearend", v.YearEnd),
)
TASKS: Final = Tasks(STATED_TASKS)

MOVES: Final[Statements[v.Table, v.Move]] = Statements(
    v.Move,
    phrase("deal", v.DealFavour, FAVOUR.or_unknown(), chance=True),
    phrase("pick", v.PickRoute, PICKED),
    phrase("play", v.PlayFavour, FAVOUR, Flag("boost", "boosted", "")),
    phrase("take", v.TakeResource, RESOURCE),
    phrase("upgrade", v.Upgrade),
    phrase("guild", v.MoveGuild, STAGE),
    phrase("done", v.Done),
)

EVENTS: Final[Statements[v.Table, v.Event]] = Statements(
    v.Event,
    fact(v.FavourDrawn, SEAT, FAVOUR.or_unknown()),
    fact(v.RoutePicked, SEAT, PICKED),
    fact(v.RoutesRevealed, ROUTE.several()),
    fact(v.TasksDue, TASKS),
    fact(v.FavourPlayed, SEAT, FAVOUR, Flag("boosted")),
    fact(v.ResourceTaken, SEAT, RESOURCE),
    fact(v.Upgraded, SEAT),
    fact(v.GuildBuilt, STAGE),
    fact(v.GuildScored, COUNT),
    fact(v.YearEnded),
)

TEXT: Final = Language(MOVES, lambda table: table.setup.seats, lambda table: table.setup.seats)


def lay_out(setup: Setup) -> v.Table:
    if setup.components != v.ROUTES.source:
        raise BadSetup("components", f"no set is called {setup.components!r}")
    reserved = TEXT.reserved | {"road", "guild", "played", "track", "then"}
    require_valid_seats("Caravans", setup.seats, (1, 2, 3), reserved=reserved)
    return v.Table(setup)


def problems(state: v.State) -> tuple[str, ...]:
    held = [favour for player in state.players for favour in player.favours]
    seen = [*state.played, *held]
    totals = [
        total for player in state.players for total in (player.silver, player.cloth) if total is not None
    ]
    faults = [
        (any(seen.count(favour) > v.COPIES for favour in v.FAVOURS.number_of.values()), "too many favours"),
        (any(high > v.HIGHEST for high in state.road) or len(state.road) != 3, "the road is no road"),
        (any(total < 0 for total in totals), "something is owed"),
        (not _in_its_course(state), "what is pending is no part of a year"),
        (any(not _can_pick(state, player) for player in state.players), "a pick is none of the hand"),
    ]
    return tuple(why for wrong, why in faults if wrong)


def _in_its_course(state: v.State) -> bool:
    """A question may come before the rest of a year; routes are revealed once they are picked."""
    rest, year = state.agenda, v.new_year(state.table)
    if not rest:
        return state.year == v.YEARS + 1 and not state.track
    if isinstance(rest[0], v.Take | v.UpgradeDue | v.GuildBuilds):
        rest = rest[1:]
    revealed = 0 if v.Pick() in rest else len(state.players)
    in_order = 0 < len(rest) <= len(year) and rest == year[-len(rest) :]
    return in_order and 1 <= state.year <= v.YEARS and len(state.track) == revealed


def _can_pick(state: v.State, player: v.Player) -> bool:
    left = len(v.ROUTES.names) - state.year + 1 - bool(state.track)
    is_asked = state.agenda[:1] == (v.Pick(),)
    picked = player.pick is None or (is_asked and player.pick in {*player.routes, v.SEALED})
    return picked and len({*player.routes}) == len(player.routes) == left


PLAYER: Final = record(
    "player",
    v.Player,
    COUNT.or_unknown(),
    COUNT.or_unknown(),
    FAVOUR.or_unknown().several(),
    ROUTE.several(),
    COUNT,
    PICKED.or_word("-"),
    joined="/",
)

POSITION: Final = PositionLine(
    v.State,
    section("year", number("year", v.YEARS + 1)),
    keyed("road", number("level", v.HIGHEST).several("/")),
    keyed("guild", COUNT),
    keyed("played", FAVOUR.several()),
    keyed("track", ROUTE.several()),
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
    road = tuple(
        Space(name, (PanelToken(f"level {high}"),), pointed_out="!" if name in marks.places else "")
        for name, high in zip(v.STAGES.names, state.road, strict=True)
    )
    track = tuple(
        PanelCard(v.ROUTES.names[route], (f"picked by {name}",))
        for route, name in zip(state.track, state.table.setup.seats, strict=False)
    )
    return (Track(f"Caravans, year {state.year}", road), Market("Routes", track))


def seat_table(state: v.State) -> SeatTable:
    table = state.table
    rows = [
        Owner(
            table.setup.seats[seat],
            emblem(seat, COLOURS[seat]),
            (
                str(player.fame),
                COUNT.or_unknown().write(table, player.silver),
                FAVOUR.or_unknown().several().write(table, player.favours),
                PICKED.or_word("-").write(table, player.pick),
            ),
        )
        for seat, player in zip(table.seats, state.players, strict=True)
    ]
    guild = Owner("Guild", element("circle", r=12), (str(state.guild), "-", "-", "-"), is_seat=False)
    return SeatTable("Caravans", ("fame", "silver", "favours", "pick"), (*rows, guild))


def describe(_: v.State, event: v.Event) -> EventText:
    return EventText(type(event).__name__, (tasks.YEA_01,))


def outcome(state: v.State) -> Outcome | None:
    if state.agenda:
        return None
    fame = [player.fame for player in state.players]
    ranking = tuple(
        tuple(Seat(seat) for seat, mine in enumerate(fame) if mine == level)
        for level in sorted(set(fame), reverse=True)
    )
    return Outcome(ranking[0], ranking, "years")


def _due(state: v.State) -> tuple[Take, ...]:
    if not (state.agenda and isinstance(state.agenda[0], v.Deal)):
        return ()
    drawn = len(state.played) + sum(len(player.favours) for player in state.players)
    return (Take("favours", 0, drawn),)


def _stock(_: v.State, __: str) -> tuple[str, ...]:
    return v.FAVOURS.names * v.COPIES


def _bring(_: v.State, names: tuple[str, ...]) -> v.Move:
    return v.DealFavour(v.FAVOURS.number_of[names[0]])


CARAVANS: Final[Game[v.State, v.Move, v.Event]] = game_of(
    About(
        key=GameKey("caravans"),
        title="Caravans",
        author="",
        editions=(Edition(EDITION, "Caravans", ()),),
        rules=tasks.RULES,
        rulings=(),
        components=(ComponentSet(v.ROUTES.source, "cards", "made up", verified=True, notes=(), data=""),),
    ),
    max_entries=100,
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
    chance=Chance(("favours",), _due, _stock, any_order, _bring),
    panels=panels,
    seats=seat_table,
    turn=tasks.awaited,
    describe=describe,
    has_secrets=lambda _: True,
)
PLUGIN: Final = Plugin(
    CARAVANS, v.State, lambda state: state.table, MOVES, EVENTS, same_names=lambda table: table.setup.seats
)
