"""Position lines: the sections of a state as words, written and read.

    SET 4 tea=green+red green=3/w2 red=1/- then=play:green [draws=recorded] [OPTION=VALUE RULING=VALUE …]

A game states one section per field, in the order of the line, each with a term:

    POSITION = PositionLine(
        State,
        section("round", ROUND),                   # a bare word
        keyed("tea", SEAT.several()),              # tea=…
        by_seat("players", PLAYER),                # NAME=…, one word per seat
        keyed("then", TASKS, field="agenda"),
        optional("refused", REQUESTS, ()),         # left out where it is ()
        …
    )

Records with a sign between their parts (`record(…, joined="/")`) nest to any depth, each level with its sign.
Optional words at the end are read in any order.
"""

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Final, Generic, TypeAlias, TypeVar

from msgspec import Struct, structs

from rules.kernel.edition import EditionKey, Option
from rules.kernel.inconsistency import Inconsistency
from rules.kernel.lines import DRAWS, EDITION, SetupWords, read_options
from rules.kernel.position_sections import (
    NO_TEXT,
    RECORDED_DRAWS,
    REQUIRED,
    FoundWords,
    LineSection,
    SeatWords,
    SectionValues,
    by_field,
    by_seat,
    column,
    keyed,
    optional,
    seat_words,
    section,
)
from rules.kernel.setup import Draws, Setup
from rules.kernel.statements import Misstated
from rules.kernel.text import Unreadable, words

__all__ = (
    "RECORDED_DRAWS",
    "PositionLine",
    "SectionValues",
    "by_seat",
    "column",
    "keyed",
    "optional",
    "seat_words",
    "section",
)

State = TypeVar("State", bound=Struct)
Table = TypeVar("Table")

_WriteSection: TypeAlias = Callable[[Table, Struct, Setup], str]
"""The word of a section, or those of the seats; empty where it is left out."""


class PositionLine(Generic[State, Table]):
    """The text of a position, both ways."""

    def __init__(  # noqa: PLR0913 - three of them have defaults
        self,
        kind: type[State],
        *sections: LineSection[Table] | SeatWords[Table],
        setup: Callable[[State], Setup],
        lay_out: Callable[[Setup], Table],
        edition: EditionKey,
        options: Iterable[Option] = (),
        build: Callable[[SectionValues[Table]], State] | None = None,
        complete: Callable[[State], State] = lambda state: state,
        fault: Callable[[State], Inconsistency | str | None] = lambda _: None,
    ) -> None:
        """The sections, and how a match is laid out.

        setup     what the match of a state was laid out with, the same for all states of a table; its
                  components as the line names them
        lay_out   the table of such a match; raises BadSetup, UnknownEdition, UnknownRuling or UnknownOption
        edition   the one that holds where the line has none
        options   those that the rulebook offers; in the line they stand among the rulings, by name
        build     makes the state of what the sections say, where it takes more than its fields
        complete  fills fields that follow from the others; in the class they have defaults
        fault     what is wrong with a state that can be read, if anything: with the field that shows it, or
                  in words alone, for the line as a whole
        """
        self._each: Final = tuple(
            one
            for part in sections
            for one in (part.columns if isinstance(part, SeatWords) else (part,))
            if one.field
        )
        stated = [field for one in self._each for field in one.field.split()]
        for field in stated:
            if field not in kind.__struct_fields__ or stated.count(field) > 1:
                raise Misstated(f"{kind.__name__} has no field {field}, or it is stated twice")
        of_seats = [place for place, one in enumerate(sections) if isinstance(one, SeatWords)]
        required = [place for place, one in enumerate(sections) if one.default is REQUIRED]
        if len(of_seats) != 1 or of_seats[0] == required[-1]:
            raise Misstated(f"{kind.__name__}: one section has a word for each seat, and is not the last")
        self._kind: Final = kind
        self._placed: Final = sections[: required[-1] + 1]
        self._trailing: Final = {one.key: one for one in self._each if one not in self._placed and one.key}
        self._shape: Final = " ".join(("SET", *(one.shape for one in sections)))
        self._keys: Final = frozenset(one.key for one in self._each if one.key)
        self._by_field: Final = by_field(self._each)
        self._setup: Final = setup
        self._lay_out: Final = lay_out
        self._edition: Final = edition
        self._options: Final = frozenset(option.name for option in options)
        for name in sorted(self._options & (self._keys | {DRAWS, EDITION})):
            raise Misstated(f"{kind.__name__}: {name}= is a section of the line, so no option is called so")
        defaulted = {field.name for field in structs.fields(kind) if not field.required}
        missing = [name for name in kind.__struct_fields__ if name not in {*stated, *defaulted, "table"}]
        if missing and build is None:
            raise Misstated(f"{kind.__name__}.{missing[0]} has no section in the position line")
        self._build: Final = build or self._built
        self._complete: Final = complete
        self._fault: Final = fault
        draws = () if RECORDED_DRAWS in sections else (RECORDED_DRAWS,)
        self._writers: Final = [_writer(one) for one in (*sections, *draws)]
        self._last: tuple[object, Setup] = (None, Setup(edition, (), ""))
        """The table of the position written last, and its setup."""

    @property
    def reserved(self) -> frozenset[str]:
        """Keys of the line, which no seat may be called."""
        return self._keys | self._options | {DRAWS, EDITION}

    def write(self, table: Table, state: State) -> str:
        """The position as one line."""
        of, setup = self._last
        if of is not table:
            setup = self._setup(state)
            self._last = (table, setup)
        written = [setup.components]
        written += [text for write in self._writers if (text := write(table, state, setup))]
        if setup.edition != self._edition:
            written.append(f"{EDITION}={setup.edition}")
        if setup.rulings or setup.options:
            written += [f"{name}={value}" for name, value in sorted((*setup.options, *setup.rulings))]
        return " ".join(written)

    def read(self, text: str) -> State:
        """The state of a line; raises Unreadable at the column."""
        given = list(words(text))
        found = FoundWords(self._placed, self._shape, len(text.rstrip()))
        options = read_options(given[found.find(given, self.reserved) :])
        for name, word in options.items():
            if name in self._trailing:
                found.words[self._trailing[name]] = [word]
            elif name in self._keys:
                raise word.fault(f"{name}= stands too late; expected {self._shape}")
        after = given[min(found.after_seats, len(given) - 1)]
        stated = SetupWords(given[0], found.names, after, options)
        table = stated.laid_out(self._edition, tuple(self._trailing), self._lay_out, self._options)
        return self._build(SectionValues(table, found, self._by_field))

    def _built(self, values: SectionValues[Table]) -> State:
        state = self._complete(values.made(self._kind))
        fault = self._fault(state)
        if fault is not None:
            raise values.contradicted(fault) if isinstance(fault, Inconsistency) else Unreadable(fault)
        return state


def _writer(one: LineSection[Table] | SeatWords[Table]) -> _WriteSection[Table]:
    if isinstance(one, SeatWords):
        return _seats_writer(one)
    if one is RECORDED_DRAWS:
        return _write_draws
    value_of, write, default = attrgetter(*one.field.split()), one.term.write, one.default
    before = f"{one.key}=" if one.key else ""

    def write_one(table: Table, state: Struct, _: Setup) -> str:
        value = value_of(state)
        if value == default:
            return ""
        text = write(table, value)
        return before + text if text or default is not NO_TEXT else ""

    return write_one


def _write_draws(_: object, __: Struct, setup: Setup) -> str:
    return f"{DRAWS}={setup.draws.value}" if setup.draws is Draws.RECORDED else ""


def _seats_writer(one: SeatWords[Table]) -> _WriteSection[Table]:
    columns = [(attrgetter(each.field), each.term.write) for each in one.columns]

    def write_seats(table: Table, state: Struct, setup: Setup) -> str:
        written = [[write(table, part) for part in parts_of(state)] for parts_of, write in columns]
        return " ".join([one.sign.join(parts) for parts in zip(setup.seats, *written, strict=True)])

    return write_seats
