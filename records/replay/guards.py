"""Checks of entries beyond the hash chain: signatures, seals, disputes and takebacks."""

from dataclasses import dataclass, replace
from typing import Final

from records.codec.concealment import decode_close
from records.codec.header import decode_rotation
from records.entry import (
    CHANCE_NUMBER,
    ENTRY_VERSION_1,
    HEADER,
    Entry,
    EntryKind,
    MatchHeader,
    MatchId,
)
from records.evidence import signing
from records.evidence.ed25519 import BadKey, PublicKey
from records.evidence.signing import Keyring, claim_of
from records.games.state import GameState
from records.replay.choices import Choices
from records.replay.disputes import Disputes, Frozen
from records.replay.seals import Sealing, sealing_of
from rules.kernel.setup import BadSetup


class GuardRejected(ValueError):
    """An entry that fails a check: its signature, its secret, a seal, a key or a dispute is wrong."""


class MatchFrozen(GuardRejected):
    """A move while the match waits for an open dispute."""


class NotSigned(GuardRejected):
    """An entry that is not signed as its record requires."""


_SEAL_KINDS: Final = frozenset(
    {EntryKind.COMMIT_SHARE, EntryKind.REVEAL_SHARE, EntryKind.SEAL, EntryKind.UNSEAL}
)

_PLAYED: Final = frozenset(
    {
        EntryKind.MOVE,
        EntryKind.RETRACT,
        EntryKind.REQUEST_TAKEBACK,
        EntryKind.GRANT_TAKEBACK,
        EntryKind.CHOOSE,
        EntryKind.OPEN_CHOICE,
        EntryKind.REVEAL_CHOICES,
        EntryKind.ANSWER_FOR,
        EntryKind.CLOSE,
        EntryKind.SEAL,
        EntryKind.COMMIT_SHARE,
        EntryKind.REVEAL_SHARE,
    }
)
"""The kinds of entries that cannot follow once a match is closed."""


@dataclass(frozen=True, slots=True)
class Guards:
    """The keys, seals, disputes and choices that the next entry of a record is checked against."""

    keys: Keyring
    sealing: Sealing | None
    disputes: Disputes
    idle: bool
    """Whether moves and retractions need no check: nobody signs, nothing is sealed, nothing is open."""
    choices: Choices
    """Sealed choices that wait to be revealed."""
    closed: bool = False
    """Whether the arbiter has ended the match without a result."""

    def without_disputes(self) -> "Guards":
        """The guards without the disputes that are open, of which a record may have many at each entry."""
        return replace(self, disputes=replace(self.disputes, open=())) if self.disputes.open else self

    def after(self, entry: Entry) -> "Guards":
        """Check an entry; returns the guards after it, or raises GuardRejected."""
        if entry.kind == HEADER:
            if entry.signature or entry.secret:
                raise GuardRejected(
                    "a header is not signed and has no secret: it has the keys for the entries after it"
                )
            return self
        if entry.secret and not entry.concealed and (self.sealing is None or entry.actor != CHANCE_NUMBER):
            raise GuardRejected("the entry has a secret, but no seal proves it")
        if self.sealing is None and entry.kind in _SEAL_KINDS:
            raise GuardRejected("nothing is sealed in this match")
        if self.closed and entry.kind in _PLAYED:
            raise GuardRejected("the arbiter has closed the match, and nothing is played after that")
        try:
            if entry.kind == EntryKind.ROTATE_KEY:
                return replace(self, keys=self._rotated(entry))
            self.keys.check(claim_of(entry), entry.signature)
        except ValueError as fault:
            raise NotSigned(str(fault)) from fault
        try:
            sealing = None if self.sealing is None else self.sealing.after(entry)
            closed = self.closed or _closes(entry)
            disputes, choices = self.disputes.after(entry), self.choices.after(entry)
            return _guards(self.keys, sealing, disputes, choices, closed=closed)
        except Frozen as fault:
            raise MatchFrozen(str(fault)) from fault
        except ValueError as fault:
            raise GuardRejected(str(fault)) from fault

    def _rotated(self, entry: Entry) -> Keyring:
        requested = decode_rotation(entry.move)
        rotation = signing.RotationClaim(
            entry.match, entry.sequence, entry.actor, entry.previous, PublicKey(requested.key)
        )
        return self.keys.rotated(rotation, by_old=entry.signature, by_new=requested.signature)


def _closes(entry: Entry) -> bool:
    """Whether the entry ends the match without a result; raises CorruptEvidence if it cannot be read."""
    if entry.kind != EntryKind.CLOSE:
        return False
    decode_close(entry.move)
    return True


def guards_of(header: MatchHeader, match: MatchId, start: GameState) -> Guards:
    """The guards after a header; raises BadSetup if its keys are invalid."""
    sealing = sealing_of(header, match)
    if header.entry_version == ENTRY_VERSION_1 and header.keys and sealing is None and start.has_secrets():
        # A signer must know the previous hash, and with few kinds of tile a hash reveals which one was drawn:
        # only in version 2 do hashes cover salted digests of what is hidden.
        raise BadSetup(
            "seats",
            "where hands are hidden nobody can sign: hashes would reveal the tiles",
        )
    try:
        keys = Keyring(tuple((actor, PublicKey(key)) for actor, key in header.keys))
    except BadKey as fault:
        raise BadSetup("seats", str(fault)) from fault
    return _guards(keys, sealing, Disputes.of(header), Choices(header.choices))


def _guards(
    keys: Keyring, sealing: Sealing | None, disputes: Disputes, choices: Choices, *, closed: bool = False
) -> Guards:
    nothing_open = not disputes.open and disputes.request is None and choices.idle and not closed
    idle = not keys.keys and sealing is None and nothing_open
    return Guards(keys, sealing, disputes, idle, choices, closed)
