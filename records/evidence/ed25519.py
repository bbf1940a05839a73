"""Ed25519 keys (RFC 8032), without those under which a signature would prove nothing."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KEY_SIZE: Final = 32
"""The size of a public or secret key, in bytes."""

SIGNATURE_SIZE: Final = 64
"""The size of a signature, in bytes."""

_P: Final = 2**255 - 19
_D: Final = -121665 * pow(121666, -1, _P) % _P
_ORDER_8: Final = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
"""The field prime, the curve constant d, and the y coordinate of a point of order 8 (RFC 8032, 5.1)."""

_SMALL_ORDER_Y: Final = frozenset({0, 1, _P - 1, _ORDER_8, _P - _ORDER_8})
"""The y coordinates of the eight points of small order."""


class BadKey(ValueError):
    """Not a key, or one that must not be used."""


class WrongSignature(ValueError):
    """The signature was not made with this key over this message."""


SignatureCheck: TypeAlias = Callable[[bytes, bytes, bytes], bool]
"""Whether a signature was made with a public key over a message: of key, message and signature, each of the
right size."""


def _check_by_library(key: bytes, message: bytes, signature: bytes) -> bool:
    # Imported where it is used: it is not there in browsers, which check signatures with Web Crypto.
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415

    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except InvalidSignature:
        return False
    return True


_CHECK: Final = ContextVar[SignatureCheck]("_CHECK", default=_check_by_library)


@contextmanager
def signatures_checked_by(check: SignatureCheck) -> Iterator[None]:
    """Every signature that is checked within is checked by this function."""
    before = _CHECK.set(check)
    try:
        yield
    finally:
        _CHECK.reset(before)


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
        if not _CHECK.get()(self.raw, message, signature):
            raise WrongSignature("the signature was not made with this key over this message")


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

    def _key(self) -> "Ed25519PrivateKey":
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415 - as above

        return Ed25519PrivateKey.from_private_bytes(self.raw)


@lru_cache(_KEPT_KEYS)
def _on_curve(y: int) -> bool:
    """Whether x² = (y² - 1) / (d·y² + 1) has a root (RFC 8032, 5.1.3), by Euler's criterion."""
    square = y * y
    ratio = (square - 1) * (_D * square + 1)
    return pow(ratio, (_P - 1) // 2, _P) == 1
