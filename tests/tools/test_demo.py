"""`shiji demo` shows what it says, and leaves the files that it names."""

import re
from pathlib import Path

import pytest
from click.testing import Result

from tests.tools.running import run

pytestmark = pytest.mark.xdist_group("demo")  # most tests share one tour


def _take_tour(folder: Path, seed: int = 1) -> Result:
    done = run("demo", "--seed", str(seed), "--out", folder)
    assert done.exit_code == 0, done.output
    return done


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tour")


@pytest.fixture(scope="module")
def output(folder: Path) -> str:
    return _take_tour(folder).stdout


def test_every_step_says_what_a_user_would_type(output: str) -> None:
    numbers = re.findall(r"^(\d)\. ", output, re.MULTILINE)
    steps = re.split(r"^\d\. ", output, flags=re.MULTILINE)[1:]

    assert numbers == list("123456789")
    assert [step for step in steps if not re.search(r"^  (\$|>>>) ", step, re.MULTILINE)] == []


def test_an_illegal_move_is_refused_with_its_rule_and_not_recorded(output: str, folder: Path) -> None:
    step = output[output.index("\n4. ") : output.index("\n5. ")]
    tried = re.search(r'append\(match\.id, "(green \w+)"', step)

    assert tried is not None
    assert "QIN-PLACE-1 Only on free steppe" in step
    assert "S0 L68-69, S1 L49" in step
    assert tried[1] not in (folder / "match.shiji").read_text()


def test_the_match_is_played_to_its_end_and_verifies(output: str, folder: Path) -> None:
    verified = run("verify", folder / "match.shiji")

    assert verified.exit_code == 0
    assert " won: " in output
    assert "won" in verified.stdout


def test_the_audit_finds_nothing_in_the_archive_and_the_change_in_the_copy(output: str, folder: Path) -> None:
    intact, tampered = run("audit", folder / "archive.db"), run("audit", folder / "tampered.db")
    changed = re.search(r"actor = 1 - actor WHERE sequence = (\d+)", output)

    assert changed is not None
    assert (intact.exit_code, tampered.exit_code) == (0, 1)
    assert f"corrupt at entry {changed[1]} of" in tampered.stdout
    assert intact.stdout in output
    assert tampered.stdout in output


@pytest.mark.usefixtures("output")
def test_a_page_for_a_browser_is_written(folder: Path) -> None:
    assert (folder / "match.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_the_same_seed_plays_the_same_match_and_another_seed_another(
    output: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHIJI_LISTEN", "nowhere")
    again = _take_tour(tmp_path / "again")
    other = _take_tour(tmp_path / "other", seed=2)

    assert (tmp_path / "again/match.shiji").read_text() == (folder / "match.shiji").read_text()
    assert (tmp_path / "other/match.shiji").read_text() != (folder / "match.shiji").read_text()
    assert len(again.stdout.splitlines()) == len(output.splitlines())
    assert "seed 2" in other.stdout


def test_a_folder_that_is_not_empty_is_refused(folder: Path, output: str) -> None:
    del output
    done = run("demo", "--out", folder)

    assert done.exit_code == 2
    assert "is not empty; choose another folder" in done.stderr


def test_any_game_can_be_played_with_any_number_of_seats(tmp_path: Path) -> None:
    done = run("demo", "--game", "khan", "--seats", "3", "--out", tmp_path)
    transcript = (tmp_path / "match.shiji").read_text()

    assert done.exit_code == 0
    assert '[Seats "green violet white"]' in transcript
    assert re.findall(r"^(\d)\. ", done.stdout, re.MULTILINE) == list("123456789")
    assert run("audit", tmp_path / "tampered.db").exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--game", "go"), "no game is called 'go'"),
        (("--game", "khan", "--seats", "8"), "Khan is for 2 to 4 seats, not 8"),
        (("--edition", "qin/9"), "no edition of Qin is called 'qin/9'"),
        (("--option", "wind=strong"), "no option is called 'wind'"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused(arguments: tuple[str, ...], said: str) -> None:
    done = run("demo", *arguments)

    assert done.exit_code == 2
    assert said in done.stderr
