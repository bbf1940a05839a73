"""The sections of a position line: which words give which fields of the state, and in which order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeAlias, TypeVar, cast

from msgspec import Struct

from rules.kernel.composite import part_count
from rules.kernel.inconsistency import Inconsistency
from rules.kernel.lines import DRAWS
from rules.kernel.nouns import Flag
from rules.kernel.terms import Term
from rules.kernel.text import Unreadable, Word, listed, quoted

State = TypeVar("State", bound=Struct)
Table = TypeVar("Table")
Seen = TypeVar("Seen", contravariant=True)
Thing = TypeVar("Thing")
Content = TypeVar("Content", covariant=True)

REQUIRED: Final = object()
NO_TEXT: Final = object()
"""The default of what is left out where its text is empty."""


@dataclass(frozen=True, slots=True, eq=False)
class LineSection(Generic[Seen]):
    """A word of the line."""

    field: str
    """The field of the state, or several with blanks between them, whose values are then a tuple."""
    term: "Term[Seen, object]"
    key: str = ""
    """Before the value and its =; empty for a bare word."""
    default: object = REQUIRED
    """The value for which the word is left out."""
    title: str = ""
    """'the camps', where a message says what a line consists of."""

    @property
    def shape(self) -> str:
        """As a message says what is missing: `tea=SEATS`."""
        what = self.term.what.upper().replace(" ", "-")
        return f"{self.key}={what}" if self.key else what


@dataclass(frozen=True, slots=True, eq=False)
class SectionOf(LineSection[Seen], Generic[Seen, Content]):
    """The same, with the type of what it says."""


@dataclass(frozen=True, slots=True, eq=False)
class SeatWords(Generic[Seen]):
    """A word for each seat: its name, then what each column says of it."""

    columns: tuple[LineSection[Seen], ...]
    sign: str
    """Between the parts."""
    shape: str
    """`NAME=PLAYER`."""
    until: str = ""
    """Pattern of the word that follows them; without it, they end at a word of another shape."""
    example: str = ""
    """Such a word, for messages."""
    title: str = "a word for each seat"
    default: object = REQUIRED


RECORDED_DRAWS: Final[LineSection[object]] = LineSection("", Flag(DRAWS).erased(), DRAWS, None)
"""The place of `draws=recorded`, where that is not after all sections."""


def section(field: str, term: Term[Seen, Thing], *, title: str = "") -> SectionOf[Seen, Thing]:
    """A bare word, at its place."""
    return SectionOf(field, cast("Term[Seen, object]", term), title=title or term.article)


def keyed(key: str, term: Term[Seen, Thing], *, field: str = "") -> SectionOf[Seen, Thing]:
    """A word KEY=VALUE; the field is called as the key, unless stated."""
    return SectionOf(field or key, cast("Term[Seen, object]", term), key, title=f"{key}=")


def optional(
    key: str, term: Term[Seen, Thing], default: Thing | object = NO_TEXT, *, field: str = ""
) -> SectionOf[Seen, Thing]:
    """A word KEY=VALUE, left out where the value is the default or, without one, where it has no text."""
    return SectionOf(field or key, cast("Term[Seen, object]", term), key, default)


def by_seat(field: str, term: Term[Seen, Thing], *, sign: str = "=") -> SeatWords[Seen]:
    """A word for each seat, its name first; the field is a tuple by seat."""
    what = term.what.upper().replace(" ", "-")
    return SeatWords((column(field, term),), sign, f"NAME{sign}{what} …")


def column(field: str, term: Term[Seen, Thing]) -> SectionOf[Seen, tuple[Thing, ...]]:
    """A part of the words of the seats; the field is a tuple by seat."""
    return SectionOf(field, cast("Term[Seen, object]", term))


def seat_words(
    sign: str, *columns: LineSection[Seen], shape: str, until: str, example: str
) -> SeatWords[Seen]:
    """A word for each seat, its name first, that states several fields: NAME:SPECIALS:HAND."""
    return SeatWords(columns, sign, shape, until, example)


class FoundWords(Generic[Table]):
    """The words of a line by section."""

    def __init__(
        self, placed: Sequence[LineSection[Table] | SeatWords[Table]], shape: str, length: int
    ) -> None:
        """`placed` are the sections with a place of their own; others may come in any order at the end."""
        self._placed: Final = placed
        self.length: Final = length
        """Of the line, without blanks at its end."""
        self._shape: Final = shape
        self.words: Final[dict[LineSection[Table], list[Word]]] = {}
        """Of a column, one for each seat."""
        self.columns: Final = frozenset(
            each for one in placed if isinstance(one, SeatWords) for each in one.columns
        )
        self.names: Final[list[Word]] = []
        self.after_seats = 0
        """The place of the word after those of the seats."""

    def find(self, given: list[Word], reserved: frozenset[str]) -> int:
        """Find the words that have their place; returns the place of the first of the others."""
        ended = [place for place, one in enumerate(self._placed) if isinstance(one, SeatWords) and one.until]
        if ended and len(given) <= ended[0] + 1:
            titles = listed(["a set", *(one.title for one in self._placed)])
            raise Unreadable(f"a position has {titles}", given[-1].column if given else 1)
        if not given:
            raise Unreadable(f"expected {self._shape}")
        at = 1
        for one in self._placed:
            if isinstance(one, LineSection):
                at += self._find_one(one, given, at)
                continue
            at += (
                self._find_seats(one, given, at) if one.until else self._find_alike(one, given, at, reserved)
            )
            self.after_seats = at
        return at

    def _find_one(self, one: LineSection[Table], given: list[Word], at: int) -> int:
        """How many words the section takes from this place on."""
        if at >= len(given):
            if one.default is not REQUIRED:
                return 0
            raise self._missing(one.shape, given, at)
        word = given[at]
        key, sign, _ = word.text.partition("=")
        if one.key and not (key == one.key and sign):
            if one.default is not REQUIRED:
                return 0
            raise self._missing(one.shape, given, at)
        before = len(key) + len(sign) if one.key else 0
        self.words[one] = [Word(word.text[before:], word.column + before)]
        return 1

    @staticmethod
    def _missing(shape: str, given: list[Word], at: int) -> Unreadable:
        if at < len(given):
            return given[at].fault(f"{quoted(given[at].text)}; expected {shape}")
        return Unreadable(f"expected {shape} after this", given[-1].column + len(given[-1].text))

    def _find_alike(self, one: SeatWords[Table], given: list[Word], at: int, reserved: frozenset[str]) -> int:
        """The words of the seats are those of their shape."""
        (only,) = one.columns
        self.words[only] = []
        for word in given[at:]:
            name, sign, rest = word.text.partition(one.sign)
            inner, parts = only.term.layout
            alike = inner != one.sign or rest.count(one.sign) == parts - 1
            if not (sign and name and alike) or name in reserved:
                break
            self.names.append(Word(name, word.column))
            self.words[only].append(Word(rest, word.column + len(name) + len(sign)))
        if not self.names:
            raise self._missing(one.shape, given, at)
        return len(self.names)

    def _find_seats(self, one: SeatWords[Table], given: list[Word], at: int) -> int:
        """The words of the seats are all those before the one that ends them."""
        after = self._placed[self._placed.index(one) + 1 :]
        sizes = [part_count(each.term, one.sign) for each in one.columns]
        for each in one.columns:
            self.words[each] = []
        for word in given[at:]:
            if re.match(one.until, word.text):
                break
            parts = word.split(one.sign)
            if len(parts) != sum(sizes) + 1:
                title = after[0].title
                raise word.fault(
                    f"{quoted(word.text)} is no seat and no {title.removeprefix('the ')};"
                    f" expected {one.shape}, and after the seats {title}, such as {one.example}"
                )
            self.names.append(parts[0])
            begin = 1
            for each, size in zip(one.columns, sizes, strict=True):
                text = one.sign.join(part.text for part in parts[begin : begin + size])
                self.words[each].append(Word(text, parts[begin].column))
                begin += size
        if at + len(self.names) + len(after) > len(given):
            raise given[-1].fault(f"expected {listed([each.title for each in after])} after the seats")
        return len(self.names)


ByField: TypeAlias = dict[str, tuple[LineSection[Table], int | None]]
"""The section that states a field, and the place of its value where it states several."""


def by_field(sections: Sequence[LineSection[Table]]) -> ByField[Table]:
    """Where each field is stated."""
    found: ByField[Table] = {}
    for one in sections:
        fields = one.field.split()
        found |= {field: (one, place if len(fields) > 1 else None) for place, field in enumerate(fields)}
    return found


class SectionValues(Generic[Table]):
    """What a line says, section by section; a section is read when it is asked for."""

    def __init__(self, table: Table, found: FoundWords[Table], by_field: ByField[Table]) -> None:
        self.table: Final = table
        self._words: Final = found.words
        self._length: Final = found.length
        self._columns: Final = found.columns
        self._by_field: Final = by_field
        self._read: Final[dict[LineSection[Table], object]] = {}

    def __getitem__(self, asked: SectionOf[Table, Thing]) -> Thing:
        """What the section says; raises Unreadable at the column."""
        return cast("Thing", self._value(asked))

    def _value(self, asked: LineSection[Table]) -> object:
        if asked not in self._read:
            words, read = self._words.get(asked), asked.term.read
            if words is None:
                default = asked.default
                self._read[asked] = self._left_out(asked) if default is NO_TEXT else default
            elif asked in self._columns:
                self._read[asked] = tuple([read(self.table, word) for word in words])
            else:
                self._read[asked] = read(self.table, words[0])
        return self._read[asked]

    def _left_out(self, asked: LineSection[Table]) -> object:
        """What a word that is not there says; in some matches it must be there."""
        end = Word("", self._length + 1)
        try:
            return asked.term.read(self.table, end)
        except Unreadable:
            raise end.fault(f"expected {asked.shape} after this") from None

    def made(self, kind: type[State], **given: object) -> State:
        """The state of what the sections say, read in the order of its fields; some may be given."""
        values: dict[str, object] = {"table": self.table} | given
        for field in kind.__struct_fields__:
            if field in self._by_field and field not in given:
                one, place = self._by_field[field]
                value = self._value(one)
                values[field] = value if place is None else cast("tuple[object, ...]", value)[place]
        return kind(**values)

    def __contains__(self, asked: LineSection[Table]) -> bool:
        """Whether the line has the word of the section."""
        return asked in self._words

    def fault(self, asked: LineSection[Table], why: str, seat: int = 0) -> Unreadable:
        """A fault at the word of a section that the line has; of a column, at the word of a seat."""
        words = self._words[asked]
        word = words[seat if asked in self._columns else 0]
        return word.contradicted(why)

    def contradicted(self, found: Inconsistency) -> Unreadable:
        """A fault at the word that states the field; at the end of the line if it has no such word."""
        asked, _ = self._by_field.get(found.field, (None, None))
        if asked is None or asked not in self._words:
            missing = f", and there is no {asked.shape}" if asked is not None and asked.key else ""
            return Unreadable(f"{found.why}{missing}", self._length + 1)
        return self.fault(asked, found.why, found.seat)
