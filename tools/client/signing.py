"""What a key vouches for: signatures over what a client asks for."""

from typing import TypeAlias

from records.entry import EntryKind, MatchId, actor_number
from records.evidence.ed25519 import SecretKey
from records.evidence.signing import Claim, Rotation
from rules.kernel.actors import Actor
from tools.client.values import EncodedMove, Entry

After: TypeAlias = int | Entry
"""The last entry of a match that the caller knows; whoever signs needs the entry itself, for its hash."""


def sequence_of(after: After) -> int:
    """Its number."""
    return after.sequence if isinstance(after, Entry) else after


def sign_move(key: SecretKey | None, after: After, move: str | EncodedMove) -> bytes:
    """The signature over a move; none without a key."""
    if key is None:
        return b""
    if isinstance(move, str):
        raise TypeError("a move is signed as bytes, not as text: legal_moves() gives both")
    return sign_entry(key, after, EntryKind.MOVE, move.actor, move.data)


def sign_entry(key: SecretKey | None, after: After, kind: EntryKind, actor: Actor, content: bytes) -> bytes:
    """The signature over what an entry will hold; none without a key."""
    if key is None:
        return b""
    before = _require_hash(after)
    sequence, number = before.sequence + 1, actor_number(actor)
    claim = Claim(MatchId(before.match_id), sequence, kind, number, before.hash, content)
    return key.sign(claim.digest)


def sign_rotation(old: SecretKey, new: SecretKey, after: After, actor: Actor) -> tuple[bytes, bytes]:
    """The signatures of both keys: that the new one shall sign from now on."""
    before = _require_hash(after)
    sequence, number = before.sequence + 1, actor_number(actor)
    digest = Rotation(MatchId(before.match_id), sequence, number, before.hash, new.public).digest
    return old.sign(digest), new.sign(digest)


def _require_hash(after: After) -> Entry:
    if not isinstance(after, Entry) or not after.hash:
        raise ValueError(
            "a signature ties an entry to the one before: give that one as after=, with its hash"
        )
    return after
