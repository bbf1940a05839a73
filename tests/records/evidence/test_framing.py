"""Frames and base64 that can be read in one way only."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.evidence.framing import (
    BadBase64,
    OutOfRange,
    Unframed,
    frame,
    from_base64,
    to_base64,
    unframe,
)

parts = st.lists(st.binary(max_size=8), max_size=4)


def test_a_frame_is_its_tag_and_its_measured_parts() -> None:
    assert frame("shiji/x/1", "né", -2, b"\xff") == (
        b"shiji/x/1\0\0\0\0\x03n\xc3\xa9\0\0\0\x08\xff\xff\xff\xff\xff\xff\xff\xfe\0\0\0\x01\xff"
    )


@given(parts, parts)
def test_other_parts_make_another_frame(one: list[bytes], other: list[bytes]) -> None:
    assert (frame("shiji/x/1", *one) == frame("shiji/x/1", *other)) == (one == other)
    assert frame("shiji/x/1", *one) != frame("shiji/x/2", *other)


@given(st.binary())
def test_base64_is_read_as_it_is_written(raw: bytes) -> None:
    assert from_base64(to_base64(raw)) == raw


@pytest.mark.parametrize(
    "text", ["A", "AA", "AA=", "AA==\n", " AA==", "AB==", "A-_=", "AA==AA==", "é", "=", "AA==="]
)
def test_base64_that_could_be_written_otherwise_is_refused(text: str) -> None:
    with pytest.raises(BadBase64):
        from_base64(text)


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 2**200])
def test_a_number_that_no_frame_can_hold_is_refused(number: int) -> None:
    with pytest.raises(OutOfRange):
        frame("shiji/x/1", number)


def test_text_that_is_no_utf_8_has_a_frame_of_its_own() -> None:
    assert len({frame("shiji/x/1", text) for text in ("\ud800", "\udfff", "?", "\ufffd")}) == 4


@given(parts)
def test_the_parts_of_a_frame_are_found_again(parts: list[bytes]) -> None:
    assert unframe("shiji/x/1", frame("shiji/x/1", *parts)) == tuple(parts)
    with pytest.raises(Unframed):
        unframe("shiji/x/2", frame("shiji/x/1", *parts))


@given(st.binary(max_size=20))
def test_bytes_that_are_read_as_a_frame_are_one(rest: bytes) -> None:
    data = frame("shiji/x/1") + rest
    try:
        found = unframe("shiji/x/1", data)
    except Unframed:
        return

    assert frame("shiji/x/1", *found) == data
