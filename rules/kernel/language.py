"""Moves as text, both ways, derived from the statements of a game."""

from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

from rules.kernel.actors import CHANCE, Actor, Office, Seat
from rules.kernel.memo import Memo, keep
from rules.kernel.statements import Misstated, Statement, Statements
from rules.kernel.text import Unreadable, Word, either, listed, quoted, words

Table = TypeVar("Table")
Move = TypeVar("Move")


class Language(Generic[Table, Move]):
    """The text of every move: `green invade d5 seljuk.N.ice`, and by chance `turn seljuk.N.ice`."""

    def __init__(
        self,
        moves: Statements[Table, Move],
        seats: Callable[[Table], tuple[str, ...]],
        same_names: Callable[[Table], Hashable],
    ) -> None:
        """Tables with equal `same_names` have the same names for everything, seats included."""
        self._seats: Final = seats
        self._memo: Final[Memo[Table, str, tuple[Actor, Move]]] = Memo(same_names)
        self._writers: Final[dict[type[object], Callable[[Table, Move], str]]] = {
            one.make: _writer(one) for one in moves.each
        }
        self._drawn: Final = frozenset(one.make for one in moves.each if one.chance)
        self._by_chance: Final = _verbs([one for one in moves.each if one.chance])
        self._by_seat: Final = _verbs([one for one in moves.each if not one.chance])
        self._expected: Final = f"expected {either(list(self._by_seat))}" if self._by_seat else ""
        self.reserved: Final = frozenset(self._by_chance)
        """Words that no seat may be called."""
        self.phrases: Final = tuple((one.make, _pattern(one)) for one in moves.each)
        """Every class of moves with its text, for people: `invade CELL CARD`."""

    def write(self, table: Table, actor: Actor, move: Move) -> str:
        """The move as a transcript has it, its actor included."""
        kind = type(move)
        written = self._writers[kind](table, move)
        if kind in self._drawn or isinstance(actor, Office):
            return written
        return f"{self._seats(table)[actor]} {written}"

    def read(self, table: Table, text: str) -> tuple[Actor, Move]:
        """The actor and the move of a line; raises Unreadable at the column."""
        known = self._memo.of(table)
        return known.get(text) or keep(known, text, self._read(table, text))

    def _read(self, table: Table, text: str) -> tuple[Actor, Move]:
        given = list(words(text))
        if not given:
            raise Unreadable("nothing stands here; expected a move")
        first = given[0]
        by_chance = self._by_chance.get(first.text)
        if by_chance is not None:
            return CHANCE, _made(by_chance, table, given, 0)
        names = self._seats(table)
        if first.text not in names:
            expected = either([*names, *self._by_chance])
            raise first.fault(f"{quoted(first.text)} is no seat; expected {expected}")
        if len(given) == 1:
            raise Unreadable(f"{first.text} does nothing; {self._expected}", _end(first))
        verb = given[1]
        by_seat = self._by_seat.get(verb.text)
        if by_seat is None:
            raise verb.fault(f"{quoted(verb.text)} is no move; {self._expected}")
        return Seat(names.index(first.text)), _made(by_seat, table, given, 1)


def _verbs(stated: list[Statement[Table, Move]]) -> dict[str, tuple[Statement[Table, Move], ...]]:
    """By their first word: the statements, those with more words before their terms first."""
    verbs: dict[str, list[Statement[Table, Move]]] = {}
    for one in stated:
        verbs.setdefault(one.words[0][0], []).append(one)
    for shared in verbs.values():
        shared.sort(key=lambda one: -len(one.words[0]))
        _require_distinct(shared)
    return {verb: tuple(shared) for verb, shared in verbs.items()}


def _require_distinct(shared: list[Statement[Table, Move]]) -> None:
    for number, one in enumerate(shared):
        for other in shared[:number]:
            alike = one.words[0] == other.words[0]
            if alike and _takes(one, other.least) | _takes(other, one.least):
                raise Misstated(
                    f"{other.make.__name__} and {one.make.__name__} both begin with {' '.join(one.words[0])}"
                    " and may have equally many words"
                )


def _takes(one: Statement[Table, Move], count: int) -> bool:
    return one.least <= count and (one.most is None or count <= one.most)


def _pattern(one: Statement[Table, Move]) -> str:
    parts = []
    for before, term in zip(one.words, one.terms, strict=False):
        name = term.what.upper().replace(" ", "-")
        parts += [*before, f"[{name}]" if term.optional else name]
    return " ".join((*parts, *one.words[-1]))


def _writer(one: Statement[Table, Move]) -> Callable[[Table, Move], str]:
    lead, terms, parts = " ".join(one.words[0]), one.terms, one.parts
    if not terms:
        return lambda _, __: lead
    if one.simple and not any(term.optional for term in terms):
        if len(terms) == 1:
            write = terms[0].write
            return lambda table, move: f"{lead} {write(table, parts(move)[0])}"
        if len(terms) == 2:  # noqa: PLR2004 - most moves have one term or two
            first, second = (term.write for term in terms)

            def write_two(table: Table, move: Move) -> str:
                a, b = parts(move)
                return f"{lead} {first(table, a)} {second(table, b)}"

            return write_two

    def write_all(table: Table, move: Move) -> str:
        written: list[str] = []
        for before, term, part in zip(one.words, terms, parts(move), strict=False):
            written += before
            text = term.write(table, part)
            if text:
                written.append(text)
        return " ".join((*written, *one.words[-1]))

    return write_all


def _made(stated: tuple[Statement[Table, Move], ...], table: Table, given: list[Word], at: int) -> Move:
    one = stated[0] if len(stated) == 1 and len(stated[0].words[0]) == 1 else _meant(stated, given, at)
    if not one.simple:
        return _made_slowly(one, table, given, at)
    at += len(one.words[0])
    terms = one.terms
    count = len(given) - at
    if count < len(terms) and count + sum(map(len, one.words)) < one.least:
        raise _missing(one, given)
    if count > len(terms):
        raise _too_much(given[at + len(terms)])
    parts = [term.read(table, word) for term, word in zip(terms, given[at:], strict=False)]
    if count < len(terms):
        parts += [term.read(table, Word("", _end(given[-1]))) for term in terms[count:]]
    return one.build(*parts)


def _meant(stated: tuple[Statement[Table, Move], ...], given: list[Word], at: int) -> Statement[Table, Move]:
    """The statement with the most first words in common; of several the one that has as many words."""
    texts = tuple(word.text for word in given[at:])
    fitting = [one for one in stated if texts[: len(one.words[0])] == one.words[0]]
    if not fitting:
        known = either([" ".join(one.words[0]) for one in stated])
        place = given[min(at + 1, len(given) - 1)]
        raise place.fault(f"{quoted(' '.join(texts[:2]))} is no move; expected {known}")
    longest = [one for one in fitting if len(one.words[0]) == len(fitting[0].words[0])]
    return next((one for one in longest if _takes(one, len(texts))), longest[-1])


def _made_slowly(one: Statement[Table, Move], table: Table, given: list[Word], at: int) -> Move:
    """Where words stand between terms, or terms take several words."""
    parts = []
    at += len(one.words[0])
    for term, before in zip(one.terms, ((), *one.words[1:]), strict=False):
        at = _after(before, given, at)
        if at < len(given):
            reach = term.reach(given, at)
            taken = given[at : at + reach]
            parts.append(term.read(table, _as_one(taken)))
            at += reach
        elif term.optional:
            parts.append(term.read(table, Word("", _end(given[-1]))))
        else:
            raise _missing(one, given)
    if one.terms:
        at = _after(one.words[-1], given, at)
    if at < len(given):
        raise _too_much(given[at])
    return one.build(*parts)


def _after(expected: tuple[str, ...], given: list[Word], at: int) -> int:
    for text in expected:
        if at >= len(given):
            raise Unreadable(f"expected {text} after {given[-1].text}", _end(given[-1]))
        if given[at].text != text:
            raise given[at].fault(f"{quoted(given[at].text)}; expected {text}")
        at += 1
    return at


def _as_one(taken: list[Word]) -> Word:
    """Several words as one, each at its column."""
    text = ""
    for word in taken:
        text = text.ljust(word.column - taken[0].column) + word.text
    return Word(text, taken[0].column)


def _end(word: Word) -> int:
    return word.column + len(word.text)


def _missing(one: Statement[Table, Move], given: list[Word]) -> Unreadable:
    verb = " ".join(one.words[0])
    if len(one.terms) == 1:
        return Unreadable(f"something is missing after {verb}", _end(given[-1]))
    expected = listed([term.article for term in one.terms])
    return Unreadable(f"expected {expected} after {verb}", _end(given[-1]))


def _too_much(word: Word) -> Unreadable:
    return word.fault(f"{quoted(word.text)} stands after the move; expected nothing")
