"""`shiji bundle`, and `shiji verify` of what it writes."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from records.ledger.ledger import Ledger
from records.log.sqlite import SqliteLog
from tests.records.archives import damage, make
from tests.records.bundles import play_signed
from tests.records.matches import MOVES
from tests.tools.logs import Key, Witness, checkpoint, new_key, new_witness
from tests.tools.running import run


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive with a signed match, and a checkpoint of the archive that a witness has cosigned."""

    db: Path
    match: str
    key: Key
    witness: Witness
    checkpoint: Path

    def bundle(self, *options: str | Path) -> Path:
        """Write a bundle of the match, with the checkpoint unless other options are given."""
        out = self.db.with_name("match.bundle")
        proof = ("--checkpoint", self.checkpoint, "--log-key", self.key.public)
        cosigned = ("--witness-key", self.witness.key.public)
        done = run("bundle", self.db, self.match, "--out", out, *(options or (*proof, *cosigned)))
        assert done.exit_code == 0, done.stderr
        return out


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    db = tmp_path / "archive.db"
    make(db)
    with SqliteLog.open(db) as log:
        match = play_signed(Ledger(log), *MOVES, request="signed")
    key = new_key(tmp_path / "log.key")
    witness = new_witness(tmp_path, key)
    witness.ask(checkpoint(db, key, tmp_path / "checkpoint"))
    return Archive(db, match, key, witness, witness.state)


def key_name(key: Key) -> str:
    return "+".join(key.public.split("+")[:2])


def test_a_bundle_is_judged_without_any_other_file(archive: Archive, tmp_path: Path) -> None:
    bundle = archive.bundle()
    for path in tmp_path.iterdir():
        if path != bundle:
            path.unlink()

    result = run("verify", bundle)

    assert result.exit_code == 0
    for line in (
        f"{bundle}: verified, 5 entries\n",
        "  chain     every entry is chained to the one before\n",
        "  signed    5 entries signed as the record promises\n",
        "  log       example.com/shiji holds every entry, in a log of 24\n",
        f"  by        key not known to you: {key_name(archive.key)}\n",
        f"  witness   key not known to you: {key_name(archive.witness.key)}, 2",
    ):
        assert line in result.stdout


def test_a_bundle_of_a_record_without_keys_promises_no_signatures(tmp_path: Path) -> None:
    (match,) = make(tmp_path / "archive.db", matches=1)
    bundle = tmp_path / "match.bundle"
    assert run("bundle", tmp_path / "archive.db", match, "--out", bundle).exit_code == 0

    output = run("verify", bundle).stdout

    assert "  signed    nothing, since the record promises no signatures\n" in output


def test_json_has_what_was_proven_besides_the_verdict(archive: Archive) -> None:
    bundle = archive.bundle()
    keys = ("--log-key", archive.key.public, "--witness-key", archive.witness.key.public)

    report = json.loads(run("verify", "--json", bundle, *keys).stdout)

    proven = report["proven"]
    assert (report["verdict"], report["entries"], report["entry"]) == ("verified", 5, None)
    assert proven["chain"] is True
    assert proven["signatures"] == {"entries": 5, "why": ""}
    assert (proven["log"]["origin"], proven["log"]["size"]) == ("example.com/shiji", 24)
    assert proven["log"]["keys"] == [{"key": key_name(archive.key), "known": True}]
    assert [(each["key"], each["known"]) for each in proven["cosignatures"]] == [
        (key_name(archive.witness.key), True)
    ]


def test_a_trusted_key_that_did_not_sign_proves_nothing(archive: Archive, tmp_path: Path) -> None:
    thief = new_key(tmp_path / "thief.key")

    result = run("verify", archive.bundle(), "--log-key", thief.public)

    assert result.exit_code == 1
    assert "match.bundle: corrupt\n" in result.stdout
    assert f"is not proved to be in a log that {key_name(thief)} has signed" in result.stdout


def test_the_log_can_sign_a_checkpoint_for_the_bundle(archive: Archive) -> None:
    bundle = archive.bundle("--key", archive.key.file)

    assert run("verify", bundle, "--log-key", archive.key.public).exit_code == 0


def test_without_a_checkpoint_nothing_is_proven_about_a_log(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(archive.db.parent)
    assert run("bundle", archive.db, archive.match).exit_code == 0

    result = run("verify", f"{archive.match}.bundle")

    assert result.exit_code == 0
    assert "  log       it is not shown that any log holds the record\n" in result.stdout
    assert run("verify", f"{archive.match}.bundle", "--log-key", archive.key.public).exit_code == 1


def test_a_bundle_can_be_shown_like_any_record(archive: Archive) -> None:
    bundle = archive.bundle()

    assert "after entry 2 of 5" in run("show", bundle, "--at", "2").stdout
    assert run("verify", "-", stdin=bundle.read_bytes()).exit_code == 0


def test_an_archive_that_contradicts_the_checkpoint_is_not_bundled(archive: Archive) -> None:
    damage(archive.db, "UPDATE entry SET hash = zeroblob(32) WHERE position = 2")

    result = run(
        "bundle",
        archive.db,
        archive.match,
        "--checkpoint",
        archive.checkpoint,
        "--log-key",
        archive.key.public,
    )

    assert result.exit_code == 1
    assert "the first 24 entries are not those that the checkpoint promises" in result.stderr


def test_a_checkpoint_that_is_too_old_is_refused(archive: Archive, tmp_path: Path) -> None:
    old = checkpoint(archive.db, archive.key, tmp_path / "old", "--size", "20")

    result = run("bundle", archive.db, archive.match, "--checkpoint", old, "--log-key", archive.key.public)

    assert result.exit_code == 2
    assert "2 of the record's 6 among them: take a newer one" in result.stderr


def test_options_that_do_not_go_together_are_refused(archive: Archive, tmp_path: Path) -> None:
    other = new_key(tmp_path / "other.key", "witness", "other.example")
    given = ("--checkpoint", archive.checkpoint)
    signed = ("--log-key", archive.key.public)
    for options, why in (
        (given, "--checkpoint needs --log-key"),
        (signed, "--checkpoint needs --log-key"),
        (("--witness-key", other.public), "--witness-key needs both"),
        ((*given, *signed, "--key", archive.key.file), "and --key excludes them all"),
        ((*given, *signed, "--witness-key", other.public), "is not signed by other.example"),
        ((*given, "--log-key", archive.witness.key.public), "is of another kind"),
        ((*given, "--log-key", "nonsense"), "this build does not know the type of the key"),
    ):
        result = run("bundle", archive.db, archive.match, *options)

        assert result.exit_code == 2, result.stdout
        assert why in result.stderr


def test_a_match_that_does_not_exist_is_refused(archive: Archive) -> None:
    result = run("bundle", archive.db, "none")

    assert result.exit_code == 2
    assert "the archive has no match 'none'" in result.stderr


def test_a_bundle_of_a_later_version_is_unreadable(tmp_path: Path) -> None:
    (tmp_path / "later.bundle").write_bytes(b'{"format":"shiji-bundle/7","match":"m"}\n')

    result = run("verify", tmp_path / "later.bundle")

    assert result.exit_code == 2
    assert "this build does not read version '7' of bundles; use a newer one" in result.stderr
