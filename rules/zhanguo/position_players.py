"""What the word of a seat in a position line is made of: docs/zhanguo.md describes every part of it."""

from typing import Final, TypeAlias

from typing_extensions import override

from rules.kernel.composed import Gathered, Marked, either
from rules.kernel.composite import record
from rules.kernel.forms import Unnamed
from rules.kernel.nouns import Choice, number
from rules.kernel.remembered import Remembered
from rules.kernel.terms import UNKNOWN, Term
from rules.kernel.text import Word, quoted
from rules.zhanguo.names import CARD, EMPEROR, UNIFICATION_CARD
from rules.zhanguo.pieces import ASPECTS, HAND, OF_TYPE, REGIONS, SOLDIERS, UNREST, Aspect, Card
from rules.zhanguo.player_board import Domain, Hand, Placed, Player
from rules.zhanguo.state import Table


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
        parts = word.split(":")
        locked, entrance = soldiers.read(table, parts[2])
        small, large = tokens.read(table, parts[3])
        return Player(
            vp=points.read(table, parts[0]),
            boat=space.read(table, parts[1]),
            locked=locked,
            entrance=entrance,
            tokens=small,
            large=large,
            hand=hand.read(table, parts[4]),
            aside=aside.read(table, parts[5]),
            domains=domains.read(table, parts[6]),
        )


PLAYER: Final = Remembered(_Players(), lambda table: len(table.names))
