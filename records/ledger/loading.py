"""Records that are too long to be read at once."""

from collections.abc import Callable
from typing import Final, TypeVar

from records.entry import MatchId
from records.replay.steps import Steps, at_once

MOST_ENTRIES_AT_ONCE: Final = 64
"""Entries that are read and folded at once where others wait meanwhile: a few milliseconds in any game."""

PAGE_ENTRIES: Final = 32
"""Entries that are read in one step: about a millisecond where each has concealed parts to be checked."""

MAX_LOADING_TRIES: Final = 8
"""How often the same work is tried: each time it may need another record."""

Done = TypeVar("Done")


class NotLoaded(Exception):
    """Something of a record is not in the cache, and it is too long to be read at once.

    After the steps it is in the cache, and what was tried can be tried again.
    """

    def __init__(self, match: MatchId, steps: Callable[[], Steps[object]]) -> None:
        super().__init__(f"match {match} has to be read first")
        self.steps: Final = steps


class CacheTooSmall(Exception):
    """Records leave the cache before they are used."""

    def __init__(self) -> None:
        super().__init__("more records are in use than the cache takes: they leave it before they are used")


def loaded(work: Callable[[], Done]) -> Done:
    """What the work returns; what it needs is read at once, as nobody waits. Raises CacheTooSmall."""
    for _ in range(MAX_LOADING_TRIES):
        try:
            return work()
        except NotLoaded as missing:
            at_once(missing.steps())
    raise CacheTooSmall
