"""What the other words of a position line are made of: the course of the match, and Li Si.

docs/zhanguo.md describes every word.
"""

from dataclasses import replace
from typing import Final

from typing_extensions import override

from rules.kernel.actors import Seat
from rules.kernel.terms import NOTHING, Term
from rules.kernel.text import Word, quoted
from rules.zhanguo.annex import REWARD_TABLES
from rules.zhanguo.frames import Frame
from rules.zhanguo.names import ACTION_CARD, FRAMES, START_TILE
from rules.zhanguo.pieces import ASPECTS, HAND, REGIONS, ROUNDS, TileKind
from rules.zhanguo.position_board import TILE_LETTERS
from rules.zhanguo.position_seats import read_seat, read_seats, write_seats
from rules.zhanguo.rulings import TABLE, read_options
from rules.zhanguo.state import ActionDeck, Table

_OVER: Final = "over"


class _Order(Term[Table, tuple[tuple[Seat, ...], tuple[Seat | None, ...]]]):
    """Turn-order markers on the track, and in the column of the round: `2|1-3`."""

    what = "turn order"

    @override
    def write(self, table: Table, thing: tuple[tuple[Seat, ...], tuple[Seat | None, ...]]) -> str:
        track, column = thing
        return f"{write_seats(track, NOTHING) or NOTHING}|{write_seats(column, NOTHING)}"

    @override
    def read(self, table: Table, word: Word) -> tuple[tuple[Seat, ...], tuple[Seat | None, ...]]:
        parts = word.split("|")
        if len(parts) != 2:  # noqa: PLR2004 - the track and the column
            raise word.fault(f"{quoted(word.text)}; expected the track and the column, such as 2|1-3")
        track = () if parts[0].text == NOTHING else parts[0]
        seats = tuple(read_seat(table, track, at) for at in range(len(track.text))) if track else ()
        return seats, read_seats(table, parts[1], NOTHING, len(ASPECTS))


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
    of = TILE_LETTERS.several("").several("/", count=len(REGIONS))

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
