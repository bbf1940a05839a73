"""A slice of Zhanguo: what a search for the elixir is made of, and what events do (ZHG-CRT-20 to -27)."""

import enum
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NewType, TypeAlias, assert_never

from msgspec import Struct, structs

from rules.kernel.actors import Seat
from rules.kernel.forms import Names
from rules.kernel.setup import Setup

Card = NewType("Card", int)
Extra = NewType("Extra", int)
"""An Alchemist or Master card."""


class Aspect(enum.Enum):
    WRITING = "w"
    CURRENCY = "c"
    LAWS = "l"


class Region(enum.Enum):
    CHU = "chu"
    WEI = "wei"
    ZHAO = "zhao"


ASPECTS: Final = tuple(Aspect)
REGIONS: Final = tuple(Region)
CARDS: Final = Names([str(at) for at in range(1, 28)], Card, "elixir-0")
EXTRAS: Final = Names(["A1", "A2", "A3", "M1", "M2", "M3"], Extra, "elixir-0")
ALCHEMISTS: Final = tuple(Extra(at) for at in range(3))
MASTERS: Final = tuple(Extra(at) for at in range(3, 6))
PRESENT: Final = (Region.CHU, Region.ZHAO)
"""Where every seat has an alchemist."""
ROUTE: Final = {2: 1, 4: 1, 5: 0, 7: 2, 9: 1, 11: 1}
"""By space: choices of a symbol, 0 for the Master's."""
END: Final = 11
LOCKED: Final = 2
FULL: Final = 2
"""Cards that a region takes."""


def aspect_of(card: Card | Aspect) -> Aspect:
    """Its back, which is public."""
    return ASPECTS[card % len(ASPECTS)] if isinstance(card, int) else card


def deck_of(card: Card) -> Seat:
    """Whose deck it is of: so no seat's cards depend on another's."""
    return Seat(card // len(ASPECTS) % 3)


@dataclass(frozen=True, slots=True)
class Table:
    setup: Setup
    cards: Names[Card] = field(default=CARDS, compare=False, repr=False)

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(Seat(at) for at in range(len(self.setup.seats)))


# Tasks.


class DrawCards(Struct, frozen=True, tag=True, array_like=True):
    seat: Seat
    aspect: Aspect


class Play(Struct, frozen=True, tag=True, array_like=True):
    seat: Seat


class Act(Struct, frozen=True, tag=True, array_like=True):
    seat: Seat


class Step(Struct, frozen=True, tag=True, array_like=True):
    seat: Seat
    used: tuple[Extra, ...]


class Symbol(Struct, frozen=True, tag=True, array_like=True):
    seat: Seat


class MasterDue(Struct, frozen=True, tag=True, array_like=True):
    seat: Seat


Task: TypeAlias = DrawCards | Play | Act | Step | Symbol | MasterDue


# Moves.


class Draw(Struct, frozen=True):
    card: Card | Aspect


class PlayAtCourt(Struct, frozen=True):
    card: Card


class Search(Struct, frozen=True):
    pass


class Wait(Struct, frozen=True):
    pass


class UnlockSoldier(Struct, frozen=True):
    pass


class PlaceExtra(Struct, frozen=True):
    card: Extra
    region: Region


class TakeMaster(Struct, frozen=True):
    card: Extra


class Activate(Struct, frozen=True):
    card: Extra


class Done(Struct, frozen=True):
    pass


Move: TypeAlias = (
    Draw | PlayAtCourt | Search | Wait | UnlockSoldier | PlaceExtra | TakeMaster | Activate | Done
)


# Events.


class CardDrawn(Struct, frozen=True):
    seat: Seat
    card: Card | Aspect


class CardPlayed(Struct, frozen=True):
    seat: Seat
    card: Card


class ActionTaken(Struct, frozen=True):
    seat: Seat


class BoatMoved(Struct, frozen=True):
    seat: Seat
    to: int


class ChoicesDue(Struct, frozen=True):
    tasks: tuple[Task, ...]


class ChoiceLapsed(Struct, frozen=True):
    seat: Seat


class SoldierUnlocked(Struct, frozen=True):
    seat: Seat


class ExtraPlaced(Struct, frozen=True):
    seat: Seat
    card: Extra
    region: Region


class MasterTaken(Struct, frozen=True):
    seat: Seat
    card: Extra


class AbilityActivated(Struct, frozen=True):
    seat: Seat
    card: Extra


class TurnEnded(Struct, frozen=True):
    seat: Seat
    by_itself: bool


Event: TypeAlias = (
    CardDrawn
    | CardPlayed
    | ActionTaken
    | BoatMoved
    | ChoicesDue
    | ChoiceLapsed
    | SoldierUnlocked
    | ExtraPlaced
    | MasterTaken
    | AbilityActivated
    | TurnEnded
)


# States.


class Player(Struct, frozen=True, array_like=True):
    boat: int
    locked: int
    aside: tuple[Extra, ...]
    hand: tuple[Card | Aspect, ...]
    columns: tuple[tuple[Extra, ...], ...]


class State(Struct, frozen=True):
    table: Table
    court: tuple[Card, ...]
    masters: tuple[Extra, ...]
    players: tuple[Player, ...]
    agenda: tuple[Task, ...]


def start(table: Table) -> State:
    draws = tuple(DrawCards(seat, aspect) for seat in table.seats for aspect in ASPECTS)
    player = Player(0, LOCKED, ALCHEMISTS, (), ((),) * len(REGIONS))
    return State(table, (), MASTERS, (player,) * len(table.seats), (*draws, Play(Seat(0))))


def fold(state: State, events: Iterable[Event]) -> State:
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: State, event: Event) -> State:
    if isinstance(event, ChoicesDue):
        return structs.replace(state, agenda=event.tasks + state.agenda)
    player, rest = state.players[event.seat], state.agenda[1:]
    match event:
        case CardDrawn():
            hand = tuple(sorted((*player.hand, event.card), key=order))
            return with_player(state, event.seat, rest, hand=hand)
        case CardPlayed():
            held = event.card if event.card in player.hand else aspect_of(event.card)
            left = list(player.hand)
            left.remove(held)
            after = with_player(state, event.seat, (Act(event.seat), *rest), hand=tuple(left))
            return structs.replace(after, court=(*state.court, event.card))
        case ActionTaken():
            return structs.replace(state, agenda=(Step(event.seat, ()), *rest))
        case BoatMoved():
            return with_player(state, event.seat, state.agenda, boat=event.to)
        case ChoiceLapsed():
            return structs.replace(state, agenda=rest)
        case SoldierUnlocked():
            return with_player(state, event.seat, rest, locked=player.locked - 1)
        case ExtraPlaced():
            columns = tuple(
                (*column, event.card) if region is event.region else column
                for region, column in zip(REGIONS, player.columns, strict=True)
            )
            aside = tuple(card for card in player.aside if card != event.card)
            return with_player(state, event.seat, rest, aside=aside, columns=columns)
        case MasterTaken():
            after = with_player(state, event.seat, rest, aside=tuple(sorted((*player.aside, event.card))))
            return structs.replace(after, masters=tuple(card for card in state.masters if card != event.card))
        case AbilityActivated():
            step = state.agenda[0]
            used = (*step.used, event.card) if isinstance(step, Step) else (event.card,)
            return structs.replace(state, agenda=(Step(event.seat, used), *rest))
        case TurnEnded():
            following = [
                Seat((event.seat + by) % len(state.players)) for by in range(1, len(state.players) + 1)
            ]
            able = [Play(seat) for seat in following if state.players[seat].hand]
            return structs.replace(state, agenda=(*able[:1], *rest))
        case _:
            assert_never(event)


def order(card: Card | Aspect) -> tuple[int, int]:
    """Known cards by number, unknown ones after them."""
    return (0, card) if isinstance(card, int) else (1, ASPECTS.index(card))


def with_player(state: State, seat: Seat, agenda: tuple[Task, ...], **parts: object) -> State:
    players = list(state.players)
    players[seat] = structs.replace(players[seat], **parts)
    return structs.replace(state, players=tuple(players), agenda=agenda)
