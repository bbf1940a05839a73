"""Ed25519 keys of seats and of the arbiter; signing needs the extra `signing` (`cryptography`)."""

import base64
import binascii
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from shiji.client.digests import framed_hash

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KEY_SIZE: Final = 32
"""The size of a public or secret key, in bytes."""

_PUBLIC: Final = "shiji-ed25519"
_SECRET: Final = "SHIJI-ED25519-SECRET"  # noqa: S105 - the first word of every secret key, not a secret
_ID_BYTES: Final = 8
_MAX_CHARACTERS: Final = 128
"""Characters of a key that are read; a longer text is not a key."""


class BadKey(ValueError):
    """Not a key."""


class CannotSign(ImportError):
    """The library that signs is not installed."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key that checks signatures. The server refuses keys that no honest signer can have."""

    raw: bytes

    def __post_init__(self) -> None:
        _check_size(self.raw)


@dataclass(frozen=True, slots=True)
class SecretKey:
    """A key that signs: 32 bytes, such as secrets.token_bytes makes."""

    raw: bytes = field(repr=False)

    def __post_init__(self) -> None:
        _check_size(self.raw)

    @property
    def public(self) -> PublicKey:
        """The key that checks its signatures; raises CannotSign."""
        return PublicKey(self._key().public_key().public_bytes_raw())

    def sign(self, message: bytes) -> bytes:
        """The signature of this key over the message; always the same. Raises CannotSign."""
        return self._key().sign(message)

    def _key(self) -> "Ed25519PrivateKey":
        try:
            from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - an extra
        except ImportError as fault:
            raise CannotSign("keys need the extra `signing`: pip install 'shiji-client[signing]'") from fault
        return ed25519.Ed25519PrivateKey.from_private_bytes(self.raw)


def public_text(key: PublicKey) -> str:
    """The public key as one line of text."""
    return f"{_PUBLIC}:{_key_id(key)}:{_to_base64(key.raw)}"


def secret_text(key: SecretKey) -> str:
    """The secret key as one line of text, to be stored and never shown."""
    return f"{_SECRET}:{_key_id(key.public)}:{_to_base64(key.raw)}"


def parse_public(text: str) -> PublicKey:
    """Parse what public_text writes; raises BadKey."""
    if text.startswith(_SECRET):
        raise BadKey("this is a secret key where a public one is expected: keep it to yourself")
    key = PublicKey(_material(text, _PUBLIC))
    if public_text(key) != text:
        raise BadKey("the id in the public key is not that of the key: it was mistyped or changed")
    return key


def parse_secret(text: str) -> SecretKey:
    """Parse what secret_text writes, with or without a newline; raises BadKey, which does not show it."""
    line = text.removesuffix("\n")
    key = SecretKey(_material(line, _SECRET))
    if secret_text(key) != line:
        raise BadKey("the id in the secret key is not that of the key: it was mistyped or changed")
    return key


def _key_id(key: PublicKey) -> str:
    return framed_hash("shiji/key-id/1", key.raw)[:_ID_BYTES].hex()


def _material(text: str, word: str) -> bytes:
    found, _, rest = text[:_MAX_CHARACTERS].partition(":")
    _, _, encoded = rest.partition(":")
    try:
        raw = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        raw = b""
    if found != word or not raw:
        raise BadKey(f"this is not a key; expected one line of the form {word}:…:…")
    return raw


def _to_base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")


def _check_size(raw: bytes) -> None:
    if len(raw) != KEY_SIZE:
        raise BadKey(f"an Ed25519 key has {KEY_SIZE} bytes, not {len(raw)}")
