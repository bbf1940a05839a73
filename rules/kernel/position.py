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
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar, cast

from msgspec import Struct

from rules.kernel.edition import EditionKey, Option
from rules.kernel.lines import DRAWS, EDITION, SetupWords, read_options
from rules.kernel.setup import Draws, Setup
from rules.kernel.statements import Misstated
from rules.kernel.terms import Term
from rules.kernel.text import Unreadable, Word, quoted, words

State = TypeVar("State", bound=Struct)
Table = TypeVar("Table")
Seen = TypeVar("Seen", contravariant=True)
Thing = TypeVar("Thing")

_REQUIRED: Final = object()


@dataclass(frozen=True, slots=True)
class Section(Generic[Seen]):
    """One field of the state in the line."""

    field: str
    term: "Term[Seen, object]"
    key: str = ""
    """Before the value and its =; empty for a bare word."""
    default: object = _REQUIRED
    """The value for which the word is left out."""
    sign: str = ""
    """Where there is a word for each seat: what stands after its name."""

    @property
    def shape(self) -> str:
        """As a message says what is missing: `tea=SEATS`."""
        what = self.term.what.upper().replace(" ", "-")
        if self.sign:
            return f"NAME{self.sign}{what} …"
        return f"{self.key}={what}" if self.key else what


def section(field: str, term: Term[Seen, Thing]) -> Section[Seen]:
    """A bare word, at its place."""
    return Section(field, cast("Term[Seen, object]", term))


def keyed(key: str, term: Term[Seen, Thing], *, field: str = "") -> Section[Seen]:
    """A word KEY=VALUE; the field is called as the key, unless stated."""
    return Section(field or key, cast("Term[Seen, object]", term), key)


def optional(key: str, term: Term[Seen, Thing], default: Thing, *, field: str = "") -> Section[Seen]:
    """A word KEY=VALUE that is left out where the value is the default."""
    return Section(field or key, cast("Term[Seen, object]", term), key, default)


def by_seat(field: str, term: Term[Seen, Thing], *, sign: str = "=") -> Section[Seen]:
    """A word for each seat, its name first; the field is a tuple by seat."""
    return Section(field, cast("Term[Seen, object]", term), sign=sign)


class PositionLine(Generic[State, Table]):
    """The text of a position, both ways."""

    def __init__(  # noqa: PLR0913 - two of them have defaults
        self,
        kind: type[State],
        *sections: Section[Table],
        setup: Callable[[State], Setup],
        lay_out: Callable[[Setup], Table],
        edition: EditionKey,
        options: Iterable[Option] = (),
        complete: Callable[[State], State] = lambda state: state,
        fault: Callable[[State], str | None] = lambda _: None,
    ) -> None:
        """The sections, and how a match is laid out.

        setup     what the match of a state was laid out with; its components as the line names them
        lay_out   the table of such a match; raises BadSetup, UnknownEdition, UnknownRuling or UnknownOption
        edition   the one that holds where the line has none
        options   those that the rulebook offers; in the line they stand among the rulings, by name
        complete  fills fields that follow from the others; in the class they have defaults
        fault     what is wrong with a state that can be read, if anything
        """
        stated = [one.field for one in sections]
        for field in stated:
            if field not in kind.__struct_fields__ or stated.count(field) > 1:
                raise Misstated(f"{kind.__name__} has no field {field}, or it is stated twice")
        of_seats = [place for place, one in enumerate(sections) if one.sign]
        if len(of_seats) != 1 or all(one.default is not _REQUIRED for one in sections[of_seats[0] + 1 :]):
            raise Misstated(f"{kind.__name__}: one section has a word for each seat, and is not the last")
        self._kind: Final = kind
        self._sections: Final = sections
        self._keys: Final = frozenset(one.key for one in sections if one.key)
        self._setup: Final = setup
        self._lay_out: Final = lay_out
        self._edition: Final = edition
        self._options: Final = frozenset(option.name for option in options)
        for name in sorted(self._options & (self._keys | {DRAWS, EDITION})):
            raise Misstated(f"{kind.__name__}: {name}= is a section of the line, so no option is called so")
        self._complete: Final = complete
        self._fault: Final = fault

    @property
    def reserved(self) -> frozenset[str]:
        """Keys of the line, which no seat may be called."""
        return self._keys | self._options | {DRAWS, EDITION}

    def write(self, table: Table, state: State) -> str:
        """The position as one line."""
        setup = self._setup(state)
        said = [setup.components]
        for one in self._sections:
            value = getattr(state, one.field)
            if one.sign:
                said += [
                    f"{name}{one.sign}{one.term.write(table, part)}"
                    for name, part in zip(setup.seats, value, strict=True)
                ]
            elif value != one.default:
                text = one.term.write(table, value)
                said.append(f"{one.key}={text}" if one.key else text)
        if setup.draws is Draws.RECORDED:
            said.append(f"{DRAWS}={setup.draws.value}")
        if setup.edition != self._edition:
            said.append(f"{EDITION}={setup.edition}")
        chosen = sorted((*setup.options, *setup.rulings))
        return " ".join((*said, *(f"{name}={value}" for name, value in chosen)))

    def read(self, text: str) -> State:
        """The state of a line; raises Unreadable at the column."""
        said = list(words(text))
        if not said:
            raise Unreadable(f"expected {self._shape}")
        found, seats, at = self._split(said)
        options = read_options(said[at:])
        for name, word in options.items():
            if name in self._keys:
                raise word.fault(f"{name}= stands too late; expected {self._shape}")
        after = said[at] if at < len(said) else said[-1]
        names = [name for name, _ in seats]
        words_of_setup = SetupWords(said[0], names, after, options)
        table = words_of_setup.laid_out(self._edition, (), self._lay_out, self._options)
        values: dict[str, object] = {"table": table}
        for one in self._sections:
            if one.sign:
                values[one.field] = tuple(one.term.read(table, word) for _, word in seats)
            elif one.field in found:
                values[one.field] = one.term.read(table, found[one.field])
            else:
                values[one.field] = one.default
        state = self._complete(self._kind(**values))
        fault = self._fault(state)
        if fault is not None:
            raise Unreadable(fault, said[0].column)
        return state

    @property
    def _shape(self) -> str:
        return " ".join(("SET", *(one.shape for one in self._sections)))

    def _split(self, said: list[Word]) -> tuple[dict[str, Word], list[tuple[Word, Word]], int]:
        """The words by field, those of the seats by name, and where the options begin."""
        found: dict[str, Word] = {}
        seats: list[tuple[Word, Word]] = []
        at = 1
        for one in self._sections:
            if one.sign:
                while at < len(said) and (named := self._of_seat(one, said[at])) is not None:
                    seats.append(named)
                    at += 1
                continue
            word = said[at] if at < len(said) else None
            if one.key and word is not None:
                key, sign, _ = word.text.partition("=")
                if key == one.key and sign:
                    found[one.field] = Word(word.text[len(key) + 1 :], word.column + len(key) + 1)
                    at += 1
                elif one.default is _REQUIRED:
                    raise word.fault(f"{quoted(word.text)}; expected {one.shape}")
            elif word is not None:
                found[one.field] = word
                at += 1
            elif one.default is _REQUIRED:
                last = said[-1]
                raise Unreadable(f"expected {one.shape} after this", last.column + len(last.text))
        return found, seats, at

    def _of_seat(self, one: Section[Table], word: Word) -> tuple[Word, Word] | None:
        """The name of a seat and what stands after it; None for another word."""
        name, sign, rest = word.text.partition(one.sign)
        inner, parts = one.term.layout
        alike = inner != one.sign or rest.count(one.sign) == parts - 1
        if not (sign and name and alike) or name in self.reserved:
            return None
        return Word(name, word.column), Word(rest, word.column + len(name) + len(sign))
