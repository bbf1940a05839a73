"""The installed command answers any input with a message and an exit code, never with a traceback."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.project.places import SHIJI
from tests.records.texts import text
from tests.tools.running import run, run_process

VERIFY_CASES = {
    "a cell off the board": (text("green Rb1Rb2", Board="map:R.."), 1, "QIN-PLACE-1"),
    "a cell beyond every board": (text("green Re8Re100"), 2, "expected a row number 1 to 99"),
    "halves that are not adjacent": (text("green Re8Rg8"), 1, "QIN-PLACE-2"),
    "an unknown colour": (text("green Re8Ge9"), 2, "expected a colour R, Y or B, found 'Ge9'"),
    "a seat out of turn": (text("violet Re8Re9"), 1, "QIN-TURN-1"),
    "a seat that is not at the table": (text("white Re8Re9"), 2, "'white' is no seat"),
    "a move after the end": (text("green Rb1Rc1", "violet pass", Board="map:R.."), 1, "QIN-TURN-1"),
    "a map with ragged rows": (text(Board="map:R../.."), 2, "row 2 of the map is 2 long, the first 3"),
    "a map without a start": (text(Board="map:.../..."), 2, "the map has no starting territory"),
    "a map of 27 columns": (text(Board="map:R" + "." * 26), 2, "more than 26 columns"),
    "a map of 100 rows": (text(Board="map:" + "/".join(["R."] * 100)), 2, "more than 99 rows"),
    "a seat name twice": (text(Seats="green green"), 2, "two seats are called green"),
    "one seat": (text(Seats="green"), 2, "Qin is for 2 to 4 seats, not 1"),
    "five seats": (text(Seats="a b c d e"), 2, "Qin is for 2 to 4 seats, not 5"),
    "an unknown edition": (text(Edition="qin/2"), 2, "no edition of Qin is called 'qin/2'"),
    "an unknown ruling": (text(Rulings="luck=good"), 2, "no ruling is called 'luck'"),
    "an unknown value of a ruling": (text(Rulings="stuck=swap"), 2, "ruling stuck has no value 'swap'"),
    "an unknown game": (text(Game="go"), 2, "no game is called 'go'"),
    "an unknown format": (text(Format="pgn"), 2, "this build does not read the format 'pgn'"),
    "an empty file": ("", 2, 'line 1, column 1: the tag [Format "…"] is missing'),
    "a tag cut off": (text()[:72], 2, "line 5, column 10: expected a closing quotation mark"),
    "an entry cut off": (text("green Re8Re9")[:-4], 2, "line 10, column 13: expected a colour R, Y or B"),
    "a binary file": (b"\x7fELF\x02\x01\x01\x00", 2, "line 1, column 1: found U+007F"),
    "a file in another encoding": (text("green pass ; é").encode("latin-1"), 2, "is not UTF-8"),
    "a file in UTF-16": (text().encode("utf-16"), 2, "byte 0 (0xff) is not UTF-8"),
    "a gigantic file": (b"; long\n" * 1_300_000, 2, "the file has more than 8 MiB"),
    "a gigantic line": (b"[" * 8_000_000, 2, "line 1, column 2: expected the name of a tag"),
    "a gigantic match": (text(*["green pass"] * 30_000), 2, "the record has more than 20000 entries"),
    "a gigantic number": (text() + "9" * 100_000 + ". green pass\n", 2, "expected entry 1, found"),
}


@pytest.mark.parametrize(("content", "code", "why"), VERIFY_CASES.values(), ids=VERIFY_CASES)
def test_a_bad_file_gets_a_message(tmp_path: Path, content: str | bytes, code: int, why: str) -> None:
    path = tmp_path / "match.shiji"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())

    done = run_process("verify", path)

    assert done.code == code
    assert why in (done.out if code == 1 else done.err)
    assert "Traceback" not in done.err


@pytest.mark.parametrize("command", ["verify", "show", "replay"])
def test_a_file_that_does_not_exist(tmp_path: Path, command: str) -> None:
    done = run_process(command, tmp_path / "match.shiji")

    assert (done.code, done.out) == (2, "")
    assert "there is no such file; check the path" in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("command", ["verify", "show", "replay"])
def test_a_folder(tmp_path: Path, command: str) -> None:
    done = run_process(command, tmp_path)

    assert done.code == 2
    assert "this is a folder; give the files in it" in done.err
    assert "Traceback" not in done.err


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)

    result = run("verify", tmp_path / "match.shiji")

    assert result.exit_code == 2
    assert "you may not read this file; check its permissions" in result.stderr


def test_a_file_name_that_is_too_long() -> None:
    done = run_process("verify", "x" * 5000)

    assert done.code == 2
    assert "the file cannot be read: File name too long" in done.err


def test_a_file_name_that_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"m\xfftch.shiji")
    path.write_text(text())

    assert run_process("verify", path).code == 0
    assert run_process("verify", "--json", path).code == 0


def test_a_device_that_never_ends() -> None:
    done = run_process("verify", "/dev/zero")

    assert done.code == 2
    assert "more than 8 MiB" in done.err


def test_standard_input_that_is_closed() -> None:
    done = run_process("verify", "-", stdin=None)

    assert done.code == 2
    assert "standard input is closed; give a file" in done.err
    assert "Traceback" not in done.err


def test_a_locale_without_the_characters(tmp_path: Path) -> None:
    path = tmp_path / "match.shiji"
    path.write_text(text(Event="史記"))

    done = run_process("verify", path, PYTHONIOENCODING="latin-1")
    helped = run_process("verify", "--help", PYTHONIOENCODING="latin-1")

    assert (done.code, helped.code) == (0, 0)
    assert "Event: \\u53f2\\u8a18" in done.out


@pytest.mark.parametrize(("output", "code"), [("/dev/full", 2), ("&-", 0)])
def test_output_that_cannot_be_written(output: str, code: int) -> None:
    shell = ["sh", "-c", f'exec "$0" games >{output}', str(SHIJI)]

    done = subprocess.run(shell, capture_output=True, text=True, check=False)

    assert done.returncode == code
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("verify",),
        ("verify", "--nonsense"),
        ("show",),
        ("show", "one", "two", "three"),
        ("perft",),
        ("perft", "--board", "bird", "--seats", "9", "--depth", "1"),
        ("perft", "--board", "map:", "--seats", "2", "--depth", "1"),
        ("rules",),
        ("rules", "go"),
        ("rules", "qin", "QIN-NONSENSE-1"),
        ("boards", "lion"),
        ("games", "qin"),
    ],
    ids=" ".join,
)
def test_invalid_arguments(arguments: tuple[str, ...]) -> None:
    done = run_process(*arguments)

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Usage: ")
    assert "Traceback" not in done.err
