"""What was read before, kept for tables with the same names."""

from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

Table = TypeVar("Table")
Key = TypeVar("Key")
Value = TypeVar("Value")

_MOST: Final = 16_384
"""Values kept for one set of names; a match has some hundred different moves and events."""
_MOST_SETS: Final = 64


class Memo(Generic[Table, Key, Value]):
    """What each key stands for: the same wherever `same_names` is equal."""

    def __init__(self, same_names: Callable[[Table], Hashable]) -> None:
        self._same_names: Final = same_names
        self._sets: Final[dict[Hashable, dict[Key, Value]]] = {}
        self._table: Table | None = None
        self._known: dict[Key, Value] = {}

    def of(self, table: Table) -> dict[Key, Value]:
        """What is known for this table; add to it with `keep`."""
        if table is not self._table:
            key = self._same_names(table)
            known = self._sets.get(key)
            if known is None:
                if len(self._sets) >= _MOST_SETS:
                    self._sets.clear()
                known = self._sets[key] = {}
            self._known, self._table = known, table
        return self._known


def keep(known: dict[Key, Value], key: Key, value: Value) -> Value:
    """Add a value; where there are too many, all others are forgotten."""
    if len(known) >= _MOST:
        known.clear()
    known[key] = value
    return value
