"""Bytes of concealed parts, sealed choices and headers: read as written, nothing passed over."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shiji.record.v1 import header_pb2 as headers

from records.audit.record import audit_record
from records.codec.concealment import (
    AnswerFor,
    Choose,
    Close,
    Hidden,
    OpenChoice,
    RevealedChoice,
    decode_answer,
    decode_choose,
    decode_close,
    decode_hidden,
    decode_open_choice,
    decode_reveal,
    encode_answer,
    encode_choose,
    encode_close,
    encode_hidden,
    encode_open_choice,
    encode_reveal,
    read_by_message,
    write_commitment,
)
from records.codec.evidence import CorruptEvidence, Sealed, decode_seal, encode_seal
from records.codec.header import CorruptHeader, UnknownHeader, decode_header, encode_header
from records.entry import (
    ENTRY_VERSION_2,
    ChoicePolicy,
    Concealment,
    EntryKind,
    MatchHeader,
    TakebackPolicy,
)
from records.evidence.concealment import MAX_CONTENT_BYTES, MAX_PARTS, Commitment, Part
from records.evidence.sealing import OpenedPlace
from records.files.record_file import read_record
from records.log.memory import MemoryLog
from records.replay.fold import BadRecord, rebuild
from records.verdict import CorruptAt
from tests.records.log.making import entry
from tests.records.matches import header
from tools.dev.version_1 import Version1Ledger

UNKNOWN_FIELD = b"\xfa\x7f\x00"

blobs = st.binary(max_size=20)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
salts = st.binary(min_size=32, max_size=32)
numbers = st.integers(0, 2**64 - 1)
seats = st.integers(0, 2**32 - 1)
openings = st.builds(
    OpenedPlace, st.integers(0, 2**16), texts, salts, st.lists(salts, max_size=3).map(tuple), deck=texts
)
part_lists = st.dictionaries(st.integers(0, MAX_PARTS - 1), st.tuples(salts, blobs), max_size=4).map(
    lambda found: tuple(Part(place, *found[place]) for place in sorted(found))
)
hiddens = st.builds(Hidden, part_lists, st.lists(openings, max_size=3).map(tuple))
reveals = st.dictionaries(seats, st.tuples(numbers, salts | st.just(b""), blobs), max_size=4).map(
    lambda found: tuple(RevealedChoice(seat, *found[seat]) for seat in sorted(found))
)
new_headers = st.builds(
    partial(replace, header(), entry_version=ENTRY_VERSION_2),
    concealment=st.sampled_from(Concealment),
    choices=st.sampled_from(ChoicePolicy),
    takebacks=st.sampled_from(TakebackPolicy),
)


@given(hiddens)
def test_what_is_hidden_is_read_as_it_is_written(hidden: Hidden) -> None:
    assert decode_hidden(encode_hidden(hidden)) == hidden


def hidden_in(read: Callable[[bytes], Hidden], data: bytes) -> Hidden | None:
    try:
        return read(data)
    except CorruptEvidence:
        return None


@given(st.builds(Part, st.just(0), salts, st.binary(max_size=300) | st.just(bytes(20_000))), st.data())
def test_a_part_alone_is_read_quickly_as_through_the_message(part: Part, data: st.DataObject) -> None:
    written = encode_hidden(Hidden((part,)))
    at = data.draw(st.integers(0, min(len(written), 45) - 1))
    byte = data.draw(st.sampled_from([b"", b"\0", b"\x7f", b"\x80", b"\x81", written[at : at + 1]]))
    damaged = written[:at] + byte + written[at + 1 :]

    for each in (written, damaged, written + damaged, written[:-1]):
        assert hidden_in(decode_hidden, each) == hidden_in(read_by_message, each)


@given(st.builds(Choose, st.booleans()), st.builds(OpenChoice, numbers), reveals)
def test_sealed_choices_are_read_as_they_are_written(
    choose: Choose, opened: OpenChoice, revealed: tuple[RevealedChoice, ...]
) -> None:
    assert decode_choose(encode_choose(choose)) == choose
    assert decode_open_choice(encode_open_choice(opened)) == opened
    assert decode_reveal(encode_reveal(revealed)) == revealed


@given(st.builds(AnswerFor, seats, blobs), st.builds(Close, texts))
def test_what_the_arbiter_does_is_read_as_it_is_written(answer: AnswerFor, close: Close) -> None:
    assert decode_answer(encode_answer(answer)) == answer
    assert decode_close(encode_close(close)) == close


@given(st.sampled_from([1, 2]), numbers, salts)
def test_a_commitment_is_shown_with_all_that_everybody_sees(kind: int, audience: int, digest: bytes) -> None:
    message = write_commitment(Commitment(kind, audience, digest))

    assert (message.kind, message.audience, message.digest) == (kind, audience, digest)


@given(st.integers(0, 2**32 - 1), st.lists(texts, max_size=3).map(tuple), salts, texts)
def test_a_seal_names_its_deck(number: int, stock: tuple[str, ...], root: bytes, deck: str) -> None:
    sealed = Sealed(number, stock, root, deck)

    assert decode_seal(encode_seal(sealed)) == sealed


@pytest.mark.parametrize(
    "decode", [decode_hidden, decode_choose, decode_open_choice, decode_reveal, decode_answer, decode_close]
)
def test_a_field_that_this_build_does_not_know_is_refused(decode: Callable[[bytes], object]) -> None:
    with pytest.raises(CorruptEvidence):
        decode(UNKNOWN_FIELD)


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ([Part(MAX_PARTS, bytes(32), b"")], "part 64: places are from 0 to 63"),
        ([Part(1, bytes(32), b""), Part(0, bytes(32), b"")], "part 0: places"),
        ([Part(1, bytes(32), b""), Part(1, bytes(32), b"")], "part 1: places"),
        ([Part(0, bytes(31), b"")], "part 0: a salt has 32 bytes, not 31"),
        ([Part(0, bytes(32), bytes(MAX_CONTENT_BYTES + 1))], "part 0: a part has at most 131072 bytes"),
    ],
)
def test_parts_that_no_entry_has_are_refused_with_their_place(parts: list[Part], why: str) -> None:
    with pytest.raises(CorruptEvidence, match=why):
        decode_hidden(encode_hidden(Hidden(tuple(parts))))


@pytest.mark.parametrize("seats_revealed", [(1, 0), (0, 0)])
def test_choices_are_revealed_in_the_order_of_seats(seats_revealed: tuple[int, ...]) -> None:
    revealed = tuple(RevealedChoice(seat, 3, bytes(32), b"") for seat in seats_revealed)

    with pytest.raises(CorruptEvidence, match="order of seats"):
        decode_reveal(encode_reveal(revealed))


@given(new_headers)
def test_a_header_of_version_2_is_read_as_it_is_written(written: MatchHeader) -> None:
    assert decode_header(encode_header(written)) == written


def test_a_header_of_version_1_keeps_the_bytes_that_it_always_had() -> None:
    golden = Path(__file__).parents[1] / "golden/archives/schema-1-qin-1-last-pagoda.jsonl"
    written = read_record(golden.read_bytes()).entries[0].move

    assert encode_header(decode_header(written)) == written
    assert decode_header(written).entry_version == 1


@pytest.mark.parametrize(
    ("fields", "fault", "why"),
    [
        ({"entry_version": 1}, CorruptHeader, "by leaving the field out"),
        ({"entry_version": 3}, UnknownHeader, "3 is not known, this build reads up to 2"),
        ({"entry_version": 2, "concealment": 9}, CorruptHeader, "concealment: 9"),
        ({"entry_version": 2, "choices": 9}, CorruptHeader, "choices: 9"),
        ({"entry_version": 2, "takebacks": 9}, CorruptHeader, "takebacks: 9"),
        ({"concealment": 1}, CorruptHeader, "only where entry_version is 2"),
        ({"choices": 1}, CorruptHeader, "only where entry_version is 2"),
        ({"takebacks": 1}, CorruptHeader, "only where entry_version is 2"),
    ],
)
def test_a_header_that_no_build_writes_is_refused(
    fields: dict[str, int], fault: type[CorruptHeader], why: str
) -> None:
    message = headers.MatchHeader.FromString(encode_header(replace(header(), entry_version=1)))
    for field, value in fields.items():
        setattr(message, field, value)

    with pytest.raises(fault, match=why):
        decode_header(message.SerializeToString())


@pytest.mark.parametrize("kind", range(12, 17))
def test_a_match_of_version_1_has_nothing_of_version_2(kind: int) -> None:
    assert EntryKind(kind)
    plain = Version1Ledger(MemoryLog()).start(header(), "start").entry
    later = entry(plain.match, 1, plain.hash, kind=kind)
    concealing = entry(plain.match, 1, plain.hash, concealed=b"\x02")

    for record in ([plain, later], [plain, concealing]):
        with pytest.raises(BadRecord):
            rebuild(record)
        verdict = audit_record(plain.match, record).verdict

        assert isinstance(verdict, CorruptAt)
        assert verdict.sequence == 1
