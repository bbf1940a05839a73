"""`shiji checkpoint` and `shiji tiles`, and `shiji audit` with a checkpoint."""

import json
from pathlib import Path

import pytest

from records.evidence.checkpoint import parse_checkpoint
from records.evidence.merkle import check_inclusion, frontier_of, inclusion_proof, leaf_hash
from records.evidence.note import parse_note, parse_verifier_key, verified
from records.evidence.tiles import Tile, nodes_from_tiles, tile_path
from records.log.sqlite import SqliteLog
from records.log.tree import Tree
from tests.records.archives import damage, make, open_log
from tests.records.log.making import RecordWriter
from tests.tools.logs import LOG, Key, checkpoint, new_key
from tests.tools.running import run


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "archive.db"
    make(path)
    return path


@pytest.fixture
def key(tmp_path: Path) -> Key:
    return new_key(tmp_path / "log.key")


def test_a_checkpoint_is_a_signed_note_with_size_and_root(db: Path, key: Key) -> None:
    result = run("checkpoint", db, "--key", key.file)

    note = parse_note(result.stdout_bytes)
    signed = parse_checkpoint(note.text)
    assert verified(note, [parse_verifier_key(key.public)])
    with open_log(db) as log:
        assert (signed.origin, signed.size, signed.root) == (LOG, 18, Tree(log).root(18))


def test_an_earlier_size_can_be_asked_for(db: Path, key: Key) -> None:
    result = run("checkpoint", db, "--key", key.file, "--size", "7")

    assert result.stdout.splitlines()[1] == "7"


def test_a_checkpoint_replaces_an_earlier_one_only_if_the_archive_still_matches_it(
    db: Path, key: Key, tmp_path: Path
) -> None:
    out = checkpoint(db, key, tmp_path / "checkpoint")
    before = out.read_bytes()
    damage(db, "DELETE FROM entry WHERE position > 16")

    result = run("checkpoint", db, "--key", key.file, "--out", out)

    assert result.exit_code == 1
    assert "2 are gone. Nothing was signed." in result.stderr
    assert out.read_bytes() == before


def test_another_logs_checkpoint_is_not_replaced(db: Path, key: Key, tmp_path: Path) -> None:
    other = new_key(tmp_path / "other.key", name="example.com/other")
    out = checkpoint(db, other, tmp_path / "checkpoint")

    result = run("checkpoint", db, "--key", key.file, "--out", out)

    assert result.exit_code == 2
    assert "is not signed by example.com/shiji" in result.stderr


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--size", "19"], "the log has 18 entries, not 19"),
        (["--old", "19"], "a tree of 18 leaves never had 19"),
        (["--key", "nowhere"], "nowhere cannot be read"),
    ],
)
def test_what_cannot_be_signed_is_refused(db: Path, key: Key, options: list[str], why: str) -> None:
    result = run("checkpoint", db, "--key", key.file, *options)

    assert result.exit_code == 2
    assert why in result.stderr


def test_keys_of_another_kind_are_refused_and_not_shown(db: Path, tmp_path: Path) -> None:
    witness = new_key(tmp_path / "witness.key", "witness")
    run("keygen", "--out", tmp_path / "seat.key")

    for file, why in (
        (witness.file, "the key of a witness, not of a log"),
        (tmp_path / "seat.key", "does not hold the key of a log"),
    ):
        result = run("checkpoint", db, "--key", file)

        assert result.exit_code == 2
        assert why in result.stderr
        assert file.read_text().strip() not in result.stderr


def test_an_archive_that_matches_its_checkpoint_is_reported(db: Path, key: Key, tmp_path: Path) -> None:
    out = checkpoint(db, key, tmp_path / "checkpoint")
    with SqliteLog.open(db) as log:
        RecordWriter("more").write(log, 1)

    result = run("audit", db, "--checkpoint", out, "--log-key", key.public)

    assert "  promise   all 18 entries that example.com/shiji promised are there\n" in result.stdout


def test_a_key_that_was_not_named_is_reported_as_unknown(db: Path, key: Key, tmp_path: Path) -> None:
    out = checkpoint(db, key, tmp_path / "checkpoint")
    name = "+".join(key.public.split("+")[:2])

    result = run("audit", db, "--checkpoint", out)

    assert result.exit_code == 0
    assert f"  unknown   signed by keys that you did not name (--log-key): {name}\n" in result.stdout


def test_json_says_how_an_archive_contradicts_its_checkpoint(db: Path, key: Key, tmp_path: Path) -> None:
    out = checkpoint(db, key, tmp_path / "checkpoint")
    damage(db, "DELETE FROM entry WHERE position > 16")

    result = run("audit", db, "--checkpoint", out, "--log-key", key.public, "--json")

    summary = json.loads(result.stdout.splitlines()[-1])["summary"]
    assert result.exit_code == 1
    assert summary["checkpoint"] | {"keys": []} == {
        "origin": LOG,
        "size": 18,
        "kept": False,
        "why": "the checkpoint promises 18 entries and the archive has 16: 2 are gone",
        "keys": [],
        "known": True,
    }
    assert summary["checkpoint"]["why"] in summary["flaws"]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is not a checkpoint"),
        (b"\xff\n\n\xe2\x80\x94 a aaaa\n", "is not a checkpoint: byte 0 of the note is not UTF-8"),
        (b"a\nb\nc\n\n\xe2\x80\x94 a AAAAAAA=\n", "is not a checkpoint: 'b' is not the size of a tree"),
        (b"x" * 300_000, "a note has at most 262144 bytes"),
    ],
)
def test_a_file_that_is_not_a_checkpoint_is_refused(
    db: Path, tmp_path: Path, content: bytes, why: str
) -> None:
    (tmp_path / "checkpoint").write_bytes(content)

    result = run("audit", db, "--checkpoint", tmp_path / "checkpoint")

    assert result.exit_code == 2
    assert why in result.stderr


def test_a_checkpoint_that_the_named_key_did_not_sign_is_refused(db: Path, key: Key, tmp_path: Path) -> None:
    thief = new_key(tmp_path / "thief.key")
    out = checkpoint(db, thief, tmp_path / "checkpoint")

    result = run("audit", db, "--checkpoint", out, "--log-key", key.public)

    assert result.exit_code == 2
    assert "is not signed by example.com/shiji+" in result.stderr


def test_a_key_without_a_checkpoint_is_refused(db: Path, key: Key) -> None:
    result = run("audit", db, "--log-key", key.public)

    assert result.exit_code == 2
    assert "--log-key needs --checkpoint" in result.stderr


def test_every_entry_of_a_log_can_be_proven_from_its_tiles_alone(db: Path, key: Key, tmp_path: Path) -> None:
    folder = tmp_path / "public"
    with SqliteLog.open(db) as log:
        RecordWriter("more").write(log, 600)

    result = run("tiles", db, folder, "--key", key.file)

    assert result.stdout == f"4 tiles written to {folder}\n"
    signed = parse_checkpoint(parse_note((folder / "checkpoint").read_bytes()).text)

    def read(tile: Tile) -> bytes:
        return (folder / tile_path(tile)).read_bytes()

    nodes = nodes_from_tiles(signed.size, read)
    assert frontier_of(signed.size, nodes).root == signed.root
    with open_log(db) as written:
        for index, found in enumerate(written.hashes()):
            proof = inclusion_proof(index, signed.size, nodes)
            check_inclusion(leaf_hash(found), index, signed.size, proof, signed.root)


def test_full_tiles_are_written_once(db: Path, tmp_path: Path) -> None:
    with SqliteLog.open(db) as log:
        RecordWriter("more").write(log, 600)
    run("tiles", db, tmp_path / "public")

    result = run("tiles", db, tmp_path / "public")

    assert result.stdout.startswith("2 tiles written")
    assert run("tiles", db, tmp_path / "public", "--size", "9999").exit_code == 2
