"""What the words of a position line are made of: docs/zhanguo.md describes every word."""

from dataclasses import replace
from typing import Final, TypeAlias

from typing_extensions import override

from rules.kernel.actors import Seat
from rules.kernel.composed import Gathered, Marked, either
from rules.kernel.composite import record
from rules.kernel.forms import Unnamed
from rules.kernel.nouns import Choice, number
from rules.kernel.remembered import Remembered
from rules.kernel.terms import NOTHING, UNKNOWN, Term
from rules.kernel.text import Unreadable, Word, quoted
from rules.zhanguo.annex import REWARD_TABLES
from rules.zhanguo.frames import Frame
from rules.zhanguo.main_board import SPACES, GovernorSpot, MapRegion, MausoleumSpot, WallSection
from rules.zhanguo.names import (
    ACTION_CARD,
    CARD,
    EMPEROR,
    FACE,
    FRAMES,
    GOVERNOR_TILE,
    MAUSOLEUM_TILE,
    START_TILE,
    TARGET,
    UNIFICATION_CARD,
)
from rules.zhanguo.pieces import (
    ASPECTS,
    GOVERNORS,
    HAND,
    OF_TYPE,
    PALACES,
    REGIONS,
    ROUNDS,
    SECTIONS,
    SITES,
    SOLDIERS,
    SPOTS,
    TILE_KINDS,
    UNREST,
    Aspect,
    Card,
    TileKind,
)
from rules.zhanguo.player_board import Domain, Hand, Placed, Player
from rules.zhanguo.rulings import TABLE, read_options
from rules.zhanguo.state import ActionDeck, Table

_FREE: Final = "."
_OVER: Final = "over"

# Seats on slots and on the track


def _seat(table: Table, word: Word, at: int) -> Seat:
    mark = word.text[at : at + 1]
    known = "".join(str(seat + 1) for seat in table.seats)
    if not mark or mark not in known:
        raise Unreadable(f"{quoted(mark)} is no seat by number; expected one of {known}", word.column + at)
    return Seat(int(mark) - 1)


def _write_seats(seats: tuple[Seat | None, ...], nobody: str) -> str:
    return "".join([nobody if seat is None else str(seat + 1) for seat in seats])


def _read_seats(table: Table, word: Word, nobody: str, count: int) -> tuple[Seat | None, ...]:
    if len(word.text) != count:
        raise word.fault(f"{quoted(word.text)} has {len(word.text)} places; expected {count}")
    return tuple(None if mark == nobody else _seat(table, word, at) for at, mark in enumerate(word.text))


class _Order(Term[Table, tuple[tuple[Seat, ...], tuple[Seat | None, ...]]]):
    """Turn-order markers on the track, and in the column of the round: `2|1-3`."""

    what = "turn order"

    @override
    def write(self, table: Table, thing: tuple[tuple[Seat, ...], tuple[Seat | None, ...]]) -> str:
        track, column = thing
        return f"{_write_seats(track, NOTHING) or NOTHING}|{_write_seats(column, NOTHING)}"

    @override
    def read(self, table: Table, word: Word) -> tuple[tuple[Seat, ...], tuple[Seat | None, ...]]:
        parts = word.split("|")
        if len(parts) != 2:  # noqa: PLR2004 - the track and the column
            raise word.fault(f"{quoted(word.text)}; expected the track and the column, such as 2|1-3")
        track = () if parts[0].text == NOTHING else parts[0]
        seats = tuple(_seat(table, track, at) for at in range(len(track.text))) if track else ()
        return seats, _read_seats(table, parts[1], NOTHING, len(ASPECTS))


ORDER: Final = _Order()


class _TableAndRound(Term[Table, tuple[Table, int]]):
    """The unification table and the round: `T1.4`. Reading gives the table of the match with that option."""

    what = "table and round"

    @override
    def write(self, table: Table, thing: tuple[Table, int]) -> str:
        return f"{thing[0].options.table}.{thing[1]}"

    @override
    def read(self, table: Table, word: Word) -> tuple[Table, int]:
        name, _, rest = word.text.partition(".")
        if name not in REWARD_TABLES:
            raise word.fault(f"{quoted(word.text)}; expected {', '.join(REWARD_TABLES)} and the round: T1.4")
        number_of = Word(rest, word.column + len(name) + 1).whole_number(0, ROUNDS, "round")
        options = read_options((*table.options.given, (TABLE, name)))
        return replace(table, options=options), number_of


TABLE_AND_ROUND: Final = _TableAndRound()

# The main board


class _Spots(Term[Table, MausoleumSpot]):
    """A spot of the Mausoleum: `chu=MR5:2.1.`; what is not dealt yet is `?`."""

    what = "spot"

    @override
    def write(self, table: Table, thing: MausoleumSpot) -> str:
        target = UNKNOWN if thing.target is None else TARGET.write(table, thing.target)
        if thing.tile is None:
            return f"{target}={UNKNOWN}"
        return f"{target}={MAUSOLEUM_TILE.write(table, thing.tile)}:{_write_seats(thing.slots, _FREE)}"

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
        return MausoleumSpot(target, tile, _read_seats(table, slots, _FREE, count))


MAUSOLEUM: Final = _Spots().several("/", count=len(SPOTS))


class _Walls(Term[Table, tuple[WallSection, ...]]):
    """The sections of the wall: `W5b:.2..`, and `?:....` before the deal, joined by /."""

    what = "walls"

    @override
    def write(self, table: Table, thing: tuple[WallSection, ...]) -> str:
        faces = [UNKNOWN if wall.face is None else FACE.write(table, wall.face) for wall in thing]
        slots = [_write_seats(wall.slots, _FREE) for wall in thing]
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
        return WallSection(face, _read_seats(table, parts[1], _FREE, count))


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
        return f"{GOVERNOR_TILE.write(table, thing.tile)}:{_write_seats(thing.spaces, _FREE)}"

    @override
    def read(self, table: Table, word: Word) -> GovernorSpot:
        parts = word.split(":")
        if len(parts) != 2:  # noqa: PLR2004 - tile and spaces
            raise word.fault(f"{quoted(word.text)} is no governor tile; expected one such as G4:1.")
        return GovernorSpot(GOVERNOR_TILE.read(table, parts[0]), _read_seats(table, parts[1], _FREE, SPACES))


_LETTERS: Final[Choice[TileKind]] = Choice(
    "tile kind", TILE_KINDS, [kind.letter for kind in TILE_KINDS], "kind of palace tile"
)
_MAP_REGION: Final = record(
    "region of the map",
    MapRegion,
    _LETTERS.several("", nothing=""),
    _BySeat("palaces", PALACES),
    _GovernorSpots().several(",", nothing=""),
    _BySeat("governors", GOVERNORS),
    joined=";",
    example="wl;102;G4:1.,G0:..;010",
)
MAP: Final = _MAP_REGION.several("/", count=len(REGIONS))

# Player boards


class _Pair(Term[object, tuple[int, int]]):
    """Soldiers locked and at the entrance: `6.3`."""

    what = "soldiers"

    @override
    def write(self, table: object, thing: tuple[int, int]) -> str:
        return f"{thing[0]}.{thing[1]}"

    @override
    def read(self, table: object, word: Word) -> tuple[int, int]:
        parts = word.split(".")
        if len(parts) != 2:  # noqa: PLR2004 - locked and at the entrance
            raise word.fault(f"{quoted(word.text)}; expected soldiers locked and at the entrance: 6.3")
        locked, entrance = (part.whole_number(0, SOLDIERS, "number of soldiers") for part in parts)
        return locked, entrance


Held: TypeAlias = tuple[tuple[int, ...], tuple[Aspect, ...]]
_LARGE: Final = "WCL"
_MOST_TOKENS: Final = 99


class _Tokens(Term[object, Held]):
    """Small tokens by aspect, and large ones: `0.1.2WL`."""

    what = "tokens"

    @override
    def write(self, table: object, thing: Held) -> str:
        return ".".join(map(str, thing[0])) + "".join(_LARGE[aspect] for aspect in thing[1])

    @override
    def read(self, table: object, word: Word) -> Held:
        small = word.text.rstrip(_LARGE)
        large = word.text[len(small) :]
        parts = Word(small, word.column).split(".")
        if len(parts) != len(ASPECTS) or list(large) != sorted(set(large), key=_LARGE.index):
            raise word.fault(f"{quoted(word.text)}; expected tokens such as 0.1.2WL")
        counts = tuple(part.whole_number(0, _MOST_TOKENS, "number of tokens") for part in parts)
        return counts, tuple(Aspect(_LARGE.index(mark)) for mark in large)


_ASPECT_LETTERS: Final = Choice("aspect", ASPECTS, [aspect.word[0] for aspect in ASPECTS])
_HELD: Final = either("card", UNIFICATION_CARD, Marked(_ASPECT_LETTERS, UNKNOWN))


def _each_held(_: Table, hand: Hand) -> list[Card | Aspect]:
    unknown = [aspect for aspect in ASPECTS for _ in range(hand.unknown[aspect])]
    return [*hand.known, *unknown]


def _gathered(_: Table, cards: tuple[Card | Aspect, ...]) -> Hand:
    known = [card for card in cards if not isinstance(card, Aspect)]
    unknown = [card for card in cards if isinstance(card, Aspect)]
    if len(cards) > HAND or len(set(known)) < len(known):
        raise Unnamed(f"a hand has at most {HAND} cards, each once")
    return Hand(tuple(sorted(known)), tuple(unknown.count(aspect) for aspect in ASPECTS))


class _Hands(Gathered[Table, Hand, Card | Aspect]):
    """A hand: `38,43,w?`; nothing if it is empty."""

    @override
    def write(self, table: Table, thing: Hand) -> str:
        return super().write(table, thing) if thing.size else ""

    @override
    def read(self, table: Table, word: Word) -> Hand:
        return super().read(table, word) if word.text else _gathered(table, ())


HAND_TERM: Final = _Hands("hand", _HELD, _each_held, _gathered, joined=",")


class _PlacedCards(Term[Table, Placed]):
    """A card above a board, with the Emperor tile on it: `57*E2`."""

    what = "card"

    @override
    def write(self, table: Table, thing: Placed) -> str:
        tile = "" if thing.emperor is None else f"*{EMPEROR.write(table, thing.emperor)}"
        return CARD.write(table, thing.card) + tile

    @override
    def read(self, table: Table, word: Word) -> Placed:
        card, *tile = word.split("*") or [word]
        if len(tile) > 1:
            raise word.fault(f"{quoted(word.text)} has two Emperor tiles")
        return Placed(CARD.read(table, card), EMPEROR.read(table, tile[0]) if tile else None)


class _Officials(Term[object, tuple[int, ...]]):
    """Officials as letters, `aag`; an architect is r."""

    what = "officials"
    letters = "arg"

    @override
    def write(self, table: object, thing: tuple[int, ...]) -> str:
        return "".join(letter * count for letter, count in zip(self.letters, thing, strict=True))

    @override
    def read(self, table: object, word: Word) -> tuple[int, ...]:
        counts = tuple(word.text.count(letter) for letter in self.letters)
        if self.write(table, counts) != word.text or max(counts) > OF_TYPE:
            raise word.fault(f"{quoted(word.text)} are no officials; expected letters such as aag, of arg")
        return counts


_MOST_WORKERS: Final = 999
DOMAIN: Final = record(
    "region of a player board",
    Domain,
    _PlacedCards().several(",", nothing=""),
    _Officials(),
    number("workers", _MOST_WORKERS),
    number("unrest", UNREST),
    joined=";",
    example="57*E2,A3;aag;2;1",
)
_MOST_POINTS: Final = 9_999
_MOST_SPACES: Final = 99


class _Players(Term[Table, Player]):
    """What a seat has: `VP:BOAT:LOCKED.ENTRANCE:w.c.lLARGE:HAND:ASIDE:BOARD`."""

    what = "player"
    layout = (":", 7)

    def __init__(self) -> None:
        self._parts: Final = (
            number("points", _MOST_POINTS),
            number("space", _MOST_SPACES),
            _Pair(),
            _Tokens(),
            HAND_TERM,
            CARD.several(""),
            DOMAIN.several("/", count=len(REGIONS)),
        )

    @override
    def write(self, table: Table, thing: Player) -> str:
        points, space, soldiers, tokens, hand, aside, domains = self._parts
        return ":".join(
            (
                points.write(table, thing.vp),
                space.write(table, thing.boat),
                soldiers.write(table, (thing.locked, thing.entrance)),
                tokens.write(table, (thing.tokens, thing.large)),
                hand.write(table, thing.hand),
                aside.write(table, thing.aside),
                domains.write(table, thing.domains),
            )
        )

    @override
    def read(self, table: Table, word: Word) -> Player:
        points, space, soldiers, tokens, hand, aside, domains = self._parts
        said = word.split(":")
        locked, entrance = soldiers.read(table, said[2])
        small, large = tokens.read(table, said[3])
        return Player(
            vp=points.read(table, said[0]),
            boat=space.read(table, said[1]),
            locked=locked,
            entrance=entrance,
            tokens=small,
            large=large,
            hand=hand.read(table, said[4]),
            aside=aside.read(table, said[5]),
            domains=domains.read(table, said[6]),
        )


PLAYER: Final = Remembered(_Players(), lambda table: len(table.names))

# What is pending


class _Turn(Term[Table, tuple[Frame, ...]]):
    """The frames from the top down, or `over`."""

    what = "turn"

    @override
    def write(self, table: Table, thing: tuple[Frame, ...]) -> str:
        return FRAMES.write(table, thing) if thing else _OVER

    @override
    def read(self, table: Table, word: Word) -> tuple[Frame, ...]:
        return () if word.text == _OVER else FRAMES.read(table, word)


TURN: Final = _Turn()
STARTS: Final = START_TILE.several("").several(",", nothing="")

# Li Si


class _OfRival(Term[Table, ActionDeck]):
    """Action cards left and discarded: `1,2,6/10,20`; no text without Li Si."""

    what = "Action cards"

    @override
    def write(self, table: Table, thing: ActionDeck) -> str:
        if table.rival is None:
            return ""
        return "/".join(_ACTION_CARDS.write(table, cards) for cards in (thing.left, thing.discarded))

    @override
    def read(self, table: Table, word: Word) -> ActionDeck:
        parts = word.split("/")
        if table.rival is None and not parts:
            return ActionDeck((), ())
        if len(parts) != 2:  # noqa: PLR2004 - left and discarded
            raise word.fault(f"{quoted(word.text)}; expected Action cards left and discarded: 1,2,6/10")
        left, discarded = (_ACTION_CARDS.read(table, part) for part in parts)
        return ActionDeck(left, discarded)


_ACTION_CARDS: Final = ACTION_CARD.several(",", canonical=True, distinct=True)
ACTIONS: Final = _OfRival()


class _Kept(Term[Table, tuple[tuple[TileKind, ...], ...]]):
    """Li Si's palace tiles by region: `w/-/ca/-/-`; no text without him."""

    what = "palace tiles"
    of = _LETTERS.several("").several("/", count=len(REGIONS))

    @override
    def write(self, table: Table, thing: tuple[tuple[TileKind, ...], ...]) -> str:
        return "" if table.rival is None else self.of.write(table, thing)

    @override
    def read(self, table: Table, word: Word) -> tuple[tuple[TileKind, ...], ...]:
        return ((),) * len(REGIONS) if table.rival is None and not word.text else self.of.read(table, word)


KEPT: Final = _Kept()


class _Deck(Term[Table, tuple[int, ...]]):
    """The aspects of what is left of Li Si's six cards: `wccl`; no text without him."""

    what = "cards"

    @override
    def write(self, table: Table, thing: tuple[int, ...]) -> str:
        if table.rival is None:
            return ""
        return "".join(aspect.word[0] * thing[aspect] for aspect in ASPECTS) or NOTHING

    @override
    def read(self, table: Table, word: Word) -> tuple[int, ...]:
        text = "" if word.text == NOTHING else word.text
        counts = tuple(text.count(aspect.word[0]) for aspect in ASPECTS)
        if sum(counts) != len(text) or "".join(a.word[0] * counts[a] for a in ASPECTS) != text:
            raise word.fault(f"{quoted(word.text)}; expected aspects of up to {HAND} cards, such as wccl")
        return counts


DECK: Final = _Deck()
