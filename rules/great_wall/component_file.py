"""What a component file of The Great Wall says, field by field."""

from typing import Final, Literal, TypeAlias

from msgspec import Struct, field

SCHEMA: Final = "great-wall-components/1"
INVENTED: Final = "invented-reference"
TRANSCRIBED: Final = "transcribed"

ResourceWord: TypeAlias = Literal["wood", "stone", "gold", "chi"]
KindWord: TypeAlias = Literal["spearman", "archer", "horseman"]
SectionWord: TypeAlias = Literal["left", "centre", "right"]
Amounts: TypeAlias = dict[ResourceWord, int]
FigureAmounts: TypeAlias = dict[KindWord, int]
OpWord: TypeAlias = Literal[
    "gain",
    "lose",
    "take",
    "honour",
    "tactic",
    "clerks",
    "activate",
    "attack",
    "copy",
    "upgrade",
    "barricade",
    "wound",
    "save",
    "cleanse",
    "tea",
    "shame",
    "recruit",
    "wall",
]
OccasionWord: TypeAlias = Literal[
    "upgrade",
    "donate",
    "recruit",
    "cover",
    "shoot",
    "barricade",
    "wall",
    "hire",
    "tactic",
    "claim",
    "share",
    "killed",
    "saved",
    "shame",
    "income",
    "hold",
]
WindowWord: TypeAlias = Literal["strategy", "resolve", "losses", "shame", "summer", "fire"]


class _Part(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table of the file; a field that it does not know is refused."""


class Bonus(_Part, frozen=True):
    """More clerks where another clan has a card of this name on the track."""

    card: str
    n: int


class Op(_Part, frozen=True):
    """An operation of a card."""

    op: OpWord
    n: int = 1
    res: ResourceWord | None = None
    of: Literal["any", "wsg"] | None = None
    per: Literal["assistant"] | None = None
    bonus: Bonus | None = None
    otherwise: "tuple[Op, ...]" = field(name="else", default=())
    kind: KindWord | None = None
    line: int | None = None


class PricePart(_Part, frozen=True):
    """The prices that the rulebook gives."""

    shame_chi: int
    save_chi: int
    clerk_gold: int
    donation_honour: int
    barricade_wsg: int
    barricade_honour: int
    barricade_defence: int
    spearman: Amounts
    archer: Amounts
    horseman: Amounts


class WallPart(_Part, frozen=True):
    """A level of the wall."""

    level: int
    defence: int
    firing: int
    next_wsg: int
    honour: int


class TimePart(_Part, frozen=True):
    """A slot of the time track."""

    mortality: int
    hordes: int


class LocationPart(_Part, frozen=True):
    """A location of one side of the board."""

    id: str
    kind: Literal["standard", "special"]
    shame: bool
    slots: int = 0
    resource: ResourceWord | None = None
    foreman: tuple[Amounts, ...] = ()


class BoardPart(_Part, frozen=True):
    """A side of the board."""

    side: str
    players: tuple[int, ...]
    strategy_spaces: int
    time: tuple[TimePart, ...]
    location: tuple[LocationPart, ...]


class AbilityPart(_Part, frozen=True):
    """What a horde changes while it lies before the wall."""

    stat: Literal["power", "mortality", "barricade", "immune"]
    when: Literal["always", "front"]
    by: int = 0
    to: KindWord | None = None


class HordePart(_Part, frozen=True):
    """A horde card."""

    id: str
    back: SectionWord
    power: int
    reward: int
    spots: tuple[str, ...]
    ability: tuple[AbilityPart, ...] = ()


class BlockPart(_Part, frozen=True):
    """A block of a strategy card."""

    who: Literal["self", "others"]
    do: tuple[Op, ...]


class StrategyPart(_Part, frozen=True):
    """A strategy card of the players, of Reed or of Qin."""

    id: str
    blocks: tuple[BlockPart, ...]


class GeneralPart(_Part, frozen=True):
    """A general."""

    id: str
    start: Amounts
    tactics: int
    tea: int
    on: OccasionWord
    do: tuple[Op, ...]


class SoloGeneralPart(_Part, frozen=True):
    """Qin's general."""

    id: str
    track: tuple[Literal["wood", "stone", "gold", "chi", "wound"], ...]
    on: OccasionWord
    do: tuple[Op, ...]


class ReedGeneralPart(_Part, frozen=True):
    """A general of the Reed Clan, which has no effect (AMB-22)."""

    id: str


class AdvisorPart(_Part, frozen=True):
    """An advisor."""

    id: str
    on: OccasionWord
    do: tuple[Op, ...]


class TacticPart(_Part, frozen=True):
    """A kind of tactic cards."""

    id: str
    copies: int
    window: WindowWord
    base: tuple[Op, ...]
    boost_chi: int
    boosted: tuple[Op, ...]


class ArtefactPart(_Part, frozen=True):
    """An artefact: n honour for each of what it counts."""

    id: str
    count: Literal["claimed", "advisor", "foreman-level", "soldier-out", "clerk"]
    n: int


class RequestPart(_Part, frozen=True):
    """A request of the Emperor."""

    id: str
    two_players: bool
    scope: Literal["each", "one", "state"]
    pay: Amounts = {}
    honour: int = 0
    sacrifice: FigureAmounts = {}
    needs: dict[Literal["claimed", "wall-levels", "hordes-a-section"], int] = {}


class PassivePart(_Part, frozen=True):
    """What an event changes for the rest of the match."""

    stat: Literal["power", "mortality", "save-cost", "barricade", "income", "donation", "spring"]
    by: int


class EventPart(_Part, frozen=True):
    """An event card."""

    id: str
    immediate: tuple[Op, ...] = ()
    passive: tuple[PassivePart, ...] = ()


class ComponentFile(_Part, frozen=True):
    """Everything that a file of this schema says."""

    schema: Literal["great-wall-components/1"]
    set_id: str
    provenance: Literal["transcribed", "invented-reference"]
    transcribed_from: str
    clans: tuple[str, ...]
    prices: PricePart
    wall: tuple[WallPart, ...]
    board: tuple[BoardPart, ...]
    horde: tuple[HordePart, ...]
    coop_horde: tuple[HordePart, ...]
    strategy: tuple[StrategyPart, ...]
    reed_strategy: tuple[StrategyPart, ...]
    solo_strategy: tuple[StrategyPart, ...]
    general: tuple[GeneralPart, ...]
    coop_general: tuple[GeneralPart, ...]
    solo_general: tuple[SoloGeneralPart, ...]
    reed_general: tuple[ReedGeneralPart, ...]
    advisor: tuple[AdvisorPart, ...]
    tactic: tuple[TacticPart, ...]
    coop_tactic: tuple[TacticPart, ...]
    artefact: tuple[ArtefactPart, ...]
    request: tuple[RequestPart, ...]
    event: tuple[EventPart, ...]

    @property
    def invented(self) -> bool:
        """Whether it is no transcription of the published game."""
        return self.provenance == INVENTED
