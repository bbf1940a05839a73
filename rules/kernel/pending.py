"""The agenda of a state as text, in position lines and in events: `symbol>symbol>step:green:elixir:-`."""

from typing import Final, TypeVar

from typing_extensions import override

from rules.kernel.statements import Misstated, Statement, Statements
from rules.kernel.terms import NOTHING, Term
from rules.kernel.text import Unreadable, Word, either, listed, quoted

Table = TypeVar("Table", contravariant=True)
Task = TypeVar("Task")

_WITHIN: Final = ":"
_BETWEEN: Final = ">"


class Tasks(Term[Table, tuple[Task, ...]]):
    """Tasks with their parts, the next one first; `-` for none.

    Each class of tasks is stated like a move, with one word: phrase("step", Step, SEAT, ACTION, USED). The
    text of its last part may have the sign between parts in it: `soldiers:1:reward:2`.
    """

    what = "tasks"

    def __init__(self, stated: Statements[Table, Task]) -> None:
        self._of: Final = stated.of
        self._by_word: Final[dict[str, Statement[Table, Task]]] = {}
        for one in stated.each:
            if len(one.words[0]) != 1 or any(one.words[1:]) or one.words[0][0] in self._by_word:
                raise Misstated(f"{one.make.__name__}: a task is stated with one word of its own")
            self._by_word[one.words[0][0]] = one

    @property
    @override
    def article(self) -> str:
        return self.what

    @override
    def write(self, table: Table, thing: tuple[Task, ...]) -> str:
        return _BETWEEN.join(self._write_one(table, task) for task in thing) or NOTHING

    def _write_one(self, table: Table, task: Task) -> str:
        one = self._of[type(task)]
        parts = [term.write(table, part) for term, part in zip(one.terms, one.parts(task), strict=True)]
        return _WITHIN.join((*one.words[0], *parts))

    @override
    def read(self, table: Table, word: Word) -> tuple[Task, ...]:
        if word.text == NOTHING:
            return ()
        return tuple(self._read_one(table, part) for part in word.split(_BETWEEN))

    def _read_one(self, table: Table, word: Word) -> Task:
        first, *rest = word.split(_WITHIN) or [word]
        one = self._by_word.get(first.text)
        if one is None:
            raise first.fault(f"{quoted(first.text)} is no task; expected {either(list(self._by_word))}")
        if len(rest) > len(one.terms) > 0:
            last = rest[len(one.terms) - 1 :]
            rest = [
                *rest[: len(one.terms) - 1],
                Word(_WITHIN.join(part.text for part in last), last[0].column),
            ]
        if len(rest) != len(one.terms):
            expected = listed([term.article for term in one.terms]) if one.terms else "nothing"
            why = f"expected {expected} after {first.text}, each after {_WITHIN}"
            raise Unreadable(why, word.column + len(first.text))
        return one.build(*[term.read(table, part) for term, part in zip(one.terms, rest, strict=True)])

    @override
    def prefix(self, table: Table, word: Word, at: int) -> tuple[tuple[Task, ...], int]:
        return self.read(table, Word(word.text[at:], word.column + at)), len(word.text)

    @override
    def holds(self, thing: object) -> bool:
        return isinstance(thing, tuple) and all(type(task) in self._of for task in thing)
