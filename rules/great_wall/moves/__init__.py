"""What an actor can ask for, by area.

One module per area; `base` has the parts that several moves share. The rest of the game imports this package,
not its modules. Imports values of the game only. Start at course.py, the course of a year.
"""

from typing import TypeAlias

from rules.great_wall.moves.army import (
    Attack,
    BuildBarricade,
    BuildWall,
    Lose,
    Recruit,
    ReedBarricade,
    ReedSpearman,
    Shoot,
    WoundSpot,
)
from rules.great_wall.moves.base import (
    OnHorde,
    Pay,
    Rest,
    Shamed,
    Slot,
    Spots,
    Target,
)
from rules.great_wall.moves.chance import (
    Advise,
    Deal,
    DrawHorde,
    DrawTactic,
    LayAdvisor,
    LayArtefacts,
    LayRequest,
    LayTrack,
    RevealEvent,
    ShowTop,
    TurnSoloCard,
)
from rules.great_wall.moves.course import (
    Absolve,
    Agree,
    ChooseActive,
    ChooseGeneral,
    Cleanse,
    Copy,
    DiscardTactic,
    Done,
    Enlist,
    Fulfil,
    Pick,
    Place,
    PlaceShame,
    PlayTactic,
    RecoverAll,
    RecoverOne,
    Refuse,
    Shed,
    TakeHonour,
    TakeResource,
)
from rules.great_wall.moves.places import (
    ActivateLocation,
    Cross,
    Dismiss,
    Donate,
    HireAdvisor,
    HireClerk,
    Lower,
    March,
    MoveClerk,
    MoveReed,
    Rise,
    Shift,
    Study,
    Upgrade,
)

Move: TypeAlias = (
    LayArtefacts
    | LayRequest
    | RevealEvent
    | ShowTop
    | DrawHorde
    | Deal
    | Advise
    | DrawTactic
    | LayAdvisor
    | LayTrack
    | TurnSoloCard
    | ChooseGeneral
    | ChooseActive
    | Pick
    | Place
    | MoveClerk
    | TakeResource
    | Copy
    | ActivateLocation
    | Upgrade
    | Donate
    | Rise
    | Study
    | Recruit
    | Attack
    | Shoot
    | BuildBarricade
    | BuildWall
    | HireClerk
    | HireAdvisor
    | March
    | Shift
    | Lower
    | Cross
    | WoundSpot
    | PlaceShame
    | Shed
    | Cleanse
    | Absolve
    | Lose
    | PlayTactic
    | DiscardTactic
    | RecoverAll
    | TakeHonour
    | RecoverOne
    | Enlist
    | Fulfil
    | Agree
    | Refuse
    | MoveReed
    | ReedSpearman
    | ReedBarricade
    | Dismiss
    | Done
)

__all__ = [
    "Absolve",
    "ActivateLocation",
    "Advise",
    "Agree",
    "Attack",
    "BuildBarricade",
    "BuildWall",
    "ChooseActive",
    "ChooseGeneral",
    "Cleanse",
    "Copy",
    "Cross",
    "Deal",
    "DiscardTactic",
    "Dismiss",
    "Donate",
    "Done",
    "DrawHorde",
    "DrawTactic",
    "Enlist",
    "Fulfil",
    "HireAdvisor",
    "HireClerk",
    "LayAdvisor",
    "LayArtefacts",
    "LayRequest",
    "LayTrack",
    "Lose",
    "Lower",
    "March",
    "Move",
    "MoveClerk",
    "MoveReed",
    "OnHorde",
    "Pay",
    "Pick",
    "Place",
    "PlaceShame",
    "PlayTactic",
    "RecoverAll",
    "RecoverOne",
    "Recruit",
    "ReedBarricade",
    "ReedSpearman",
    "Refuse",
    "Rest",
    "RevealEvent",
    "Rise",
    "Shamed",
    "Shed",
    "Shift",
    "Shoot",
    "ShowTop",
    "Slot",
    "Spots",
    "Study",
    "TakeHonour",
    "TakeResource",
    "Target",
    "TurnSoloCard",
    "Upgrade",
    "WoundSpot",
]
