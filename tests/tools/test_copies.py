"""`shiji export --as` and `shiji import --as-shown`, and what becomes of a copy."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from records.entry import Dealer, MatchHeader, MatchId
from records.ledger.ledger import Ledger
from records.log.sqlite import SqliteLog
from rules.kernel.setup import Draws
from service.server_secret import ServerSecret
from tests.records.matches import header
from tests.records.replay.test_sealed_draws import play_on
from tests.tools.running import run
from tools.dev.golden_version_2 import CASES, FOLDER


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    return Path(shutil.copy(FOLDER / "mixed.db", tmp_path))


@pytest.fixture
def served(tmp_path: Path) -> Path:
    """An archive with a match that its server deals, and has not finished."""
    path = tmp_path / "served.db"
    secret = ServerSecret.load(tmp_path / "served.db.secret")
    setup = replace(header().setup, draws=Draws.RECORDED)
    with SqliteLog.open(path) as log:
        ledger = Ledger(log, secrets=secret.of_match, new_id=lambda: MatchId("dealt"))
        ledger.start(MatchHeader(header().game, setup, dealer=Dealer.SERVICE), "start")
        play_on(ledger, MatchId("dealt"), 3)
    return path


@pytest.mark.parametrize("viewer", ["spectator", "green"])
@pytest.mark.parametrize("match", ["sealed", "khan-recorded", "v1-sealed"])
def test_an_export_leaves_out_what_the_viewer_may_not_see(
    mixed: Path, tmp_path: Path, match: str, viewer: str
) -> None:
    out = tmp_path / "out"

    done = run("export", mixed, out, "--match", match, "--format", "record", "--as", viewer)

    assert done.exit_code == 0, done.output
    assert (out / f"{match}.jsonl").read_bytes() == (FOLDER / f"{match}-{viewer}.jsonl").read_bytes()


def test_by_default_an_export_shows_everything(mixed: Path, tmp_path: Path) -> None:
    run("export", mixed, tmp_path / "out", "--match", "sealed", "--format", "record")

    assert (tmp_path / "out" / "sealed.jsonl").read_bytes() == (FOLDER / "sealed.jsonl").read_bytes()


def test_a_transcript_for_a_spectator_shows_no_draw(mixed: Path, tmp_path: Path) -> None:
    run("export", mixed, tmp_path / "out", "--match", "recorded", "--as", "spectator")

    lines = (tmp_path / "out" / "recorded.shiji").read_text().splitlines()
    draws = [line for line in lines if " draw " in line or " deal " in line]
    assert draws
    assert all("?" in line for line in draws)


def test_nobody_else_may_have_a_record(mixed: Path, tmp_path: Path) -> None:
    done = run("export", mixed, tmp_path / "out", "--match", "sealed", "--as", "red")

    assert done.exit_code == 1
    assert "'red' is no viewer of the match; expected spectator, green or violet" in done.stdout
    assert list((tmp_path / "out").iterdir()) == []


def test_a_record_with_parts_left_out_is_stored_as_a_copy_on_request(tmp_path: Path) -> None:
    archive, file = tmp_path / "archive.db", FOLDER / "sealed-spectator.jsonl"

    refused, stored = run("import", archive, file), run("import", archive, file, "--as-shown")

    assert refused.exit_code == 1
    assert "--as-shown stores it as a copy" in " ".join(refused.stdout.split())
    assert stored.exit_code == 0
    assert "a copy that can only be read" in stored.stdout
    audited = run("audit", archive)
    assert audited.exit_code == 3
    assert run("audit", archive, "--as-shown").exit_code == 0
    again = json.loads(run("import", "--json", archive, file, "--as-shown").stdout.splitlines()[0])
    assert (again["import"], again["added"], again["copy"]) == ("known", 0, True)


def test_the_server_that_dealt_completes_its_own_record(served: Path, tmp_path: Path) -> None:
    out, restored = tmp_path / "out", tmp_path / "restored.db"
    run("export", served, out, "--format", "record", "--as", "spectator")

    stranger = run("import", restored, out)
    shutil.copy(tmp_path / "served.db.secret", tmp_path / "restored.db.secret")
    own = run("import", "--json", restored, out)

    assert stranger.exit_code == 1
    assert own.exit_code == 0, own.output
    assert json.loads(own.stdout.splitlines()[0])["copy"] is False
    for archive in (served, restored):
        run("export", archive, tmp_path / archive.stem, "--format", "record")
    assert (tmp_path / "restored" / "dealt.jsonl").read_bytes() == (
        tmp_path / "served" / "dealt.jsonl"
    ).read_bytes()


def test_a_secret_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    (tmp_path / "archive.db.secret").write_text("hello")

    done = run("import", tmp_path / "archive.db", FOLDER / "sealed-spectator.jsonl")

    assert done.exit_code == 2
    assert "does not hold a server's secret" in done.stderr


def test_every_golden_record_is_the_same_after_import_and_export(tmp_path: Path) -> None:
    archive, out = tmp_path / "archive.db", tmp_path / "out"
    files = [FOLDER / f"{match}.jsonl" for match in CASES]

    assert run("import", archive, *files).exit_code == 0
    assert run("export", archive, out, "--format", "record").exit_code == 0

    assert {path.name: path.read_bytes() for path in out.iterdir()} == {
        path.name: path.read_bytes() for path in files
    }


def test_a_match_that_was_closed_is_not_said_to_go_on() -> None:
    file = FOLDER / "khan-closed.jsonl"

    assert "outcome   closed without a result: it is late" in run("verify", file).stdout
    found = json.loads(run("verify", "--json", file).stdout)
    assert (found["closed"], found["outcome"]) == ("it is late", None)
