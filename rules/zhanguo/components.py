"""Component sets: what a file lists that is printed, and the shipped set."""

from typing import Final, Literal

from msgspec import Struct

from rules.kernel.component_sets import ComponentSets
from rules.kernel.setup import ComponentSet
from rules.zhanguo.reference import REFERENCE


class SetPart(Struct, frozen=True, forbid_unknown_fields=True):
    """Which set it is and where it comes from."""

    id: str
    edition: str
    provenance: Literal["reference-invented", "owner-transcribed"]
    transcribed_by: str = ""
    checked_by: str = ""


class ExtraCardPart(Struct, frozen=True, forbid_unknown_fields=True):
    """An Alchemist or Master card: its effect in the annex, and the action that triggers it."""

    effect: str
    trigger: str


class EmperorPart(Struct, frozen=True, forbid_unknown_fields=True):
    """An Emperor tile."""

    id: str
    site: str
    triggers: tuple[str, ...]


class WallTilePart(Struct, frozen=True, forbid_unknown_fields=True):
    """A wall tile with its two faces."""

    id: str
    faces: tuple[str, ...]


class SidePart(Struct, frozen=True, forbid_unknown_fields=True):
    """A side of the main board: slots as [strokes, least players], palace spaces as least players."""

    wall: dict[str, tuple[tuple[int, int], ...]]
    palace_spaces: dict[str, tuple[int, ...]]


class SidesPart(Struct, frozen=True, forbid_unknown_fields=True):
    """Both sides of the main board."""

    p2: SidePart
    p34: SidePart


class ElixirPart(Struct, frozen=True, forbid_unknown_fields=True):
    """The elixir route; points as [space, value]."""

    length: int
    one: tuple[int, ...]
    two: tuple[int, ...]
    master: tuple[int, ...]
    vp: tuple[tuple[int, int], ...]


class SpotPart(Struct, frozen=True, forbid_unknown_fields=True):
    """A spot of the Mausoleum as printed."""

    row: int
    col: int
    kind: str
    target: str


class NeedPart(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A condition: own pieces, each a minimum, all required."""

    governors: int = 0
    palaces: int = 0
    cards: int = 0
    walls: int = 0
    boat_space: int = 0
    boat_vp: int = 0
    alchemist_cards: int = 0


class MausoleumTilePart(Struct, frozen=True, forbid_unknown_fields=True):
    """A Mausoleum tile; slots from the top as [points, least players]."""

    id: str
    kind: str
    need: NeedPart
    slots: tuple[tuple[int, int], ...]


class PalaceTilePart(Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of palace tiles."""

    kind: str
    copies: int
    arg: str = ""


class StartTilePart(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A start tile; what is printed depends on its kind."""

    id: str
    kind: str
    official: str = ""
    region: str = ""
    tokens: str = ""


class LiSiPart(Struct, frozen=True, forbid_unknown_fields=True):
    """A Li Si card."""

    level: int
    deck: tuple[int, ...]
    top: str
    under: str
    order_space: int
    boat: int
    unlocked: int


class ActionCardPart(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A solo Action card; what is printed depends on its kind."""

    n: int
    kind: str
    one_shot: bool = False
    boat: int = 0
    regions: tuple[str, ...] = ()
    manner: str = ""
    tile: bool = False
    large: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()
    first: str = ""
    slot_from: str = ""
    emperor: bool = False


class ComponentFile(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that a file of this schema says."""

    schema: Literal["zhanguo-components/1"]
    set: SetPart
    cards: tuple[str, ...]
    """NUMBER,TRIGGER,ABILITY,ARGUMENT"""
    alchemist: tuple[ExtraCardPart, ...]
    master: tuple[ExtraCardPart, ...]
    emperor: tuple[EmperorPart, ...]
    wall_tile: tuple[WallTilePart, ...]
    side: SidesPart
    elixir: ElixirPart
    mausoleum_spot: tuple[SpotPart, ...]
    mausoleum_tile: tuple[MausoleumTilePart, ...]
    palace_tile: tuple[PalaceTilePart, ...]
    start_tile: tuple[StartTilePart, ...]
    lisi: tuple[LiSiPart, ...]
    solo_action: tuple[ActionCardPart, ...]

    @property
    def set_id(self) -> str:
        """The name of the set."""
        return self.set.id

    @property
    def invented(self) -> bool:
        """Whether it is no transcription of the published game."""
        return self.set.provenance == "reference-invented"


REFERENCE_LABEL: Final = (
    "Reference components: invented for testing; not the published cards, tiles or boards. "
    "Results are not comparable with the published game."
)
ZHG_REFERENCE: Final = ComponentSet(
    name="zhg-ref-1",
    kind="components",
    provenance=REFERENCE_LABEL,
    verified=False,
    notes=("Every count that the rulebook states is kept.",),
    data=REFERENCE,
)
SETS: Final = (ZHG_REFERENCE,)


_SETS: Final = ComponentSets(ComponentFile, SETS)
read_file: Final = _SETS.read
find_file: Final = _SETS.find
set_hash: Final = _SETS.hash
set_tag: Final = _SETS.tag
is_impostor: Final = _SETS.is_impostor
