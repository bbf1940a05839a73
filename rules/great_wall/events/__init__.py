"""What has happened, in the past tense, by area.

One module per area; `base` has the words that several share. The rest of the game imports this package, not
its modules. Imports values of the game only. Start at course.py, the course of a year.
"""

from typing import TypeAlias

from rules.great_wall.events.army import (
    ArcherPosted,
    BarricadeBuilt,
    BarricadesCleared,
    Covered,
    HordeClaimed,
    HordeDefeated,
    HordeDiscarded,
    Recruited,
    SectionBreached,
    SectionHeld,
    SoldiersLost,
    SoldiersRested,
    WallBuilt,
    WarehouseUsed,
    Wounded,
)
from rules.great_wall.events.base import (
    Deck,
    Season,
    TasksDue,
    Way,
)
from rules.great_wall.events.chance import (
    ActiveChosen,
    AdvisorLaid,
    AdvisorsDealt,
    AdvisorsRevealed,
    ArtefactsLaid,
    DeckReshuffled,
    EventRevealed,
    GeneralChosen,
    GeneralRevealed,
    GeneralsDealt,
    QinAdvised,
    RequestLaid,
    SoloCardTurned,
    StartTaken,
    TacticDrawn,
    TeaStacked,
    TopShown,
    TrackLaid,
)
from rules.great_wall.events.course import (
    AdvisorEnlisted,
    AdvisorsDropped,
    CardRecovered,
    CardsRecovered,
    HordePlaced,
    IncomePaid,
    MatchEnded,
    Raided,
    SeasonBegan,
    StrategyPicked,
    StrategyPlaced,
    StrategyRevealed,
    TimeAdvanced,
    TrackCleared,
    TurnBegan,
    TurnEnded,
)
from rules.great_wall.events.holdings import (
    Declined,
    Gained,
    HonourGained,
    HonourLost,
    Lost,
    OwedCredited,
    Paid,
    RequestAgreed,
    RequestFulfilled,
    RequestProposed,
    RequestRefused,
    RewardOwed,
    SacrificeMade,
    SavesGranted,
    SavesLapsed,
    SavesUsed,
    ShameGained,
    ShamePlaced,
    ShameRemoved,
    ShameReturned,
    ShameShed,
    TacticDiscarded,
    TacticPlayed,
    TacticSpent,
)
from rules.great_wall.events.places import (
    AdvisorDismissed,
    AdvisorHired,
    ClerkHired,
    ClerkMoved,
    ClerksReturned,
    Collected,
    Donated,
    ForemanUpgraded,
    LocationActivated,
    SoldiersMoved,
    TeaRose,
    TokenAdvanced,
)

Event: TypeAlias = (
    TasksDue
    | ArtefactsLaid
    | RequestLaid
    | EventRevealed
    | TopShown
    | GeneralsDealt
    | AdvisorsDealt
    | GeneralChosen
    | ActiveChosen
    | GeneralRevealed
    | AdvisorsRevealed
    | QinAdvised
    | TeaStacked
    | StartTaken
    | AdvisorLaid
    | TacticDrawn
    | TrackLaid
    | SoloCardTurned
    | DeckReshuffled
    | SeasonBegan
    | TimeAdvanced
    | HordePlaced
    | Raided
    | AdvisorsDropped
    | AdvisorEnlisted
    | IncomePaid
    | TrackCleared
    | CardsRecovered
    | CardRecovered
    | StrategyPicked
    | StrategyRevealed
    | StrategyPlaced
    | TurnBegan
    | TurnEnded
    | MatchEnded
    | ClerkMoved
    | LocationActivated
    | Collected
    | ForemanUpgraded
    | Donated
    | ClerksReturned
    | TokenAdvanced
    | TeaRose
    | ClerkHired
    | AdvisorHired
    | AdvisorDismissed
    | SoldiersMoved
    | Recruited
    | Covered
    | ArcherPosted
    | Wounded
    | BarricadeBuilt
    | WallBuilt
    | WarehouseUsed
    | HordeDefeated
    | SoldiersLost
    | SoldiersRested
    | HordeClaimed
    | HordeDiscarded
    | SectionHeld
    | SectionBreached
    | BarricadesCleared
    | Gained
    | RewardOwed
    | OwedCredited
    | Paid
    | Lost
    | HonourGained
    | HonourLost
    | ShameGained
    | ShamePlaced
    | ShameShed
    | ShameRemoved
    | ShameReturned
    | TacticPlayed
    | TacticSpent
    | TacticDiscarded
    | SavesGranted
    | SavesUsed
    | SavesLapsed
    | RequestFulfilled
    | SacrificeMade
    | Declined
    | RequestProposed
    | RequestAgreed
    | RequestRefused
)

__all__ = [
    "ActiveChosen",
    "AdvisorDismissed",
    "AdvisorEnlisted",
    "AdvisorHired",
    "AdvisorLaid",
    "AdvisorsDealt",
    "AdvisorsDropped",
    "AdvisorsRevealed",
    "ArcherPosted",
    "ArtefactsLaid",
    "BarricadeBuilt",
    "BarricadesCleared",
    "CardRecovered",
    "CardsRecovered",
    "ClerkHired",
    "ClerkMoved",
    "ClerksReturned",
    "Collected",
    "Covered",
    "Deck",
    "DeckReshuffled",
    "Declined",
    "Donated",
    "Event",
    "EventRevealed",
    "ForemanUpgraded",
    "Gained",
    "GeneralChosen",
    "GeneralRevealed",
    "GeneralsDealt",
    "HonourGained",
    "HonourLost",
    "HordeClaimed",
    "HordeDefeated",
    "HordeDiscarded",
    "HordePlaced",
    "IncomePaid",
    "LocationActivated",
    "Lost",
    "MatchEnded",
    "OwedCredited",
    "Paid",
    "QinAdvised",
    "Raided",
    "Recruited",
    "RequestAgreed",
    "RequestFulfilled",
    "RequestLaid",
    "RequestProposed",
    "RequestRefused",
    "RewardOwed",
    "SacrificeMade",
    "SavesGranted",
    "SavesLapsed",
    "SavesUsed",
    "Season",
    "SeasonBegan",
    "SectionBreached",
    "SectionHeld",
    "ShameGained",
    "ShamePlaced",
    "ShameRemoved",
    "ShameReturned",
    "ShameShed",
    "SoldiersLost",
    "SoldiersMoved",
    "SoldiersRested",
    "SoloCardTurned",
    "StartTaken",
    "StrategyPicked",
    "StrategyPlaced",
    "StrategyRevealed",
    "TacticDiscarded",
    "TacticDrawn",
    "TacticPlayed",
    "TacticSpent",
    "TasksDue",
    "TeaRose",
    "TeaStacked",
    "TimeAdvanced",
    "TokenAdvanced",
    "TopShown",
    "TrackCleared",
    "TrackLaid",
    "TurnBegan",
    "TurnEnded",
    "WallBuilt",
    "WarehouseUsed",
    "Way",
    "Wounded",
]
