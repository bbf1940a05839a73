"""What cards do, as values: the closed vocabulary of component files."""

from dataclasses import dataclass
from typing import TypeAlias

from rules.great_wall.kinds import Kind, Resource, Script, Strategy


@dataclass(frozen=True, slots=True)
class Gain:
    """The player gets resources."""

    resource: Resource
    n: int
    per_assistant: bool


@dataclass(frozen=True, slots=True)
class LoseSome:
    """The player loses up to n of a resource."""

    resource: Resource
    n: int


@dataclass(frozen=True, slots=True)
class TakeAny:
    """The player takes n units of their choice, one by one."""

    n: int
    chi_too: bool


@dataclass(frozen=True, slots=True)
class GainHonour:
    """The player gets honour."""

    n: int
    per_assistant: bool


@dataclass(frozen=True, slots=True)
class DrawCards:
    """The player draws tactics."""

    n: int


@dataclass(frozen=True, slots=True)
class SendClerks:
    """Up to n clerks to n different locations; more if another clan has that card on the track."""

    n: int
    bonus_card: Strategy | None
    bonus: int


@dataclass(frozen=True, slots=True)
class ActivateOne:
    """One advanced activation."""


@dataclass(frozen=True, slots=True)
class AttackOrder:
    """Resting soldiers and archers in slots attack."""


@dataclass(frozen=True, slots=True)
class CopyCard:
    """The self blocks of another clan's card, or the operations of another list."""

    otherwise: Script


@dataclass(frozen=True, slots=True)
class RaiseForemen:
    """Up to n upgrades of different foremen, at the printed cost."""

    n: int


@dataclass(frozen=True, slots=True)
class FreeBarricades:
    """Up to n barricades free of cost."""

    n: int


@dataclass(frozen=True, slots=True)
class DealWounds:
    """Up to n wounds on cards of the first lines, in any section."""

    n: int
    line: int


@dataclass(frozen=True, slots=True)
class GrantSaves:
    """Saves without chi in the kill batch at hand."""

    n: int


@dataclass(frozen=True, slots=True)
class CleanseFreely:
    """Up to n own shame tokens back to the pool."""

    n: int


@dataclass(frozen=True, slots=True)
class RiseInTea:
    """The own marker rises n places."""

    n: int


@dataclass(frozen=True, slots=True)
class GainShame:
    """The player gains n shame tokens."""

    n: int


@dataclass(frozen=True, slots=True)
class QinRecruits:
    """Qin gets soldiers that attack at once."""

    kind: Kind
    n: int


@dataclass(frozen=True, slots=True)
class QinBuilds:
    """Qin builds a wall part."""


Operation: TypeAlias = (
    Gain
    | LoseSome
    | TakeAny
    | GainHonour
    | DrawCards
    | SendClerks
    | ActivateOne
    | AttackOrder
    | CopyCard
    | RaiseForemen
    | FreeBarricades
    | DealWounds
    | GrantSaves
    | CleanseFreely
    | RiseInTea
    | GainShame
    | QinRecruits
    | QinBuilds
)
Reward: TypeAlias = Gain | GainHonour
"""What an occasion gives."""
