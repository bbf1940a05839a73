"""How many notices and takebacks each actor has made in a record."""

from collections.abc import Iterable
from typing import Final, TypeAlias

from records.entry import ARBITER_NUMBER, RETRACT, Entry, EntryKind

NoticeCounts: TypeAlias = tuple[tuple[int, int], ...]
"""The number of each actor, and of its notices; ordered, without actors that have none."""

_COUNTED: Final = frozenset(
    {
        RETRACT,
        EntryKind.ROTATE_KEY,
        EntryKind.OPEN_DISPUTE,
        EntryKind.REQUEST_TAKEBACK,
        EntryKind.GRANT_TAKEBACK,
    }
)
"""What an actor may repeat as often as it likes. All other entries end with the match or with a question."""


def is_counted(kind: int, actor: int) -> bool:
    """Whether an entry is one that an actor makes a limited number of; the arbiter corrects without limit."""
    return kind in _COUNTED and not (kind == RETRACT and actor == ARBITER_NUMBER)


def notices_of(counts: NoticeCounts, actor: int) -> int:
    """The number of notices of an actor."""
    return dict(counts).get(actor, 0)


def counted(counts: NoticeCounts, entries: Iterable[Entry]) -> NoticeCounts:
    """The counts after further entries."""
    made = [
        entry.actor for entry in entries if entry.kind in _COUNTED and is_counted(entry.kind, entry.actor)
    ]
    if not made:
        return counts
    by_actor = dict(counts)
    for actor in made:
        by_actor[actor] = by_actor.get(actor, 0) + 1
    return tuple(sorted(by_actor.items()))
