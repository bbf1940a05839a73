"""Signatures of actors: over an entry at its place in a record, or over a key that replaces theirs."""

from dataclasses import dataclass
from typing import Final

from records.entry import ENTRY_VERSION_1, Entry, MatchId, entry_version
from records.evidence.concealment import choice_lines
from records.evidence.ed25519 import BadKey, PublicKey, SecretKey
from records.evidence.framing import BadBase64, framed_hash, from_base64, to_base64
from rules.kernel.text import quoted

_PUBLIC: Final = "shiji-ed25519"
_SECRET: Final = "SHIJI-ED25519-SECRET"  # noqa: S105 - the first word of every secret key, not a secret
_KEY_ID_BYTES: Final = 8
"""Bytes of the id of a seat's key: enough to tell any keys of a match apart, short enough to read out."""
_MAX_KEY_CHARACTERS: Final = 128
"""Characters of a key that are read; a longer text is not a key."""


class Unsigned(ValueError):
    """The actor has a key, but the entry has no signature."""


class NoKey(ValueError):
    """The entry has a signature, but the actor has no key to check it with."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What an actor signs: the entry as far as it is known before it is judged."""

    match: MatchId
    sequence: int
    kind: int
    """An EntryKind."""
    actor: int
    """The number of a seat or an office, as in an entry."""
    previous: bytes
    """The hash of the previous entry, which covers everything before."""
    move: bytes
    version: int = ENTRY_VERSION_1
    """The entry's."""
    choices: bytes = b""
    """Of version 2: the lines that commit to the choices which the actor seals with it."""

    @property
    def digest(self) -> bytes:
        """What is signed."""
        asked = self.match, self.sequence, self.kind, self.actor, self.previous, self.move
        if self.version == ENTRY_VERSION_1:
            return framed_hash("shiji/claim/1", *asked)
        return framed_hash("shiji/claim/2", *asked, self.choices)


@dataclass(frozen=True, slots=True)
class RotationClaim:
    """What is signed when, from this entry on, another key signs for the actor.

    The old key signs it to authorise the change, the new key to prove that somebody holds it.
    """

    match: MatchId
    sequence: int
    actor: int
    previous: bytes
    new: PublicKey

    @property
    def digest(self) -> bytes:
        """The bytes that both keys sign."""
        return framed_hash(
            "shiji/rotation/1", self.match, self.sequence, self.actor, self.previous, self.new.raw
        )


@dataclass(frozen=True, slots=True)
class Keyring:
    """The key of each actor at one point of a record."""

    keys: tuple[tuple[int, PublicKey], ...] = ()
    """Actor and key; other actors do not sign."""

    def key_of(self, actor: int) -> PublicKey | None:
        """The key of the actor; None if the actor does not sign."""
        return dict(self.keys).get(actor)

    def check(self, claim: Claim, signature: bytes) -> None:
        """Raises Unsigned, NoKey or WrongSignature unless the claim is signed as the actor's key requires.

        An empty signature means none, as in an entry.
        """
        key = self.key_of(claim.actor)
        if key is None and signature:
            raise NoKey(f"{_named(claim.actor)} has no key in this match, so a signature proves nothing")
        if key is not None:
            if not signature:
                raise Unsigned(
                    f"{_named(claim.actor)} signs with the key {key_id(key)}, and this is not signed"
                )
            key.verify(claim.digest, signature)

    def rotated(self, rotation: RotationClaim, *, by_old: bytes, by_new: bytes) -> "Keyring":
        """The keys after the rotation; raises NoKey or WrongSignature."""
        old = self.key_of(rotation.actor)
        if old is None:
            raise NoKey(f"{_named(rotation.actor)} has no key in this match, so there is none to replace")
        old.verify(rotation.digest, by_old)
        rotation.new.verify(rotation.digest, by_new)
        keys = dict(self.keys) | {rotation.actor: rotation.new}
        return Keyring(tuple(keys.items()))


def claim_of(entry: Entry) -> Claim:
    """What the signature in a stored entry is made over; BadConcealed where the entry's parts are none."""
    return Claim(
        entry.match,
        entry.sequence,
        entry.kind,
        entry.actor,
        entry.previous,
        entry.move,
        entry_version(entry),
        choice_lines(entry.concealed),
    )


def key_id(key: PublicKey) -> str:
    """Sixteen hexadecimal digits that identify a key; they authenticate nothing."""
    return framed_hash("shiji/key-id/1", key.raw)[:_KEY_ID_BYTES].hex()


def public_text(key: PublicKey) -> str:
    """The public key as one line of text."""
    return f"{_PUBLIC}:{key_id(key)}:{to_base64(key.raw)}"


def secret_text(key: SecretKey) -> str:
    """The secret key as one line of text, to be stored and never shown."""
    return f"{_SECRET}:{key_id(key.public)}:{to_base64(key.raw)}"


def parse_public(text: str) -> PublicKey:
    """Parse what public_text writes; raises BadKey."""
    if text.startswith(_SECRET):
        raise BadKey("this is a secret key where a public one is expected: keep it to yourself")
    key = PublicKey(_material(text, _PUBLIC))
    if public_text(key) != text:
        raise BadKey(f"the id in {quoted(text)} is not that of the key: it was mistyped or changed")
    return key


def parse_secret(text: str) -> SecretKey:
    """Parse what secret_text writes, with or without a newline; raises BadKey, which does not show it."""
    line = text.removesuffix("\n")
    key = SecretKey(_material(line, _SECRET))
    if secret_text(key) != line:
        raise BadKey("the id in the secret key is not that of the key: it was mistyped or changed")
    return key


def _material(text: str, word: str) -> bytes:
    found, _, rest = text[:_MAX_KEY_CHARACTERS].partition(":")
    _, _, encoded = rest.partition(":")
    try:
        raw = from_base64(encoded)
    except BadBase64:
        raw = b""
    if found != word or not raw:
        raise BadKey(f"this is not a key; expected one line of the form {word}:…:…")
    return raw


def _named(actor: int) -> str:
    return f"seat {actor}" if actor >= 0 else f"office {actor}"
