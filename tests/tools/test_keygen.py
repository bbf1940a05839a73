"""`shiji keygen`."""

import stat
from pathlib import Path

import pytest

from records.evidence.note import SignatureType, parse_signer_key, parse_verifier_key
from records.evidence.signing import parse_public, parse_secret
from tests.tools.running import run


def test_a_seats_key_is_written_for_its_owner_alone_and_its_public_part_printed(tmp_path: Path) -> None:
    file = tmp_path / "green.key"

    told = run("keygen", "--out", file)

    assert told.exit_code == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert parse_secret(file.read_text()).public == parse_public(told.stdout.strip())


@pytest.mark.parametrize(
    ("kind", "type_"), [("log", SignatureType.ED25519), ("witness", SignatureType.COSIGNATURE)]
)
def test_the_key_of_a_log_or_a_witness_bears_its_name(
    tmp_path: Path, kind: str, type_: SignatureType
) -> None:
    file = tmp_path / "key"

    told = run("keygen", "--kind", kind, "--name", "example.com/shiji", "--out", file)

    signer = parse_signer_key(file.read_text().strip())
    assert (signer.name, signer.type) == ("example.com/shiji", type_)
    assert parse_verifier_key(told.stdout.strip()) == signer.verifier


def test_two_keys_are_never_the_same(tmp_path: Path) -> None:
    assert (
        run("keygen", "--out", tmp_path / "a").stdout.strip()
        != run("keygen", "--out", tmp_path / "b").stdout.strip()
    )


def test_a_file_that_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "green.key"
    file.write_text("my only key")

    told = run("keygen", "--out", file)

    assert told.exit_code == 2
    assert "choose another --out" in told.stderr
    assert file.read_text() == "my only key"


def test_the_file_is_called_by_the_kind_where_nothing_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    run("keygen")

    assert (tmp_path / "seat.key").read_text().startswith("SHIJI-ED25519-SECRET:")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--kind", "log"], "the key of a log has a name"),
        (["--kind", "log", "--name", "two words"], "is no name of a key"),
        (["--kind", "witness", "--name", "a+b"], "is no name of a key"),
        (["--kind", "log", "--name", ""], "is no name of a key"),
        (["--name", "green"], "a seat's key has no name"),
    ],
)
def test_a_key_that_cannot_be_is_not_made(tmp_path: Path, options: list[str], why: str) -> None:
    told = run("keygen", *options, "--out", tmp_path / "key")

    assert told.exit_code == 2
    assert why in told.stderr
    assert not (tmp_path / "key").exists()
