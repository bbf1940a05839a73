"""Tasks: everything that can be pending in a match, as values, by area.

A question ends in Due and awaits a seat or chance; all others are done of themselves. What they ask and
cause is in rules.great_wall.tasks. Imports values of the game only. Start at course.py, the course of a
year.
"""

from typing import TypeAlias

from rules.great_wall.pending.chance import (
    AdviseDue,
    AdvisorsDue,
    ArtefactsDue,
    DealDue,
    DrawDue,
    EventDue,
    HordesDue,
    QinTrackDue,
    RequestsDue,
    SoloDue,
    TopDue,
)
from rules.great_wall.pending.coop import (
    AgreeDue,
    Free,
    FulfilDue,
    Step,
)
from rules.great_wall.pending.course import (
    ActiveDue,
    Autumn,
    ClanPlaces,
    CleanseDue,
    ClearTrack,
    DropAdvisors,
    EndCheck,
    EnlistDue,
    GeneralDue,
    NextYear,
    OpenActiveDue,
    OpenGeneralDue,
    PickDue,
    PlaceDue,
    Places,
    RecoverDue,
    SetOut,
    Spring,
    Summer,
    Turn,
    TurnOver,
    Turns,
    Winter,
    YearEnd,
)
from rules.great_wall.pending.effects import (
    AdvanceDue,
    BarricadesDue,
    ClerksDue,
    CopyDue,
    Do,
    FreesDue,
    LimitDue,
    OrderDue,
    Others,
    TacticEnd,
    TakeDue,
    UpgradesDue,
    WoundsDue,
)
from rules.great_wall.pending.hordes import (
    Assault,
    BatchEnd,
    Claim,
    ClanDies,
    ClearBarricades,
    Defeat,
    DefeatCheck,
    Fire,
    FireDue,
    Kill,
    LoseDue,
    QinFires,
    ShameDue,
    TakeShame,
)
from rules.great_wall.pending.places import (
    AbsolveDue,
    Activate,
    ActsDue,
    AgainDue,
    BuildDue,
    Collect,
    DismissDue,
    DonateDue,
    Donating,
    HireDue,
    Home,
    MarchDue,
    QinAt,
    RecruitDue,
    ReedAt,
    ReedBarricadeDue,
    ReedSpearDue,
    RiseDue,
    Settle,
    ShiftDue,
    StartActs,
    StudyDue,
    UpgradeDue,
    Upgrading,
)

Task: TypeAlias = (
    ArtefactsDue
    | RequestsDue
    | TopDue
    | HordesDue
    | DealDue
    | AdviseDue
    | AdvisorsDue
    | DrawDue
    | QinTrackDue
    | SoloDue
    | EventDue
    | GeneralDue
    | ActiveDue
    | OpenGeneralDue
    | OpenActiveDue
    | SetOut
    | Spring
    | EnlistDue
    | DropAdvisors
    | Summer
    | CleanseDue
    | ClearTrack
    | RecoverDue
    | Autumn
    | PickDue
    | Places
    | PlaceDue
    | ClanPlaces
    | Turns
    | Turn
    | TurnOver
    | Winter
    | YearEnd
    | EndCheck
    | NextYear
    | Others
    | Do
    | ClerksDue
    | TakeDue
    | CopyDue
    | AdvanceDue
    | OrderDue
    | UpgradesDue
    | BarricadesDue
    | WoundsDue
    | FreesDue
    | LimitDue
    | TacticEnd
    | StartActs
    | ActsDue
    | Activate
    | Collect
    | Upgrading
    | Donating
    | Home
    | UpgradeDue
    | DonateDue
    | RiseDue
    | RecruitDue
    | BuildDue
    | AgainDue
    | HireDue
    | MarchDue
    | ShiftDue
    | StudyDue
    | Settle
    | ReedAt
    | QinAt
    | ReedSpearDue
    | ReedBarricadeDue
    | DismissDue
    | AbsolveDue
    | TakeShame
    | ShameDue
    | DefeatCheck
    | Defeat
    | Kill
    | LoseDue
    | ClanDies
    | BatchEnd
    | Claim
    | Fire
    | FireDue
    | QinFires
    | Assault
    | ClearBarricades
    | FulfilDue
    | AgreeDue
    | Free
)

__all__ = [
    "AbsolveDue",
    "Activate",
    "ActiveDue",
    "ActsDue",
    "AdvanceDue",
    "AdviseDue",
    "AdvisorsDue",
    "AgainDue",
    "AgreeDue",
    "ArtefactsDue",
    "Assault",
    "Autumn",
    "BarricadesDue",
    "BatchEnd",
    "BuildDue",
    "Claim",
    "ClanDies",
    "ClanPlaces",
    "CleanseDue",
    "ClearBarricades",
    "ClearTrack",
    "ClerksDue",
    "Collect",
    "CopyDue",
    "DealDue",
    "Defeat",
    "DefeatCheck",
    "DismissDue",
    "Do",
    "DonateDue",
    "Donating",
    "DrawDue",
    "DropAdvisors",
    "EndCheck",
    "EnlistDue",
    "EventDue",
    "Fire",
    "FireDue",
    "Free",
    "FreesDue",
    "FulfilDue",
    "GeneralDue",
    "HireDue",
    "Home",
    "HordesDue",
    "Kill",
    "LimitDue",
    "LoseDue",
    "MarchDue",
    "NextYear",
    "OpenActiveDue",
    "OpenGeneralDue",
    "OrderDue",
    "Others",
    "PickDue",
    "PlaceDue",
    "Places",
    "QinAt",
    "QinFires",
    "QinTrackDue",
    "RecoverDue",
    "RecruitDue",
    "ReedAt",
    "ReedBarricadeDue",
    "ReedSpearDue",
    "RequestsDue",
    "RiseDue",
    "SetOut",
    "Settle",
    "ShameDue",
    "ShiftDue",
    "SoloDue",
    "Spring",
    "StartActs",
    "Step",
    "StudyDue",
    "Summer",
    "TacticEnd",
    "TakeDue",
    "TakeShame",
    "Task",
    "TopDue",
    "Turn",
    "TurnOver",
    "Turns",
    "UpgradeDue",
    "UpgradesDue",
    "Upgrading",
    "Winter",
    "WoundsDue",
    "YearEnd",
]
