"""Makes the concealed parts of entries of version 2, and the field that commits to them."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from msgspec import Struct

from records.entry import MatchId
from records.evidence.concealment import (
    VIEW,
    Commitment,
    Part,
    PartHasher,
    Slot,
    commitment_line,
    format_concealed,
    view_content,
)
from records.games.state import SeatView

NOTHING_CONCEALED: Final = format_concealed(())
"""The field `concealed` of an entry of version 2 without parts."""

SaltOf: TypeAlias = Callable[[Slot, bytes], bytes]
"""The salt of a part, from its slot and content."""

_CACHED_HASHERS: Final = 512
"""Matches whose framed prefixes are kept: some more than are played at the same time."""

part_hasher: Final = lru_cache(maxsize=_CACHED_HASHERS)(PartHasher)
"""The hasher of a match, cached."""


class Place(Struct, frozen=True, gc=False):
    """Where an entry stands in its record."""

    match: MatchId
    sequence: int
    actor: int
    """By number, as in an entry."""
    previous: bytes
    """The hash of the entry before."""


class ConcealedParts(Struct, frozen=True):
    """The concealed parts of one entry."""

    field: bytes
    """The field `concealed`, which commits to them."""
    parts: tuple[Part, ...]


def conceal_views(place: Place, views: Sequence[SeatView], salt_of: SaltOf) -> ConcealedParts:
    """The parts for what some seats see of an entry."""
    if not views:
        return ConcealedParts(NOTHING_CONCEALED, ())
    hasher = part_hasher(place.match)
    parts, commitments = [], []
    for number, view in enumerate(views):
        content = view_content(view.move, view.events)
        slot = Slot(place.sequence, number, VIEW, place.actor, view.audience)
        salt = salt_of(slot, content)
        parts.append(Part(number, salt, content))
        commitments.append(Commitment(VIEW, view.audience, hasher.digest(slot, salt, content)))
    return ConcealedParts(format_concealed(commitments), tuple(parts))


def commits_to(place: Place, views: Sequence[SeatView], parts: Sequence[Part], field: bytes) -> bool:
    """Whether an entry has exactly the parts for these views, and commits to them with this field.

    The same as to make the parts again with their salts and to compare, in half the time.
    """
    hasher = part_hasher(place.match)
    lines = []
    for number, (view, part) in enumerate(zip(views, parts, strict=True)):
        if part.place != number or part.content != view_content(view.move, view.events):
            return False
        slot = Slot(place.sequence, number, VIEW, place.actor, view.audience)
        lines.append(commitment_line(VIEW, view.audience, hasher.digest(slot, part.salt, part.content)))
    return field == NOTHING_CONCEALED + b"".join(lines)


def derived_salts(place: Place, seed: bytes) -> SaltOf:
    """The salts of an entry of a match with sealed orders."""
    hasher = part_hasher(place.match)
    return lambda slot, content: hasher.derive_salt(seed, slot, place.previous, content)
