"""Output in a terminal: colours, wrapped lines, progress."""

from pathlib import Path

import pytest

from tests.project.places import ROOT
from tests.records.texts import text
from tests.tools.terminal import COLOUR, ESCAPE, on_terminal

GOLDEN = ROOT / "tests/records/golden"


@pytest.fixture
def match(tmp_path: Path) -> Path:
    path = tmp_path / "match.shiji"
    path.write_text(text("green Rc2Rd2"))
    return path


def test_a_terminal_shows_colour(match: Path) -> None:
    assert COLOUR.search(on_terminal("verify", match))


def test_the_environment_can_turn_colour_off(match: Path) -> None:
    assert not COLOUR.search(on_terminal("verify", match, environment={"NO_COLOR": "1"}))
    assert not ESCAPE.search(on_terminal("verify", match, environment={"TERM": "dumb"}))


def test_a_terminal_aligns_wrapped_lines_with_their_text(match: Path) -> None:
    output = ESCAPE.sub("", on_terminal("verify", match))

    assert (
        "    rule      At least one half shares a side with a\n"
        "              territory that was there before, tile or\n"
    ) in output


@pytest.mark.parametrize(
    "name", ["qin/four-random", "khan/hunters", "zhanguo/two-hoarders", "great_wall/solo-harder"]
)
@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}])
def test_nothing_that_is_shown_of_any_game_overflows_80_columns(
    name: str, environment: dict[str, str]
) -> None:
    path = GOLDEN / f"{name}.shiji"
    shown = on_terminal("show", path, columns=80, environment=environment)
    lines = ESCAPE.sub("", shown).split("\n")

    assert [line for line in lines if len(line) > 80] == []
    assert len(lines) > 20


def test_the_line_of_a_seat_is_wrapped_below_its_facts() -> None:
    shown = ESCAPE.sub("", on_terminal("show", GOLDEN / "zhanguo/solo-1.shiji", "--at", "0", columns=80))

    assert (
        "1 green  0 points on the track, tokens w0 c0 l0, large –, 8 locked, 1 entrance,\n"
        "         0 placed, 0 boat, hand –, set aside A1 A2 A3 A4 A5"
    ) in shown


@pytest.mark.parametrize("columns", [80, 50, 30])
def test_a_board_is_shown_in_colour_and_never_wrapped(match: Path, columns: int) -> None:
    output = on_terminal("show", match, columns=columns)
    lines = {80: " 7   ·    ·    ·    ·    R ", 50: " 7·  ·  ·  ·  R  ·", 30: " 7·  ·  ·  ·  R  ·"}

    assert COLOUR.search(output)
    assert f"\n{lines[columns]}" in ESCAPE.sub("", output)


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_without_colour_a_board_is_plain_text(match: Path, environment: dict[str, str]) -> None:
    output = on_terminal("show", match, environment=environment)

    assert not COLOUR.search(output)
    assert "\n  7 .   .   .   .   R   .   Y   .   B   .   .   .   f\n" in ESCAPE.sub("", output)


def test_progress_is_shown_in_a_terminal_and_the_count_is_the_last_line() -> None:
    output = on_terminal("perft", "--board", "bird", "--seats", "2", "--depth", "2")

    assert "counting" in output
    assert ESCAPE.sub("", output).rstrip().endswith("72090")


def test_errors_are_shown_in_a_terminal(tmp_path: Path) -> None:
    assert "there is no such file" in on_terminal("verify", tmp_path / "missing.shiji")
