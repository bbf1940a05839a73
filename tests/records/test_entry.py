"""The hash of an entry, in both versions: over published bytes, and over every one of them."""

import hashlib
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from records.entry import MOVE, Entry, EntryKind, MatchId, entry_hash, entry_version
from records.evidence.concealment import VIEW, Commitment, PartHasher, Slot, format_concealed, view_content
from records.evidence.signing import Claim, claim_of

PREVIOUS = bytes(range(32))
SEED = bytes.fromhex("4ad783c2c411201c45354a6189c7cc10ef45501e3ede9b7fe922692521f196b8")

blobs = st.binary(max_size=12)
hashes = st.binary(min_size=32, max_size=32)
lines = st.builds(Commitment, st.sampled_from([1, 2]), st.integers(0, 2**64 - 1), hashes)
entries = st.builds(
    Entry,
    match=st.text(st.characters(exclude_categories=["Cs"]), max_size=5).map(MatchId),
    sequence=st.integers(0, 2**64 - 1),
    kind=st.integers(0, 255),
    actor=st.integers(-(2**15), 2**15 - 1),
    move=blobs,
    events=blobs,
    state=hashes,
    request=st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
    recorded=st.integers(-(2**63), 2**63 - 1),
    previous=hashes,
    signature=blobs,
    concealed=st.just(b"") | st.lists(lines, max_size=2).map(format_concealed),
)


def drawn() -> Entry:
    """The hidden draw of the published vectors."""
    slot, content = Slot(3, 0, VIEW, -1, 2), view_content(b"draw RB", b"TileDrawn")
    hasher = PartHasher(MatchId("m1"))
    salt = hasher.derive_salt(SEED, slot, PREVIOUS, content)
    return Entry(
        match=MatchId("m1"),
        sequence=3,
        kind=MOVE,
        actor=-1,
        move=b"draw ?",
        events=b"TileDrawn?",
        state=b"\x09" * 32,
        request="r1",
        recorded=1_700_000_000_000_000,
        previous=PREVIOUS,
        concealed=format_concealed([Commitment(VIEW, 2, hasher.digest(slot, salt, content))]),
    )


def test_an_entry_of_version_2_has_the_published_hash() -> None:
    assert entry_hash(drawn()).hex() == "d3ff34d9281150c1739a3b05b3a45d3a0b9bdac69858c81f23325fdb7cd37369"


def test_the_same_entry_of_version_1_has_the_hash_that_it_always_had() -> None:
    before = structs.replace(drawn(), concealed=b"")
    tagged = b"shiji/entry/1\0" + struct.pack(
        ">QBhqIIIIII", 3, 1, -1, 1_700_000_000_000_000, 2, 2, 6, 10, 32, 0
    )

    assert (
        entry_hash(before)
        == hashlib.sha256(tagged + PREVIOUS + b"m1r1draw ?TileDrawn?" + b"\x09" * 32).digest()
    )
    assert (entry_version(before), entry_version(drawn())) == (1, 2)


@given(entries, entries)
def test_entries_that_differ_in_anything_hashed_have_different_hashes(one: Entry, other: Entry) -> None:
    assert (entry_hash(one) == entry_hash(other)) == (one == other)


@given(entries, st.data())
def test_no_field_can_take_bytes_from_its_neighbour(entry: Entry, data: st.DataObject) -> None:
    field, neighbour = data.draw(st.permutations(["move", "events", "state", "signature"]))[:2]
    taken, left = getattr(entry, field), getattr(entry, neighbour)
    shifted = structs.replace(entry, **{field: taken + left[:1], neighbour: left[1:]})

    assert (entry_hash(shifted) == entry_hash(entry)) == (shifted == entry)


@given(entries, st.binary(max_size=20), st.integers(1, 9))
def test_the_hash_leaves_out_the_hash_itself_the_position_and_the_secret(
    entry: Entry, secret: bytes, position: int
) -> None:
    changed = structs.replace(entry, secret=secret, position=position, hash=PREVIOUS)

    assert entry_hash(changed) == entry_hash(entry)


@pytest.mark.parametrize("concealed", [b"\x01", b"\x02", b"\x03", b"\x02" + bytes(41)])
def test_whatever_is_concealed_there_is_a_hash_of_it(concealed: bytes) -> None:
    assert entry_hash(structs.replace(drawn(), concealed=concealed)) != entry_hash(
        structs.replace(drawn(), concealed=b"")
    )


def test_a_choice_is_claimed_as_published() -> None:
    digest = bytes.fromhex("c6abbdb8c71992fb60bbc958f55e5201550f7364626384512a974697c7170d24")
    concealed = format_concealed([Commitment(2, 2, digest)])
    entry = structs.replace(drawn(), sequence=4, kind=12, actor=1, move=b"", concealed=concealed)

    assert claim_of(entry).digest.hex() == "8b157dfd018fc03092f088d3bd4187bbf3f65856d6b8c9e29aac7fabd34a1b20"


def test_what_the_service_shows_to_others_is_no_part_of_a_claim() -> None:
    entry = drawn()

    assert claim_of(entry) == Claim(
        entry.match, entry.sequence, EntryKind.MOVE, entry.actor, entry.previous, entry.move, version=2
    )


def test_a_claim_of_one_version_is_none_of_the_other() -> None:
    entry = drawn()

    assert claim_of(entry).digest != claim_of(structs.replace(entry, concealed=b"")).digest
