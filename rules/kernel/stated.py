"""A value of a union as a term: each class is stated like a move, and its part follows its word."""

from typing import Final, TypeVar

from typing_extensions import override

from rules.kernel.statements import Misstated, Statement, Statements
from rules.kernel.terms import Term
from rules.kernel.text import Unreadable, Word, either, quoted

Table = TypeVar("Table", contravariant=True)
Thing = TypeVar("Thing")


class Stated(Term[Table, Thing]):
    """`support` or `support.rock`: a class has one word, and at most one part, which may be left out."""

    def __init__(self, what: str, stated: Statements[Table, Thing], *, sign: str = ".") -> None:
        self.what = what
        self._of: Final = stated.of
        self._sign: Final = sign
        self._by_word: Final[dict[str, Statement[Table, Thing]]] = {}
        shapes: list[str] = []
        for one in stated.each:
            word = " ".join(one.words[0])
            if " " in word or word in self._by_word or len(one.terms) > 1:
                raise Misstated(f"{one.make.__name__}: expected one word of its own, and at most one part")
            self._by_word[word] = one
            shapes += [word] if one.least == 1 else []
            shapes += [f"{word}{sign}{term.what.upper().replace(' ', '-')}" for term in one.terms]
        self._expected: Final = either(shapes)

    @override
    def write(self, table: Table, thing: Thing) -> str:
        one = self._of[type(thing)]
        parts = [term.write(table, part) for term, part in zip(one.terms, one.parts(thing), strict=True)]
        return self._sign.join((*one.words[0], *filter(None, parts)))

    @override
    def read(self, table: Table, word: Word) -> Thing:
        name, sign, rest = word.text.partition(self._sign)
        one = self._by_word.get(name)
        part = Word(rest, word.column + len(name) + len(self._sign))
        if one is None or (sign and not (one.terms and rest)):
            raise self._fault(word)
        try:
            return one.build(*[term.read(table, part) for term in one.terms])
        except Unreadable:
            # A part that may be left out is no better than an unknown word.
            if one.least == 1:
                raise self._fault(word) from None
            raise

    def _fault(self, word: Word) -> Unreadable:
        return word.fault(f"{quoted(word.text)} is no {self.what}; expected {self._expected}")

    @override
    def holds(self, thing: object) -> bool:
        return type(thing) in self._of
