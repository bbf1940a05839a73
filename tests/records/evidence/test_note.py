"""Signed notes, with the example of Go's note package and a note of a public log."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.evidence.ed25519 import BadKey, SecretKey, WrongSignature
from records.evidence.note import (
    MAX_NOTE_BYTES,
    MalformedNote,
    NoKnownSignature,
    Note,
    Signature,
    SignatureType,
    SignerKey,
    VerifiedSignature,
    VerifierKey,
    cosign,
    format_note,
    parse_note,
    parse_signer_key,
    parse_verifier_key,
    sign,
    verified,
)
from tests.records.evidence.trees import flipped

PETER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PETERS_KEY = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
ENOCH = "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop"
TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
PETERS_LINE = (
    "— PeterNeumann "
    "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
ENOCHS_LINE = (
    "— EnochRoot "
    "rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n"
)
BOTH = f"{TEXT}\n{PETERS_LINE}{ENOCHS_LINE}".encode()

PUBLIC_LOG = """\
arche2025h1.staging.ct.transparency.dev
1432088532
U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=

— arche2025h1.staging.ct.transparency.dev zTM8sQAAAZ5W0WdjBAMARjBEAiBjW5IQf9pvsYLfQFX6hoGREPMHbdQ3urbllzalApkptQIgIpwtEroeW2BXaHAI4kJXFbon5Ch9MNL5zRNZ55lvGt0=
— arche2025h1.staging.ct.transparency.dev ui8GwCF1+kWqZrxGdhj4aX3gcw7XUlXQQabg/27lefwhUkzbC3NygNI75MdhL1bfTW9g8Ei59RA23oHP7Ry1k3ZFWwQ=
— remora.n621.de 2net5wAAAABqEiEgPlfF3V06o0Y+fHM+J5J9s27wgxxcOVSpZ/2g/KSiXCg9DEZI+aVCIobWX9sXTynk5XeU/zZ0WBxtqB0DrAWfBw==
"""  # noqa: E501 - a line of a note cannot be broken
LOG = "arche2025h1.staging.ct.transparency.dev+ba2f06c0+AU0vHmlGCS/PdN8b2OaGmKprLI8HKM+dJ472xgFYh15f"
WITNESS = "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2"

letters = st.characters(codec="utf-8", min_codepoint=0x20)
texts = st.lists(st.text(letters), min_size=1).map(lambda lines: "".join(f"{line}\n" for line in lines))
names = st.text(letters.filter(lambda one: not one.isspace() and one != "+"), min_size=1, max_size=20)
secrets = st.binary(min_size=32, max_size=32).map(SecretKey)
signers = st.builds(SignerKey, names, st.sampled_from(SignatureType), secrets)


def test_the_known_key_signs_the_known_note() -> None:
    key = parse_signer_key(PETERS_KEY)
    note = Note(TEXT, (sign(TEXT, key),))

    assert key.verifier.text == PETER
    assert format_note(note) == f"{TEXT}\n{PETERS_LINE}".encode()


def test_signatures_of_known_keys_are_verified_and_others_are_ignored() -> None:
    peter, enoch = parse_verifier_key(PETER), parse_verifier_key(ENOCH)
    note = parse_note(BOTH)

    assert verified(note, [peter]) == (VerifiedSignature(peter, None),)
    assert verified(note, [enoch, peter, enoch]) == (
        VerifiedSignature(peter, None),
        VerifiedSignature(enoch, None),
    )
    with pytest.raises(NoKnownSignature):
        verified(note, [])


def test_a_public_logs_checkpoint_with_its_cosignature_is_verified() -> None:
    log, witness = parse_verifier_key(LOG), parse_verifier_key(WITNESS)
    note = parse_note(PUBLIC_LOG.encode())

    assert verified(note, [log, witness]) == (
        VerifiedSignature(log, None),
        VerifiedSignature(witness, 1_779_573_024),
    )
    for key in (log, witness):
        with pytest.raises(WrongSignature):
            verified(Note(note.text.replace("532", "533"), note.signatures), [key])


@given(texts, st.lists(signers, min_size=1, max_size=4), st.integers(0, 2**63 - 1))
def test_what_is_signed_is_read_again_and_verified(text: str, keys: list[SignerKey], time: int) -> None:
    signatures = tuple(
        sign(text, key) if key.type is SignatureType.ED25519 else cosign(text, key, time) for key in keys
    )
    note = Note(text, signatures)
    if text == "\n":
        with pytest.raises(MalformedNote):
            format_note(note)
        return

    assert parse_note(format_note(note)) == note
    for key in keys:
        (found,) = verified(note, [key.verifier])
        assert found.time == (time if key.type is SignatureType.COSIGNATURE else None)
        with pytest.raises(WrongSignature):
            verified(Note(f"{text}\n", signatures), [key.verifier])


@given(signers)
def test_keys_are_read_as_they_are_written(key: SignerKey) -> None:
    assert parse_signer_key(key.secret_text) == key
    assert parse_verifier_key(key.verifier.text) == key.verifier


@pytest.mark.parametrize("text", [PETER, PETERS_KEY, WITNESS])
def test_no_part_of_a_key_is_a_key_and_no_character_can_change(text: str) -> None:
    parse = parse_signer_key if text.startswith("PRIVATE") else parse_verifier_key
    parts = {text[:at] for at in range(len(text))} | {text[at:] for at in range(1, len(text) + 1)}
    changed = {text[:at] + chr(ord(text[at]) + 1) + text[at + 1 :] for at in range(len(text))}

    for wrong in sorted(parts | changed):
        with pytest.raises(BadKey):
            parse(wrong)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==", r"name\+id\+base64"),
        ("PeterNeumann+c74f20a3+ARpc", "32 bytes"),
        ("PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "0x01 and 0x04"),
        (PETER.replace("c74f20a3", "c74f20a4"), "mistyped or changed"),
        (PETER.replace("c74f20a3", "C74F20A3"), "mistyped or changed"),
        ("\ud800" + PETER, "no name of a key"),
        (" " + PETER, "no name of a key"),
        ("x" * 2_000_000, "at most 1024"),
    ],
)
def test_a_key_that_cannot_serve_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(BadKey, match=why):
        parse_verifier_key(text)


def test_the_message_about_a_bad_secret_key_does_not_show_it() -> None:
    for wrong in (PETERS_KEY.replace("c74f", "c74e"), PETERS_KEY[8:], PETERS_KEY + "!"):
        with pytest.raises(BadKey) as fault:
            parse_signer_key(wrong)

        assert "AYEKF" not in str(fault.value)
    assert "secret=SecretKey()" in repr(parse_signer_key(PETERS_KEY))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        TEXT.encode(),
        f"{TEXT}\n".encode(),
        BOTH[:-1],
        BOTH + b"Unexpected line.\n",
        BOTH + b"\n",
        b"\x01" + BOTH,
        b"\t" + BOTH,
        b"\xff" + BOTH,
        BOTH.replace(b"\n", b"\r\n"),
        f"{TEXT}\n{PETERS_LINE.replace('PeterNeumann', 'Bad Name')}".encode(),
        f"{TEXT}\n{PETERS_LINE.replace('PeterNeumann', 'Bad+Name')}".encode(),
        f"{TEXT}\n{PETERS_LINE.replace('—', '-')}".encode(),
        f"{TEXT}\n{PETERS_LINE.removeprefix('— ')}".encode(),
        f"{TEXT}\n{PETERS_LINE.replace('nAM=', 'nAN=')}".encode(),
        f"{TEXT}\n— PeterNeumann x08gow==\n".encode(),
        f"{TEXT}\n{PETERS_LINE * 101}".encode(),
        b"a" * MAX_NOTE_BYTES + BOTH,
    ],
)
def test_bytes_that_are_no_note_are_refused(data: bytes) -> None:
    with pytest.raises(MalformedNote):
        parse_note(data)


@given(st.binary(max_size=300) | st.text(st.sampled_from("\n—ax +=")).map(str.encode))
def test_any_bytes_are_a_note_or_refused(data: bytes) -> None:
    try:
        note = parse_note(data)
    except MalformedNote:
        return
    assert format_note(note) == data


@given(st.integers(0, len(BOTH) * 8 - 1))
def test_no_bit_of_a_note_can_be_turned_while_both_keys_are_checked(bit: int) -> None:
    keys = parse_verifier_key(PETER), parse_verifier_key(ENOCH)

    try:
        assert len(verified(parse_note(flipped(BOTH, bit)), keys)) == 1
    except (MalformedNote, WrongSignature):
        return


def test_a_known_name_with_a_signature_of_another_length_is_refused() -> None:
    peter = parse_verifier_key(PETER)

    for length in (1, 63, 65, 72):
        with pytest.raises(WrongSignature):
            verified(Note(TEXT, (Signature(peter.name, peter.id, bytes(length)),)), [peter])


def test_a_cosignature_of_another_length_or_beyond_time_is_refused() -> None:
    witness = parse_verifier_key(WITNESS)

    for value in (b"", bytes(8), bytes(64), bytes(73), b"\x80" + bytes(71)):
        with pytest.raises(WrongSignature, match="is not a cosignature"):
            verified(Note(TEXT, (Signature(witness.name, witness.id, value),)), [witness])


def test_a_witness_signs_no_note_and_a_log_cosigns_none() -> None:
    peter = parse_signer_key(PETERS_KEY)
    witness = SignerKey("w", SignatureType.COSIGNATURE, peter.secret)

    with pytest.raises(BadKey, match="belongs to a witness"):
        sign(TEXT, witness)
    with pytest.raises(BadKey, match="does not belong to a witness"):
        cosign(TEXT, peter, 1)
    with pytest.raises(ValueError, match="cannot have the time"):
        cosign(TEXT, witness, 2**63)


def test_two_different_keys_under_one_name_and_id_are_not_both_known() -> None:
    """The id has 32 bits, and these two were found in a second."""
    one, other = (
        VerifierKey("w", SignatureType.ED25519, SecretKey(seed.to_bytes(32)).public)
        for seed in (36009, 52840)
    )

    assert one.id == other.id
    with pytest.raises(BadKey, match="both called w\\+fdc5f477"):
        verified(parse_note(BOTH), [one, other])


@pytest.mark.parametrize("text", ["", "no newline", "a\tb\n", "\ud800\n"])
def test_a_text_that_no_note_can_have_is_not_signed(text: str) -> None:
    with pytest.raises(MalformedNote):
        sign(text, parse_signer_key(PETERS_KEY))
