"""`shiji doctor`."""

import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import grpc
import pytest
from click.testing import Result

from tests.records.archives import damage, make
from tests.service.observed import ObservedServer, observed_server
from tests.tools.running import run


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "a.db"
    make(path, 1)
    path.chmod(0o600)
    secret = tmp_path / "a.db.secret"
    secret.write_text("00" * 32)
    secret.chmod(0o600)
    return path


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ObservedServer]:
    with observed_server(tmp_path_factory.mktemp("doctor")) as server:
        yield server


def found(result: Result) -> dict[str, list[tuple[str, str]]]:
    """The health and the advice of all findings, by what they are about."""
    findings: dict[str, list[tuple[str, str]]] = {}
    for line in result.stdout.splitlines():
        finding = json.loads(line)
        assert bool(finding["advice"]) == (finding["health"] != "well"), finding
        findings.setdefault(finding["about"], []).append((finding["health"], finding["advice"] or ""))
    return findings


def test_an_intact_archive_has_no_problem(db: Path) -> None:
    result = run("doctor", "--db", db, "--json")

    assert result.exit_code == 0
    assert {about: [health for health, _ in each] for about, each in found(result).items()} == {
        "format": ["well"],
        "storage": ["well"],
        "entries": ["well"],
        "rights": ["well"],
        "disk space": ["well"],
        "journal": ["well"],
        "secret": ["well"],
    }


def test_findings_are_printed_with_advice(db: Path) -> None:
    db.chmod(0o666)

    result = run("doctor", "--db", db)

    assert result.exit_code == 1
    assert (
        f"wrong     rights: others can write to {db} (mode 0666)\n          chmod go-w {db}\n"
        in result.stdout
    )


def test_checking_changes_nothing(db: Path) -> None:
    before = {path: path.read_bytes() for path in sorted(db.parent.iterdir())}

    run("doctor", "--db", db)

    assert {path: path.read_bytes() for path in before} == before


def test_damage_to_the_file_is_found(db: Path) -> None:
    damage(db, "DELETE FROM match")

    result = run("doctor", "--db", db, "--json")

    assert result.exit_code == 1
    assert found(result)["storage"][0][0] == "wrong"


@pytest.mark.parametrize("content", [b"", b"no archive at all" * 100])
def test_a_file_that_is_not_an_archive_cannot_be_checked(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.db"
    path.write_bytes(content)

    result = run("doctor", "--db", path, "--json")

    assert result.exit_code == 2
    assert found(result).keys() == {"archive"}


def test_an_entry_from_the_future_is_a_sign_of_a_wrong_clock(db: Path) -> None:
    damage(db, "UPDATE entry SET recorded = recorded + 7200000000")

    result = run("doctor", "--db", db, "--json")

    assert result.exit_code == 1
    assert found(result)["clock"][0][0] == "wrong"


def test_a_secret_that_is_invalid_or_that_others_can_read_is_found(db: Path) -> None:
    secret = db.with_name("a.db.secret")
    secret.write_text("not hexadecimal")
    secret.chmod(0o644)

    result = run("doctor", "--db", db, "--json")

    assert result.exit_code == 1
    assert found(result)["secret"] == [
        ("wrong", f"chmod 600 {secret}"),
        ("wrong", "restore it from a backup copy"),
    ]


def test_a_missing_secret_is_a_hint(db: Path) -> None:
    db.with_name("a.db.secret").unlink()

    result = run("doctor", "--db", db, "--json")

    assert result.exit_code == 0
    assert found(result)["secret"][0][0] == "hint"


def test_a_large_journal_is_a_hint(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.doctor.archive.LARGE_WAL_BYTES", 1)
    with closing(sqlite3.connect(db)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM entry").fetchall()
        make(db, 1)

        result = run("doctor", "--db", db, "--json")

    assert found(result)["journal"][0][0] == "hint"


def test_a_disk_that_is_almost_full_is_found(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.doctor.archive.MIN_FREE_BYTES", 10**18)

    result = run("doctor", "--db", db, "--json")

    assert result.exit_code == 1
    assert found(result)["disk space"][0][0] == "wrong"


def test_a_configuration_is_checked_with_its_archive(db: Path) -> None:
    file = db.with_name("shiji.toml")
    file.write_text('db = "a.db"\nlisten = "127.0.0.1:1"\nmetrics-listen = "127.0.0.1:1"\n')

    result = run("doctor", "--config", file, "--json")

    assert result.exit_code == 1
    assert found(result)["ports"][0][0] == "wrong"
    assert found(result)["storage"][0][0] == "well"


def test_metrics_that_others_can_reach_are_a_hint(tmp_path: Path) -> None:
    file = tmp_path / "shiji.toml"
    file.write_text('db = "new.db"\nmetrics-listen = "0.0.0.0:9464"\n')

    result = run("doctor", "--config", file, "--json")

    assert result.exit_code == 0
    assert found(result)["metrics"][0][0] == "hint"


def test_a_configuration_before_the_first_start_has_no_problem(tmp_path: Path) -> None:
    file = tmp_path / "shiji.toml"
    file.write_text('db = "new.db"\nmetrics-listen = "127.0.0.1:9464"\n')

    result = run("doctor", "--config", file, "--json")

    assert result.exit_code == 0
    assert found(result)["archive"] == [("hint", "the server creates it when it starts")]


def test_a_configuration_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "shiji.toml"
    file.write_text("lisen = 1\n")

    result = run("doctor", "--config", file, "--json")

    assert result.exit_code == 2
    assert "did you mean listen?" in result.stdout


def test_a_token_file_without_a_valid_token_is_found(tmp_path: Path) -> None:
    run("token", "new", "--tokens", tmp_path / "tokens", "--name", "old", "--role", "admin", "--days", "1e-9")
    file = tmp_path / "shiji.toml"
    file.write_text('tokens = "tokens"\n')

    result = run("doctor", "--config", file, "--json")

    assert result.exit_code == 1
    assert [health for health, _ in found(result)["tokens"]] == ["well", "hint", "wrong"]


def test_a_running_server_is_checked(served: ObservedServer) -> None:
    result = run("doctor", "--server", served.server.address, "--metrics", served.metrics, "--json")

    assert result.exit_code == 0
    assert {about: each[0][0] for about, each in found(result).items()} == {
        "health": "well",
        "reflection": "well",
        "round trip": "well",
        "clock": "well",
    }


def test_an_archive_is_checked_while_its_server_runs(served: ObservedServer) -> None:
    result = run("doctor", "--db", served.server.db, "--json")

    assert result.exit_code == 0
    assert found(result)["format"][0][0] == "well"


def test_a_server_that_does_not_answer_is_reported() -> None:
    result = run("doctor", "--server", "127.0.0.1:1", "--metrics", "127.0.0.1:1", "--json")

    assert result.exit_code == 2
    assert {about: each[0][0] for about, each in found(result).items()} == {
        "server": "unknown",
        "clock": "unknown",
    }


def test_another_grpc_server_is_not_taken_for_shiji() -> None:
    server = grpc.server(ThreadPoolExecutor(1))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()

    result = run("doctor", "--server", f"127.0.0.1:{port}", "--json")
    server.stop(None)

    assert result.exit_code == 1
    assert found(result)["health"][0][0] == "wrong"
