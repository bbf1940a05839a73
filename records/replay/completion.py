"""The concealed parts that a record lacks, and those of them that can be derived."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from records.codec.evidence import decode_secret
from records.entry import (
    CHANCE_NUMBER,
    ENTRY_VERSION_1,
    MOVE,
    Entry,
    EntryKind,
    MatchHeader,
    MatchId,
)
from records.evidence.sealing import commit_secret
from records.replay.deriving import with_derived
from records.replay.disclosure import hidden_of, missing_parts
from records.replay.fold import open_record, states_before
from records.replay.sealed_draws import opens_places

SecretOf: TypeAlias = Callable[[MatchId], bytes]
"""Returns the secret that a server shuffles by in a match, 32 bytes."""


def lacking_parts(header: MatchHeader, entries: Sequence[Entry]) -> tuple[int, ...]:
    """The sequences of the entries of a verified record that lack what an archive holds of them."""
    drawn = [
        entry for entry in entries if header.pledge and entry.kind == MOVE and entry.actor == CHANCE_NUMBER
    ]
    if header.entry_version == ENTRY_VERSION_1:
        return tuple(entry.sequence for entry in drawn if not entry.secret)
    lacking = {entry.sequence for entry in entries if missing_parts(entry)}
    if not any(entry.kind == EntryKind.UNSEAL for entry in entries):  # else the seed proves what they would
        unopened = [entry.sequence for entry in drawn if not hidden_of(entry).openings]
        lacking |= _due_openings(entries, set(unopened) - lacking)
    return tuple(sorted(lacking))


def _due_openings(entries: Sequence[Entry], unopened: set[int]) -> set[int]:
    """Those draws that should open places of sealed orders, of those that open none."""
    if not unopened:
        return set()
    states = states_before(open_record(entries[0]).start, entries)
    return {sequence for sequence in unopened if opens_places(states[sequence])}


def completed(header: MatchHeader, entries: tuple[Entry, ...], secrets: SecretOf | None) -> tuple[Entry, ...]:
    """The entries of a verified record with the parts that can be derived; raises BadRecord.

    Anybody derives them once the match is unsealed, and before that the server that dealt.
    """
    secret = _secret_of(header, entries, secrets)
    if secret is None or not lacking_parts(header, entries):
        return entries
    return tuple(with_derived(entries, secret))


def _secret_of(header: MatchHeader, entries: Sequence[Entry], secrets: SecretOf | None) -> bytes | None:
    """What the match was shuffled by; None if that is not known, or nothing was."""
    if not header.pledge:
        return None
    for entry in entries:
        if entry.kind == EntryKind.UNSEAL:
            return decode_secret(entry.move)
    match = entries[0].match
    own = None if secrets is None else secrets(match)
    return own if own is not None and commit_secret(match, own) == header.pledge else None
