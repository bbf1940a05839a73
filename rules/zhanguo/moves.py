"""What an actor can ask for (ZHG-MOV)."""

from typing import TypeAlias

from msgspec import Struct

from rules.kernel.actors import Seat
from rules.zhanguo.dealt import Component
from rules.zhanguo.pieces import (
    ActionCard,
    Aspect,
    Card,
    Official,
    Region,
    Section,
    Spot,
    StartTile,
    TileKind,
)


class DrawFirstPlayer(Struct, frozen=True):
    """Chance: who is first in the turn order."""

    seat: Seat


class Deal(Struct, frozen=True):
    """Chance: the component that is dealt."""

    component: Component


class DrawCard(Struct, frozen=True):
    """Chance: the card that a seat draws; None where the record does not show it."""

    card: Card | None


class ChooseStart(Struct, frozen=True):
    """Keep one of the two start tiles."""

    tile: StartTile


class Unify(Struct, frozen=True):
    """Put a card of the hand above the board."""

    card: Card
    region: Region


class PlayAtCourt(Struct, frozen=True):
    """Lay a card of the hand at Court."""

    card: Card


class Forfeit(Struct, frozen=True):
    """Lay a card at Court where nothing can be done."""

    card: Card


class Recruit(Struct, frozen=True):
    """Bring an official from the reserve."""

    official: Official
    region: Region


class Search(Struct, frozen=True):
    """Search for the elixir."""


class Install(Struct, frozen=True):
    """Install a governor on a space, counted from 1 on the left, or in the area."""

    region: Region
    space: int | None


class Hire(Struct, frozen=True):
    """Hire workers."""

    region: Region


class BuildPalace(Struct, frozen=True):
    """Build a palace; a third worker comes from another region, unless it is free."""

    region: Region
    third: Region | None


class BuildWall(Struct, frozen=True):
    """Build a wall on a slot, counted from 1 on the left, with a worker of each region, unless it is free."""

    section: Section
    slot: int
    regions: tuple[Region, ...]


class UnlockSoldier(Struct, frozen=True):
    """Bring a locked soldier to the entrance."""


class PlaceAlchemist(Struct, frozen=True):
    """Put a card that is set aside above the board."""

    card: Card
    region: Region


class TakeMaster(Struct, frozen=True):
    """Set a Master aside."""

    card: Card


class Calm(Struct, frozen=True):
    """Lower unrest by 1."""

    region: Region


class Reset(Struct, frozen=True):
    """Lower unrest to 0."""

    region: Region


class TakeToken(Struct, frozen=True):
    """Take a token from the supply."""

    aspect: Aspect


class TakePalaceTile(Struct, frozen=True):
    """Take a palace tile of this kind."""

    kind: TileKind


class TakeLarge(Struct, frozen=True):
    """Take a large token from the board."""

    aspect: Aspect


class PutEmperor(Struct, frozen=True):
    """Put the Emperor tile on a card above the own board."""

    card: Card


class Activate(Struct, frozen=True):
    """Use the ability of a card above the own board."""

    card: Card


class MoveOfficial(Struct, frozen=True):
    """Move an official one step."""

    official: Official
    origin: Region
    to: Region


class MoveWorker(Struct, frozen=True):
    """Move a worker one step."""

    origin: Region
    to: Region


class PlaceSoldier(Struct, frozen=True):
    """Place a soldier from the entrance."""

    spot: Spot


class Accept(Struct, frozen=True):
    """Take the reward."""


class Pass(Struct, frozen=True):
    """Leave the reward to the next."""


class Pay(Struct, frozen=True):
    """Pay for one soldier: large tokens by aspect, then small ones by aspect."""

    tokens: tuple[int, ...]


class ReturnTokens(Struct, frozen=True):
    """Return tokens, in the same form."""

    tokens: tuple[int, ...]


class Done(Struct, frozen=True):
    """Nothing more here."""


class Reveal(Struct, frozen=True):
    """Chance: Li Si's Action card."""

    card: ActionCard


class RevealCard(Struct, frozen=True):
    """Chance: the top card of Li Si's six."""

    card: Card


Move: TypeAlias = (
    DrawFirstPlayer
    | Deal
    | DrawCard
    | ChooseStart
    | Unify
    | PlayAtCourt
    | Forfeit
    | Recruit
    | Search
    | Install
    | Hire
    | BuildPalace
    | BuildWall
    | UnlockSoldier
    | PlaceAlchemist
    | TakeMaster
    | Calm
    | Reset
    | TakeToken
    | TakePalaceTile
    | TakeLarge
    | PutEmperor
    | Activate
    | MoveOfficial
    | MoveWorker
    | PlaceSoldier
    | Accept
    | Pass
    | Pay
    | ReturnTokens
    | Done
    | Reveal
    | RevealCard
)
