"""Whether seals, the secret of a sealed match and the close of a match come where they may."""

from dataclasses import dataclass

from records.codec.evidence import decode_seal
from records.entry import ENTRY_VERSION_1, Entry, EntryKind, MatchHeader
from records.games.state import GameState
from records.replay.sealed_draws import passed_over_valid_order, seal_fault
from records.replay.seals import Sealing


@dataclass(frozen=True, slots=True)
class NoticeContext:
    """What is known of a match before a notice."""

    sealing: Sealing | None
    seed: bytes | None
    """The seed of all sealed orders, if the record reveals it."""
    is_over: bool
    """Whether nothing is played any more."""
    changed: bool
    """Whether the match is judged by other rules than its own."""


def notice_fault(header: MatchHeader, before: GameState, entry: Entry, context: NoticeContext) -> str | None:
    """What is wrong with a notice at this state of the match; None if nothing is."""
    if entry.kind == EntryKind.SEAL:
        return _seal_fault(header, before, entry, context)
    if header.entry_version == ENTRY_VERSION_1:
        return None
    if entry.kind == EntryKind.UNSEAL and not context.is_over:
        return "the match goes on, and what was sealed is revealed"
    if entry.kind == EntryKind.CLOSE and context.is_over:
        return "the match was over before it was closed"
    return None


def _seal_fault(header: MatchHeader, before: GameState, entry: Entry, context: NoticeContext) -> str | None:
    sealing, sealed = context.sealing, decode_seal(entry.move)
    if sealing is None:
        return "nothing is sealed in this match"
    if context.seed is not None and passed_over_valid_order(before, sealing, sealed, context.seed):
        return "the rules accept an earlier order than this one"
    if header.entry_version == ENTRY_VERSION_1 or context.changed:
        return None
    return seal_fault(before, sealing, sealed)
