"""What the words of a position line for the main board are made of: docs/zhanguo.md describes every word."""

from typing import Final

from typing_extensions import override

from rules.kernel.composite import record
from rules.kernel.nouns import Choice
from rules.kernel.terms import UNKNOWN, Term
from rules.kernel.text import Word, quoted
from rules.zhanguo.main_board import SPACES, GovernorSpot, MapRegion, MausoleumSpot, WallSection
from rules.zhanguo.names import EMPEROR, FACE, GOVERNOR_TILE, MAUSOLEUM_TILE, TARGET
from rules.zhanguo.pieces import GOVERNORS, PALACES, REGIONS, SECTIONS, SITES, SPOTS, TILE_KINDS, TileKind
from rules.zhanguo.position_seats import read_seats, write_seats
from rules.zhanguo.state import Table

_FREE: Final = "."


class _Spots(Term[Table, MausoleumSpot]):
    """A spot of the Mausoleum: `chu=MR5:2.1.`; what is not dealt yet is `?`."""

    what = "spot"

    @override
    def write(self, table: Table, thing: MausoleumSpot) -> str:
        target = UNKNOWN if thing.target is None else TARGET.write(table, thing.target)
        if thing.tile is None:
            return f"{target}={UNKNOWN}"
        return f"{target}={MAUSOLEUM_TILE.write(table, thing.tile)}:{write_seats(thing.slots, _FREE)}"

    @override
    def read(self, table: Table, word: Word) -> MausoleumSpot:
        parts = word.split("=")
        if len(parts) != 2:  # noqa: PLR2004 - target and tile
            raise word.fault(f"{quoted(word.text)} is no spot; expected one such as chu=MR5:2.1.")
        target = None if parts[0].text == UNKNOWN else TARGET.read(table, parts[0])
        if parts[1].text == UNKNOWN:
            return MausoleumSpot(target, None, ())
        name, *rest = parts[1].split(":") or [parts[1]]
        tile = MAUSOLEUM_TILE.read(table, name)
        slots = rest[0] if len(rest) == 1 else Word("", word.column)
        count = len(table.printed.soldier_tile(tile).slots)
        return MausoleumSpot(target, tile, read_seats(table, slots, _FREE, count))


MAUSOLEUM: Final = _Spots().several("/", count=len(SPOTS))


class _Walls(Term[Table, tuple[WallSection, ...]]):
    """The sections of the wall: `W5b:.2..`, and `?:....` before the deal, joined by /."""

    what = "walls"

    @override
    def write(self, table: Table, thing: tuple[WallSection, ...]) -> str:
        faces = [UNKNOWN if wall.face is None else FACE.write(table, wall.face) for wall in thing]
        slots = [write_seats(wall.slots, _FREE) for wall in thing]
        return "/".join(f"{face}:{taken}" for face, taken in zip(faces, slots, strict=True))

    @override
    def read(self, table: Table, word: Word) -> tuple[WallSection, ...]:
        parts = word.split("/")
        if len(parts) != len(SECTIONS):
            raise word.fault(f"{len(parts)} sections; expected {len(SECTIONS)}, joined by /")
        return tuple(
            self._section(table, part, len(slots))
            for part, slots in zip(parts, table.printed.walls, strict=True)
        )

    def _section(self, table: Table, word: Word, count: int) -> WallSection:
        parts = word.split(":")
        if len(parts) != 2:  # noqa: PLR2004 - face and slots
            raise word.fault(f"{quoted(word.text)} is no section; expected one such as W5b:.2")
        face = None if parts[0].text == UNKNOWN else FACE.read(table, parts[0])
        return WallSection(face, read_seats(table, parts[1], _FREE, count))


WALLS: Final = _Walls()
EMPERORS: Final = EMPEROR.several("").several("/", count=len(SITES))


class _BySeat(Term[Table, tuple[int, ...]]):
    """A digit for each seat: `102`."""

    def __init__(self, what: str, most: int) -> None:
        self.what = what
        self.most: Final = most

    @override
    def write(self, table: Table, thing: tuple[int, ...]) -> str:
        return "".join(map(str, thing))

    @override
    def read(self, table: Table, word: Word) -> tuple[int, ...]:
        marks = [str(number) for number in range(self.most + 1)]
        if len(word.text) != len(table.names) or any(mark not in marks for mark in word.text):
            why = f"{quoted(word.text)} are no {self.what}; expected {len(table.names)} digits to {self.most}"
            raise word.fault(why)
        return tuple(map(int, word.text))


class _GovernorSpots(Term[Table, GovernorSpot]):
    """A governor tile with its spaces: `G4:1.`."""

    what = "governor tile"

    @override
    def write(self, table: Table, thing: GovernorSpot) -> str:
        return f"{GOVERNOR_TILE.write(table, thing.tile)}:{write_seats(thing.spaces, _FREE)}"

    @override
    def read(self, table: Table, word: Word) -> GovernorSpot:
        parts = word.split(":")
        if len(parts) != 2:  # noqa: PLR2004 - tile and spaces
            raise word.fault(f"{quoted(word.text)} is no governor tile; expected one such as G4:1.")
        return GovernorSpot(GOVERNOR_TILE.read(table, parts[0]), read_seats(table, parts[1], _FREE, SPACES))


TILE_LETTERS: Final[Choice[TileKind]] = Choice(
    "tile kind", TILE_KINDS, [kind.letter for kind in TILE_KINDS], "kind of palace tile"
)
_MAP_REGION: Final = record(
    "region of the map",
    MapRegion,
    TILE_LETTERS.several("", nothing=""),
    _BySeat("palaces", PALACES),
    _GovernorSpots().several(",", nothing=""),
    _BySeat("governors", GOVERNORS),
    joined=";",
    example="wl;102;G4:1.,G0:..;010",
)
MAP: Final = _MAP_REGION.several("/", count=len(REGIONS))
