"""A witness that is shown logs which carry on, shrink, fork and lie."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.evidence.checkpoint import Checkpoint, MalformedCheckpoint
from records.evidence.ed25519 import SecretKey
from records.evidence.merkle import Nodes, consistency_proof, frontier_of, leaf_hash, nodes_of
from records.evidence.note import Note, SignatureType, SignerKey, VerifiedSignature, sign, verified
from records.evidence.witness import (
    BadSignature,
    Cosigned,
    Forked,
    Inconsistent,
    Smaller,
    UnknownLog,
    WitnessRefusal,
    witness,
)
from tests.records.evidence.trees import LEAVES, TREE

LOG = SignerKey("example.com/shiji", SignatureType.ED25519, SecretKey(b"l" * 32))
THIEF = SignerKey(LOG.name, SignatureType.ED25519, SecretKey(b"t" * 32))
KEY = SignerKey("witness.example", SignatureType.COSIGNATURE, SecretKey(b"w" * 32))
ORIGIN = LOG.name
FORK = nodes_of((*LEAVES[:50], leaf_hash(b"forked"), *LEAVES[51:]))
NOW = 1_800_000_000


def checkpoint(size: int, nodes: Nodes = TREE) -> Checkpoint:
    return Checkpoint(ORIGIN, size, frontier_of(size, nodes).root)


def note(shown: Checkpoint, key: SignerKey = LOG) -> Note:
    return Note(shown.text, (sign(shown.text, key),))


def ask(shown: Note, *proof: bytes, last: Checkpoint | None = None) -> Cosigned | WitnessRefusal:
    seen = {} if last is None else {ORIGIN: last}
    return witness(shown, proof, logs={ORIGIN: (LOG.verifier,)}, seen=seen, key=KEY, time=NOW)


@given(st.integers(0, len(LEAVES)), st.integers(0, len(LEAVES)))
def test_a_log_that_extends_the_last_checkpoint_is_cosigned(one: int, other: int) -> None:
    old, new = sorted((one, other))
    shown = note(checkpoint(new))

    answer = ask(shown, *consistency_proof(old, new, TREE), last=checkpoint(old))

    assert isinstance(answer, Cosigned)
    assert answer.checkpoint == checkpoint(new)
    cosigned = replace(shown, signatures=(*shown.signatures, answer.cosignature))
    assert verified(cosigned, [KEY.verifier]) == (VerifiedSignature(KEY.verifier, NOW),)


def test_the_first_checkpoint_of_a_known_log_is_cosigned_as_it_is() -> None:
    assert isinstance(ask(note(checkpoint(100))), Cosigned)


def test_a_log_that_nobody_named_is_refused() -> None:
    shown = Checkpoint("example.com/other", 100, checkpoint(100).root)

    assert ask(note(shown)) == UnknownLog("example.com/other", "no key of the log example.com/other is known")


def test_a_checkpoint_that_the_log_did_not_sign_is_refused() -> None:
    assert isinstance(ask(note(checkpoint(100), THIEF)), BadSignature)
    assert isinstance(ask(Note(checkpoint(101).text, note(checkpoint(100)).signatures)), BadSignature)


def test_the_witness_own_cosignature_does_not_stand_for_the_logs() -> None:
    answer = ask(note(checkpoint(100)))

    assert isinstance(answer, Cosigned)
    assert isinstance(ask(Note(checkpoint(100).text, (answer.cosignature,))), BadSignature)


def test_a_log_that_shrank_is_refused() -> None:
    answer = ask(note(checkpoint(99)), last=checkpoint(100))

    assert isinstance(answer, Smaller)
    assert answer.why == "the log had 100 leaves before, and has 99 now"


def test_two_roots_of_one_size_are_a_fork() -> None:
    answer = ask(note(checkpoint(100, FORK)), last=checkpoint(100))

    assert isinstance(answer, Forked)
    assert (answer.last, answer.found) == (checkpoint(100), checkpoint(100, FORK))


@pytest.mark.parametrize("old", [51, 64, 100])
def test_a_rewritten_log_is_refused_whatever_proof_it_brings(old: int) -> None:
    shown = note(checkpoint(200, FORK))

    for nodes in (TREE, FORK):
        answer = ask(shown, *consistency_proof(old, 200, nodes), last=checkpoint(old))

        assert isinstance(answer, Inconsistent)
    assert isinstance(ask(shown, last=checkpoint(old)), Inconsistent)


def test_a_fork_behind_what_two_witnesses_saw_shows_when_they_compare() -> None:
    one, other = ask(note(checkpoint(100))), ask(note(checkpoint(100, FORK)))

    assert isinstance(one, Cosigned)
    assert isinstance(other, Cosigned)
    assert isinstance(ask(note(other.checkpoint), last=one.checkpoint), Forked)


def test_a_proof_where_none_is_due_is_refused() -> None:
    assert isinstance(ask(note(checkpoint(100)), LEAVES[0]), Inconsistent)


def test_a_note_that_is_no_checkpoint_is_not_a_refusal_but_a_fault() -> None:
    with pytest.raises(MalformedCheckpoint):
        ask(Note("hello\n", ()))
