"""Golden transcripts: once verified, verified for ever."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from records.audit.file_json import as_json
from records.files.tags import read_header
from records.files.transcript import read_transcript, write_transcript
from records.verdict import Verified
from rules.kernel.setup import Draws
from rules.qin.components import find_board
from rules.qin.position_reader import read_position
from tests.project.places import SHIJI
from tests.records.transcripts import verify_transcript
from tests.rules.qin.naive import Naive
from tools.dev.golden import CASES, POSITION
from tools.dev.golden_great_wall import CASES as GREAT_WALL_CASES
from tools.dev.golden_khan import CASES as KHAN_CASES
from tools.dev.golden_zhanguo import CASES as ZHANGUO_CASES
from tools.report.file_verdict import judge_file

FOLDER = Path(__file__).parent / "golden" / "qin"
GOOD = sorted(FOLDER.glob("*.shiji"))
KHAN = sorted(FOLDER.parent.glob("khan/*.shiji"))
BAD = sorted(FOLDER.glob("bad/*.shiji"))
KHAN_BAD = sorted(FOLDER.parent.glob("khan/bad/*.shiji"))
ZHANGUO = sorted(FOLDER.parent.glob("zhanguo/*.shiji"))
ZHANGUO_BAD = sorted(FOLDER.parent.glob("zhanguo/bad/*.shiji"))
GREAT_WALL = sorted(FOLDER.parent.glob("great_wall/*.shiji"))
GREAT_WALL_BAD = sorted(FOLDER.parent.glob("great_wall/bad/*.shiji"))


def named(path: Path) -> str:
    game = path.parent.name if path.parent.name != "bad" else path.parent.parent.name
    return path.stem if game == FOLDER.name else f"{game}-{path.stem}"


@pytest.mark.parametrize("path", [*GOOD, *KHAN, *ZHANGUO, *GREAT_WALL], ids=named)
def test_a_golden_transcript_verifies_and_ends_in_its_position(path: Path) -> None:
    transcript = read_transcript(path.read_text())

    report = verify_transcript(transcript)

    assert report.verdict == Verified()
    assert report.reached.problems() == ()
    assert report.reached.position() == next(tag.value for tag in transcript.tags if tag.name == POSITION)


@pytest.mark.parametrize("path", [*GOOD, *KHAN, *ZHANGUO, *GREAT_WALL], ids=named)
def test_a_golden_transcript_is_canonical(path: Path) -> None:
    assert write_transcript(read_transcript(path.read_text())) == path.read_text()


@pytest.mark.parametrize("path", GOOD, ids=named)
def test_the_plain_model_plays_a_golden_transcript_to_the_same_end(path: Path) -> None:
    transcript = read_transcript(path.read_text())
    header = read_header(transcript)
    setup = header.start.setup
    recorded = setup.draws is Draws.RECORDED
    board = find_board(setup.components)
    plain = Naive(board.map, len(setup.seats), recorded=recorded, rulings=dict(setup.rulings))
    for entry in transcript.entries:
        first, *rest = entry.text.split()
        if first == "deal":
            plain.play(None, " ".join(("deal", str(setup.seats.index(rest[0])), *rest[1:])))
        elif first == "draw":
            plain.play(None, entry.text)
        else:
            plain.play(setup.seats.index(first), *rest)
    end = read_position(verify_transcript(transcript).reached.position())

    assert plain.supplies == list(end.supplies)
    assert list(plain.villages.values()) == [end.village_owner(at) for at in range(len(end.villages))]
    assert {setup.seats[seat] for seat in plain.winners} == (header.result or set())


@pytest.mark.parametrize("path", [*BAD, *KHAN_BAD, *ZHANGUO_BAD, *GREAT_WALL_BAD], ids=named)
def test_a_bad_transcript_gets_its_report(path: Path) -> None:
    expected = json.loads(path.with_suffix(".json").read_text())

    report = as_json(judge_file(str(path)))

    why = str(expected.pop("why", ""))
    assert {key: report[key] for key in expected} == expected
    assert str(report["why"]).startswith(why)


def test_every_case_has_its_transcript() -> None:
    assert {path.stem for path in GOOD} >= set(CASES)
    assert {path.stem for path in KHAN} >= set(KHAN_CASES)
    assert {path.stem for path in ZHANGUO} >= set(ZHANGUO_CASES)
    assert {path.stem for path in GREAT_WALL} >= set(GREAT_WALL_CASES)
    assert {path.stem for path in FOLDER.glob("bad/*.json")} == {path.stem for path in BAD}


def test_the_order_of_sets_changes_no_verdict() -> None:
    def verdicts(seed: str) -> bytes:
        command = [
            str(SHIJI),
            "verify",
            "--json",
            *map(str, (*GOOD, *KHAN, *ZHANGUO, *GREAT_WALL)),
            *map(str, (*BAD, *KHAN_BAD, *ZHANGUO_BAD, *GREAT_WALL_BAD)),
        ]
        done = subprocess.run(
            command, capture_output=True, check=False, env={**os.environ, "PYTHONHASHSEED": seed}
        )
        assert done.stderr == b""
        return done.stdout

    assert verdicts("1") == verdicts("2")
