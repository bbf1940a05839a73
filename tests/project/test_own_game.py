"""The game of docs/your-own-game.md, built and installed beside Shiji as the page says."""

import random
import re
import shutil
import sqlite3
import subprocess
import sys
import sysconfig
from contextlib import closing
from pathlib import Path

import pytest
from shiji import SPECTATOR, Chance, Client, EntryKind, Illegal, Seat

from tests.project.places import ROOT
from tests.project.wheels import Environment
from tools.dev.dist import build

pytestmark = pytest.mark.xdist_group("own game")  # one installation is enough, where groups work

GREEN, RED = Seat(0), Seat(1)
PAGE = (ROOT / "docs/your-own-game.md").read_text()
SOURCE = "\n\n".join(re.findall(r"^```python\n(.*?)\n```$", PAGE, re.DOTALL | re.MULTILINE)) + "\n"
FILES = dict(re.findall(r"^```toml\n# (\S+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    folder = tmp_path_factory.mktemp("own")
    project, wheels = folder / "project", folder / "wheels"
    project.mkdir()
    wheels.mkdir()
    (project / "goofspiel.py").write_text(SOURCE)
    (project / "pyproject.toml").write_text(FILES["pyproject.toml"])
    places = (ROOT, ROOT / "packaging/client", project)
    environment = Environment(folder, *(build(place, wheels) for place in places))
    (environment.folder / "cases.toml").write_text(FILES["cases.toml"])
    return environment


def _python(*arguments: str, cwd: Path | None = None) -> None:
    done = subprocess.run([sys.executable, *arguments], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_is_a_complete_game_in_under_200_lines() -> None:
    assert len(SOURCE.splitlines()) < 200
    assert max(map(len, SOURCE.splitlines())) <= 110


def test_it_is_the_game_that_other_tests_play() -> None:
    played = (ROOT / "tests/rules/kit/goofspiel.py").read_text()

    assert list(filter(None, played.splitlines())) == list(filter(None, SOURCE.splitlines()))


def test_it_imports_the_public_names_and_nothing_else_of_shiji() -> None:
    imported = re.findall(r"^(?:from|import) (\S+)", SOURCE, re.MULTILINE)

    assert imported == ["typing", "msgspec", "rules.kernel"]
    assert "from rules.kernel import api as k\n" in SOURCE


def test_types_are_right(tmp_path: Path) -> None:
    (tmp_path / "goofspiel.py").write_text(SOURCE)

    _python("-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(tmp_path / "goofspiel.py"), cwd=ROOT)


def test_shiji_knows_it_and_runs_from_its_wheel(installed: Environment) -> None:
    listed, examined = installed.shiji("games"), installed.shiji("doctor")
    packages = ("records", "rules", "service", "shiji", "tools")
    program = f"import goofspiel, {', '.join(packages)}; print(goofspiel.__file__"
    paths = "".join(f", *{package}.__path__" for package in packages)
    places = installed.python("-c", f"{program}{paths})").split()

    assert "goofspiel: Goofspiel (traditional)" in listed.out
    assert "goofspiel of goofspiel 1.0: their code runs in the server" in examined.out
    assert "wrong" not in examined.out
    assert [place for place in places if not place.startswith(str(installed.venv))] == []
    assert len(places) == 6


def test_it_keeps_the_laws_and_judges_its_cases(installed: Environment) -> None:
    proto = installed.folder / "goofspiel.proto"
    done = installed.shiji(
        "check-game", "goofspiel", "--tries", "5", "--cases", "cases.toml", "--proto", proto
    )

    assert (done.code, done.err) == (0, ""), done.out
    assert "message BidsRevealed {" in proto.read_text()


@pytest.fixture(scope="module")
def archive(installed: Environment) -> Path:
    """An archive with a match that was played over gRPC with sealed bids."""
    path = installed.folder / "archive.db"
    _play(installed, path)
    return path


def _play(installed: Environment, archive: Path) -> None:
    chance = random.Random(1)  # noqa: S311 - a match to look at, not a secret
    with installed.server(archive) as address, Client(address) as client:
        match = client.start_match("goofspiel", ["green", "red"], chance=Chance.SERVICE).match
        assert match.awaiting == (GREEN, RED)
        sequence = match.sequence
        for _ in range(4):
            first, last = chance.sample((GREEN, RED), 2)
            bids = {seat: _bid(client, match.id, seat, chance) for seat in (first, last)}

            sealed = client.append(match.id, bids[first], after=sequence)
            assert not isinstance(sealed, Illegal)
            assert sealed.awaiting == (last,)
            shown = [[*client.read(match.id, viewer=viewer)][-1] for viewer in (last, SPECTATOR)]
            assert {(entry.kind, entry.text) for entry in shown} == {
                (EntryKind.CHOOSE, f"{match.name(first)} chooses in secret")
            }
            assert re.search(rf" {match.name(first)}:\d+:\?:", client.state(match.id).position)

            revealed = client.append(match.id, bids[last], after=sealed.sequence)
            assert not isinstance(revealed, Illegal)
            entries = {entry.kind: entry.text for entry in revealed.entries}
            assert entries[EntryKind.REVEAL_CHOICES] == f"chance reveals: {bids[GREEN]}, {bids[RED]}"
            sequence = revealed.sequence
        over = client.match(match.id)

    assert over.awaiting == ()
    assert over.outcome is not None


def test_a_match_is_played_over_grpc_with_sealed_bids_and_audited(
    installed: Environment, archive: Path
) -> None:
    audited = installed.shiji("audit", archive)

    assert (audited.code, audited.err) == (0, "")
    assert "goofspiel goofspiel/1: 1 verified" in audited.out


def _bid(client: Client, match: str, seat: Seat, chance: random.Random) -> str:
    return chance.choice([move.text for move in client.legal_moves(match, seat)])


def test_a_bid_that_was_changed_in_the_archive_is_found(installed: Environment, archive: Path) -> None:
    tampered = installed.folder / "tampered.db"
    shutil.copyfile(archive, tampered)
    with closing(sqlite3.connect(tampered)) as database:
        database.executescript(
            "DROP TRIGGER entry_updated;"
            "UPDATE entry SET concealed = CAST(substr(concealed, 1, length(concealed) - 1) || x'00' AS BLOB)"
            " WHERE sequence = (SELECT min(sequence) FROM entry WHERE length(concealed) > 1 AND actor = 0)"
        )

    audited = installed.shiji("audit", tampered)

    assert audited.code == 1
    assert "corrupt" in audited.out


def test_where_it_is_not_installed_its_records_are_refused_by_name(
    installed: Environment, archive: Path
) -> None:
    done = installed.shiji("export", archive, "out", "--format", "record")
    assert done.code == 0, done.err

    (record,) = (installed.folder / "out").iterdir()
    refused = subprocess.run(
        [sysconfig.get_path("scripts") + "/shiji", "verify", record],
        capture_output=True,
        text=True,
        check=False,
    )

    assert refused.returncode == 2
    assert "no game is called 'goofspiel'" in refused.stdout + refused.stderr
