"""Signs requests with the key of a seat or of the arbiter."""

from typing import TypeAlias

from google.protobuf.message import Message

from shiji.client.actors import Actor, actor_number
from shiji.client.digests import NextEntry, claim, rotation_claim
from shiji.client.evidence import EncodedMove
from shiji.client.keys import SecretKey
from shiji.client.kinds import EntryKind
from shiji.client.values import Entry

After: TypeAlias = int | Entry
"""The last entry that the caller knows, or its sequence; to sign, the entry is needed for its hash."""


def sequence_of(after: After) -> int:
    """The sequence of the entry."""
    return after.sequence if isinstance(after, Entry) else after


def sign_move(key: SecretKey | None, after: After, move: str | EncodedMove) -> bytes:
    """Sign a move; empty without a key."""
    if key is None:
        return b""
    if isinstance(move, str):
        raise TypeError(
            "only an EncodedMove can be signed, not text: legal_moves() returns the bytes of every move"
        )
    return sign_entry(key, after, EntryKind.MOVE, move.actor, move.data)


def sign_entry(  # noqa: PLR0913, PLR0917 - all that a signature covers
    key: SecretKey | None,
    after: After,
    kind: EntryKind,
    actor: Actor,
    content: Message | bytes,
    choices: bytes = b"",
) -> bytes:
    """Sign the content of the entry to append, and what it commits to; empty without a key."""
    if key is None:
        return b""
    before = _require_hash(after)
    raw = content if isinstance(content, bytes) else content.SerializeToString(deterministic=True)
    return key.sign(claim(_next(before, actor), kind, raw, before.version, choices))


def sign_rotation(old: SecretKey, new: SecretKey, after: After, actor: Actor) -> tuple[bytes, bytes]:
    """Sign a change of keys with the old key and the new one."""
    digest = rotation_claim(_next(_require_hash(after), actor), new.public.raw)
    return old.sign(digest), new.sign(digest)


def _next(before: Entry, actor: Actor) -> NextEntry:
    return NextEntry(before.match_id, before.sequence + 1, actor_number(actor), before.hash)


def _require_hash(after: After) -> Entry:
    if not isinstance(after, Entry) or not after.hash:
        raise ValueError(
            "a signature covers the hash of the previous entry: pass that Entry, with its hash, as after="
        )
    return after
