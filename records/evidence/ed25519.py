"""Ed25519 keys (RFC 8032), without those under which a signature would prove nothing."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

KEY_SIZE: Final = 32
"""The size of a public or secret key, in bytes."""

SIGNATURE_SIZE: Final = 64
"""The size of a signature, in bytes."""

# The field prime, the curve constant d, and the y coordinate of a point of order 8 (RFC 8032, 5.1).
_P: Final = 2**255 - 19
_D: Final = -121665 * pow(121666, -1, _P) % _P
_ORDER_8: Final = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL_ORDER_Y: Final = frozenset({0, 1, _P - 1, _ORDER_8, _P - _ORDER_8})
"""The y coordinates of the eight points of small order."""


class BadKey(ValueError):
    """Not a key, or one that must not be used."""


class WrongSignature(ValueError):
    """The signature was not made with this key over this message."""


_KEPT_KEYS: Final = 4096
"""Keys that are remembered as good or bad: a match has few, and each of its entries is checked with one."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key that checks signatures; raises BadKey for keys that no honest signer can have."""

    raw: bytes

    def __post_init__(self) -> None:
        if len(self.raw) != KEY_SIZE:
            raise BadKey(f"an Ed25519 key has {KEY_SIZE} bytes, not {len(self.raw)}")
        y = int.from_bytes(self.raw, "little") & (2**255 - 1)
        # Under a key of small order one signature is valid for every message, so it would prove nothing.
        if y >= _P or y in _SMALL_ORDER_Y or not _on_curve(y):
            raise BadKey("these 32 bytes are not the public key of any Ed25519 key pair")

    def verify(self, message: bytes, signature: bytes) -> None:
        """Raises WrongSignature unless the signature was made over the message."""
        if len(signature) != SIGNATURE_SIZE:
            raise WrongSignature(f"an Ed25519 signature has {SIGNATURE_SIZE} bytes, not {len(signature)}")
        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, message)
        except InvalidSignature:
            raise WrongSignature("the signature was not made with this key over this message") from None


@dataclass(frozen=True, slots=True)
class SecretKey:
    """A key that signs: 32 bytes, such as secrets.token_bytes makes."""

    raw: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.raw) != KEY_SIZE:
            raise BadKey(f"an Ed25519 key has {KEY_SIZE} bytes, not {len(self.raw)}")

    @property
    def public(self) -> PublicKey:
        """The key that checks its signatures."""
        return PublicKey(self._key().public_key().public_bytes_raw())

    def sign(self, message: bytes) -> bytes:
        """The signature of this key over the message; always the same."""
        return self._key().sign(message)

    def _key(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.raw)


@lru_cache(_KEPT_KEYS)
def _on_curve(y: int) -> bool:
    """Whether x² = (y² - 1) / (d·y² + 1) has a root (RFC 8032, 5.1.3), by Euler's criterion."""
    square = y * y
    ratio = (square - 1) * (_D * square + 1)
    return pow(ratio, (_P - 1) // 2, _P) == 1
