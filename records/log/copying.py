"""Copies an archive from one engine to another, and compares both trees at the end."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Final, NamedTuple

from records.evidence.note import Note
from records.log.contract import BadCopy, Log
from records.log.owners import EVERYBODY, StoredOwners
from records.log.people import Register
from records.log.stored_notes import note_row
from records.log.tree import Tree

PIECE_ENTRIES: Final = 2000
"""Entries copied per transaction: large enough for speed, and lost if the copy is interrupted."""


@dataclass(frozen=True, slots=True)
class CopyResult:
    """A finished copy."""

    entries: int
    """Entries of the archive."""
    copied: int
    """Those of them that were not there before."""
    checkpoints: int
    """Published checkpoints."""
    facts: int
    """Facts about people."""
    owned: int
    """Matches that belong to one owner, and not to everybody."""
    root: bytes
    """The root of both trees."""


class ArchiveParts(NamedTuple):
    """An archive, and what is kept beside its records."""

    log: Log
    people: Register
    owners: StoredOwners


def copy_archive(
    source: ArchiveParts, target: ArchiveParts, advance: Callable[[int, int], None] = lambda *_: None
) -> CopyResult:
    """Copy everything that the target does not have yet. An interrupted copy continues where it stopped.

    Raises BadCopy if the target has something else, or the trees differ at the end.
    """
    here, there = source.log, target.log
    last, known = here.last_position(), there.last_position()
    if known > last:
        raise BadCopy(f"the archive to copy to has {known} entries, and the one to copy from {last}")
    if Tree(here, stored=False).root(known) != Tree(there, stored=False).root(known):
        raise BadCopy(f"the archive to copy to begins with {known} entries that the other does not have")
    copies = {row.match for row in here.listing() if row.copy}
    done = known
    while done < last:
        piece = list(here.archive(done, min(PIECE_ENTRIES, last - done)))
        there.copy_in(piece, copies)
        done = piece[-1].position
        advance(done, last)
    checkpoints = _copy_checkpoints(here, there, last)
    facts = list(source.people.everything())
    target.people.restore(facts)
    owned = _copy_owners(source.owners, target.owners)
    root = Tree(here, stored=False).root(last)
    if Tree(there, stored=False).root(last) != root:
        raise BadCopy("the copy has another root than the archive: do not use it")
    return CopyResult(last, last - known, checkpoints, len(facts), owned, root)


def _copy_owners(source: StoredOwners, target: StoredOwners) -> int:
    """Copy the owners of all matches; returns the number of matches that belong to somebody."""
    owners = dict(source.everything())
    target.restore(owners.items())
    for match, owner in target.everything():
        if owners.get(match, owner) != owner:
            raise BadCopy(f"{match} has another owner in the archive to copy to than in the one to copy from")
    return sum(owner != EVERYBODY for owner in owners.values())


def _copy_checkpoints(source: Log, target: Log, last: int) -> int:
    """Copy the checkpoints of up to this size; returns how many there are."""
    found = _until(source, last)
    while piece := list(islice(found, PIECE_ENTRIES)):
        target.keep_checkpoints(piece)
    count = 0
    for here, there in zip_longest(_until(source, last), _until(target, last)):
        if here != there:
            raise BadCopy("the archive to copy to has another checkpoint than the one to copy from")
        count += 1
    return count


def _until(log: Log, last: int) -> Iterator[Note]:
    return (note for note in log.checkpoints() if note_row(note)[0] <= last)
