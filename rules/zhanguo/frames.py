"""Everything that can be pending: base frames say where the match is, choice frames what an effect asks."""

import enum
from typing import Final, TypeAlias

from msgspec import Struct

from rules.kernel.actors import Seat
from rules.zhanguo.pieces import Action, Card, EmperorTile, Official, Region


class Window(enum.Enum):
    """When soldiers may be placed (ZHG-MAU-06)."""

    TURN = "turn"
    REWARD_1 = "reward:1"
    REWARD_2 = "reward:2"
    REWARD_3 = "reward:3"
    PAY = "pay"

    @property
    def row(self) -> int | None:
        """The row whose reward was taken, from 0; None for other windows."""
        return REWARD_WINDOWS.index(self) if self in REWARD_WINDOWS else None


REWARD_WINDOWS: Final = (Window.REWARD_1, Window.REWARD_2, Window.REWARD_3)


# Base frames, one at the bottom of every agenda.


class BaseFrame(Struct, frozen=True, array_like=True):
    """Any of them: one class is asked about more quickly than a union."""


class SeatBase(BaseFrame, frozen=True):
    """A base frame of a seat."""

    seat: Seat


class FirstDue(BaseFrame, frozen=True, tag=True):
    """The first player is drawn."""


class DealDue(BaseFrame, frozen=True, tag=True):
    """A component is dealt."""


class StartDue(SeatBase, frozen=True, tag=True):
    """A start tile is chosen and resolved."""


class DrawDue(SeatBase, frozen=True, tag=True):
    """A seat draws a card."""


class PlayDue(SeatBase, frozen=True, tag=True):
    """A seat plays a card."""


class ActDue(SeatBase, frozen=True, tag=True):
    """A seat takes a Court action."""


class StepDue(SeatBase, frozen=True, tag=True):
    """The activation step after a Court action."""

    action: Action
    test: bool
    """Whether the number test was passed."""
    used: tuple[Card, ...]
    """Activated cards, in this order."""


class SoldiersDue(SeatBase, frozen=True, tag=True):
    """A window in which soldiers may be placed."""

    window: Window


class OfferDue(SeatBase, frozen=True, tag=True):
    """A reward is offered."""

    row: int


class RewardDue(SeatBase, frozen=True, tag=True):
    """A reward is being taken."""

    row: int


class PayDue(SeatBase, frozen=True, tag=True):
    """A seat may pay for soldiers."""

    count: int
    """Soldiers that it has unlocked so far."""


class ReturnDue(SeatBase, frozen=True, tag=True):
    """A seat returns tokens."""


class RevealDue(BaseFrame, frozen=True, tag=True):
    """Li Si's Action card is revealed."""


class RivalDue(BaseFrame, frozen=True, tag=True):
    """Li Si's Action card is being resolved."""


# Base frames in which nothing is awaited: the match goes on by itself.


class TurnDue(BaseFrame, frozen=True, tag=True):
    """The next turn, after one of this seat; None at the beginning of a round."""

    after: Seat | None


class RowDue(BaseFrame, frozen=True, tag=True):
    """The next offer in a row, after one to this seat."""

    row: int
    after: Seat | None


class PaymentDue(BaseFrame, frozen=True, tag=True):
    """The next seat that may pay for soldiers, after this one."""

    after: Seat | None


class LimitDue(BaseFrame, frozen=True, tag=True):
    """The next seat with too many tokens, after this one."""

    after: Seat | None


class RoundDue(BaseFrame, frozen=True, tag=True):
    """A new round, or the end of the match."""


# Choice frames, of the seat of the base frame.


class SymbolDue(Struct, frozen=True, tag=True, array_like=True):
    """A symbol with options."""


class MasterDue(Struct, frozen=True, tag=True, array_like=True):
    """The symbol of a Master."""


class RecruitDue(Struct, frozen=True, tag=True, array_like=True):
    """Officials are recruited."""

    types: tuple[Official, ...]
    regions: tuple[Region, ...]
    count: int


class HireDue(Struct, frozen=True, tag=True, array_like=True):
    """Workers are hired."""

    regions: tuple[Region, ...]
    count: int


class OfficialsDue(Struct, frozen=True, tag=True, array_like=True):
    """Officials may move."""

    most: int


class WorkersDue(Struct, frozen=True, tag=True, array_like=True):
    """Workers move."""

    count: int
    must: bool


class CalmDue(Struct, frozen=True, tag=True, array_like=True):
    """Unrest is lowered by 1."""

    times: int
    apart: tuple[Region, ...]
    """Regions that were chosen before."""


class ResetDue(Struct, frozen=True, tag=True, array_like=True):
    """Unrest may be lowered to 0."""

    most: int


class TakeDue(Struct, frozen=True, tag=True, array_like=True):
    """Tokens of choice are taken."""

    count: int


class PlaceDue(Struct, frozen=True, tag=True, array_like=True):
    """Alchemist cards go above the board."""

    count: int
    regions: tuple[Region, ...]
    must: bool


class InstallDue(Struct, frozen=True, tag=True, array_like=True):
    """A free governor."""

    regions: tuple[Region, ...]


class PalaceDue(Struct, frozen=True, tag=True, array_like=True):
    """A free palace."""


class WallDue(Struct, frozen=True, tag=True, array_like=True):
    """A free wall."""


class SoldierDue(Struct, frozen=True, tag=True, array_like=True):
    """A soldier is placed whatever the condition says."""


class TileDue(Struct, frozen=True, tag=True, array_like=True):
    """A palace tile is taken."""

    region: Region


class LargeDue(Struct, frozen=True, tag=True, array_like=True):
    """A large token is taken."""


class EmperorDue(Struct, frozen=True, tag=True, array_like=True):
    """An Emperor tile is put on a card."""

    tile: EmperorTile


# Choice frames of Li Si's turn.


class CardDue(Struct, frozen=True, tag=True, array_like=True):
    """The top card of Li Si's six is named."""


class RivalAlchemistDue(Struct, frozen=True, tag=True, array_like=True):
    """A random Alchemist card of Li Si's is named."""


class RivalMasterDue(Struct, frozen=True, tag=True, array_like=True):
    """A random Master for Li Si is named."""


class RivalSoldierDue(Struct, frozen=True, tag=True, array_like=True):
    """The other player chooses where Li Si's soldier goes."""


SeatFrame: TypeAlias = (
    StartDue | DrawDue | PlayDue | ActDue | StepDue | SoldiersDue | OfferDue | RewardDue | PayDue | ReturnDue
)
"""Base frames of a seat."""
RivalFrame: TypeAlias = CardDue | RivalAlchemistDue | RivalMasterDue | RivalSoldierDue
Choice: TypeAlias = (
    SymbolDue
    | MasterDue
    | RecruitDue
    | HireDue
    | OfficialsDue
    | WorkersDue
    | CalmDue
    | ResetDue
    | TakeDue
    | PlaceDue
    | InstallDue
    | PalaceDue
    | WallDue
    | SoldierDue
    | TileDue
    | LargeDue
    | EmperorDue
)
"""Choice frames of a seat."""
Base: TypeAlias = (
    SeatFrame
    | FirstDue
    | DealDue
    | RevealDue
    | RivalDue
    | TurnDue
    | RowDue
    | PaymentDue
    | LimitDue
    | RoundDue
)
Frame: TypeAlias = Base | Choice | RivalFrame
