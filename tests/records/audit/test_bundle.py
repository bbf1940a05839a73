"""The dispute bundle: what it proves, and that nothing in it can be changed unnoticed."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from records.audit.bundle import (
    CosignedCheckpoint,
    NotCovered,
    is_bundle,
    read_bundle,
    with_known_signatures,
    write_bundle,
)
from records.audit.envelope import FORMATS, UnreadableBundle
from records.entry import ENTRY_VERSION_1
from records.evidence.ed25519 import SecretKey
from records.evidence.note import NoKnownSignature, SignatureType, SignerKey, format_note
from records.evidence.signing import public_text
from records.files.record_file import write_record
from records.log.contract import NEW, Append
from records.log.memory import MemoryLog
from records.log.tree import Tree
from records.verdict import CorruptAt, DivergedAt, IllegalAt, Verified, why
from tests.records.bundles import LOG, NOW, SEATS, WITNESS, archive, bundled, cosigned, judged
from tests.records.log.making import RecordWriter
from tests.records.matches import MOVES, forged, played
from tests.records.replay.test_sealed_draws import MATCH, book, play_on, sealed

DATA = bundled()
SMALL = bundled(*MOVES[:1])
THIEF = SignerKey(LOG.name, SignatureType.ED25519, SecretKey(b"t" * 32))


def envelope(data: bytes = DATA) -> dict[str, object]:
    fields: dict[str, object] = json.loads(data.partition(b"\n")[0])
    return fields


def edited(change: Callable[[dict[str, object]], None], data: bytes = DATA) -> bytes:
    """The bundle with another envelope, in canonical form."""
    fields = envelope(data)
    change(fields)
    return msgspec.json.encode(fields) + b"\n" + data.partition(b"\n")[2]


def part(fields: dict[str, object], name: str) -> dict[str, object]:
    inner = fields[name]
    assert isinstance(inner, dict)
    return inner


GOLDEN = Path(__file__).parents[1] / "golden" / "bundles"
"""A bundle of each version of the format, as it was written first; none of them is ever written anew."""

EACH_VERSION = sorted(GOLDEN.glob("shiji-bundle-?.jsonl"))


@pytest.mark.parametrize("data", [DATA, *(path.read_bytes() for path in EACH_VERSION)])
def test_a_bundle_proves_the_verdict_the_signatures_and_the_place_in_the_log(data: bytes) -> None:
    found = judged(data, LOG.verifier, WITNESS.verifier)

    assert found.report.verdict == Verified()
    assert (found.proven.chain, found.proven.signed, found.proven.unsigned) == (True, len(MOVES), None)
    assert found.proven.checkpoint is not None
    assert (found.proven.checkpoint.origin, found.proven.checkpoint.size) == (LOG.name, 606)
    assert [(each.key, each.time) for each in found.proven.signers] == [
        (LOG.verifier, None),
        (WITNESS.verifier, NOW),
    ]


def test_the_envelope_has_the_setup_and_the_verdict() -> None:
    fields = envelope()

    about, verdict = part(fields, "about"), part(fields, "verdict")
    assert fields["format"] == FORMATS[ENTRY_VERSION_1]
    assert (about["game"], about["edition"], about["components"]) == ("qin", "qin/1", "bird")
    assert about["keys"] == {
        "green": public_text(SEATS[0].public),
        "violet": public_text(SEATS[1].public),
    }
    assert (verdict["verdict"], verdict["entries"], verdict["entry"]) == ("verified", 5, None)


def test_the_record_file_follows_the_envelope() -> None:
    log, match = archive(*MOVES)

    assert DATA.partition(b"\n")[2] == b"".join(write_record(list(log.read(match))))


def test_the_same_record_makes_the_same_bundle_for_ever() -> None:
    assert bundled() == DATA
    assert (GOLDEN / f"{FORMATS[ENTRY_VERSION_1].replace('/', '-')}.jsonl").read_bytes() == DATA


def test_one_proof_serves_all_entries() -> None:
    assert len(str(part(envelope(), "log")["hashes"])) < 20 * 50


def test_a_record_can_be_bundled_without_a_log() -> None:
    log, match = archive(*MOVES)

    found = judged(write_bundle(list(log.read(match)), None, Tree(log).together))

    assert found.report.verdict == Verified()
    assert found.proven.checkpoint is None


def test_an_illegal_record_is_bundled_with_its_verdict_and_its_proofs() -> None:
    log = MemoryLog()
    record = forged(played(*MOVES), 3, actor=1)
    log.write([Append(record[0].match, NEW, tuple(record))])
    tree = Tree(log)

    found = judged(write_bundle(list(log.archive()), cosigned(tree), tree.together), LOG.verifier)

    assert isinstance(found.report.verdict, IllegalAt)
    assert found.proven.checkpoint is not None


def test_a_checkpoint_from_before_the_last_entry_covers_nothing() -> None:
    log, match = archive(*MOVES)
    tree = Tree(log)

    with pytest.raises(NotCovered, match="5 of the record's 6 among them: take a newer one"):
        write_bundle(list(log.read(match)), cosigned(tree, 305), tree.together)


def test_an_entry_that_is_not_numbered_yet_is_covered_by_no_checkpoint() -> None:
    log, match = archive(*MOVES)
    tree = Tree(log)
    *entries, last = log.read(match)

    with pytest.raises(NotCovered, match="5 of the record's 6 among them"):
        write_bundle([*entries, msgspec.structs.replace(last, position=0)], cosigned(tree), tree.together)


def test_signatures_of_unknown_keys_are_left_out() -> None:
    checkpoint = cosigned(Tree(archive(*MOVES)[0]))

    kept = with_known_signatures(checkpoint.note, [LOG.verifier])

    assert (kept.keys, [each.name for each in kept.note.signatures]) == ((LOG.verifier,), [LOG.name])
    assert with_known_signatures(checkpoint.note, [WITNESS.verifier, LOG.verifier]) == checkpoint
    with pytest.raises(NoKnownSignature):
        with_known_signatures(checkpoint.note, [THIEF.verifier])


@pytest.mark.parametrize("bit", [0, 5])
def test_no_byte_of_a_bundle_can_be_changed(bit: int) -> None:
    for at, byte in enumerate(SMALL):
        changed = SMALL[:at] + bytes([byte ^ 1 << bit]) + SMALL[at + 1 :]
        try:
            verdict = judged(changed).report.verdict
        except UnreadableBundle:
            continue

        assert not isinstance(verdict, Verified), (at, SMALL[at - 20 : at + 20])


def test_no_byte_that_a_seal_proves_can_be_changed() -> None:
    log = MemoryLog()
    ledger = book(log)
    ledger.start(sealed(), "start")
    play_on(ledger, MATCH, 1)
    tree = Tree(log)
    data = write_bundle(list(log.read(MATCH)), cosigned(tree), tree.together)
    secrets = [found.span(1) for found in re.finditer(rb'"secret":"([^"]+)"', data)]

    assert judged(data).report.verdict == Verified()
    assert len(secrets) == 3
    for start, end in secrets:
        for at in range(start, end, 3):
            changed = data[:at] + (b"A" if data[at : at + 1] != b"A" else b"B") + data[at + 1 :]
            try:
                verdict = judged(changed).report.verdict
            except UnreadableBundle:
                continue

            assert not isinstance(verdict, Verified), (at, data[at - 20 : at + 20])


@settings(max_examples=300)
@given(st.data())
def test_no_byte_can_be_taken_out_put_in_or_doubled(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(SMALL) - 1))
    more = data.draw(st.binary(max_size=2))
    changed = SMALL[:at] + more + SMALL[at + data.draw(st.integers(0, 3)) :]
    try:
        verdict = judged(changed).report.verdict
    except UnreadableBundle:
        return

    assert not isinstance(verdict, Verified) or said(changed) == said(SMALL)


def said(data: bytes) -> list[object]:
    """The content of a bundle; the JSON of its events may have other blanks."""
    return [json.loads(line) for line in data.split(b"\n")[:-1]]


def test_a_bundle_that_was_cut_anywhere_is_not_verified() -> None:
    for end in range(0, len(SMALL), 7):
        try:
            verdict = judged(SMALL[:end]).report.verdict
        except UnreadableBundle:
            continue

        assert not isinstance(verdict, Verified)


def test_a_rewritten_chain_with_good_hashes_is_not_in_the_log() -> None:
    log, match = archive(*MOVES)
    tree = Tree(log)
    other = forged(list(log.read(match)), 5, request="another")
    other = [msgspec.structs.replace(entry, position=301 + entry.sequence) for entry in other]

    found = judged(write_bundle(other, cosigned(tree), tree.together))

    assert isinstance(found.report.verdict, CorruptAt)
    assert "it is not proved that the log contains the record" in (why(found.report.verdict) or "")
    assert found.proven.chain
    assert found.proven.checkpoint is None


def test_a_move_with_another_seats_signature_is_found_even_if_a_log_contains_it() -> None:
    log, match = archive(*MOVES)
    record = list(log.read(match))
    other = forged(record, 3, signature=record[2].signature)
    lying = MemoryLog()
    lying.write([Append(match, NEW, tuple(other))])
    tree = Tree(lying)

    found = judged(write_bundle(list(lying.read(match)), cosigned(tree), tree.together), LOG.verifier)

    assert isinstance(found.report.verdict, CorruptAt)
    assert found.report.verdict.sequence == 3
    assert found.proven.signed == 2
    assert "the signature was not made with this key" in (found.proven.unsigned or "")


@pytest.mark.parametrize(
    ("part_of", "change", "reason"),
    [
        ("verdict", {"verdict": "illegal"}, "states that the record is 'illegal', but by the rules"),
        ("verdict", {"winners": ["green"]}, "or is in another state"),
        ("verdict", {"position": ""}, "or is in another state"),
        ("about", {"edition": "qin/2"}, "does not say the same as the header"),
        ("about", {"rulings": {"join-tie": "any"}}, "does not say the same as the header"),
        ("about", {"components_hash": "00" * 32}, "does not say the same as the header"),
        ("about", {"keys": {}}, "does not say the same as the header"),
        ("log", {"positions": [1, 2, 3, 4, 5, 6]}, "too many for a tree"),
        ("log", {"positions": [301]}, "the proof has 1 positions for the 6 entries"),
        ("log", {"positions": [301] * 6}, "the proof has 1 positions for the 6 entries"),
        ("log", {"positions": [0, 301, 302, 303, 304, 305]}, "no such leaves"),
        ("log", {"positions": [301, 302, 303, 304, 305, 2**70]}, "no such leaves"),
        ("log", {"hashes": []}, "too few for a tree"),
        ("log", {"hashes": ["AAAA"]}, "every hash has 32 bytes"),
        ("log", {"hashes": ["?"]}, "not base64"),
        ("log", {"keys": []}, "no known key has signed the note"),
        ("log", {"keys": ["nonsense"]}, "this build does not know the type of the key"),
        ("log", {"keys": [LOG.verifier.text]}, "the keys are not those of the checkpoint's signatures"),
        ("log", {"keys": [WITNESS.verifier.text, LOG.verifier.text]}, "the keys are not those"),
        ("log", {"keys": [LOG.verifier.text] * 2}, "the keys are not those"),
        ("log", {"checkpoint": ""}, "a note is a text"),
        ("log", {"checkpoint": "x" * 300_000}, "a note has at most"),
    ],
)  # fmt: skip
def test_an_edited_envelope_is_found(part_of: str, change: dict[str, object], reason: str) -> None:
    found = judged(edited(lambda fields: part(fields, part_of).update(change)))

    assert isinstance(found.report.verdict, CorruptAt | DivergedAt)
    assert reason in (why(found.report.verdict) or "")


def test_the_checkpoint_of_a_tree_without_the_record_proves_nothing() -> None:
    other = MemoryLog()
    RecordWriter("other").write(other, 700)
    note = cosigned(Tree(other), 606).note

    found = judged(edited(lambda fields: part(fields, "log").update(checkpoint=format_note(note).decode())))

    assert isinstance(found.report.verdict, CorruptAt)
    assert "leads to another root" in found.report.verdict.why


def test_a_note_that_the_log_itself_did_not_sign_is_no_checkpoint_of_it() -> None:
    log, match = archive(*MOVES)
    tree = Tree(log)
    only = with_known_signatures(cosigned(tree).note, [WITNESS.verifier])

    found = judged(write_bundle(list(log.read(match)), only, tree.together))

    assert isinstance(found.report.verdict, CorruptAt)
    assert "the log example.com/shiji has not signed the checkpoint" in found.report.verdict.why


def test_a_log_or_witness_that_is_trusted_must_have_signed() -> None:
    other = SignerKey("other.example", SignatureType.COSIGNATURE, SecretKey(b"o" * 32))

    for key in (THIEF.verifier, other.verifier):
        found = judged(DATA, key)

        assert isinstance(found.report.verdict, CorruptAt)
        assert (
            f"not proved to be in a log that {key.name}+{key.id:08x} has signed" in found.report.verdict.why
        )


def test_a_thief_of_the_logs_name_is_not_the_log() -> None:
    log, match = archive(*MOVES)
    tree = Tree(log)
    data = write_bundle(
        list(log.read(match)), CosignedCheckpoint(tree.checkpoint(THIEF), (THIEF.verifier,)), tree.together
    )

    assert judged(data).report.verdict == Verified()
    assert isinstance(judged(data, LOG.verifier).report.verdict, CorruptAt)


NESTED = b'{"format":"shiji-bundle/1","match":' + b"[" * 100_000


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'{"format":"shiji-bundle/3","match":"m"}\n', "this build does not read version '3' of bundles"),
        (b'{"format":"shiji-bundle/1 ","match":"m"}\n', "does not read version '1 '"),
        (NESTED, "line 1: "),
        (b'{"format":"shiji-bundle/1","match":"m","more":' + b"[" * 100_000, "line 1: "),
        (b'{"format":"shiji-bundle/1"', "line 1: "),
        (DATA.partition(b"\n")[0], "cut off or changed"),
        (DATA.partition(b"\n")[0] + b"\n", "line 2: "),
        (DATA.replace(b'"match":', b'"match": ', 1), "not in canonical form"),
        (DATA.replace(b'"format":"shiji-record/1"', b'"format":"shiji-record/9"'), "line 2: this build"),
        (DATA + b"[" * 100_000, "line 9: "),
        (DATA[:-2] + b',"told":' + b"[" * 100_000, "line 8: "),
        (b'{"format":"shiji-bundle/1"' + b" " * 65 * 1024**2, "more than 64 MiB"),
    ],
    ids=range(12),
)  # fmt: skip
def test_a_file_that_is_not_a_bundle_is_refused_with_the_line(data: bytes, reason: str) -> None:
    assert is_bundle(data)
    with pytest.raises(UnreadableBundle, match=reason):
        read_bundle(data)


@given(st.binary(max_size=200))
def test_no_bytes_after_the_first_ones_cause_a_traceback(data: bytes) -> None:
    with pytest.raises(UnreadableBundle):
        read_bundle(b'{"format":"shiji-bundle/1"' + data)


def test_huge_counts_cost_nothing() -> None:
    many = edited(lambda fields: part(fields, "log").update(positions=list(range(1, 300_000))))

    assert isinstance(judged(many).report.verdict, CorruptAt)
