"""Signatures of seats: what they hold for, and what they do not."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.entry import Entry, EntryKind, MatchId, with_hash
from records.evidence.ed25519 import BadKey, SecretKey, WrongSignature
from records.evidence.signing import (
    Claim,
    Keyring,
    NoKey,
    RotationClaim,
    Unsigned,
    claim_of,
    key_id,
    parse_public,
    parse_secret,
    public_text,
    secret_text,
)
from tests.records.evidence.trees import flipped

GREEN, VIOLET, NEW = (SecretKey(bytes([seed]) * 32) for seed in (1, 2, 3))
RING = Keyring(((0, GREEN.public), (1, VIOLET.public)))
CLAIM = Claim(MatchId("m1"), 3, EntryKind.MOVE, 0, bytes(range(32)), b"Re8Re9")
ROTATION = RotationClaim(MatchId("m1"), 4, 0, bytes(range(32)), NEW.public)
OTHERWISE = (
    replace(CLAIM, match=MatchId("m2")),
    replace(CLAIM, sequence=4),
    replace(CLAIM, kind=EntryKind.RETRACT),
    replace(CLAIM, actor=1),
    replace(CLAIM, previous=flipped(CLAIM.previous)),
    replace(CLAIM, move=b"Re8Re7"),
    replace(CLAIM, match=MatchId("m1R"), move=b"e8Re9"),
)

secrets = st.binary(min_size=32, max_size=32).map(SecretKey)
small = st.integers(0, 2)
claims = st.builds(
    Claim,
    st.text(st.characters(codec="utf-8"), max_size=2).map(MatchId),
    small,
    small,
    small.map(lambda number: number - 2),
    st.binary(max_size=2),
    st.binary(max_size=2),
)


def test_a_seat_signs_for_its_own_moves() -> None:
    RING.check(CLAIM, GREEN.sign(CLAIM.digest))
    RING.check(replace(CLAIM, actor=1), VIOLET.sign(replace(CLAIM, actor=1).digest))


def test_nobody_signs_for_another_seat() -> None:
    with pytest.raises(WrongSignature):
        RING.check(CLAIM, VIOLET.sign(CLAIM.digest))


@pytest.mark.parametrize("other", OTHERWISE)
def test_a_signature_holds_for_one_entry_of_one_match(other: Claim) -> None:
    same_key = Keyring(((0, GREEN.public), (1, GREEN.public)))

    with pytest.raises(WrongSignature):
        same_key.check(other, GREEN.sign(CLAIM.digest))


@given(claims, claims)
def test_claims_that_differ_have_other_digests(one: Claim, other: Claim) -> None:
    assert (one.digest == other.digest) == (one == other)


def test_a_missing_signature_is_another_fault_than_a_wrong_one() -> None:
    with pytest.raises(Unsigned, match=f"seat 0 signs with the key {key_id(GREEN.public)}"):
        RING.check(CLAIM, b"")
    for wrong in (b"\0", bytes(63), bytes(64), bytes(65)):
        with pytest.raises(WrongSignature):
            RING.check(CLAIM, wrong)


def test_an_actor_without_a_key_signs_nothing() -> None:
    Keyring().check(CLAIM, b"")

    with pytest.raises(NoKey, match="seat 0 has no key in this match"):
        Keyring().check(CLAIM, GREEN.sign(CLAIM.digest))
    with pytest.raises(NoKey, match="office -2"):
        RING.check(replace(CLAIM, actor=-2), GREEN.sign(CLAIM.digest))


def test_the_claim_of_an_entry_is_what_its_sender_knew() -> None:
    entry = with_hash(
        Entry(MatchId("m1"), 3, EntryKind.MOVE, 0, b"Re8Re9", b"events", b"state", "r", 7, bytes(range(32)))
    )

    assert claim_of(entry) == CLAIM


def test_after_a_rotation_the_new_key_signs_and_the_old_one_no_more() -> None:
    after = RING.rotated(ROTATION, by_old=GREEN.sign(ROTATION.digest), by_new=NEW.sign(ROTATION.digest))
    later = replace(CLAIM, sequence=5)

    assert (after.key_of(0), after.key_of(1)) == (NEW.public, VIOLET.public)
    after.check(later, NEW.sign(later.digest))
    with pytest.raises(WrongSignature):
        after.check(later, GREEN.sign(later.digest))


@pytest.mark.parametrize(
    ("old", "new", "signed"),
    [
        (VIOLET, NEW, ROTATION),
        (NEW, NEW, ROTATION),
        (GREEN, GREEN, ROTATION),
        (GREEN, NEW, replace(ROTATION, sequence=5)),
        (GREEN, NEW, replace(ROTATION, previous=bytes(32))),
        (GREEN, NEW, replace(ROTATION, match=MatchId("m2"))),
        (GREEN, NEW, replace(ROTATION, actor=1)),
        (GREEN, NEW, replace(ROTATION, new=VIOLET.public)),
    ],
)
def test_a_rotation_needs_the_old_key_and_the_new_one_for_this_very_entry(
    old: SecretKey, new: SecretKey, signed: RotationClaim
) -> None:
    with pytest.raises(WrongSignature):
        RING.rotated(ROTATION, by_old=old.sign(signed.digest), by_new=new.sign(signed.digest))


def test_a_signed_move_is_no_signed_rotation() -> None:
    move = Claim(ROTATION.match, ROTATION.sequence, 0, ROTATION.actor, ROTATION.previous, NEW.public.raw)

    with pytest.raises(WrongSignature):
        RING.rotated(ROTATION, by_old=GREEN.sign(move.digest), by_new=NEW.sign(move.digest))


def test_a_seat_without_a_key_has_none_to_replace() -> None:
    with pytest.raises(NoKey, match="none to replace"):
        Keyring().rotated(ROTATION, by_old=bytes(64), by_new=bytes(64))


@given(secrets)
def test_keys_are_read_as_they_are_written(key: SecretKey) -> None:
    assert parse_secret(secret_text(key)) == parse_secret(secret_text(key) + "\n") == key
    assert parse_public(public_text(key.public)) == key.public


def test_no_part_of_a_key_is_a_key_and_no_character_can_change() -> None:
    for text, parse in ((public_text(GREEN.public), parse_public), (secret_text(GREEN), parse_secret)):
        parts = {text[:at] for at in range(len(text))} | {text[at:] for at in range(1, len(text))}
        changed = {text[:at] + chr(ord(text[at]) + 1) + text[at + 1 :] for at in range(len(text))}
        for wrong in sorted(parts | changed | {f"{text}\n\n", f" {text}", text * 1000, "\ud800", "é"}):
            with pytest.raises(BadKey):
                parse(wrong)


def test_a_secret_key_where_a_public_one_belongs_is_not_shown_to_anybody() -> None:
    with pytest.raises(BadKey) as fault:
        parse_public(secret_text(GREEN))

    assert "keep it to yourself" in str(fault.value)
    assert "AQEB" not in str(fault.value)
