"""What a terminal shows beyond what a pipe gets."""

import os
import pty
import re
import subprocess
from pathlib import Path

import pytest

from tests.project.places import SHIJI
from tests.records.texts import text

COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-9]m")
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


def on_terminal(*arguments: str | Path, **environment: str) -> str:
    """What the command writes to a terminal."""
    here, there = pty.openpty()
    with subprocess.Popen(
        [SHIJI, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=there,
        stderr=there,
        env={"TERM": "xterm", "COLUMNS": "60", **environment},
    ):
        os.close(there)
        told = b""
        while True:
            try:
                part = os.read(here, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            told += part
    os.close(here)
    return told.decode().replace("\r\n", "\n")


@pytest.fixture
def match(tmp_path: Path) -> Path:
    path = tmp_path / "match.shiji"
    path.write_text(text("green Rc2Rd2"))
    return path


def test_a_terminal_shows_colour(match: Path) -> None:
    assert COLOUR.search(on_terminal("verify", match))


def test_colour_is_left_out_where_it_is_not_wanted(match: Path) -> None:
    assert not COLOUR.search(on_terminal("verify", match, NO_COLOR="1"))
    assert not ESCAPE.search(on_terminal("verify", match, TERM="dumb"))


def test_a_terminal_wraps_long_lines_below_their_text(match: Path) -> None:
    told = ESCAPE.sub("", on_terminal("verify", match))

    assert (
        "    rule      At least one half shares a side with a\n"
        "              territory that was there before, tile or\n"
    ) in told


def test_a_picture_is_never_wrapped(match: Path) -> None:
    told = ESCAPE.sub("", on_terminal("show", match, COLUMNS="30"))

    assert "\n  7 .   .   .   .   R   .   Y   .   B   .   .   .   f\n" in told


def test_progress_is_for_a_terminal_and_the_count_stays_the_last_line() -> None:
    told = on_terminal("perft", "--board", "bird", "--seats", "2", "--depth", "2")

    assert "counting" in told
    assert ESCAPE.sub("", told).rstrip().endswith("72090")


def test_an_error_on_a_terminal_is_one_too(tmp_path: Path) -> None:
    assert "there is no such file" in on_terminal("verify", tmp_path / "missing.shiji")
