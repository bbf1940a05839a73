"""`shiji replay` in a terminal: keys and screens."""

from pathlib import Path

import pytest

from tests.records.invented import INVENTED, Invented
from tests.records.texts import text
from tests.tools.terminal import COLOUR, terminal
from tools.terminal.keyboard import CLOSED, parse_keys
from tools.terminal.stepper import HELP, View, press

GOOD = ("green Re6Be5", "violet Rg8Rg9", "green Rd7Yd8 ; so far")
BAD = ("violet Re8Rg8", "green pass")
VIEW = View(last=40, entries=41, violation=40)


def pressing(*keys: str, view: View = VIEW) -> View:
    for key in keys:
        view = press(view, key)
    return view


# Meaning of the keys.


@pytest.mark.parametrize(
    ("keys", "at"),
    [
        (["right", " ", "n", "enter"], 4),
        (["right", "right", "b"], 1),
        (["right", "right", "left", "backspace", "left"], 0),
        (["end"], 40),
        (["end", "right"], 40),
        (["end", "home"], 0),
        (["3", "7", "enter"], 37),
        (["3", "7", "backspace", "enter"], 3),
        (["3", "right"], 1),
        (["3", "escape", "7", "enter"], 7),
        (["v"], 40),
        (["x", "escape", "resized"], 0),
    ],
)
def test_keys_lead_to_an_entry(keys: list[str], at: int) -> None:
    assert pressing(*keys).at == at


def test_a_number_that_is_too_large_leads_to_the_last_judged_entry_with_a_note() -> None:
    assert pressing("9", "9", "enter").note == "the last entry is 41"
    assert pressing("4", "1", "enter").note == "entries after 40 are not judged"
    assert pressing("4", "1", "enter", "left").note == ""


def test_v_without_a_violation_shows_a_note() -> None:
    view = pressing("v", view=View(last=3, entries=3))

    assert (view.at, view.note) == (0, "no entry breaks a rule")


@pytest.mark.parametrize("key", ["q", CLOSED])
def test_q_and_a_closed_terminal_quit(key: str) -> None:
    assert pressing(key).quit


def test_a_new_step_is_shown_from_the_top() -> None:
    assert pressing("down", "page-down", "up").scrolled == 10
    assert pressing("down", "right").scrolled == 0


def test_the_help_fits_into_80_columns() -> None:
    assert len(f"↓ 9 more  {HELP}") <= 80


# Keys in the bytes that a terminal sends.


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        ("\x1b[C\x1bOC", ["right", "right"]),
        ("\x1b[D", ["left"]),
        ("\x1b[H\x1b[1~\x1b[7~\x1bOH", ["home"] * 4),
        ("\x1b[F\x1b[4~\x1b[8~\x1bOF", ["end"] * 4),
        ("\x1b[5~\x1b[6~", ["page-up", "page-down"]),
        ("37\r", ["3", "7", "enter"]),
        ("\x7f\b", ["backspace", "backspace"]),
        ("\x1b", ["escape"]),
        ("\x1b[1;5C", ["escape"]),
        ("v\x04", ["v", CLOSED]),
    ],
)
def test_keys_are_parsed(sent: str, keys: list[str]) -> None:
    assert parse_keys(sent) == keys


# The command in a terminal.


@pytest.fixture
def match(tmp_path: Path) -> Path:
    path = tmp_path / "match.shiji"
    path.write_text(text(*GOOD, *BAD))
    return path


def test_a_record_is_stepped_through_within_80_columns_and_24_rows(match: Path) -> None:
    with terminal("replay", match) as shown:
        first = shown.wait_for("q quit")
        shown.press("\x1b[C ")
        shown.wait_for("after entry 2 of 5: violet Rg8Rg9")
        shown.wait_for("violet founded a red province of 2 cells at g8, with 1 pagoda")
        shown.press("b")
        shown.wait_for("after entry 1 of 5: green Re6Be5")
        shown.press("3\r")
        shown.wait_for("after entry 3 of 5: green Rd7Yd8")
        shown.press("q")
        rest = shown.rest()

    assert "at the start, before entry 1 of 5" in first
    assert max(len(line) for line in first.split("\n")) <= 80
    assert len(first.strip("\n").split("\n")) <= 24
    assert "\x1b[?1049l" in rest  # the previous screen is restored
    assert shown.process.returncode == 1


@pytest.mark.parametrize("each", INVENTED, ids=lambda each: each.game)
def test_every_step_of_a_match_on_invented_components_says_so(each: Invented) -> None:
    with terminal("replay", each.record) as shown:
        first = shown.wait_for("q quit")
        shown.press("0\r\x1b[C")
        second = shown.wait_for("after entry 1 of")
        shown.press("q")

    for screen in (first, second):
        assert each.caution in " ".join(screen.split())


def test_v_shows_the_violation_with_its_rule_and_source(match: Path) -> None:
    with terminal("replay", match) as shown:
        shown.wait_for("q quit")
        shown.press("v")
        output = shown.wait_for("q quit")
        coloured = COLOUR.search(shown.output)
        shown.press("q")

    assert "entry 4 of 5 is refused: violet Re8Rg8" in output
    assert "QIN-PLACE-1 Only on free steppe" in output
    assert "rules sheet of 2012 line 49" in output
    assert "R?" in output  # the refused move is marked without colour too
    assert coloured


def test_no_color_leaves_out_only_the_colours(match: Path) -> None:
    with terminal("replay", match, environment={"NO_COLOR": "1"}) as shown:
        shown.wait_for("q quit")
        shown.press("v")
        output = shown.wait_for("R?")
        shown.press("q")

    assert not COLOUR.search(shown.output)
    assert "after entry" not in output


def test_a_resized_window_is_redrawn(match: Path) -> None:
    with terminal("replay", match) as shown:
        close = shown.wait_for("q quit")
        shown.resize(100, 50)
        tall = shown.wait_for("q quit")
        shown.resize(30, 8)
        shown.wait_for("↓")
        shown.press("q")

    assert "┌────┐" not in close
    assert "┌────┐" in tall


def test_an_escape_sequence_in_pieces_is_one_key(match: Path) -> None:
    with terminal("replay", match) as shown:
        shown.wait_for("q quit")
        shown.press("\x1b")
        shown.press("[")
        shown.press("C")
        shown.wait_for("after entry 1 of 5")
        shown.press("q")


def test_ctrl_c_quits_and_restores_the_screen(match: Path) -> None:
    with terminal("replay", match) as shown:
        shown.wait_for("q quit")
        shown.process.send_signal(2)
        rest = shown.rest()

    assert "\x1b[?1049l" in rest
    assert "Traceback" not in rest
    assert shown.process.returncode == 130


def test_a_dumb_terminal_gets_plain_text(match: Path) -> None:
    with terminal("replay", match, environment={"TERM": "dumb"}) as shown:
        output = shown.rest()

    assert "after entry 3 of 5: green Rd7Yd8" in output
    assert "\x1b" not in output
