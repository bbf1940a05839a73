"""Output in a terminal: colours, wrapped lines, progress."""

from pathlib import Path

import pytest

from tests.records.texts import text
from tests.tools.terminal import COLOUR, ESCAPE, on_terminal


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
