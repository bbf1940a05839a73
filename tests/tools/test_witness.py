"""`shiji witness` with files."""

from pathlib import Path

import pytest

from records.evidence.checkpoint import parse_checkpoint
from records.evidence.note import (
    Note,
    format_note,
    parse_note,
    parse_signer_key,
    parse_verifier_key,
    sign,
    verified,
)
from records.evidence.witness_request import WitnessRequest, format_request, parse_request
from records.log.sqlite import SqliteLog
from tests.records.archives import damage, make
from tests.records.log.making import RecordWriter
from tests.tools.logs import Key, Witness, checkpoint, new_key, new_witness
from tests.tools.running import run


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "archive.db"
    make(path)
    return path


@pytest.fixture
def key(tmp_path: Path) -> Key:
    return new_key(tmp_path / "log.key")


@pytest.fixture
def witness(tmp_path: Path, key: Key) -> Witness:
    return new_witness(tmp_path, key)


def request(db: Path, key: Key, old: int, folder: Path) -> Path:
    return checkpoint(db, key, folder / f"request-{old}", "--old", str(old))


def grow(db: Path, match: str, count: int) -> None:
    with SqliteLog.open(db) as log:
        RecordWriter(match).write(log, count)


def test_a_log_that_grows_is_cosigned_again_and_again(
    db: Path, key: Key, witness: Witness, tmp_path: Path
) -> None:
    seen = 0
    for match in ("a", "b", "c"):
        grow(db, match, 200)

        result = witness.ask(request(db, key, seen, tmp_path))

        assert result.exit_code == 0, result.stderr
        note = parse_note(result.stdout_bytes)
        keys = [parse_verifier_key(each) for each in (key.public, witness.key.public)]
        assert [each.key for each in verified(note, keys)] == keys
        assert witness.state.read_bytes() == result.stdout_bytes
        seen = parse_checkpoint(note.text).size


def test_a_first_checkpoint_needs_no_proof(db: Path, key: Key, witness: Witness, tmp_path: Path) -> None:
    assert witness.ask(checkpoint(db, key, tmp_path / "checkpoint")).exit_code == 0


def test_witnesses_sign_one_after_the_other(db: Path, key: Key, witness: Witness, tmp_path: Path) -> None:
    other = new_witness(tmp_path, key, "other.example")
    once = tmp_path / "once"
    once.write_bytes(witness.ask(checkpoint(db, key, tmp_path / "checkpoint")).stdout_bytes)

    twice = parse_note(other.ask(once).stdout_bytes)

    assert [each.name for each in twice.signatures] == [
        "example.com/shiji",
        "witness.example",
        "other.example",
    ]


def test_the_same_checkpoint_again_has_one_cosignature(
    db: Path, key: Key, witness: Witness, tmp_path: Path
) -> None:
    witness.ask(checkpoint(db, key, tmp_path / "checkpoint"))

    again = parse_note(witness.ask(witness.state).stdout_bytes)

    assert [each.name for each in again.signatures] == ["example.com/shiji", "witness.example"]


def test_a_log_that_shrank_is_refused(db: Path, key: Key, witness: Witness, tmp_path: Path) -> None:
    witness.ask(checkpoint(db, key, tmp_path / "checkpoint"))
    before = witness.state.read_bytes()

    result = witness.ask(checkpoint(db, key, tmp_path / "smaller", "--size", "5"))

    assert result.exit_code == 1
    assert result.stderr.startswith("Refused (Smaller): the log had 18 leaves before, and has 5 now.")
    assert witness.state.read_bytes() == before


def test_a_rewritten_log_is_refused_and_its_signed_checkpoint_saved(
    db: Path, key: Key, witness: Witness, tmp_path: Path
) -> None:
    witness.ask(checkpoint(db, key, tmp_path / "checkpoint"))
    damage(db, "UPDATE entry SET hash = zeroblob(32) WHERE position = 3")
    forked = checkpoint(db, key, tmp_path / "forked")

    result = witness.ask(forked)

    assert result.exit_code == 1
    assert result.stderr.startswith("Refused (Forked): the log has signed two different roots for 18 leaves.")
    (kept,) = tmp_path.glob("*.refused")
    assert parse_request(kept.read_bytes()).note == parse_note(forked.read_bytes())


def test_a_rewritten_log_that_has_grown_is_refused(
    db: Path, key: Key, witness: Witness, tmp_path: Path
) -> None:
    witness.ask(checkpoint(db, key, tmp_path / "checkpoint"))
    damage(db, "UPDATE entry SET hash = zeroblob(32) WHERE position = 3")
    grow(db, "more", 50)

    result = witness.ask(request(db, key, 18, tmp_path))

    assert result.exit_code == 1
    assert (
        "Refused (Inconsistent): the proof from 18 leaves to 68 leads to another old root." in result.stderr
    )


def test_a_proof_from_another_size_is_refused_with_the_size_to_use(
    db: Path, key: Key, witness: Witness, tmp_path: Path
) -> None:
    witness.ask(checkpoint(db, key, tmp_path / "checkpoint"))
    grow(db, "more", 50)

    result = witness.ask(request(db, key, 0, tmp_path))

    assert result.exit_code == 2
    assert "make the request with `shiji checkpoint --old 18`" in result.stderr


def test_a_checkpoint_that_the_log_did_not_sign_is_refused(
    db: Path, witness: Witness, tmp_path: Path
) -> None:
    thief = new_key(tmp_path / "thief.key")

    result = witness.ask(checkpoint(db, thief, tmp_path / "checkpoint"))

    assert result.exit_code == 1
    assert result.stderr == "Refused (BadSignature): no known key has signed the note.\n"
    assert not witness.state.exists()


def test_a_checkpoint_of_another_log_is_refused(db: Path, key: Key, witness: Witness, tmp_path: Path) -> None:
    other = new_key(tmp_path / "other.key", name="example.com/other")
    shown = checkpoint(db, other, tmp_path / "other")

    assert "Refused (UnknownLog)" in witness.ask(shown).stderr
    witness.ask(checkpoint(db, key, tmp_path / "checkpoint"))
    assert "use one file per log" in witness.ask(shown).stderr


def test_a_state_file_without_the_witnesss_signature_is_refused(
    db: Path, key: Key, witness: Witness, tmp_path: Path
) -> None:
    shown = checkpoint(db, key, tmp_path / "checkpoint")
    witness.ask(shown)
    witness.state.write_bytes(shown.read_bytes())

    result = witness.ask(shown)

    assert result.exit_code == 2
    assert "is not signed by witness.example+" in result.stderr


def test_a_signed_note_that_is_not_a_checkpoint_is_refused(
    key: Key, witness: Witness, tmp_path: Path
) -> None:
    signer = parse_signer_key(key.file.read_text().strip())
    note = Note("hello\n", (sign("hello\n", signer),))
    (tmp_path / "note").write_bytes(format_request(WitnessRequest(0, (), note)))

    result = witness.ask(tmp_path / "note")

    assert result.exit_code == 2
    assert "this is not a checkpoint" in result.stderr


@pytest.mark.parametrize(
    "content",
    [b"", b"old 5\n", b"old x\n\n", b"old 5\nAAAA\n\nx\n", b"old 1\n" + b"A\n" * 64 + b"\n", b"\xff" * 99],
)
def test_a_file_that_is_not_a_request_is_refused(witness: Witness, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "request").write_bytes(content)

    result = witness.ask(tmp_path / "request")

    assert result.exit_code == 2
    assert "is not a request for a witness" in result.stderr


def test_either_a_file_or_a_server_must_be_given(witness: Witness) -> None:
    assert "give either a FILE or a --server" in witness.ask().stderr
    assert witness.ask("request", "--server", "127.0.0.1:1").exit_code == 2


def test_the_key_of_a_log_is_not_accepted_for_a_witness(key: Key, tmp_path: Path) -> None:
    result = run("witness", "x", "--key", key.file, "--log-key", key.public, "--state", tmp_path / "state")

    assert result.exit_code == 2
    assert "the key of a log, not of a witness" in result.stderr


def test_the_name_of_a_log_cannot_steer_the_terminal(
    db: Path, key: Key, witness: Witness, tmp_path: Path
) -> None:
    hostile = tmp_path / "hostile"
    signed = parse_note(checkpoint(db, key, tmp_path / "checkpoint").read_bytes())
    size_and_root = signed.text.partition("\n")[2]
    hostile.write_bytes(format_note(Note(f"evil\u202elog\n{size_and_root}", signed.signatures)))

    unknown = witness.ask(hostile)
    witness.ask(tmp_path / "checkpoint")
    other = witness.ask(hostile)

    assert r"no key of the log evil\u202elog is known" in unknown.stderr
    assert r"but the checkpoint is of evil\u202elog" in other.stderr
    assert "\u202e" not in unknown.stderr + other.stderr
