"""Concealed parts: they fit one place only, tell nothing, and are read in one way only."""

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from records.entry import MatchId
from records.evidence.concealment import (
    CHOICE,
    MAX_CONTENT_BYTES,
    MAX_PARTS,
    VIEW,
    BadConcealed,
    BadPart,
    Commitment,
    OpeningContent,
    Part,
    PartHasher,
    Slot,
    ViewContent,
    WrongPart,
    audience_of,
    choice_content,
    choice_lines,
    format_concealed,
    lowest_seat,
    opening_content,
    parse_choice,
    parse_concealed,
    parse_opening,
    parse_view,
    view_content,
)
from records.evidence.framing import frame
from tests.records.evidence.trees import flipped

MATCH, PREVIOUS = MatchId("m1"), bytes(range(32))
SEED = bytes.fromhex("4ad783c2c411201c45354a6189c7cc10ef45501e3ede9b7fe922692521f196b8")
HASHER = PartHasher(MATCH)
DRAW = Slot(sequence=3, place=0, kind=VIEW, actor=-1, audience=2)
DRAWN = view_content(b"draw RB", b"TileDrawn")
PICK = Slot(sequence=4, place=0, kind=CHOICE, actor=1, audience=2)

blobs = st.binary(max_size=40)
hashes = st.binary(min_size=32, max_size=32)
audiences = st.integers(0, 2**64 - 1)
slots = st.builds(
    Slot,
    sequence=st.integers(0, 2**63 - 1),
    place=st.integers(0, MAX_PARTS - 1),
    kind=st.sampled_from([VIEW, CHOICE]),
    actor=st.integers(-2, 63),
    audience=audiences,
)
commitments = st.builds(Commitment, st.sampled_from([VIEW, CHOICE]), audiences, hashes)


def test_a_view_is_framed_salted_and_hashed_as_published() -> None:
    salt = HASHER.derive_salt(SEED, DRAW, PREVIOUS, DRAWN)

    assert DRAWN.hex() == "7368696a692f766965772f310000000007647261772052420000000954696c65447261776e"
    assert salt.hex() == "7d1249931da827cbc974db99f0bf63b4c6da23a2bfcbb7f76cefdcacb1df8771"
    assert HASHER.digest(DRAW, salt, DRAWN).hex() == (
        "9efabb1a3f9dbd473c4b359543650b4b70bf87c767af025055505ebeb4b6615c"
    )


def test_a_choice_is_hashed_as_published() -> None:
    assert HASHER.digest(PICK, b"c" * 32, choice_content(b"pick economy")).hex() == (
        "c6abbdb8c71992fb60bbc958f55e5201550f7364626384512a974697c7170d24"
    )


@given(st.text(max_size=20), slots, hashes, blobs, hashes)
def test_digests_and_salts_are_over_the_frames_of_the_page(
    match: str, slot: Slot, salt: bytes, content: bytes, previous: bytes
) -> None:
    hasher, audience = PartHasher(MatchId(match)), slot.audience.to_bytes(8)
    numbers = slot.sequence, slot.place, slot.kind, slot.actor
    digested = frame("shiji/part/1", match, *numbers, audience, salt, content)
    salted = frame("shiji/part-salt/1", match, slot.sequence, slot.place, audience, previous, content)

    assert hasher.digest(slot, salt, content) == hashlib.sha256(digested).digest()
    assert hasher.derive_salt(SEED, slot, previous, content) == hmac.digest(SEED, salted, "sha256")


@given(slots, slots, st.tuples(hashes, blobs), st.tuples(hashes, blobs))
def test_parts_that_differ_in_anything_have_different_digests(
    one: Slot, other: Slot, here: tuple[bytes, bytes], there: tuple[bytes, bytes]
) -> None:
    same = (one, here) == (other, there)

    assert (HASHER.digest(one, *here) == HASHER.digest(other, *there)) == same


@given(slots, hashes, blobs, st.data())
def test_a_part_fits_no_other_match_place_audience_actor_salt_or_content(
    slot: Slot, salt: bytes, content: bytes, data: st.DataObject
) -> None:
    commitment = Commitment(slot.kind, slot.audience, HASHER.digest(slot, salt, content))
    part = Part(slot.place, salt, content)
    field = data.draw(st.sampled_from(structs.fields(Slot))).name
    moved = structs.replace(slot, **{field: getattr(slot, field) ^ 1})
    HASHER.check(slot, part, commitment)

    for hasher, place, changed in (
        (PartHasher(MatchId("m2")), slot, part),
        (HASHER, moved, part),
        (HASHER, slot, structs.replace(part, salt=flipped(salt, data.draw(st.integers(0, 255))))),
        (HASHER, slot, structs.replace(part, content=content + b"\0")),
    ):
        with pytest.raises(WrongPart):
            hasher.check(place, changed, commitment)


@given(slots, hashes, blobs, hashes, blobs)
def test_two_histories_of_one_match_share_no_salt(
    slot: Slot, previous: bytes, content: bytes, other_previous: bytes, other_content: bytes
) -> None:
    one = HASHER.derive_salt(SEED, slot, previous, content)
    other = HASHER.derive_salt(SEED, slot, other_previous, other_content)

    assert (one == other) == ((previous, content) == (other_previous, other_content))


@given(blobs, blobs)
def test_contents_are_read_as_they_are_written(move: bytes, events: bytes) -> None:
    assert view_content(move, events) == frame("shiji/view/1", move, events)
    assert parse_view(view_content(move, events)) == ViewContent(move, events)
    assert parse_choice(choice_content(move)) == move
    assert parse_opening(opening_content(PREVIOUS, move)) == OpeningContent(PREVIOUS, move)


@given(blobs, blobs, st.integers(0, 200), blobs)
def test_a_content_that_is_read_is_written_so_again(move: bytes, events: bytes, at: int, more: bytes) -> None:
    content = view_content(move, events)
    changed = content[:at] + more + content[at + 1 :]
    try:
        found = parse_view(changed)
    except BadPart:
        return

    assert view_content(found.move, found.events) == changed


@given(blobs, blobs)
def test_no_content_is_read_as_one_of_another_kind(move: bytes, events: bytes) -> None:
    view, choice, opening = view_content(move, events), choice_content(move), opening_content(PREVIOUS, move)

    for parse, others in (
        (parse_view, (choice, opening)),
        (parse_choice, (view, opening)),
        (parse_opening, (view, choice, frame("shiji/opening/1", b"short", move))),
    ):
        for other in others:
            with pytest.raises(BadPart):
                parse(other)


@given(st.lists(commitments, max_size=MAX_PARTS).map(tuple))
def test_concealed_is_read_as_it_is_written(parts: tuple[Commitment, ...]) -> None:
    data = format_concealed(parts)

    assert len(data) == 1 + 41 * len(parts)
    assert parse_concealed(data) == parts
    assert choice_lines(data) == b"".join(
        data[1 + 41 * place : 42 + 41 * place] for place, part in enumerate(parts) if part.kind == CHOICE
    )


@given(st.binary(max_size=90) | st.binary(max_size=90).map(lambda data: b"\x02" + data))
def test_concealed_that_is_read_is_written_so_again(data: bytes) -> None:
    try:
        found = parse_concealed(data)
    except BadConcealed:
        return

    assert data in ((b"", b"\x02") if not found else (format_concealed(found),))


def test_version_1_has_no_parts_and_an_entry_of_version_2_need_not_have_any() -> None:
    assert parse_concealed(b"") == parse_concealed(b"\x02") == ()
    assert format_concealed(()) == b"\x02"


LINE = bytes([VIEW]) + bytes(40)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\x01", "begins with byte 01"),
        (b"\x03" + LINE, "begins with byte 03"),
        (b"\x02" + LINE[:-1], "this one 41"),
        (b"\x02" + LINE + b"\0", "this one 43"),
        (b"\x02" + LINE + b"\x03" + LINE[1:], "part 1 is of kind 3"),
        (b"\x02" + LINE * 65, "at most 64 concealed parts, and this one 65"),
    ],
)
def test_concealed_that_no_entry_has_is_refused_with_the_reason(data: bytes, why: str) -> None:
    with pytest.raises(BadConcealed, match=why):
        parse_concealed(data)


@pytest.mark.parametrize(
    "part",
    [
        Commitment(VIEW, -1, PREVIOUS),
        Commitment(VIEW, 2**64, PREVIOUS),
        Commitment(256, 0, PREVIOUS),
        Commitment(3, 0, PREVIOUS),
        Commitment(VIEW, 0, PREVIOUS[1:]),
        Commitment(VIEW, 0, PREVIOUS + b"\0"),
    ],
)
def test_a_commitment_that_does_not_fit_its_line_is_not_written(part: Commitment) -> None:
    with pytest.raises(BadConcealed):
        format_concealed([part])


def test_parts_of_other_sizes_are_refused() -> None:
    most = bytes(MAX_CONTENT_BYTES)

    assert HASHER.digest(DRAW, PREVIOUS, most)
    for salt, content in ((PREVIOUS[1:], b""), (PREVIOUS + b"\0", b""), (PREVIOUS, most + b"\0")):
        with pytest.raises(BadPart):
            HASHER.digest(DRAW, salt, content)
    for seed, previous, content in ((b"", PREVIOUS, b""), (SEED, b"", b""), (SEED, PREVIOUS, most + b"\0")):
        with pytest.raises(BadPart):
            HASHER.derive_salt(seed, DRAW, previous, content)


@pytest.mark.parametrize("field", ["sequence", "place", "audience"])
def test_a_number_that_no_part_can_have_is_refused(field: str) -> None:
    slot = structs.replace(DRAW, **{field: 2**64})

    with pytest.raises(BadPart):
        HASHER.digest(slot, PREVIOUS, b"")
    with pytest.raises(BadPart):
        HASHER.derive_salt(SEED, slot, PREVIOUS, b"")


@given(st.sets(st.integers(0, 63)).map(sorted))
def test_an_audience_has_a_bit_for_each_seat(seats: list[int]) -> None:
    audience = audience_of(seats)

    assert [seat for seat in range(64) if audience >> seat & 1] == seats
    assert lowest_seat(audience) == (seats[0] if seats else -1)


@pytest.mark.parametrize("seat", [-1, 64])
def test_a_seat_beyond_the_sixty_four_is_in_no_audience(seat: int) -> None:
    with pytest.raises(BadPart):
        audience_of([seat])
