"""Reads a log in pieces, and notices what is missing."""

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Literal, NamedTuple, TypeVar

from records.log.contract import UnreadableEntry

_Value = TypeVar("_Value")


class Hashed(NamedTuple):
    """The part of an entry that the Merkle tree needs."""

    position: int
    hash: bytes


def numbered(  # noqa: PLR0913, PLR0917 - what to read, by which number, and how much at a time
    ask: Callable[[int, int], Iterable[_Value]],
    name: Literal["position", "sequence"],
    first: int,
    last: int,
    limit: int | None,
    piece: int,
) -> Iterator[_Value]:
    """Items whose attribute `name` counts from first to last, in pieces; raises UnreadableEntry at a gap."""
    number = attrgetter(name)
    last = last if limit is None else min(last, first + limit - 1)
    for start in range(first, last + 1, piece):
        due = start
        end = min(start + piece - 1, last)
        for found in ask(start, end):
            if number(found) != due:
                break
            yield found
            due += 1
        if due <= end:
            raise UnreadableEntry(f"the entry at {name} {due} is missing", **{name: due})
