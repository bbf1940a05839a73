"""A record as one viewer may have it: with the same hashes, without what is hidden from the viewer."""

from collections.abc import Sequence
from typing import Final

from msgspec import structs

from records.codec.concealment import Hidden, decode_hidden, encode_hidden
from records.entry import ENTRY_VERSION_1, Entry, EntryKind, MatchHeader, actor_of
from records.replay.disclosure import for_viewer
from records.replay.fold import open_record, rebuild, states_before
from rules.kernel.actors import AUDITOR, SPECTATOR, Seat, Viewer
from rules.kernel.text import either, quoted

SPECTATOR_NAME: Final = "spectator"
"""The word for a viewer without a seat."""


class NoSuchViewer(ValueError):
    """A name that is nobody's at the table."""


class CannotRedact(ValueError):
    """A record from which nothing can be left out without breaking its hashes."""


def viewer_named(header: MatchHeader, name: str) -> Viewer:
    """The viewer with this name: 'spectator', or a seat by its name or number; raises NoSuchViewer."""
    seats = header.setup.seats
    if name == SPECTATOR_NAME:
        return SPECTATOR
    if name in seats:
        return Seat(seats.index(name))
    if name.isdecimal() and int(name) < len(seats):
        return Seat(int(name))
    known = either([SPECTATOR_NAME, *seats])
    raise NoSuchViewer(f"{quoted(name)} is no viewer of the match; expected {known}")


def redacted(entries: Sequence[Entry], viewer: Viewer) -> list[Entry]:
    """The record as the viewer may have it now; the auditor, who runs the archive, may have all of it.

    Once the match is over, everybody may. Openings are left out after Unseal: the seed proves more. Raises
    CannotRedact, and BadRecord or CorruptEvidence if the record is damaged.
    """
    if any(entry.kind == EntryKind.UNSEAL for entry in entries):
        return [_without_openings(entry) for entry in entries]
    if viewer is AUDITOR or _is_over(entries):
        return list(entries)
    opened = open_record(entries[0])
    if opened.header.entry_version != ENTRY_VERSION_1:
        return [for_viewer(opened.start, actor_of(entry.actor), entry, viewer) for entry in entries]
    if not opened.header.pledge and opened.start.has_secrets():
        raise CannotRedact(
            "hidden hands of a match of version 1 that are not sealed cannot be left out of its record: "
            "export it once the match is over"
        )
    return [
        for_viewer(before, actor_of(entry.actor), entry, viewer)
        for before, entry in zip(states_before(opened.start, entries), entries, strict=True)
    ]


def _is_over(entries: Sequence[Entry]) -> bool:
    closed = any(entry.kind == EntryKind.CLOSE for entry in entries)
    return closed or rebuild(entries).state.outcome() is not None


def _without_openings(entry: Entry) -> Entry:
    if not entry.secret or not entry.concealed:
        return entry
    hidden = decode_hidden(entry.secret)
    return structs.replace(entry, secret=encode_hidden(Hidden(hidden.parts)))
