"""`shiji show`."""

from pathlib import Path

import pytest

from tests.records.texts import text
from tests.tools.running import run

BOARD = "map:R...R/....."


@pytest.fixture
def match(tmp_path: Path) -> Path:
    path = tmp_path / "match.shiji"
    path.write_text(text("green Rb1Bb2 ; well", "violet Rd1Bd2", "green Yc2Rc1", Board=BOARD, Place="Essen"))
    return path


def test_the_board_is_shown_after_an_entry(match: Path) -> None:
    result = run("show", match, "--at", "1")

    assert result.exit_code == 0
    assert result.stdout == (
        "after entry 1 of 3: green Rb1Bb2\n"
        "  game      Qin, edition qin/1, map:R...R/.....\n"
        "  seats     green, violet; draws unrecorded\n"
        "  tag       Place: Essen\n"
        "  comment   well\n"
        "  event     green placed red on b1 and blue on b2 (QIN-TURN-1)\n"
        "  event     green founded a red province of 2 cells at a1, with 1 pagoda (QIN-FOUND-1)\n"
        "\n"
        "    a   b   c   d   e\n"
        "  1 R1  R1  .   .   R\n"
        "  2 .   B   .   .   .\n"
        "\n"
        "1 green   23 pagodas left,  1 on the board  hand: ? ? ?\n"
        "2 violet  24 pagodas left,  0 on the board  hand: ? ? ?\n"
        "\n"
        "violet to place\n"
    )


def test_entry_0_is_the_start(match: Path) -> None:
    result = run("show", match, "--at", "0")

    assert result.exit_code == 0
    assert result.stdout.startswith("at the start, before entry 1 of 3\n")
    assert "  1 R   .   .   .   R\n" in result.stdout


def test_without_an_entry_the_last_one_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "match.shiji"
    path.write_text(text("green Rb1Bb2", "violet Rd1Bd2", Board=BOARD))

    result = run("show", path)

    assert result.exit_code == 0
    assert result.stdout.startswith("after entry 2 of 2: violet Rd1Bd2\n")


@pytest.mark.parametrize("at", [(), ("--at", "3")])
def test_the_last_legal_position_of_an_illegal_record_is_shown(match: Path, at: tuple[str, ...]) -> None:
    result = run("show", match, *at)

    assert result.exit_code == 1
    assert result.stdout.startswith("after entry 2 of 3: violet Rd1Bd2\n")
    assert (
        "This is the last legal position; the next entry is illegal.\n  entry     3. green" in result.stdout
    )
    assert "  QIN-ABSORB-4 No join on a tie\n" in result.stdout


def test_entries_before_an_unreadable_one_can_be_shown(tmp_path: Path) -> None:
    path = tmp_path / "match.shiji"
    path.write_text(text("green Rb1Bb2", "violet", Board=BOARD))

    assert run("show", path, "--at", "1").exit_code == 0
    assert run("show", path).exit_code == 2


@pytest.mark.parametrize("at", ["4", "-1", "one"])
def test_an_entry_that_does_not_exist_is_refused(match: Path, at: str) -> None:
    result = run("show", match, "--at", at)

    assert result.exit_code == 2
    assert "Invalid value for '--at'" in result.stderr


def test_a_file_that_does_not_exist_is_reported_on_standard_error(tmp_path: Path) -> None:
    result = run("show", tmp_path / "missing.shiji")

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.endswith("missing.shiji: unreadable\n  there is no such file; check the path\n")


def test_a_picture_is_written_to_a_file_or_to_standard_output(match: Path, tmp_path: Path) -> None:
    out = tmp_path / "board.svg"

    saved, piped = (
        run("show", match, "--at", "1", "--svg", out),
        run("show", match, "--at", "1", "--svg", "-"),
    )

    assert saved.exit_code == piped.exit_code == 0
    assert saved.stdout == f"{out}: after entry 1 of 3: green Rb1Bb2\n"
    assert out.read_text(encoding="utf-8") == piped.stdout
    assert piped.stdout.startswith("<svg xmlns=")
    assert "<title>Qin, after entry 1 of 3: green Rb1Bb2</title>" in piped.stdout


def test_the_refused_move_is_crossed_out_in_the_picture_of_an_illegal_record(match: Path) -> None:
    result = run("show", match, "--svg", "-")

    assert result.exit_code == 1
    assert "<title>Qin, entry 3 of 3 is refused: green Yc2Rc1</title>" in result.stdout
    assert "stroke-dasharray" in result.stdout


def test_a_picture_that_cannot_be_written_is_reported(match: Path, tmp_path: Path) -> None:
    result = run("show", match, "--svg", tmp_path)

    assert result.exit_code == 2
    assert "cannot be written: Is a directory" in result.stderr
