"""The client has values and digests of its own, which agree with those of the records and the rules."""

import copy
import pickle
import secrets
from enum import Enum

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shiji import Seat
from shiji.client import actors, digests, keys, kinds, responses
from shiji.record.v1 import entry_pb2 as entries

from records import entry as records
from records.entry import MatchId
from records.evidence import concealment, ed25519, sealing, signing
from records.replay.choices import OpenedChoice, digest_of
from rules.kernel import actors as rules
from rules.kernel.game import OutcomeKind

HASHES = st.binary(min_size=32, max_size=32)
MATCHES = st.text(min_size=1, max_size=40).filter(lambda text: text.isprintable())
SEQUENCES = st.integers(0, 2**40)
SEATS = st.integers(0, 63)
MEMBERS = [
    (kinds.EntryKind, records.EntryKind),
    (kinds.PartKind, concealment.PartKind),
    (kinds.RetractPolicy, records.RetractPolicy),
    (kinds.DisputePolicy, records.DisputePolicy),
    (kinds.ChoicePolicy, records.ChoicePolicy),
    (kinds.TakebackPolicy, records.TakebackPolicy),
    (kinds.OutcomeKind, OutcomeKind),
    (actors.Office, rules.Office),
    (actors.Onlooker, rules.Onlooker),
]


@pytest.mark.parametrize(("own", "theirs"), MEMBERS)
def test_enumerations_have_the_members_of_the_records(own: type[Enum], theirs: type[Enum]) -> None:
    assert {each.name: each.value for each in own} == {each.name: each.value for each in theirs}


@pytest.mark.parametrize("name", ["CHANCE", "ARBITER"])
def test_offices_have_the_numbers_of_the_records(name: str) -> None:
    assert actors.actor_number(actors.Office[name]) == records.actor_number(rules.Office[name])


@given(MATCHES, SEQUENCES, st.integers(-2, 63), HASHES, st.binary(), st.integers(0, 16), st.binary())
def test_what_the_client_signs_is_what_the_records_check(  # noqa: PLR0913, PLR0917 - all that is signed
    match: str, sequence: int, actor: int, previous: bytes, content: bytes, kind: int, choices: bytes
) -> None:
    place = digests.NextEntry(match, sequence, actor, previous)

    for version in (1, 2):
        claim = signing.Claim(MatchId(match), sequence, kind, actor, previous, content, version, choices)
        assert digests.claim(place, kind, content, version, choices) == claim.digest
    new = ed25519.SecretKey(previous).public
    rotation = signing.RotationClaim(MatchId(match), sequence, actor, previous, new)
    assert digests.rotation_claim(place, new.raw) == rotation.digest


@given(MATCHES, SEATS, SEQUENCES, HASHES, st.binary())
def test_what_the_client_seals_is_what_the_records_open(
    match: str, seat: int, sequence: int, salt: bytes, move: bytes
) -> None:
    digest = digests.choice_digest(match, seat, sequence, salt, move)
    commitment = concealment.Commitment(concealment.CHOICE, 1 << seat, digest)

    assert digest == digest_of(MatchId(match), seat, sequence, OpenedChoice(salt, move))
    assert digests.choice_line(seat, digest) == concealment.choice_lines(
        concealment.format_concealed([commitment])
    )
    assert digests.share_commitment(match, seat, salt) == sealing.commit_share(MatchId(match), seat, salt)


@given(st.binary(max_size=64).filter(lambda share: len(share) != 32))
def test_a_share_of_another_size_is_refused_before_it_is_committed_to(share: bytes) -> None:
    with pytest.raises(ValueError, match="32 random bytes"):
        digests.share_commitment("m", 0, share)


@given(HASHES)
def test_keys_are_written_and_read_as_shiji_keygen_does(raw: bytes) -> None:
    own, theirs = keys.SecretKey(raw), ed25519.SecretKey(raw)

    assert keys.secret_text(own) == signing.secret_text(theirs)
    assert keys.public_text(own.public) == signing.public_text(theirs.public)
    assert keys.parse_secret(signing.secret_text(theirs) + "\n") == own
    assert keys.parse_public(signing.public_text(theirs.public)) == own.public
    assert own.sign(b"message") == theirs.sign(b"message")


@given(st.text(max_size=200))
def test_text_that_is_no_key_is_refused_and_not_shown(text: str) -> None:
    for parse in (keys.parse_public, keys.parse_secret):
        with pytest.raises(keys.BadKey) as refused:
            parse(f"{text} ")

        assert text not in str(refused.value) or len(text) < 4


def test_a_mistyped_key_is_noticed() -> None:
    key = keys.SecretKey(secrets.token_bytes(32))
    public, secret = keys.public_text(key.public), keys.secret_text(key)

    with pytest.raises(keys.BadKey, match="secret key where a public one"):
        keys.parse_public(secret)
    for parse, text in ((keys.parse_public, public), (keys.parse_secret, secret)):
        word, number, encoded = text.split(":")
        with pytest.raises(keys.BadKey, match="mistyped"):
            parse(f"{word}:{'0' * len(number)}:{encoded}")


def test_a_seat_prints_as_its_name_and_is_its_number() -> None:
    seat, nameless = responses.actor(entries.Actor(seat=1, name="violet")), Seat(1)

    assert (str(seat), f"{seat}", repr((seat,))) == ("violet", "violet", "(Seat(1, 'violet'),)")
    assert (str(nameless), repr(nameless)) == ("seat 1", "Seat(1)")
    assert seat == nameless == 1
    assert {seat: "x"}[nameless] == ("a", "x")[seat]
    assert str(pickle.loads(pickle.dumps(seat))) == str(copy.deepcopy(seat)) == "violet"  # noqa: S301 - our own
