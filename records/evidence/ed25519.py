"""Ed25519 keys (RFC 8032) that are good for evidence: a signature under one fits one message."""

from dataclasses import dataclass, field
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

KEY_SIZE: Final = 32
SIGNATURE_SIZE: Final = 64

_P: Final = 2**255 - 19
_D: Final = -121665 * pow(121666, -1, _P) % _P
_ORDER_8: Final = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL: Final = frozenset({0, 1, _P - 1, _ORDER_8, _P - _ORDER_8})
"""The heights y of the eight points of small order."""


class BadKey(ValueError):
    """What was given is no key, or none that can serve."""


class WrongSignature(ValueError):
    """The signature was not made with this key over this message."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """What a signature is checked with; BadKey where no honest signer can have such a key."""

    raw: bytes

    def __post_init__(self) -> None:
        if len(self.raw) != KEY_SIZE:
            raise BadKey(f"an Ed25519 key has {KEY_SIZE} bytes, and this one {len(self.raw)}")
        height = int.from_bytes(self.raw, "little") & (2**255 - 1)
        # Under a key of small order one signature fits every message, so it would prove nothing.
        if height >= _P or height in _SMALL or not _on_curve(height):
            raise BadKey("these 32 bytes are not the public key of any Ed25519 key pair")

    def verify(self, message: bytes, signature: bytes) -> None:
        """Passes if the signature was made over the message; WrongSignature otherwise."""
        if len(signature) != SIGNATURE_SIZE:
            raise WrongSignature(f"an Ed25519 signature has {SIGNATURE_SIZE} bytes, not {len(signature)}")
        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, message)
        except InvalidSignature:
            raise WrongSignature("the signature was not made with this key over this message") from None


@dataclass(frozen=True, slots=True)
class SecretKey:
    """What signs: 32 bytes, of which secrets.token_bytes makes new ones."""

    raw: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.raw) != KEY_SIZE:
            raise BadKey(f"an Ed25519 key has {KEY_SIZE} bytes, and this one {len(self.raw)}")

    @property
    def public(self) -> PublicKey:
        """The key to check its signatures with."""
        return PublicKey(self._key().public_key().public_bytes_raw())

    def sign(self, message: bytes) -> bytes:
        """The one signature that this key makes over the message."""
        return self._key().sign(message)

    def _key(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.raw)


def _on_curve(height: int) -> bool:
    """Whether x² = (y² - 1) / (d·y² + 1) has a root (RFC 8032, 5.1.3), by Euler's criterion."""
    square = height * height
    ratio = (square - 1) * (_D * square + 1)
    return pow(ratio, (_P - 1) // 2, _P) == 1
