"""The record file of version 2: every part that it shows, and no words."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from records.codec.concealment import Hidden, encode_hidden
from records.entry import Entry, with_hash
from records.evidence.concealment import CHOICE, VIEW, Commitment, Part, format_concealed
from records.evidence.sealing import OpenedPlace
from records.files.record_file import UnreadableRecord, UnwritableRecord, read_record, write_record
from tests.records.codec.test_concealment import hiddens
from tests.records.log.making import entry

SALT = b"\x07" * 32
HIDDEN = Hidden(
    (Part(1, SALT, b"what violet sees"),),
    (OpenedPlace(5, "RB", b"\x08" * 32, (b"\x09" * 32, b"\x0a" * 32), "tiles"),),
)

commitments = st.lists(
    st.builds(
        Commitment,
        st.sampled_from([VIEW, CHOICE]),
        st.integers(0, 2**64 - 1),
        st.binary(min_size=32, max_size=32),
    ),
    max_size=4,
)


def record() -> list[Entry]:
    """A header, and a draw of which one of two parts is shown."""
    first = entry("m", 0, concealed=format_concealed(()))
    committed = (Commitment(VIEW, 0b01, b"\x01" * 32), Commitment(VIEW, 1 << 63 | 0b10, b"\x02" * 32))
    drawn = entry("m", 1, first.hash, actor=-1, concealed=format_concealed(committed))
    return [first, with_hash(structs.replace(drawn, secret=encode_hidden(HIDDEN), signature=b"signed"))]


LINES = b"".join(write_record(record())).splitlines(keepends=True)


def edited(line: int, *gone: str, **changed: object) -> bytes:
    """The file with something of a line changed or gone, counting from 1."""
    fields = json.loads(LINES[line - 1]) | changed
    kept = {name: value for name, value in fields.items() if name not in gone}
    return b"".join((*LINES[: line - 1], json.dumps(kept).encode() + b"\n", *LINES[line:]))


def test_the_header_decides_in_which_version_a_record_is_written() -> None:
    first, header, drawn = (json.loads(line) for line in LINES)

    assert first["format"] == "shiji-record/2"
    assert read_record(b"".join(LINES)).version == 2
    assert "concealed" not in header
    assert {"secret", "text", "told"}.isdisjoint(header | drawn)


def test_the_parts_that_are_shown_are_keys_of_their_entry() -> None:
    drawn = json.loads(LINES[2])

    assert drawn["concealed"] == [
        {"kind": 1, "audience": [0], "digest": "01" * 32},
        {"kind": 1, "audience": [1, 63], "digest": "02" * 32},
    ]
    assert drawn["parts"] == [{"place": 1, "salt": "07" * 32, "content": "d2hhdCB2aW9sZXQgc2Vlcw=="}]
    assert drawn["openings"] == [
        {"deck": "tiles", "place": 5, "token": "RB", "salt": "08" * 32, "proof": ["09" * 32, "0a" * 32]}
    ]


@given(commitments, hiddens)
def test_an_entry_is_read_as_it_is_written(committed: list[Commitment], hidden: Hidden) -> None:
    first = entry("m", 0, concealed=format_concealed(()))
    drawn = entry("m", 1, first.hash, concealed=format_concealed(committed))
    shown = structs.replace(drawn, secret=encode_hidden(hidden))

    found = read_record(b"".join(write_record([first, shown])))

    assert found.entries == (first, shown)
    assert (found.last, found.head) == (1, shown.hash)
    assert set(found.texts) == {None}


OPENING = {"deck": "tiles", "place": 5, "token": "RB", "salt": "08" * 32, "proof": []}
PART = {"place": 1, "salt": "07" * 32, "content": ""}
COMMITMENT = {"kind": 1, "audience": [0], "digest": "01" * 32}


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("concealed", [COMMITMENT | {"more": 1}], "unknown field `more`"),
        ("parts", [PART | {"more": 1}], "unknown field `more`"),
        ("openings", [OPENING | {"more": 1}], "unknown field `more`"),
        ("concealed", [COMMITMENT | {"kind": 3}], "part 0 is of kind 3, which this build does not know"),
        ("concealed", [COMMITMENT | {"audience": [64]}], "64 is none"),
        ("concealed", [COMMITMENT | {"audience": [1, 0]}], "in order, each once"),
        ("concealed", [COMMITMENT | {"audience": [1, 1]}], "in order, each once"),
        ("concealed", [COMMITMENT | {"digest": "00"}], "a digest has 32 bytes, not 1"),
        ("concealed", [COMMITMENT] * 65, "at most 64 concealed parts"),
        ("parts", [PART, PART], "part 1: places are from 0 to 63, each once, in order"),
        ("parts", [PART | {"place": 64}], "part 64: places"),
        ("parts", [PART | {"place": -1}], "-1"),
        ("parts", [PART | {"salt": "00"}], "a salt has 32 bytes, not 1"),
        ("openings", [OPENING | {"place": 2**32}], "4294967296"),
        ("openings", [OPENING | {"proof": ["x"]}], "non-hexadecimal"),
    ],
)
def test_what_no_entry_has_is_refused_with_the_line(key: str, value: object, why: str) -> None:
    with pytest.raises(UnreadableRecord, match=re.escape(why)) as raised:
        read_record(edited(3, **{key: value}))

    assert raised.value.line == 3


@pytest.mark.parametrize("key", ["text", "told", "secret", "more"])
def test_a_key_of_version_1_or_of_none_is_refused(key: str) -> None:
    with pytest.raises(UnreadableRecord, match=f"unknown field `{key}`"):
        read_record(edited(3, **{key: "AAAA"}))


def test_a_later_version_is_refused_by_its_number() -> None:
    with pytest.raises(UnreadableRecord, match="version 3 of record files; use a newer one"):
        read_record(edited(1, "head", format="shiji-record/3", tail="something new"))


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"concealed": b""}, "the entry is of version 1, and its record of version 2"),
        ({"concealed": b"\x03"}, "the entry is of version 3"),
        ({"concealed": b"\x02short"}, "concealed has 1 byte and 41 for each part"),
        ({"secret": b"\xff"}, "the bytes are not a hidden part of an entry"),
    ],
)
def test_an_entry_that_cannot_be_read_cannot_be_written(changed: dict[str, bytes], why: str) -> None:
    first, drawn = record()

    with pytest.raises(UnwritableRecord, match=f"entry 1: {why}"):
        list(write_record([first, with_hash(structs.replace(drawn, **changed))]))
