"""Names that a record does not hold, and that can be forgotten."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.evidence.personal_commitment import (
    BadPersonKey,
    NotCommitted,
    TooLong,
    check_personal,
    commit_personal,
)
from tests.records.evidence.trees import flipped

KEY = b"k" * 32

keys = st.binary(min_size=32, max_size=32)
texts = st.text(max_size=5)


@given(keys, texts, texts)
def test_a_name_is_shown_by_its_key(key: bytes, field: str, value: str) -> None:
    check_personal(commit_personal(key, field, value), key, field, value)


@given(st.tuples(keys, texts, texts), st.tuples(keys, texts, texts))
def test_other_keys_fields_and_names_are_other_commitments(
    one: tuple[bytes, str, str], other: tuple[bytes, str, str]
) -> None:
    assert (commit_personal(*one) == commit_personal(*other)) == (one == other)


@pytest.mark.parametrize(
    ("key", "field", "value"),
    [
        (flipped(KEY), "name", "Sima Qian"),
        (KEY, "email", "Sima Qian"),
        (KEY, "nam", "eSima Qian"),
        (KEY, "name", ""),
    ],
)
def test_nothing_else_is_shown(key: bytes, field: str, value: str) -> None:
    with pytest.raises(NotCommitted, match="does not commit to this"):
        check_personal(commit_personal(KEY, "name", "Sima Qian"), key, field, value)


@pytest.mark.parametrize("commitment", [b"", bytes(31), bytes(32), bytes(1000)])
def test_bytes_that_are_no_commitment_show_nothing(commitment: bytes) -> None:
    with pytest.raises(NotCommitted):
        check_personal(commitment, KEY, "name", "Sima Qian")


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_a_key_of_another_length_is_refused(length: int) -> None:
    """HMAC fills a short key up with zeros, so that two lengths could make one commitment."""
    with pytest.raises(BadPersonKey, match=f"32 bytes, not {length}"):
        commit_personal(bytes(length), "name", "Sima Qian")


def test_a_name_without_end_is_refused() -> None:
    with pytest.raises(TooLong, match="at most 1000 characters, not 1001"):
        commit_personal(KEY, "name", "x" * 1001)
