"""Ed25519 keys: what is no key, and what no key should be."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from records.evidence.ed25519 import BadKey, PublicKey, SecretKey, WrongSignature
from tests.records.evidence.trees import flipped

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
ANY_MESSAGE = b"\x01" + bytes(63)
"""A signature that fits every message under the key of order 1."""

SMALL_ORDER = (
    "0100000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
)

keys = st.binary(min_size=32, max_size=32).map(SecretKey)


def doubled(point: tuple[int, int]) -> tuple[int, int]:
    x, y = point
    xx, yy, xy = x * x, y * y, x * y
    return 2 * xy * pow(1 + D * xx * yy, -1, P) % P, (yy + xx) * pow(1 - D * xx * yy, -1, P) % P


def lifted(height: int) -> tuple[int, int]:
    square = (height * height - 1) * pow(D * height * height + 1, -1, P) % P
    root = pow(square, (P + 3) // 8, P)
    if root * root % P != square:
        root = root * pow(2, (P - 1) // 4, P) % P
    assert root * root % P == square
    return root, height


@given(keys, st.binary())
def test_a_signature_fits_its_message_and_its_key(key: SecretKey, message: bytes) -> None:
    key.public.verify(message, key.sign(message))

    with pytest.raises(WrongSignature):
        key.public.verify(message + b"\0", key.sign(message))
    with pytest.raises(WrongSignature):
        SecretKey(flipped(key.raw)).public.verify(message, key.sign(message))


@given(keys, st.integers(0, 511))
def test_no_bit_of_a_signature_can_be_turned(key: SecretKey, bit: int) -> None:
    with pytest.raises(WrongSignature):
        key.public.verify(b"move", flipped(key.sign(b"move"), bit))


@pytest.mark.parametrize("length", [0, 1, 63, 65, 128, 1_000_000])
def test_a_signature_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(WrongSignature, match=f"64 bytes, not {length}"):
        SecretKey(bytes(32)).public.verify(b"move", bytes(length))


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_a_key_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(BadKey, match=f"32 bytes, not {length}"):
        PublicKey(bytes(length))
    with pytest.raises(BadKey, match=f"32 bytes, not {length}"):
        SecretKey(bytes(length))


def test_the_key_of_rfc_8032_gives_its_public_key_and_signature() -> None:
    key = SecretKey(bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))

    assert key.public.raw.hex() == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert key.sign(b"").hex() == (
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
        "d25bf5f0595bbe24655141438e7a100b"
    )


@pytest.mark.parametrize("raw", SMALL_ORDER)
def test_a_key_of_small_order_is_refused(raw: str) -> None:
    height = int.from_bytes(bytes.fromhex(raw), "little") & (2**255 - 1)

    assert doubled(doubled(doubled(lifted(height)))) == (0, 1)
    with pytest.raises(BadKey, match="not the public key"):
        PublicKey(bytes.fromhex(raw))


def test_the_library_alone_would_take_one_signature_for_every_message() -> None:
    trap = Ed25519PublicKey.from_public_bytes(bytes.fromhex(SMALL_ORDER[0]))

    trap.verify(ANY_MESSAGE, b"green Re8Re9")
    trap.verify(ANY_MESSAGE, b"green pass")


@pytest.mark.parametrize("height", [2, P, P + 1, 2**255 - 1])
def test_bytes_that_are_no_point_of_the_curve_are_no_key(height: int) -> None:
    with pytest.raises(BadKey, match="not the public key"):
        PublicKey(height.to_bytes(32, "little"))


def test_a_secret_key_does_not_show_itself() -> None:
    assert repr(SecretKey(b"s" * 32)) == "SecretKey()"
