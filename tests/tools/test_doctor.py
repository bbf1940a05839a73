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
from tests.service.reloading import Watched, watched
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
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    with watched(tmp_path_factory.mktemp("doctor")) as server:
        yield server


def found(told: Result) -> dict[str, list[tuple[str, str]]]:
    """What was found of each thing that was looked at: how well it is, and what to do."""
    findings: dict[str, list[tuple[str, str]]] = {}
    for line in told.stdout.splitlines():
        finding = json.loads(line)
        assert bool(finding["advice"]) == (finding["health"] != "well"), finding
        findings.setdefault(finding["about"], []).append((finding["health"], finding["advice"] or ""))
    return findings


def test_an_archive_that_is_well_needs_nothing(db: Path) -> None:
    told = run("doctor", "--db", db, "--json")

    assert told.exit_code == 0
    assert {about: [health for health, _ in each] for about, each in found(told).items()} == {
        "format": ["well"],
        "storage": ["well"],
        "entries": ["well"],
        "rights": ["well"],
        "disk space": ["well"],
        "journal": ["well"],
        "secret": ["well"],
    }


def test_findings_are_told_to_people_with_what_to_do(db: Path) -> None:
    db.chmod(0o666)

    told = run("doctor", "--db", db)

    assert told.exit_code == 1
    assert (
        f"wrong     rights: others can write to {db} (mode 0666)\n          chmod go-w {db}\n" in told.stdout
    )


def test_looking_changes_nothing(db: Path) -> None:
    before = {path: path.read_bytes() for path in sorted(db.parent.iterdir())}

    run("doctor", "--db", db)

    assert {path: path.read_bytes() for path in before} == before


def test_damage_to_the_file_is_found(db: Path) -> None:
    damage(db, "DELETE FROM match")

    told = run("doctor", "--db", db, "--json")

    assert told.exit_code == 1
    assert found(told)["storage"][0][0] == "wrong"


@pytest.mark.parametrize("content", [b"", b"no archive at all" * 100])
def test_what_is_no_archive_could_not_be_looked_at(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.db"
    path.write_bytes(content)

    told = run("doctor", "--db", path, "--json")

    assert told.exit_code == 2
    assert found(told).keys() == {"archive"}


def test_an_entry_from_the_future_tells_of_a_wrong_clock(db: Path) -> None:
    damage(db, "UPDATE entry SET recorded = recorded + 7200000000")

    told = run("doctor", "--db", db, "--json")

    assert told.exit_code == 1
    assert found(told)["clock"][0][0] == "wrong"


def test_a_secret_that_others_can_read_or_that_is_none_is_found(db: Path) -> None:
    secret = db.with_name("a.db.secret")
    secret.write_text("not hexadecimal")
    secret.chmod(0o644)

    told = run("doctor", "--db", db, "--json")

    assert told.exit_code == 1
    assert found(told)["secret"] == [
        ("wrong", f"chmod 600 {secret}"),
        ("wrong", "put it back from where it is kept"),
    ]


def test_a_missing_secret_is_worth_knowing(db: Path) -> None:
    db.with_name("a.db.secret").unlink()

    told = run("doctor", "--db", db, "--json")

    assert told.exit_code == 0
    assert found(told)["secret"][0][0] == "hint"


def test_a_long_journal_is_worth_knowing(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.doctor.archive.LARGE_WAL", 1)
    with closing(sqlite3.connect(db)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM entry").fetchall()
        make(db, 1)

        told = run("doctor", "--db", db, "--json")

    assert found(told)["journal"][0][0] == "hint"


def test_a_disk_that_fills_up_is_found(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.doctor.archive.LEAST_ROOM", 10**18)

    told = run("doctor", "--db", db, "--json")

    assert told.exit_code == 1
    assert found(told)["disk space"][0][0] == "wrong"


def test_a_configuration_is_looked_at_with_its_archive(db: Path) -> None:
    file = db.with_name("shiji.toml")
    file.write_text('db = "a.db"\nlisten = "127.0.0.1:1"\nmetrics-listen = "127.0.0.1:1"\n')

    told = run("doctor", "--config", file, "--json")

    assert told.exit_code == 1
    assert found(told)["ports"][0][0] == "wrong"
    assert found(told)["storage"][0][0] == "well"


def test_metrics_that_others_can_reach_are_worth_knowing(tmp_path: Path) -> None:
    file = tmp_path / "shiji.toml"
    file.write_text('db = "new.db"\nmetrics-listen = "0.0.0.0:9464"\n')

    told = run("doctor", "--config", file, "--json")

    assert told.exit_code == 0
    assert found(told)["metrics"][0][0] == "hint"


def test_a_configuration_before_the_first_start_needs_nothing(tmp_path: Path) -> None:
    file = tmp_path / "shiji.toml"
    file.write_text('db = "new.db"\nmetrics-listen = "127.0.0.1:9464"\n')

    told = run("doctor", "--config", file, "--json")

    assert told.exit_code == 0
    assert found(told)["archive"] == [("hint", "the server makes it when it is started")]


def test_a_configuration_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    file = tmp_path / "shiji.toml"
    file.write_text("lisen = 1\n")

    told = run("doctor", "--config", file, "--json")

    assert told.exit_code == 2
    assert "did you mean listen?" in told.stdout


def test_tokens_that_let_nobody_in_are_found(tmp_path: Path) -> None:
    run("token", "new", "--tokens", tmp_path / "tokens", "--name", "old", "--role", "admin", "--days", "1e-9")
    file = tmp_path / "shiji.toml"
    file.write_text('tokens = "tokens"\n')

    told = run("doctor", "--config", file, "--json")

    assert told.exit_code == 1
    assert [health for health, _ in found(told)["tokens"]] == ["well", "hint", "wrong"]


def test_a_running_server_is_asked_how_it_does(served: Watched) -> None:
    told = run("doctor", "--server", served.server.address, "--metrics", served.metrics, "--json")

    assert told.exit_code == 0
    assert {about: each[0][0] for about, each in found(told).items()} == {
        "health": "well",
        "reflection": "well",
        "round trip": "well",
        "clock": "well",
    }


def test_an_archive_is_looked_at_while_its_server_runs(served: Watched) -> None:
    told = run("doctor", "--db", served.server.db, "--json")

    assert told.exit_code == 0
    assert found(told)["format"][0][0] == "well"


def test_a_server_that_does_not_answer_is_told() -> None:
    told = run("doctor", "--server", "127.0.0.1:1", "--metrics", "127.0.0.1:1", "--json")

    assert told.exit_code == 2
    assert {about: each[0][0] for about, each in found(told).items()} == {
        "server": "unknown",
        "clock": "unknown",
    }


def test_another_grpc_server_is_not_taken_for_shiji() -> None:
    server = grpc.server(ThreadPoolExecutor(1))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()

    told = run("doctor", "--server", f"127.0.0.1:{port}", "--json")
    server.stop(None)

    assert told.exit_code == 1
    assert found(told)["health"][0][0] == "wrong"
