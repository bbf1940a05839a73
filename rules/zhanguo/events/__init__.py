"""What has happened, in the past tense, by area (ZHG-EVT).

One module per area; `base` has the words that several share. The rest of the game imports this package, not
its modules. Imports values of the game only. Start at course.py, the course of a round.
"""

from typing import TypeAlias

from rules.zhanguo.events.base import (
    Source,
)
from rules.zhanguo.events.boards import (
    AlchemistPlaced,
    BoatMoved,
    EmperorTilePlaced,
    EmperorTileTaken,
    GovernorInstalled,
    LargeReturned,
    LargeTaken,
    MasterTaken,
    OfficialMoved,
    OfficialReturned,
    OfficialsRecruited,
    PalaceBuilt,
    PalaceTileTaken,
    PointsScored,
    SoldierPlaced,
    SoldiersUnlocked,
    TokensGained,
    TokensReturned,
    UnrestLowered,
    UnrestRaised,
    WallBuilt,
    WorkerMoved,
    WorkersHired,
    WorkersSpent,
)
from rules.zhanguo.events.course import (
    AbilityActivated,
    ActionTaken,
    ActivationEnded,
    CardDrawn,
    CardPlayedAtCourt,
    CardUnified,
    ChoiceLapsed,
    ChoiceMade,
    ChoicesDue,
    HandsDealt,
    MatchEnded,
    PlayForfeited,
    RoundBegan,
    RoundEnded,
    TurnBegan,
    WindowClosed,
)
from rules.zhanguo.events.dealing import (
    EmperorTileDealt,
    FirstPlayerDrawn,
    GovernorTileDealt,
    MasterDealt,
    MausoleumTileDealt,
    PalaceTileDealt,
    StartTileChosen,
    StartTileDealt,
    StartTileSettled,
    TargetDealt,
    WallTileDealt,
)
from rules.zhanguo.events.rewards import (
    LimitKept,
    LimitsBegan,
    MarkerMoved,
    PaymentClosed,
    PaymentOpened,
    ReturnAsked,
    RewardAccepted,
    RewardOffered,
    RewardPassed,
    RewardsBegan,
    RowClosed,
    SoldierPaid,
    TurnOrderSet,
)
from rules.zhanguo.events.rival import (
    ActionDeckRebuilt,
    ActionRevealed,
    EmperorTileRemoved,
    RivalCardAtCourt,
    RivalCardUnified,
    RivalTileKept,
    RivalTurnBegan,
    RivalTurnEnded,
)

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

__all__ = [
    "AbilityActivated",
    "ActionDeckRebuilt",
    "ActionRevealed",
    "ActionTaken",
    "ActivationEnded",
    "AlchemistPlaced",
    "BoatMoved",
    "CardDrawn",
    "CardPlayedAtCourt",
    "CardUnified",
    "ChoiceLapsed",
    "ChoiceMade",
    "ChoicesDue",
    "EmperorTileDealt",
    "EmperorTilePlaced",
    "EmperorTileRemoved",
    "EmperorTileTaken",
    "Event",
    "FirstPlayerDrawn",
    "GovernorInstalled",
    "GovernorTileDealt",
    "HandsDealt",
    "LargeReturned",
    "LargeTaken",
    "LimitKept",
    "LimitsBegan",
    "MarkerMoved",
    "MasterDealt",
    "MasterTaken",
    "MatchEnded",
    "MausoleumTileDealt",
    "OfficialMoved",
    "OfficialReturned",
    "OfficialsRecruited",
    "PalaceBuilt",
    "PalaceTileDealt",
    "PalaceTileTaken",
    "PaymentClosed",
    "PaymentOpened",
    "PlayForfeited",
    "PointsScored",
    "ReturnAsked",
    "RewardAccepted",
    "RewardOffered",
    "RewardPassed",
    "RewardsBegan",
    "RivalCardAtCourt",
    "RivalCardUnified",
    "RivalTileKept",
    "RivalTurnBegan",
    "RivalTurnEnded",
    "RoundBegan",
    "RoundEnded",
    "RowClosed",
    "SoldierPaid",
    "SoldierPlaced",
    "SoldiersUnlocked",
    "Source",
    "StartTileChosen",
    "StartTileDealt",
    "StartTileSettled",
    "TargetDealt",
    "TokensGained",
    "TokensReturned",
    "TurnBegan",
    "TurnOrderSet",
    "UnrestLowered",
    "UnrestRaised",
    "WallBuilt",
    "WallTileDealt",
    "WindowClosed",
    "WorkerMoved",
    "WorkersHired",
    "WorkersSpent",
]
