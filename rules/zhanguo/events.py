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


# Set-up.


class FirstPlayerDrawn(Struct, frozen=True):
    """The turn order begins with this seat."""

    seat: Seat


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


class StartTileDealt(Struct, frozen=True):
    """A seat was dealt a start tile."""

    seat: Seat
    tile: StartTile


class StartTileChosen(Struct, frozen=True):
    """A seat keeps a start tile."""

    seat: Seat
    tile: StartTile


class StartTileSettled(Struct, frozen=True):
    """Everything that a start tile gives is settled."""

    seat: Seat


# Rounds.


class RoundBegan(Struct, frozen=True):
    """A round begins."""

    round: int


class HandsDealt(Struct, frozen=True):
    """Everybody has drawn six cards that the record does not show."""


class CardDrawn(Struct, frozen=True):
    """A seat drew a card; None where it is not shown."""

    seat: Seat
    card: Card | None


class TurnBegan(Struct, frozen=True):
    """A seat plays."""

    seat: Seat


class WindowClosed(Struct, frozen=True):
    """A seat places no more soldiers for now."""

    seat: Seat


class RoundEnded(Struct, frozen=True):
    """A round is over."""


# Playing a card.


class CardUnified(Struct, frozen=True):
    """A card of the hand lies above the board."""

    seat: Seat
    card: Card
    region: Region


class CardPlayedAtCourt(Struct, frozen=True):
    """A card of the hand lies at Court."""

    seat: Seat
    card: Card


class PlayForfeited(Struct, frozen=True):
    """A card lies at Court without an action."""

    seat: Seat
    card: Card


class ActionTaken(Struct, frozen=True):
    """A Court action is taken, and the number test passed or not."""

    seat: Seat
    action: Action
    test: bool


class AbilityActivated(Struct, frozen=True):
    """The ability of a card is used."""

    seat: Seat
    card: Card


class ActivationEnded(Struct, frozen=True):
    """The activation step is over."""

    seat: Seat


# Player boards.


class UnrestRaised(Struct, frozen=True):
    """Unrest went up."""

    seat: Seat
    region: Region
    by: int


class UnrestLowered(Struct, frozen=True):
    """Unrest went down."""

    seat: Seat
    region: Region
    by: int


class OfficialsRecruited(Struct, frozen=True):
    """Officials came from the reserve."""

    seat: Seat
    official: Official
    region: Region
    count: int


class OfficialReturned(Struct, frozen=True):
    """An official went back to the reserve."""

    seat: Seat
    official: Official
    region: Region


class OfficialMoved(Struct, frozen=True):
    """An official went to a neighbouring region."""

    seat: Seat
    official: Official
    origin: Region
    to: Region


class WorkersHired(Struct, frozen=True):
    """Workers came."""

    seat: Seat
    region: Region
    count: int


class WorkersSpent(Struct, frozen=True):
    """Workers were paid."""

    seat: Seat
    region: Region
    count: int


class WorkerMoved(Struct, frozen=True):
    """A worker went to a neighbouring region."""

    seat: Seat
    origin: Region
    to: Region


class AlchemistPlaced(Struct, frozen=True):
    """A card that was set aside lies above the board."""

    seat: Seat
    card: Card
    region: Region


class MasterTaken(Struct, frozen=True):
    """A Master was set aside."""

    seat: Seat
    card: Card


class EmperorTileTaken(Struct, frozen=True):
    """The top Emperor tile of a site was taken."""

    seat: Seat
    tile: EmperorTile


class EmperorTilePlaced(Struct, frozen=True):
    """An Emperor tile lies on a card."""

    seat: Seat
    tile: EmperorTile
    card: Card


# Tokens and points.


class TokensGained(Struct, frozen=True):
    """Tokens came from the supply."""

    seat: Seat
    aspect: Aspect
    count: int


class TokensReturned(Struct, frozen=True):
    """Tokens went back to the supply."""

    seat: Seat
    aspect: Aspect
    count: int


class LargeTaken(Struct, frozen=True):
    """A large token was taken from the board."""

    seat: Seat
    aspect: Aspect


class LargeReturned(Struct, frozen=True):
    """A large token went back to the board."""

    seat: Seat
    aspect: Aspect


class PointsScored(Struct, frozen=True):
    """Points were scored."""

    seat: Seat
    vp: int
    source: Source


# Main board.


class BoatMoved(Struct, frozen=True):
    """A boat moved on."""

    seat: Seat
    origin: int
    to: int


class GovernorInstalled(Struct, frozen=True):
    """A governor stands on a space, counted from 1, or in the area."""

    seat: Seat
    region: Region
    space: int | None


class PalaceBuilt(Struct, frozen=True):
    """A palace stands in a region."""

    seat: Seat
    region: Region


class PalaceTileTaken(Struct, frozen=True):
    """The leftmost palace tile of a kind was taken."""

    seat: Seat
    region: Region
    kind: TileKind


class WallBuilt(Struct, frozen=True):
    """A wall stands on a slot, counted from 1."""

    seat: Seat
    section: Section
    slot: int


class SoldiersUnlocked(Struct, frozen=True):
    """Locked soldiers went to the entrance."""

    seat: Seat
    count: int


class SoldierPlaced(Struct, frozen=True):
    """A soldier stands on a slot of a spot, counted from 1."""

    seat: Seat
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


class RewardOffered(Struct, frozen=True):
    """A reward is offered."""

    seat: Seat
    row: int


class RewardPassed(Struct, frozen=True):
    """A reward was passed on, by choice or because it cannot be taken in full."""

    seat: Seat
    row: int
    forced: bool


class RewardAccepted(Struct, frozen=True):
    """A reward is taken."""

    seat: Seat
    row: int


class MarkerMoved(Struct, frozen=True):
    """The turn-order marker stands in a cell of the round."""

    seat: Seat
    row: int


class RowClosed(Struct, frozen=True):
    """Nobody else is offered the reward of a row."""

    row: int


class TurnOrderSet(Struct, frozen=True):
    """The turn order of the next round."""

    order: tuple[Seat, ...]


class PaymentOpened(Struct, frozen=True):
    """A seat may unlock soldiers."""

    seat: Seat


class SoldierPaid(Struct, frozen=True):
    """A seat has paid for one more soldier."""

    seat: Seat


class PaymentClosed(Struct, frozen=True):
    """A seat pays no more."""

    seat: Seat


class LimitsBegan(Struct, frozen=True):
    """Large tokens are back, and small ones are counted."""


class ReturnAsked(Struct, frozen=True):
    """A seat has too many tokens."""

    seat: Seat


class LimitKept(Struct, frozen=True):
    """A seat has returned enough."""

    seat: Seat


# Li Si.


class RivalTurnBegan(Struct, frozen=True):
    """Li Si's turn."""


class ActionRevealed(Struct, frozen=True):
    """Li Si's Action card is revealed, and discarded or removed."""

    card: ActionCard


class RivalCardUnified(Struct, frozen=True):
    """A card of his six lies above Li Si's board."""

    seat: Seat
    card: Card
    region: Region


class RivalCardAtCourt(Struct, frozen=True):
    """A card of his six lies at Court."""

    seat: Seat
    card: Card


class RivalTileKept(Struct, frozen=True):
    """Li Si keeps the leftmost palace tile of a region."""

    seat: Seat
    region: Region
    kind: TileKind


class EmperorTileRemoved(Struct, frozen=True):
    """The top Emperor tile of a site left the game."""

    seat: Seat
    tile: EmperorTile


class RivalTurnEnded(Struct, frozen=True):
    """Li Si's Action card is settled."""

    seat: Seat


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
