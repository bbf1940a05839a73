"""Record files with `verify`, `show` and `replay`."""

import json
from pathlib import Path

import pytest

from records.codec.header import encode_header
from records.entry import Entry
from records.files.record_file import write_record
from tests.records.matches import MOVES, begin, forged, header, ledger_in_memory, played
from tests.tools.running import run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    def write(name: str, entries: list[Entry]) -> None:
        (tmp_path / f"{name}.jsonl").write_bytes(b"".join(write_record(entries)))

    record = played(*MOVES, with_header=header(tags=(("Event", "Cup"),)))
    write("good", record)
    write("illegal", forged(record, 3, actor=1))
    write("diverged", forged(record, 3, events=b""))
    write("corrupt", [*record[:3], *forged(record, 2, recorded=1)[3:]])
    write("unknown", forged(record, 0, move=record[0].move.replace(b"qin/1", b"qin/7")))
    write("damaged-header", forged(record, 0, actor=0))
    write("bad-tags", forged(record, 0, move=encode_header(header(tags=(("Event", "\x1b[2J"),)))))
    table = begin(ledger_in_memory())
    table.play(*MOVES[:2])
    table.go_back(1, reason="a slip")
    table.play("violet pass")
    write("corrected", table.entries)
    forbidden = forged(table.entries, 3, actor=0)
    write("forbidden", forbidden)
    (tmp_path / "unreadable.jsonl").write_bytes(b'{"format": "shiji-record/1"\n')
    return tmp_path


@pytest.mark.parametrize(
    ("name", "verdict", "entry", "code"),
    [
        ("good", "verified", None, 0),
        ("corrected", "verified", None, 0),
        ("illegal", "illegal", 3, 1),
        ("forbidden", "illegal", 3, 1),
        ("diverged", "diverged", 3, 1),
        ("corrupt", "corrupt", 3, 1),
        ("damaged-header", "corrupt", None, 1),
        ("bad-tags", "corrupt", None, 1),
        ("unknown", "unreadable", None, 2),
        ("unreadable", "unreadable", None, 2),
    ],
)
def test_verify_judges_record_files(
    folder: Path, name: str, verdict: str, entry: int | None, code: int
) -> None:
    result = run("verify", folder / f"{name}.jsonl")
    as_json = json.loads(run("verify", "--json", folder / f"{name}.jsonl").stdout)

    assert result.exit_code == code
    assert (result.stdout + result.stderr).startswith(f"{folder}/{name}.jsonl: {verdict}")
    assert (as_json["verdict"], as_json["entry"]) == (verdict, entry)
    assert (not as_json["position"]) == (verdict == "unreadable")


def test_verify_describes_the_match_of_a_record_file(folder: Path) -> None:
    output = run("verify", folder / "good.jsonl").stdout

    assert output.startswith(
        f"{folder}/good.jsonl: verified, 5 entries\n"
        "  game      Qin, edition qin/1, bird\n"
        "  seats     green, violet; draws unrecorded\n"
        "  tag       Event: Cup\n"
        "  outcome   not over; to act: violet\n"
    )


def test_a_retraction_that_is_not_allowed_is_reported_with_its_rule(folder: Path) -> None:
    output = run("verify", folder / "forbidden.jsonl").stdout

    assert "  entry     3. green goes back to entry 1\n" in output
    assert "  SHIJI-TAKEBACK-1 Who may take back\n" in output


def test_show_draws_the_board_of_a_record_file(folder: Path) -> None:
    after_two = run("show", folder / "corrected.jsonl", "--at", "2")
    back = run("show", folder / "corrected.jsonl", "--at", "3")
    last = run("show", folder / "corrected.jsonl")

    assert "after entry 2 of 4 (not in the transcript): violet Yg8Bh8\n" in after_two.stdout
    assert "23 pagodas left" in after_two.stdout.splitlines()[-3]
    assert "after entry 3 of 4 (not in the transcript): arbiter goes back to entry 1\n" in back.stdout
    assert "violet to place" in back.stdout
    assert "green to place" in last.stdout
    assert (after_two.exit_code, back.exit_code, last.exit_code) == (0, 0, 0)


def test_replay_shows_the_moves_before_a_retraction(folder: Path) -> None:
    output = run("replay", folder / "corrected.jsonl").stdout

    places = [
        output.index("after entry 2 of 4 (not in the transcript): violet Yg8Bh8"),
        output.index("after entry 3 of 4 (not in the transcript): arbiter goes back to entry 1"),
        output.index("after entry 4 of 4 (2 in the transcript): violet pass"),
    ]
    assert places == sorted(places)


@pytest.mark.parametrize("name", ["illegal", "forbidden"])
def test_show_and_replay_stop_at_an_illegal_entry(folder: Path, name: str) -> None:
    file = folder / f"{name}.jsonl"

    assert run("show", file).exit_code == 1
    assert run("show", file, "--svg", folder / "board.svg").exit_code == 1
    assert run("replay", file).exit_code == 1
    assert run("replay", file, "--html", folder / "match.html").exit_code == 1
