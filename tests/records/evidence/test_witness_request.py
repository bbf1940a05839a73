"""What a witness is sent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.evidence.checkpoint import Checkpoint
from records.evidence.ed25519 import SecretKey
from records.evidence.note import Note, SignatureType, SignerKey, format_note, sign
from records.evidence.witness_request import MalformedRequest, WitnessRequest, format_request, parse_request

KEY = SignerKey("example.com/shiji", SignatureType.ED25519, SecretKey(b"l" * 32))
TEXT = Checkpoint(KEY.name, 7, bytes(32)).text
NOTE = Note(TEXT, (sign(TEXT, KEY),))

hashes = st.lists(st.binary(min_size=32, max_size=32), max_size=63)


@given(st.integers(0, 2**63 - 1), hashes)
def test_a_request_is_read_as_it_was_written(old: int, proof: list[bytes]) -> None:
    request = WitnessRequest(old, tuple(proof), NOTE)

    assert parse_request(format_request(request)) == request


def test_it_is_written_as_the_specification_has_it() -> None:
    written = format_request(WitnessRequest(5, (bytes(32), b"\xff" * 32), NOTE))

    assert written == (
        b"old 5\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"
        b"//////////////////////////////////////////8=\n\n" + format_note(NOTE)
    )


def test_a_checkpoint_alone_asks_as_if_nothing_had_been_seen() -> None:
    assert parse_request(format_note(NOTE)) == WitnessRequest(0, (), NOTE)


@given(st.binary(max_size=300))
def test_anything_else_is_refused(data: bytes) -> None:
    with pytest.raises(MalformedRequest):
        parse_request(data)


@pytest.mark.parametrize(
    ("head", "why"),
    [
        (b"old 5\nAAAA\n\n", "every hash of a proof has 32 bytes"),
        (b"old 5\n????\n\n", "a line of the proof is not the base64 of a hash"),
        (b"old 5\n" + b"A" * 43 + b"=\n" * 1 + (b"A" * 43 + b"=\n") * 63 + b"\n", "at most 63 hashes"),
        (b"x" * 300_000, "a request has at most"),
    ],
)
def test_a_proof_that_is_not_a_proof_is_refused(head: bytes, why: str) -> None:
    with pytest.raises(MalformedRequest, match=why):
        parse_request(head + format_note(NOTE))
