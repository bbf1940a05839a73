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
    """An archive with a signed match, and a checkpoint of it that a witness has cosigned."""

    db: Path
    match: str
    key: Key
    witness: Witness
    checkpoint: Path

    def bundle(self, *options: str | Path) -> Path:
        """The bundle of the match, with the checkpoint."""
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


def test_a_bundle_is_judged_with_nothing_else_at_hand(archive: Archive, tmp_path: Path) -> None:
    bundle = archive.bundle()
    for path in tmp_path.iterdir():
        if path != bundle:
            path.unlink()

    told = run("verify", bundle)

    assert told.exit_code == 0
    for line in (
        f"{bundle}: verified, 5 entries\n",
        "  chain     every entry is chained to the one before\n",
        "  signed    5 entries signed as the record promises\n",
        "  log       example.com/shiji holds every entry, in a log of 24\n",
        f"  by        key not known to you: {key_name(archive.key)}\n",
        f"  witness   key not known to you: {key_name(archive.witness.key)}, 2",
    ):
        assert line in told.stdout


def test_what_was_proven_is_told_to_programs_beside_the_verdict(archive: Archive) -> None:
    bundle = archive.bundle()
    keys = ("--log-key", archive.key.public, "--witness-key", archive.witness.key.public)

    told = json.loads(run("verify", "--json", bundle, *keys).stdout)

    proven = told["proven"]
    assert (told["verdict"], told["entries"], told["entry"]) == ("verified", 5, None)
    assert proven["chain"] is True
    assert proven["signatures"] == {"entries": 5, "why": ""}
    assert (proven["log"]["origin"], proven["log"]["size"]) == ("example.com/shiji", 24)
    assert proven["log"]["keys"] == [{"key": key_name(archive.key), "known": True}]
    assert [(each["key"], each["known"]) for each in proven["cosignatures"]] == [
        (key_name(archive.witness.key), True)
    ]


def test_a_key_that_you_trust_and_that_did_not_sign_is_no_proof(archive: Archive, tmp_path: Path) -> None:
    thief = new_key(tmp_path / "thief.key")

    told = run("verify", archive.bundle(), "--log-key", thief.public)

    assert told.exit_code == 1
    assert "match.bundle: corrupt\n" in told.stdout
    assert f"is not shown to be in a log that {key_name(thief)} has signed" in told.stdout


def test_the_log_can_sign_for_the_bundle_itself(archive: Archive) -> None:
    bundle = archive.bundle("--key", archive.key.file)

    assert run("verify", bundle, "--log-key", archive.key.public).exit_code == 0


def test_without_a_checkpoint_nothing_is_shown_of_a_log(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(archive.db.parent)
    assert run("bundle", archive.db, archive.match).exit_code == 0

    told = run("verify", f"{archive.match}.bundle")

    assert told.exit_code == 0
    assert "  log       it is not shown that any log holds the record\n" in told.stdout
    assert run("verify", f"{archive.match}.bundle", "--log-key", archive.key.public).exit_code == 1


def test_a_bundle_can_be_looked_at_like_any_record(archive: Archive) -> None:
    bundle = archive.bundle()

    assert "after entry 2 of 5" in run("show", bundle, "--at", "2").stdout
    assert run("verify", "-", stdin=bundle.read_bytes()).exit_code == 0


def test_an_archive_that_breaks_the_promise_is_not_bundled(archive: Archive) -> None:
    damage(archive.db, "UPDATE entry SET hash = zeroblob(32) WHERE position = 2")

    told = run(
        "bundle",
        archive.db,
        archive.match,
        "--checkpoint",
        archive.checkpoint,
        "--log-key",
        archive.key.public,
    )

    assert told.exit_code == 1
    assert "the first 24 entries are not those that the checkpoint promises" in told.stderr


def test_a_checkpoint_that_is_too_old_is_told(archive: Archive, tmp_path: Path) -> None:
    old = checkpoint(archive.db, archive.key, tmp_path / "old", "--size", "20")

    told = run("bundle", archive.db, archive.match, "--checkpoint", old, "--log-key", archive.key.public)

    assert told.exit_code == 2
    assert "2 of the record's 6 among them: take a newer one" in told.stderr


def test_options_that_do_not_go_together_are_told(archive: Archive, tmp_path: Path) -> None:
    other = new_key(tmp_path / "other.key", "witness", "other.example")
    given = ("--checkpoint", archive.checkpoint)
    signed = ("--log-key", archive.key.public)
    for options, why in (
        (given, "--checkpoint needs --log-key"),
        (signed, "--checkpoint needs --log-key"),
        (("--witness-key", other.public), "--witness-key both"),
        ((*given, *signed, "--key", archive.key.file), "and --key neither"),
        ((*given, *signed, "--witness-key", other.public), "is not signed by other.example"),
        ((*given, "--log-key", archive.witness.key.public), "is of another kind"),
        ((*given, "--log-key", "nonsense"), "the key's type is none"),
    ):
        told = run("bundle", archive.db, archive.match, *options)

        assert told.exit_code == 2, told.stdout
        assert why in told.stderr


def test_a_match_that_is_not_there_is_told(archive: Archive) -> None:
    told = run("bundle", archive.db, "none")

    assert told.exit_code == 2
    assert "there is no match none" in told.stderr


def test_a_bundle_of_a_later_version_is_told(tmp_path: Path) -> None:
    (tmp_path / "later.bundle").write_bytes(b'{"format":"shiji-bundle/7","match":"m"}\n')

    told = run("verify", tmp_path / "later.bundle")

    assert told.exit_code == 2
    assert "this build does not read version '7' of bundles; use a newer one" in told.stderr
