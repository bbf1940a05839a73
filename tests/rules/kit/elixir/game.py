"""The elixir slice as a whole game: text, positions, pictures."""

from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.assembly import game_of, sound
from rules.kernel.chance import Chance, Take, any_order
from rules.kernel.composed import half_secret
from rules.kernel.composite import record
from rules.kernel.display import EventText, Highlights
from rules.kernel.edition import Edition, EditionKey
from rules.kernel.game import About, Game, Outcome
from rules.kernel.language import Language
from rules.kernel.nouns import Choice, Flag, Named, Seats, number
from rules.kernel.panels import HandPanel, Look, Owner, Panel, PanelToken, SeatTable, Space, Track
from rules.kernel.pending import Tasks
from rules.kernel.phrases import fact, phrase
from rules.kernel.plan import emblem
from rules.kernel.plugin import Plugin
from rules.kernel.position import PositionLine, by_seat, keyed
from rules.kernel.seat_colours import SeatColours
from rules.kernel.setup import RECORDED, BadSetup, ComponentSet, GameKey, Setup, require_valid_seats
from rules.kernel.statements import Statements
from tests.rules.kit.elixir import tasks
from tests.rules.kit.elixir import values as v
from tests.rules.kit.elixir.tasks import AGENDA

EDITION: Final = EditionKey("elixir/1")

SEAT: Final = Seats[v.Table](lambda table: table.setup.seats)
CARD: Final = Named[v.Table, v.Card]("card", lambda table: table.cards, too_many=True)
EXTRA: Final = Named[v.Table, v.Extra]("extra card", lambda _: v.EXTRAS)
REGION: Final = Choice("region", v.REGIONS, [region.value for region in v.REGIONS])
ASPECT: Final = Choice("aspect", v.ASPECTS, [aspect.value for aspect in v.ASPECTS])
HELD: Final = half_secret(CARD, ASPECT)
SPACE: Final = number("space", v.END)

STATED_TASKS: Final[Statements[v.Table, v.Task]] = Statements(
    v.Task,
    phrase("draw", v.DrawCards, SEAT, ASPECT),
    phrase("play", v.Play, SEAT),
    phrase("act", v.Act, SEAT),
    phrase("step", v.Step, SEAT, EXTRA.several()),
    phrase("symbol", v.Symbol, SEAT),
    phrase("master", v.MasterDue, SEAT),
)
TASKS: Final = Tasks(STATED_TASKS)

MOVES: Final[Statements[v.Table, v.Move]] = Statements(
    v.Move,
    phrase("draw", v.Draw, HELD, chance=True),
    phrase("court", v.PlayAtCourt, CARD),
    phrase("search", v.Search),
    phrase("wait", v.Wait),
    phrase("unlock", v.UnlockSoldier),
    phrase("place", v.PlaceExtra, EXTRA, REGION),
    phrase("master", v.TakeMaster, EXTRA),
    phrase("activate", v.Activate, EXTRA),
    phrase("done", v.Done),
)

EVENTS: Final[Statements[v.Table, v.Event]] = Statements(
    v.Event,
    fact(v.CardDrawn, SEAT, HELD),
    fact(v.CardPlayed, SEAT, CARD),
    fact(v.ActionTaken, SEAT),
    fact(v.BoatMoved, SEAT, SPACE),
    fact(v.ChoicesDue, TASKS),
    fact(v.ChoiceLapsed, SEAT),
    fact(v.SoldierUnlocked, SEAT),
    fact(v.ExtraPlaced, SEAT, EXTRA, REGION),
    fact(v.MasterTaken, SEAT, EXTRA),
    fact(v.AbilityActivated, SEAT, EXTRA),
    fact(v.TurnEnded, SEAT, Flag("by itself")),
)

TEXT: Final = Language(MOVES, lambda table: table.setup.seats, lambda table: table.setup.seats)


def lay_out(setup: Setup) -> v.Table:
    if setup.components != v.CARDS.source:
        raise BadSetup("components", f"no set is called {setup.components!r}")
    require_valid_seats("Elixir", setup.seats, (2, 3), reserved=TEXT.reserved | {"court", "masters", "then"})
    return v.Table(setup)


def problems(state: v.State) -> tuple[str, ...]:
    seen = [
        *state.court,
        *(card for player in state.players for card in player.hand if isinstance(card, int)),
    ]
    owned = [*state.masters]
    for player in state.players:
        placed = [card for column in player.columns for card in column]
        owned += [card for card in (*player.aside, *placed) if card in v.MASTERS]
        if sorted(card for card in (*player.aside, *placed) if card in v.ALCHEMISTS) != list(v.ALCHEMISTS):
            return ("an Alchemist card is lost",)
    faults = [
        (len(set(seen)) < len(seen), "a card is there twice"),
        (sorted(owned) != list(v.MASTERS), "a Master card is lost or there twice"),
        (any(player.boat > v.END for player in state.players), "a boat is beyond the end"),
        (any(_drawn_twice(state, seat) for seat in state.table.seats), "a card too many was drawn"),
        (_has_no_card(state), "a card is to be played and none is held"),
    ]
    return tuple(why for wrong, why in faults if wrong)


def _drawn_twice(state: v.State, seat: Seat) -> bool:
    """Each seat draws one card of each aspect, from its own deck."""
    hand, played = state.players[seat].hand, [card for card in state.court if v.deck_of(card) == seat]
    drawn = [v.aspect_of(card) for card in (*hand, *played)]
    foreign = any(isinstance(card, int) and v.deck_of(card) != seat for card in hand)
    return foreign or len(set(drawn)) < len(drawn)


def _has_no_card(state: v.State) -> bool:
    due = state.agenda[0] if state.agenda else None
    return isinstance(due, v.Play) and not state.players[due.seat].hand


PLAYER: Final = record(
    "player",
    v.Player,
    SPACE,
    number("locked", v.LOCKED),
    EXTRA.several(""),
    HELD.several(","),
    EXTRA.several("").several("/", count=len(v.REGIONS)),
    joined=":",
)

POSITION: Final = PositionLine(
    v.State,
    keyed("court", CARD.several(",")),
    keyed("masters", EXTRA.several("")),
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
    boats: dict[int, list[PanelToken]] = {}
    for seat in state.table.seats:
        look = Look(COLOURS[seat].fill, COLOURS[seat].sign)
        boats.setdefault(state.players[seat].boat, []).append(PanelToken(f"{seat + 1}▲", look))
    spaces = tuple(
        Space(
            str(at), tuple(boats.get(at, ())), _note(at), pointed_out="*" if _moved(marks, boats, at) else ""
        )
        for at in range(v.END + 1)
    )
    court = tuple(PanelToken(v.CARDS.names[card]) for card in state.court)
    masters = tuple(PanelToken(v.EXTRAS.names[card]) for card in state.masters)
    return (Track("Elixir", spaces), HandPanel("Court", court), HandPanel("Masters", masters))


def _moved(marks: Highlights[v.Move], boats: dict[int, list[PanelToken]], at: int) -> bool:
    return isinstance(marks.last, v.Search) and at in boats


def _note(at: int) -> str:
    return ("Master", "symbol", "two symbols")[v.ROUTE[at]] if at in v.ROUTE else ""


def seat_table(state: v.State) -> SeatTable:
    table = state.table
    owners = []
    for seat, player in zip(table.seats, state.players, strict=True):
        columns = [
            f"{region.value}:{EXTRA.several().write(table, column)}"
            for region, column in zip(v.REGIONS, player.columns, strict=True)
        ]
        hand = [HELD.write(table, card) for card in player.hand]
        values = (str(player.boat), str(player.locked), " ".join(columns), " ".join(hand) or "-")
        owners.append(Owner(table.setup.seats[seat], emblem(seat, COLOURS[seat]), values))
    return SeatTable("Seats", ("boat", "locked", "cards", "hand"), tuple(owners))


def tell(state: v.State, event: v.Event) -> EventText:
    name = "" if isinstance(event, v.ChoicesDue) else f"{state.table.setup.seats[event.seat]}: "
    return EventText(f"{name}{type(event).__name__}", (tasks.STM_03,))


def outcome(state: v.State) -> Outcome | None:
    if state.agenda:
        return None
    boats = [player.boat for player in state.players]
    ranking = tuple(
        tuple(seat for seat in state.table.seats if boats[seat] == boat)
        for boat in sorted(set(boats), reverse=True)
    )
    return Outcome(ranking[0], ranking, "cards-played")


def _deck(seat: Seat, aspect: v.Aspect) -> str:
    return f"{seat}{aspect.value}"


DECKS: Final = {
    _deck(v.deck_of(card), v.aspect_of(card)): (v.deck_of(card), v.aspect_of(card))
    for card in v.CARDS.number_of.values()
}


def _due(state: v.State) -> tuple[Take, ...]:
    task = state.agenda[0] if state.agenda else None
    return (Take(_deck(task.seat, task.aspect), 0, 0),) if isinstance(task, v.DrawCards) else ()


def _stock(_: v.State, deck: str) -> tuple[str, ...]:
    return tuple(
        name
        for name, card in v.CARDS.number_of.items()
        if (v.deck_of(card), v.aspect_of(card)) == DECKS[deck]
    )


def _bring(_: v.State, names: tuple[str, ...]) -> v.Move:
    return v.Draw(v.CARDS.number_of[names[0]])


ELIXIR: Final[Game[v.State, v.Move, v.Event]] = game_of(
    About(
        key=GameKey("elixir"),
        title="Elixir",
        author="",
        editions=(Edition(EDITION, "Elixir", ()),),
        rules=tasks.RULES,
        rulings=(),
        components=(ComponentSet(v.CARDS.source, "cards", "made up", verified=True, notes=(), data=""),),
    ),
    longest=200,
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
    chance=Chance(tuple(DECKS), _due, _stock, any_order, _bring),
    panels=panels,
    seats=seat_table,
    turn=tasks.told,
    tell=tell,
    has_secrets=lambda state: state.table.setup.draws is RECORDED,
)
PLUGIN: Final = Plugin(
    ELIXIR, v.State, lambda state: state.table, MOVES, EVENTS, same_names=lambda table: table.setup.seats
)
