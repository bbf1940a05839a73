"""`shiji replay` outside a terminal: every step as text, or a page."""

from pathlib import Path

import pytest

from records.files.record_file import write_record
from tests.records.matches import MOVES, begin, ledger_in_memory
from tests.records.texts import text
from tests.tools.running import run
from tools.dev.golden_matches import GOLDEN

BOARD = "map:R...R/....."


@pytest.fixture
def match(tmp_path: Path) -> Path:
    path = tmp_path / "match.shiji"
    path.write_text(text("green Rb1Bb2 ; well", "violet Rd1Bd2", "green Yc2Rc1", "violet pass", Board=BOARD))
    return path


def test_every_step_is_printed_with_its_board_and_what_it_did(tmp_path: Path) -> None:
    path = tmp_path / "match.shiji"
    path.write_text(text("green Rb1Bb2 ; well", Board=BOARD))

    result = run("replay", path)

    assert result.exit_code == 0
    assert result.stdout == (
        f"{path}: verified, 1 entry\n"
        "  game      Qin, edition qin/1, map:R...R/.....\n"
        "  seats     green, violet; draws unrecorded\n"
        "\n"
        "at the start, before entry 1 of 1\n"
        "\n"
        "    a   b   c   d   e\n"
        "  1 R   .   .   .   R\n"
        "  2 .   .   .   .   .\n"
        "\n"
        "1 green   24 pagodas left,  0 on the board  hand: ? ? ?\n"
        "2 violet  24 pagodas left,  0 on the board  hand: ? ? ?\n"
        "\n"
        "green to place\n"
        "\n"
        "after entry 1 of 1: green Rb1Bb2\n"
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


def test_an_illegal_entry_comes_last_with_the_rules_that_it_breaks(match: Path) -> None:
    result = run("replay", match)

    assert result.exit_code == 1
    assert "entry 3 of 4 is refused: green Yc2Rc1\n  QIN-ABSORB-4 No join on a tie\n    why " in result.stdout
    assert "violet pass" not in result.stdout


def test_a_wrong_result_in_the_tags_is_reported_first(tmp_path: Path) -> None:
    path = tmp_path / "match.shiji"
    path.write_text(text("green Rb1Bb2", Board=BOARD, Result="violet"))

    result = run("replay", path)

    assert result.exit_code == 1
    assert result.stdout.startswith(
        f"{path}: diverged at entry 1 of 1\n  why       the record states that violet"
    )


def test_moves_taken_back_in_a_record_file_are_shown_too(tmp_path: Path) -> None:
    table = begin(ledger_in_memory())
    table.play(*MOVES[:3])
    table.go_back(1)
    table.play("violet Yg8Yh8")
    path = tmp_path / "match.jsonl"
    path.write_bytes(b"".join(write_record(table.entries)))

    result = run("replay", path)

    assert result.exit_code == 0
    headings = [line for line in result.stdout.splitlines() if line.startswith("after entry")]
    assert headings == [
        "after entry 1 of 5: green Re8Re9",
        "after entry 2 of 5 (not in the transcript): violet Yg8Bh8",
        "after entry 3 of 5 (not in the transcript): green Yd8Rd9",
        "after entry 4 of 5 (not in the transcript): arbiter goes back to entry 1",
        "after entry 5 of 5 (2 in the transcript): violet Yg8Yh8",
    ]


def test_an_unreadable_file_is_reported_on_standard_error(tmp_path: Path) -> None:
    result = run("replay", tmp_path / "missing.shiji")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "there is no such file" in result.stderr


def test_a_page_is_written_to_a_file_or_to_standard_output(match: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"

    saved, piped = run("replay", match, "--html", page), run("replay", match, "--html", "-")

    assert saved.exit_code == piped.exit_code == 1
    assert saved.stdout == f"{page}: 4 entries; open it in a browser\n"
    assert page.read_text(encoding="utf-8") == piped.stdout


def test_a_page_that_cannot_be_written_is_reported(match: Path, tmp_path: Path) -> None:
    result = run("replay", match, "--html", tmp_path / "no/such/folder/page.html")

    assert result.exit_code == 2
    assert "page.html cannot be written: No such file or directory" in result.stderr


def test_the_account_of_a_match_leaves_bookkeeping_out_and_numbers_every_entry() -> None:
    result = run("replay", GOLDEN / "great_wall/unfinished.shiji")

    assert [
        line
        for line in result.stdout.splitlines()
        if line.startswith(("  event     done:", "  event     next:"))
    ] == []
    assert [number for number in range(1, 81) if f"after entry {number} of 80: " not in result.stdout] == []
