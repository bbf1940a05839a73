"""A term whose texts are kept: for things that are written after every move and seldom change."""

from collections.abc import Callable, Hashable
from typing import Final, TypeVar

from typing_extensions import override

from rules.kernel.memo import Memo, keep
from rules.kernel.terms import Narrowed, Term
from rules.kernel.text import Word

Table = TypeVar("Table")
Thing = TypeVar("Thing", bound=Hashable)


class Remembered(Narrowed[Table, Thing]):
    """The same term; tables with equal `same_names` have the same texts."""

    def __init__(self, of: Term[Table, Thing], same_names: Callable[[Table], Hashable]) -> None:
        super().__init__(of)
        self.layout = of.layout
        self._memo: Final[Memo[Table, Thing, str]] = Memo(same_names)

    @override
    def write(self, table: Table, thing: Thing) -> str:
        known = self._memo.of(table)
        return known.get(thing) or keep(known, thing, self.of.write(table, thing))

    @override
    def read(self, table: Table, word: Word) -> Thing:
        return self.of.read(table, word)
