"""The commands on an archive in PostgreSQL."""

import json
from pathlib import Path

import pytest

from tests.postgres import shared_cluster
from tests.records.archives import make
from tests.tools.running import run


@pytest.fixture
def url() -> str:
    return shared_cluster().target().url


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "archive.db"
    make(path)
    return path


def test_an_archive_is_migrated_copied_and_audited_like_its_file(db: Path, url: str) -> None:
    assert "is up to date" in run("migrate", url).output
    copied = json.loads(run("copy", str(db), url, "--json").output)
    assert copied["copied"] == copied["entries"] == 18

    from_file, from_database = (run("audit", place, "--json").output for place in (str(db), url))

    assert from_database == from_file.replace(str(db), url)


def test_a_copy_says_what_both_archives_have(db: Path, url: str) -> None:
    run("copy", str(db), url)

    again = run("copy", str(db), url)

    assert "0 entries copied; both archives have 18 entries" in again.output


def test_a_file_is_not_migrated(db: Path) -> None:
    refused = run("migrate", str(db))

    assert refused.exit_code == 2
    assert "is not an address like postgresql://HOST/NAME" in refused.output


@pytest.mark.parametrize("command", ["audit", "copy", "export"])
def test_a_password_in_an_address_is_refused_and_not_repeated(command: str, tmp_path: Path) -> None:
    refused = run(command, "postgresql://me:hush@localhost/shiji", str(tmp_path / "out"))

    assert refused.exit_code == 2
    assert "hush" not in refused.output


def test_a_database_that_is_not_there_is_named(tmp_path: Path) -> None:
    refused = run("export", "postgresql://127.0.0.1:1/shiji", str(tmp_path / "out"))

    assert refused.exit_code == 2
    assert "postgresql://127.0.0.1:1/shiji" in refused.output
