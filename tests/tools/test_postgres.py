"""The commands on an archive in PostgreSQL."""

import json
from pathlib import Path

import psycopg
import pytest

from records.log.postgres.connection import Target
from tests.postgres import as_role, shared_cluster
from tests.records.archives import make
from tests.tools.logs import new_key
from tests.tools.running import run


@pytest.fixture
def url() -> str:
    return shared_cluster().target().url


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the commands keep the index of a database."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache/shiji"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "archive.db"
    make(path)
    return path


def test_an_archive_is_migrated_copied_and_audited_like_its_file(db: Path, url: str) -> None:
    assert "is up to date" in run("migrate", url).output
    server = as_role(Target.parse(url), "server").url
    copied = json.loads(run("copy", str(db), server, "--json").output)
    assert copied["copied"] == copied["entries"] == 18

    from_file, from_database = (run("audit", place, "--json").output for place in (str(db), url))

    assert without_what_was_not_checked(from_database) == without_what_was_not_checked(
        from_file.replace(str(db), url)
    )


def without_what_was_not_checked(report: str) -> list[object]:
    """A report in JSON but for what was not checked in the archive, which is different for each engine."""
    lines = [json.loads(line) for line in report.splitlines()]
    lines[-1]["summary"].pop("not_checked")
    return lines


@pytest.mark.parametrize("role", ["owner", "auditor"])
def test_an_audit_says_that_indexes_were_not_checked(url: str, role: str) -> None:
    audited = as_role(Target.parse(url), role).url

    assert "not checked indexes, because the extension amcheck is not installed" in plain(
        run("audit", audited).output
    )
    summary = json.loads(run("audit", audited, "--json").output.splitlines()[-1])["summary"]
    assert summary["not_checked"] == ["indexes, because the extension amcheck is not installed"]


@pytest.mark.parametrize("role", ["server", "auditor"])
def test_amcheck_that_a_role_may_not_run_stops_no_audit(url: str, role: str) -> None:
    target = Target.parse(url)
    if not shared_cluster().has("amcheck"):
        pytest.skip("not run: this PostgreSQL has no amcheck")
    shared_cluster().execute("CREATE EXTENSION amcheck", url.rpartition("/")[2])

    audited = run("audit", as_role(target, role).url)

    assert audited.exit_code == 0
    assert "this role may not run amcheck" in audited.output
    assert run("migrate", url).exit_code == 0
    assert "not checked" not in run("audit", as_role(target, role).url).output


def plain(text: str) -> str:
    """A text without its line breaks and indents."""
    return " ".join(text.split())


def test_a_copy_says_what_both_archives_have(db: Path, url: str) -> None:
    run("copy", str(db), url)

    again = run("copy", str(db), url)

    assert "0 entries copied; both archives have 18 entries" in again.output


def test_the_matches_of_a_database_are_listed_like_those_of_a_file(db: Path, url: str) -> None:
    run("copy", str(db), url)
    for filters in ("", "--state open", "--state over", "--seat green", "--game khan", "--limit 1"):
        from_file, from_database = (run("list", place, *filters.split()).output for place in (str(db), url))

        assert from_database == from_file.replace(str(db), url)
        assert "match" in from_file


def test_the_index_of_a_database_is_in_the_cache_folder_and_made_anew(
    db: Path, url: str, cache: Path
) -> None:
    run("copy", str(db), url)
    assert "3 matches, 18 entries" in run("index", url).output
    (index,) = cache.glob("*-archive-index")
    index.write_bytes(b"damaged")

    assert "3 matches" in run("list", url).output
    assert "3 matches, 18 entries" in run("index", url, "--rebuild").output


def test_an_audit_of_a_database_goes_on_where_the_last_one_ended(db: Path, url: str) -> None:
    run("copy", str(db), url)
    assert "never audited" not in run("audit", url).output

    later = json.loads(run("audit", url, "--since", "last", "--json").output)["summary"]

    assert later["since"] == later["position"] == 18
    assert {json.loads(line)["audit"] for line in run("list", url, "--json").output.splitlines()} == {
        "verified"
    }


def test_a_match_of_a_database_is_shown_and_compared(db: Path, url: str) -> None:
    run("copy", str(db), url)
    match = json.loads(run("list", url, "--json", "--limit", "1").output)["match"]

    assert run("show", url, match).output == run("show", str(db), match).output
    assert run("diff", str(db), match, url, match).exit_code == 0
    assert "`shiji list" in run("show", url).output
    assert "has no match 'nothing'" in run("show", url, "nothing").output


def test_a_database_is_not_backed_up_as_a_file(url: str, tmp_path: Path) -> None:
    refused = run("backup", url, tmp_path / "backup.db")

    assert refused.exit_code == 2
    assert "pg_basebackup" in refused.output
    assert list(tmp_path.iterdir()) == []


class TestCheckpoints:
    def test_one_is_stored_and_kept_before_it_is_shown(self, db: Path, url: str, tmp_path: Path) -> None:
        run("copy", str(db), url)
        key, kept = new_key(tmp_path / "log.key"), tmp_path / "secret.checkpoint"

        signed = run("checkpoint", url, "--key", key.file, "--kept", kept)

        assert signed.exit_code == 0
        assert kept.read_bytes() == signed.stdout_bytes
        with psycopg.connect(url) as session:
            assert session.execute("SELECT size, note FROM shiji.checkpoint").fetchall() == [
                (18, signed.stdout)
            ]
        other = run("checkpoint", url, "--key", new_key(tmp_path / "other").file, "--kept", kept)
        assert other.exit_code == 2
        assert "is signed with another key" in other.output

    def test_none_is_signed_of_an_archive_that_lacks_published_entries(
        self, db: Path, url: str, tmp_path: Path
    ) -> None:
        run("copy", str(db), url)
        key, kept = new_key(tmp_path / "log.key"), tmp_path / "secret.checkpoint"
        run("checkpoint", url, "--key", key.file, "--kept", kept)

        empty = shared_cluster().target().url
        refused = run("checkpoint", empty, "--key", key.file, "--kept", kept)

        assert refused.exit_code == 2
        assert "a checkpoint of 18 entries was published: it has 0" in plain(refused.output)
        assert refused.stdout == ""
        with psycopg.connect(empty) as session:
            assert session.execute("SELECT 1 FROM shiji.checkpoint").fetchall() == []

    def test_a_database_needs_the_kept_one_and_a_file_has_none(
        self, db: Path, url: str, tmp_path: Path
    ) -> None:
        key = new_key(tmp_path / "log.key")

        assert "needs --kept" in run("checkpoint", url, "--key", key.file).output
        assert "--kept is for" in run("checkpoint", db, "--key", key.file, "--kept", tmp_path / "k").output


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


def test_the_doctor_examines_an_archive_and_its_database(url: str) -> None:
    found = run("doctor", "--log", url, "--json")

    health = {each["about"]: each["health"] for each in map(json.loads, found.stdout.splitlines())}
    assert health == {
        "schema": "well",
        "storage": "well",
        "fsync": "wrong",
        "checksums": "hint",
        "standby": "hint",
        "amcheck": "hint",
        "roles": "hint",
        "clock": "well",
    }
    assert found.exit_code == 1


def findings(address: str) -> dict[str, tuple[str, str]]:
    found = run("doctor", "--log", address, "--json")
    return {
        each["about"]: (each["health"], each["found"]) for each in map(json.loads, found.stdout.splitlines())
    }


def test_the_doctor_examines_the_roles(url: str) -> None:
    assert findings(url)["roles"] == ("hint", "owner may change every table")
    server = as_role(Target.parse(url), "server").url
    assert findings(server)["roles"] == ("well", "server has shiji_server, shiji_sequencer")

    shared_cluster().execute("ALTER ROLE shiji_auditor LOGIN")
    try:
        health, found = findings(server)["roles"]
    finally:
        shared_cluster().execute("ALTER ROLE shiji_auditor NOLOGIN")
    assert health == "wrong"
    assert "shiji_auditor can log in" in found


def test_the_doctor_finds_a_changed_schema(url: str) -> None:
    shared_cluster().execute("GRANT UPDATE ON shiji.entry TO PUBLIC", url.rpartition("/")[2])

    assert findings(url)["storage"] == (
        "wrong",
        "1 flaw, the first: the schema has the grant to PUBLIC on table entry, which Shiji does not make",
    )


def test_the_doctor_says_what_is_missing() -> None:
    assert run("doctor", "--log", "games.db").exit_code == 2
    assert run("doctor", "--log", "postgresql://owner@127.0.0.1:1/none").exit_code == 2
