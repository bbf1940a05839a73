"""What has happened, in the past tense (ZHG-EVT)."""

import enum
from typing import TypeAlias

from msgspec import Struct

from rules.kernel.actors import Seat
from rules.zhanguo.frames import Frame
from rules.zhanguo.pieces import (
    Action,
    ActionCard,
    Aspect,
    Card,
    EmperorTile,
    Face,
    GovernorTile,
    MausoleumTile,
    Official,
    Region,
    Section,
    Spot,
    StartTile,
    Target,
    TileKind,
)


class Source(enum.Enum):
    """What points were scored for."""

    ABILITY = "ability"
    BONUS = "bonus"
    PALACE = "palace"
    PALACE_TILE = "palace tile"
    SOLDIER = "soldier"


class OfSeat(Struct, frozen=True):
    """Something that a seat did, or that happened to it."""

    seat: Seat


# Set-up.


class FirstPlayerDrawn(OfSeat, frozen=True):
    """The turn order begins with this seat."""


class TargetDealt(Struct, frozen=True):
    """A Mausoleum token lies on a spot."""

    spot: Spot
    target: Target


class MausoleumTileDealt(Struct, frozen=True):
    """A Mausoleum tile lies on a spot."""

    spot: Spot
    tile: MausoleumTile


class WallTileDealt(Struct, frozen=True):
    """A wall tile lies on a section."""

    section: Section
    face: Face


class EmperorTileDealt(Struct, frozen=True):
    """An Emperor tile lies under the pile of its site."""

    tile: EmperorTile


class PalaceTileDealt(Struct, frozen=True):
    """A palace tile lies in a region."""

    region: Region
    kind: TileKind


class GovernorTileDealt(Struct, frozen=True):
    """A governor tile lies in a region."""

    region: Region
    tile: GovernorTile


class MasterDealt(Struct, frozen=True):
    """A Master lies beside the board."""

    card: Card


class StartTileDealt(OfSeat, frozen=True):
    """A seat was dealt a start tile."""

    tile: StartTile


class StartTileChosen(OfSeat, frozen=True):
    """A seat keeps a start tile."""

    tile: StartTile


class StartTileSettled(OfSeat, frozen=True):
    """Everything that a start tile gives is settled."""


# Rounds.


class RoundBegan(Struct, frozen=True):
    """A round begins."""

    round: int


class HandsDealt(Struct, frozen=True):
    """Everybody has drawn six cards that the record does not show."""


class CardDrawn(OfSeat, frozen=True):
    """A seat drew a card; None where it is not shown."""

    card: Card | None


class TurnBegan(OfSeat, frozen=True):
    """A seat plays."""


class WindowClosed(OfSeat, frozen=True):
    """A seat places no more soldiers for now."""


class RoundEnded(Struct, frozen=True):
    """A round is over."""


# Playing a card.


class CardUnified(OfSeat, frozen=True):
    """A card of the hand lies above the board."""

    card: Card
    region: Region


class CardPlayedAtCourt(OfSeat, frozen=True):
    """A card of the hand lies at Court."""

    card: Card


class PlayForfeited(OfSeat, frozen=True):
    """A card lies at Court without an action."""

    card: Card


class ActionTaken(OfSeat, frozen=True):
    """A Court action is taken, and the number test passed or not."""

    action: Action
    test: bool


class AbilityActivated(OfSeat, frozen=True):
    """The ability of a card is used."""

    card: Card


class ActivationEnded(OfSeat, frozen=True):
    """The activation step is over."""


# Player boards.


class UnrestRaised(OfSeat, frozen=True):
    """Unrest went up."""

    region: Region
    by: int


class UnrestLowered(OfSeat, frozen=True):
    """Unrest went down."""

    region: Region
    by: int


class OfficialsRecruited(OfSeat, frozen=True):
    """Officials came from the reserve."""

    official: Official
    region: Region
    count: int


class OfficialReturned(OfSeat, frozen=True):
    """An official went back to the reserve."""

    official: Official
    region: Region


class OfficialMoved(OfSeat, frozen=True):
    """An official went to a neighbouring region."""

    official: Official
    origin: Region
    to: Region


class WorkersHired(OfSeat, frozen=True):
    """Workers came."""

    region: Region
    count: int


class WorkersSpent(OfSeat, frozen=True):
    """Workers were paid."""

    region: Region
    count: int


class WorkerMoved(OfSeat, frozen=True):
    """A worker went to a neighbouring region."""

    origin: Region
    to: Region


class AlchemistPlaced(OfSeat, frozen=True):
    """A card that was set aside lies above the board."""

    card: Card
    region: Region


class MasterTaken(OfSeat, frozen=True):
    """A Master was set aside."""

    card: Card


class EmperorTileTaken(OfSeat, frozen=True):
    """The top Emperor tile of a site was taken."""

    tile: EmperorTile


class EmperorTilePlaced(OfSeat, frozen=True):
    """An Emperor tile lies on a card."""

    tile: EmperorTile
    card: Card


# Tokens and points.


class TokensGained(OfSeat, frozen=True):
    """Tokens came from the supply."""

    aspect: Aspect
    count: int


class TokensReturned(OfSeat, frozen=True):
    """Tokens went back to the supply."""

    aspect: Aspect
    count: int


class LargeTaken(OfSeat, frozen=True):
    """A large token was taken from the board."""

    aspect: Aspect


class LargeReturned(OfSeat, frozen=True):
    """A large token went back to the board."""

    aspect: Aspect


class PointsScored(OfSeat, frozen=True):
    """Points were scored."""

    vp: int
    source: Source


# Main board.


class BoatMoved(OfSeat, frozen=True):
    """A boat moved on."""

    origin: int
    to: int


class GovernorInstalled(OfSeat, frozen=True):
    """A governor stands on a space, counted from 1, or in the area."""

    region: Region
    space: int | None


class PalaceBuilt(OfSeat, frozen=True):
    """A palace stands in a region."""

    region: Region


class PalaceTileTaken(OfSeat, frozen=True):
    """The leftmost palace tile of a kind was taken."""

    region: Region
    kind: TileKind


class WallBuilt(OfSeat, frozen=True):
    """A wall stands on a slot, counted from 1."""

    section: Section
    slot: int


class SoldiersUnlocked(OfSeat, frozen=True):
    """Locked soldiers went to the entrance."""

    count: int


class SoldierPlaced(OfSeat, frozen=True):
    """A soldier stands on a slot of a spot, counted from 1."""

    spot: Spot
    slot: int


# Choices.


class ChoicesDue(Struct, frozen=True):
    """Choices are pending, in this order, before everything else."""

    frames: tuple[Frame, ...]


class ChoiceMade(Struct, frozen=True):
    """The choice that was pending is made; this is what is left of it."""

    rest: tuple[Frame, ...]


class ChoiceLapsed(Struct, frozen=True):
    """The choice that was pending could not be made."""


# Phase 3.


class RewardsBegan(Struct, frozen=True):
    """Nobody has a card left: rewards are offered."""


class RewardOffered(OfSeat, frozen=True):
    """A reward is offered."""

    row: int


class RewardPassed(OfSeat, frozen=True):
    """A reward was passed on, by choice or because it cannot be taken in full."""

    row: int
    forced: bool


class RewardAccepted(OfSeat, frozen=True):
    """A reward is taken."""

    row: int


class MarkerMoved(OfSeat, frozen=True):
    """The turn-order marker stands in a cell of the round."""

    row: int


class RowClosed(Struct, frozen=True):
    """Nobody else is offered the reward of a row."""

    row: int


class TurnOrderSet(Struct, frozen=True):
    """The turn order of the next round."""

    order: tuple[Seat, ...]


class PaymentOpened(OfSeat, frozen=True):
    """A seat may unlock soldiers."""


class SoldierPaid(OfSeat, frozen=True):
    """A seat has paid for one more soldier."""


class PaymentClosed(OfSeat, frozen=True):
    """A seat pays no more."""


class LimitsBegan(Struct, frozen=True):
    """Large tokens are back, and small ones are counted."""


class ReturnAsked(OfSeat, frozen=True):
    """A seat has too many tokens."""


class LimitKept(OfSeat, frozen=True):
    """A seat has returned enough."""


# Li Si.


class RivalTurnBegan(Struct, frozen=True):
    """Li Si's turn."""


class ActionRevealed(Struct, frozen=True):
    """Li Si's Action card is revealed, and discarded or removed."""

    card: ActionCard


class RivalCardUnified(OfSeat, frozen=True):
    """A card of his six lies above Li Si's board."""

    card: Card
    region: Region


class RivalCardAtCourt(OfSeat, frozen=True):
    """A card of his six lies at Court."""

    card: Card


class RivalTileKept(OfSeat, frozen=True):
    """Li Si keeps the leftmost palace tile of a region."""

    region: Region
    kind: TileKind


class EmperorTileRemoved(OfSeat, frozen=True):
    """The top Emperor tile of a site left the game."""

    tile: EmperorTile


class RivalTurnEnded(OfSeat, frozen=True):
    """Li Si's Action card is settled."""


class ActionDeckRebuilt(Struct, frozen=True):
    """Li Si's discarded Action cards are in his deck again."""


# End.


class MatchEnded(Struct, frozen=True):
    """The match is scored: points by seat, and the winners."""

    totals: tuple[int, ...]
    winners: tuple[Seat, ...]


Event: TypeAlias = (
    FirstPlayerDrawn
    | TargetDealt
    | MausoleumTileDealt
    | WallTileDealt
    | EmperorTileDealt
    | PalaceTileDealt
    | GovernorTileDealt
    | MasterDealt
    | StartTileDealt
    | StartTileChosen
    | StartTileSettled
    | RoundBegan
    | HandsDealt
    | CardDrawn
    | TurnBegan
    | WindowClosed
    | RoundEnded
    | CardUnified
    | CardPlayedAtCourt
    | PlayForfeited
    | ActionTaken
    | AbilityActivated
    | ActivationEnded
    | UnrestRaised
    | UnrestLowered
    | OfficialsRecruited
    | OfficialReturned
    | OfficialMoved
    | WorkersHired
    | WorkersSpent
    | WorkerMoved
    | AlchemistPlaced
    | MasterTaken
    | EmperorTileTaken
    | EmperorTilePlaced
    | TokensGained
    | TokensReturned
    | LargeTaken
    | LargeReturned
    | PointsScored
    | BoatMoved
    | GovernorInstalled
    | PalaceBuilt
    | PalaceTileTaken
    | WallBuilt
    | SoldiersUnlocked
    | SoldierPlaced
    | ChoicesDue
    | ChoiceMade
    | ChoiceLapsed
    | RewardsBegan
    | RewardOffered
    | RewardPassed
    | RewardAccepted
    | MarkerMoved
    | RowClosed
    | TurnOrderSet
    | PaymentOpened
    | SoldierPaid
    | PaymentClosed
    | LimitsBegan
    | ReturnAsked
    | LimitKept
    | RivalTurnBegan
    | ActionRevealed
    | RivalCardUnified
    | RivalCardAtCourt
    | RivalTileKept
    | EmperorTileRemoved
    | RivalTurnEnded
    | ActionDeckRebuilt
    | MatchEnded
)
