"""Moves and events of no game, with every kind of term that games need."""

import enum
from dataclasses import dataclass
from typing import Final, NewType, TypeAlias

from msgspec import Struct

from rules.kernel.actors import Seat
from rules.kernel.cells import Cell
from rules.kernel.composed import After, Constant, Gathered, Tally, either, half_secret
from rules.kernel.composite import record
from rules.kernel.forms import Names, Unnamed
from rules.kernel.language import Language
from rules.kernel.nouns import CELL, Choice, Flag, Named, Seats, Whole, number
from rules.kernel.phrases import fact, phrase
from rules.kernel.statements import Statements

Card = NewType("Card", int)
Space = NewType("Space", int)


class Region(enum.Enum):
    CHU = "chu"
    WEI = "wei"
    ZHAO = "zhao"


class Aspect(enum.Enum):
    WRITING = "w"
    LAWS = "l"


class Area(enum.Enum):
    AREA = "area"


@dataclass(frozen=True, slots=True)
class Table:
    names: tuple[str, ...]
    cards: Names[Card]


TABLE = Table(("green", "red"), Names([f"c{at}" for at in range(30)], Card, "toy-0"))


class Spot(Struct, frozen=True):
    section: Region
    line: int
    cell: Cell


class Rest(Struct, frozen=True):
    section: Region


# Moves.


class Draw(Struct, frozen=True):
    card: Card | None


class Reveal(Struct, frozen=True):
    cards: tuple[Card, ...]


class Invade(Struct, frozen=True):
    cell: Cell
    card: Card


class Support(Struct, frozen=True):
    region: Region | None


class Install(Struct, frozen=True):
    region: Region
    space: Space | Area


class Pay(Struct, frozen=True):
    tokens: tuple[int, ...]


class Lose(Struct, frozen=True):
    killed: tuple[int, ...]
    saved: tuple[int, ...]


class MoveWorker(Struct, frozen=True):
    start: Region
    goal: Region


class MoveClerk(Struct, frozen=True):
    start: Region | None
    goal: Region


class RecoverAll(Struct, frozen=True):
    pass


class RecoverOne(Struct, frozen=True):
    card: Card


class Recruit(Struct, frozen=True):
    count: int
    place: Spot | Rest


class PlayTactic(Struct, frozen=True):
    card: Card
    boosted: bool


class Build(Struct, frozen=True):
    regions: tuple[Region, ...]


class Cover(Struct, frozen=True):
    cells: int


class Show(Struct, frozen=True):
    card: Card | Aspect


class Done(Struct, frozen=True):
    pass


Move: TypeAlias = (
    Draw
    | Reveal
    | Invade
    | Support
    | Install
    | Pay
    | Lose
    | MoveWorker
    | MoveClerk
    | RecoverAll
    | RecoverOne
    | Recruit
    | PlayTactic
    | Build
    | Cover
    | Show
    | Done
)


# Events.


class Dealt(Struct, frozen=True):
    seat: Seat
    card: Card | None


class Fled(Struct, frozen=True):
    origin: Cell
    target: Cell
    camp: bool


class Placed(Struct, frozen=True):
    seat: Seat
    spot: Spot
    cells: int
    owners: tuple[Seat, ...]


class Scored(Struct, frozen=True):
    points: tuple[int, ...]
    regions: tuple[Region, ...]
    best: int | None
    first: Region | None


class Rested(Struct, frozen=True):
    rests: tuple[Rest, ...]
    last: Rest | None


class Ended(Struct, frozen=True):
    pass


Event: TypeAlias = Dealt | Fled | Placed | Scored | Rested | Ended


def _cells(_: Table, cells: int) -> list[Cell]:
    return [Cell(at) for at in range(cells.bit_length()) if cells >> at & 1]


def _gathered(_: Table, cells: tuple[Cell, ...]) -> int:
    if len(set(cells)) < len(cells):
        raise Unnamed("a cell stands twice")
    return sum(1 << cell for cell in cells)


SEAT: Final = Seats[Table](lambda table: table.names)
CARD: Final = Named[Table, Card]("card", lambda table: table.cards, too_many=True)
REGION: Final = Choice("region", tuple(Region), [region.value for region in Region])
SPACE: Final = either("space", Whole("space", 9, Space), Constant("area", Area.AREA))
ASPECT: Final = Choice("aspect", tuple(Aspect), [aspect.value for aspect in Aspect])
SHOWN: Final = half_secret(CARD, ASPECT)
SPOT: Final = record("spot", Spot, REGION, number("line", 9), CELL)
SPOT_SENT: Final = record("spot", Spot, REGION, number("line", 999), CELL, message=True)
REST: Final = record("rest", Rest, REGION, message=True)
PLACE: Final = either("place", SPOT, After("rest", record("section", Rest, REGION)))
CELLS: Final = Gathered[Table, int, Cell]("cells", CELL, _cells, _gathered, article="its cells")
TOKENS: Final = Tally("tokens", "WLwl", numbers=False)
LOSSES: Final = Tally("losses", "sah", numbers=True)
COUNT: Final = number("count", 200)

MOVES: Final[Statements[Table, Move]] = Statements(
    Move,
    phrase("draw", Draw, CARD.or_unknown(), chance=True),
    phrase("reveal", Reveal, CARD.several(" ", count=3), chance=True),
    phrase("invade", Invade, CELL, CARD),
    phrase("support", Support, REGION.or_nothing()),
    phrase("install", Install, REGION, SPACE),
    phrase("pay", Pay, TOKENS),
    phrase("lose {} save {}", Lose, LOSSES, LOSSES),
    phrase("move", MoveClerk, REGION.or_word("reserve"), REGION),
    phrase("move worker", MoveWorker, REGION, REGION),
    phrase("recover", RecoverAll),
    phrase("recover", RecoverOne, CARD),
    phrase("recruit", Recruit, COUNT, PLACE),
    phrase("play", PlayTactic, CARD, Flag("boost", "boosted", "")),
    phrase("build", Build, REGION.several(canonical=True, distinct=True)),
    phrase("cover", Cover, CELLS),
    phrase("show", Show, SHOWN),
    phrase("done", Done, arm="done_now"),
)

EVENTS: Final[Statements[Table, Event]] = Statements(
    Event,
    fact(Dealt, SEAT, CARD.or_unknown()),
    fact(Fled, CELL, CELL, Flag("camp")),
    fact(Placed, SEAT, SPOT_SENT, CELLS, SEAT.several()),
    fact(Scored, COUNT.several(), REGION.several(), COUNT.or_nothing(), REGION.or_nothing()),
    fact(Rested, REST.several(), REST.or_nothing()),
    fact(Ended),
)

TEXT: Final = Language(MOVES, lambda table: table.names, lambda table: (table.cards, table.names))
