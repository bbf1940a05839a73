"""`shiji keygen`."""

import stat
from pathlib import Path

import pytest

from records.evidence.note import SignatureType, parse_signer_key, parse_verifier_key
from records.evidence.signing import parse_public, parse_secret
from tests.tools.running import run


def test_a_seats_secret_key_is_written_for_its_owner_only_and_the_public_key_printed(tmp_path: Path) -> None:
    file = tmp_path / "green.key"

    result = run("keygen", "--out", file)

    assert result.exit_code == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert parse_secret(file.read_text()).public == parse_public(result.stdout.strip())


@pytest.mark.parametrize(
    ("kind", "type_"), [("log", SignatureType.ED25519), ("witness", SignatureType.COSIGNATURE)]
)
def test_the_key_of_a_log_or_a_witness_has_its_name(tmp_path: Path, kind: str, type_: SignatureType) -> None:
    file = tmp_path / "key"

    result = run("keygen", "--kind", kind, "--name", "example.com/shiji", "--out", file)

    signer = parse_signer_key(file.read_text().strip())
    assert (signer.name, signer.type) == ("example.com/shiji", type_)
    assert parse_verifier_key(result.stdout.strip()) == signer.verifier


def test_two_keys_are_never_the_same(tmp_path: Path) -> None:
    assert (
        run("keygen", "--out", tmp_path / "a").stdout.strip()
        != run("keygen", "--out", tmp_path / "b").stdout.strip()
    )


def test_an_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "green.key"
    file.write_text("my only key")

    result = run("keygen", "--out", file)

    assert result.exit_code == 2
    assert "choose another --out" in result.stderr
    assert file.read_text() == "my only key"


def test_the_default_file_name_is_the_kind_of_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    run("keygen")

    assert (tmp_path / "seat.key").read_text().startswith("SHIJI-ED25519-SECRET:")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--kind", "log"], "the key of a log needs a name"),
        (["--kind", "log", "--name", "two words"], "is no name of a key"),
        (["--kind", "witness", "--name", "a+b"], "is no name of a key"),
        (["--kind", "log", "--name", ""], "is no name of a key"),
        (["--name", "green"], "a seat's key has no name"),
    ],
)
def test_an_impossible_key_is_not_generated(tmp_path: Path, options: list[str], why: str) -> None:
    result = run("keygen", *options, "--out", tmp_path / "key")

    assert result.exit_code == 2
    assert why in result.stderr
    assert not (tmp_path / "key").exists()
