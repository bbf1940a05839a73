"""Component sets: the file that lists what is printed, its canonical text and hash, and the shipped sets."""

import hashlib
from functools import lru_cache
from typing import Final, Literal

import msgspec
from msgspec import Struct

from rules.kernel.setup import BadSetup, ComponentSet, UnreadableComponents
from rules.kernel.text import quoted
from rules.zhanguo.reference import REFERENCE

SET_PREFIX: Final = "set:"
HASH_MARK: Final = "#sha256="
_LONGEST: Final = 65_536
"""No set has a longer canonical text."""


class SetPart(Struct, frozen=True, forbid_unknown_fields=True):
    """Which set it is and where it comes from."""

    id: str
    schema: Literal[1]
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
    def invented(self) -> bool:
        """Whether it is no transcription of the published game."""
        return self.set.provenance == "reference-invented"


def read_file(text: str) -> ComponentFile:
    """A component file in TOML; not checked yet."""
    try:
        return msgspec.toml.decode(text, type=ComponentFile)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as fault:
        raise UnreadableComponents(_where(str(fault))) from None


def _where(fault: str) -> str:
    """'Expected `int`, got `str` - at `$.elixir.length`' with the field as a file has it."""
    what, _, where = fault.partition(" - at ")
    field = where.strip("`").removeprefix("$.").removeprefix("$")
    return f"{field}: {what}" if field else what


def canonical_text(file: ComponentFile) -> str:
    """The set as JSON without blanks: the same for sets that say the same."""
    return msgspec.json.encode(file, order="deterministic").decode().replace(" ", "\\u0020")


def set_hash(file: ComponentFile) -> str:
    """SHA-256 of the canonical text, in hexadecimal."""
    return hashlib.sha256(canonical_text(file).encode()).hexdigest()


REFERENCE_LABEL: Final = (
    "Reference components: invented for testing; not the published cards, tiles or boards. "
    "Results are not comparable with the published game."
)
ZHG_REFERENCE: Final = ComponentSet(
    name="zhg-ref-1",
    kind="components",
    provenance="Invented for this project; not a transcription of anything printed.",
    verified=False,
    notes=(REFERENCE_LABEL, "Every count that the rulebook states is kept."),
    data=REFERENCE,
)
SETS: Final = (ZHG_REFERENCE,)


def set_tag(file: ComponentFile) -> str:
    """How a match header calls the set: a shipped one by name and hash, any other in full."""
    if _is_shipped(file):
        return f"{file.set.id}{HASH_MARK}{set_hash(file)}"
    return SET_PREFIX + canonical_text(file)


def is_impostor(file: ComponentFile) -> bool:
    """Whether it bears the name of a shipped set without being it."""
    return file.set.id in _names() and not _is_shipped(file)


def _is_shipped(file: ComponentFile) -> bool:
    return file.set.id in _names() and set_hash(file) == set_hash(_shipped(file.set.id))


@lru_cache(maxsize=32)
def find_file(text: str) -> ComponentFile:
    """The set that a match header names, with or without its hash, or gives in full; not checked yet."""
    if text.startswith(SET_PREFIX):
        if len(text) > _LONGEST:
            raise BadSetup("components", f"the component set is longer than {_LONGEST} characters")
        try:
            return msgspec.json.decode(text.removeprefix(SET_PREFIX), type=ComponentFile)
        except (msgspec.MsgspecError, RecursionError) as fault:
            raise BadSetup("components", f"the component set cannot be read: {_where(str(fault))}") from None
    name, mark, stated = text.partition(HASH_MARK)
    if name not in _names():
        known = f"known: {', '.join(_names())}, or give one in full as {SET_PREFIX}…"
        raise BadSetup("components", f"no component set is called {quoted(name)}; {known}")
    file = _shipped(name)
    if mark and stated != set_hash(file):
        raise BadSetup("components", f"{name} has the hash {set_hash(file)}, not {quoted(stated, 70)}")
    return file


def _names() -> tuple[str, ...]:
    return tuple(known.name for known in SETS)


@lru_cache(maxsize=len(SETS))
def _shipped(name: str) -> ComponentFile:
    return read_file(next(known.data for known in SETS if known.name == name))
