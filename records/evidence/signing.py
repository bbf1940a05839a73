"""What a seat's key vouches for: an entry at its place in a record, or the key that follows it."""

from dataclasses import dataclass
from typing import Final

from records.entry import ENTRY_VERSION_1, Entry, MatchId, entry_version
from records.evidence.concealment import choice_lines
from records.evidence.ed25519 import BadKey, PublicKey, SecretKey
from records.evidence.framing import BadBase64, framed_hash, from_base64, to_base64
from rules.kernel.text import quoted

_PUBLIC: Final = "shiji-ed25519"
_SECRET: Final = "SHIJI-ED25519-SECRET"  # noqa: S105 - the word that a secret key begins with, not one
_ID_SIZE: Final = 8
_MAX_TEXT: Final = 128


class Unsigned(ValueError):
    """Whoever acted has a key, and the entry bears no signature."""


class NoKey(ValueError):
    """The entry bears a signature, and whoever acted has no key to check it with."""


@dataclass(frozen=True, slots=True)
class Claim:
    """An entry as far as whoever asks for it knows it: what the signature in it is made over."""

    match: MatchId
    sequence: int
    kind: int
    """An EntryKind."""
    actor: int
    """A seat from 0, or an office, as an entry has it."""
    previous: bytes
    """The hash of the entry before, and with it all that went before."""
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
    """From this entry on another key signs for the actor.

    The old key signs it to allow it, and the new one to show that somebody holds it.
    """

    match: MatchId
    sequence: int
    actor: int
    previous: bytes
    new: PublicKey

    @property
    def digest(self) -> bytes:
        """What both keys sign."""
        return framed_hash(
            "shiji/rotation/1", self.match, self.sequence, self.actor, self.previous, self.new.raw
        )


@dataclass(frozen=True, slots=True)
class Keyring:
    """Which key signs for whom at one point of a record."""

    keys: tuple[tuple[int, PublicKey], ...] = ()
    """Actor and key; whoever is not there signs nothing."""

    def key_of(self, actor: int) -> PublicKey | None:
        """The key that signs for the actor now."""
        return dict(self.keys).get(actor)

    def check(self, claim: Claim, signature: bytes) -> None:
        """Passes if the claim is signed as it must be; Unsigned, NoKey or WrongSignature otherwise.

        No bytes are no signature, as in an entry.
        """
        key = self.key_of(claim.actor)
        if key is None and signature:
            raise NoKey(f"{_named(claim.actor)} registered no key, so a signature proves nothing")
        if key is not None:
            if not signature:
                raise Unsigned(
                    f"{_named(claim.actor)} signs with the key {key_id(key)}, and this is not signed"
                )
            key.verify(claim.digest, signature)

    def rotated(self, rotation: RotationClaim, *, by_old: bytes, by_new: bytes) -> "Keyring":
        """The keys after the rotation; NoKey or WrongSignature if it does not hold."""
        old = self.key_of(rotation.actor)
        if old is None:
            raise NoKey(f"{_named(rotation.actor)} registered no key, so there is none to replace")
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
    """Sixteen hexadecimal digits to tell keys apart by; they identify a key and authenticate nothing."""
    return framed_hash("shiji/key-id/1", key.raw)[:_ID_SIZE].hex()


def public_text(key: PublicKey) -> str:
    """The key in one line, to be shown to anybody."""
    return f"{_PUBLIC}:{key_id(key)}:{to_base64(key.raw)}"


def secret_text(key: SecretKey) -> str:
    """The key in one line, to be kept and never shown."""
    return f"{_SECRET}:{key_id(key.public)}:{to_base64(key.raw)}"


def parse_public(text: str) -> PublicKey:
    """The key that public_text writes so; BadKey otherwise."""
    if text.startswith(_SECRET):
        raise BadKey("this is a secret key where a public one is expected: keep it to yourself")
    key = PublicKey(_material(text, _PUBLIC))
    if public_text(key) != text:
        raise BadKey(f"the id in {quoted(text)} is not that of the key: it was mistyped or changed")
    return key


def parse_secret(text: str) -> SecretKey:
    """The key that secret_text writes so, with a newline or not; BadKey otherwise, which does not show it."""
    line = text.removesuffix("\n")
    key = SecretKey(_material(line, _SECRET))
    if secret_text(key) != line:
        raise BadKey("the id in the secret key is not that of the key: it was mistyped or changed")
    return key


def _material(text: str, word: str) -> bytes:
    found, _, rest = text[:_MAX_TEXT].partition(":")
    _, _, encoded = rest.partition(":")
    try:
        raw = from_base64(encoded)
    except BadBase64:
        raw = b""
    if found != word or not raw:
        raise BadKey(f"this is no such key; expected one line, {word}:…:…")
    return raw


def _named(actor: int) -> str:
    return f"seat {actor}" if actor >= 0 else f"office {actor}"
