"""`shiji components`, and the caution that is shown with every match on invented components."""

import json
import re
from pathlib import Path

import pytest

from records.games.registry import GAMES
from rules.kernel.setup import ComponentSet
from tests.project.places import ROOT
from tests.records.invented import INVENTED, Invented
from tests.tools.running import run

MATCH = ROOT / "tests/records/golden/khan/two-random.shiji"
CAUTION = "khan-reference-0: invented components, not the published game"


def own(folder: Path, *changes: tuple[str, str]) -> Path:
    """Write a copy of the reference set, with changes, as a user's own file."""
    text = run("components", "show", "khan-reference-0").stdout
    for old, new in (('"khan-reference-0"', '"mine"'), *changes):
        assert old in text
        text = text.replace(old, new, 1)
    path = folder / "mine.toml"
    path.write_text(text)
    return path


def test_every_shipped_set_is_listed_with_its_provenance() -> None:
    output = run("components").stdout

    for game in GAMES:
        for known in game.about.components:
            assert f"{known.name} ({game.about.title}, {known.kind})" in output
            assert known.provenance in output
    assert "This is not the published game" in output


def test_a_sound_file_gets_its_hash_and_its_tag(tmp_path: Path) -> None:
    result = run("components", "check", own(tmp_path))

    assert result.exit_code == 0
    assert "mine.toml: sound" in result.stdout
    assert '[Components "set:{\\"schema\\":\\"khan-components/1\\"' in result.stdout


def test_a_match_can_be_set_up_with_the_tag_of_a_file(tmp_path: Path) -> None:
    tag = run("components", "check", own(tmp_path)).stdout.splitlines()[-1]
    match = tmp_path / "match.shiji"
    match.write_text(
        f'[Format "shiji/1"]\n[Game "khan"]\n[Edition "khan/1"]\n{tag}\n[Seats "red blue"]\n\n1. first red\n'
    )

    assert run("verify", match).exit_code == 0


def test_faults_are_reported_with_field_and_count(tmp_path: Path) -> None:
    file = own(tmp_path, ("high-morale = 6", "high-morale = 7"))

    result = run("components", "check", file)
    assert result.exit_code == 1
    assert "fault     special.high-morale: 7 cards; expected 6 (CHK-13)" in result.stdout

    (judged,) = map(json.loads, run("components", "check", file, "--json").stdout.splitlines())
    assert (judged["playable"], judged["game"], judged["set"]) == (False, "khan", "mine")
    assert judged["faults"] == [
        {
            "check": "CHK-13",
            "field": "special.high-morale",
            "why": "7 cards; expected 6",
            "warning": False,
        }
    ]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"cards = 1", "schema: the file has none; expected GAME-components/1, or the name of the game"),
        (b"schema = 1", "schema: '1' is not known; expected GAME-components/1"),
        (b'schema = "go-components/1"', "schema: 'go-components/1' is not known"),
        (b'schema = "qin-components/1"', "schema: 'qin-components/1' is not known"),
        (b'schema = "khan-components/1"', "missing required field"),
        (b"\xff", "it is not in UTF-8"),
        (b"=", "it cannot be read as TOML"),
        (b"\n" + b"a." * 50_000 + b"a = 1", "line 2: a key has more than 20 parts"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, data: bytes, why: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(data)

    result = run("components", "check", path)

    assert result.exit_code == 2
    assert why in result.stderr


def test_a_file_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    assert run("components", "check", tmp_path / "none.toml").exit_code == 2


def test_a_set_that_is_not_shipped_cannot_be_shown() -> None:
    assert "known: bird, khan-reference-0" in run("components", "show", "khan").stderr


@pytest.mark.parametrize("each", INVENTED, ids=lambda each: each.game)
def test_reports_pictures_and_pages_say_that_components_are_invented(each: Invented, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    run("replay", each.record, "--html", page)

    assert f"  caution   {each.caution}\n" in run("verify", each.record).stdout
    assert f"  caution   {each.caution}\n" in run("show", each.record).stdout
    for command in ("verify", "show"):
        assert json.loads(run(command, each.record, "--json").stdout)["caution"] == each.caution
    for at in ("0", "5"):
        assert each.is_drawn_in(run("show", each.record, "--at", at, "--svg", "-").stdout)
    assert f'<p class="caution">{each.caution}</p>' in page.read_text()


@pytest.mark.parametrize("each", INVENTED, ids=lambda each: each.game)
def test_audits_and_bundles_of_an_archive_say_that_components_are_invented(
    each: Invented, tmp_path: Path
) -> None:
    archive, bundle = tmp_path / "archive.db", tmp_path / "match.bundle"
    run("import", archive, each.record)
    found, summary = map(json.loads, run("audit", archive, "--json").stdout.splitlines())

    assert found["caution"] == each.caution
    assert summary["summary"]["cautions"] == [each.caution]
    assert f"  caution   {each.caution}\n" in run("audit", archive).stdout
    assert each.caution in run("bundle", archive, found["match"], "--out", bundle).stdout
    assert f"  caution   {each.caution}\n" in run("verify", bundle).stdout


def test_the_audit_of_a_bad_match_says_that_its_components_are_invented(tmp_path: Path) -> None:
    archive = tmp_path / "archive.db"
    run("import", archive, MATCH)
    output = run("audit", archive, "--ruling", "opening-rounds=5").stdout

    assert output.count(f"  caution   {CAUTION}\n") == 2


def test_no_caution_is_given_where_nothing_is_invented(tmp_path: Path) -> None:
    archive, record = tmp_path / "archive.db", ROOT / "docs/examples/first.shiji"
    run("import", archive, record)
    outputs = [
        run("verify", record, "--json"),
        run("show", record, "--svg", "-"),
        run("audit", archive),
        run("audit", archive, "--json"),
    ]

    assert not [each.stdout for each in outputs if re.search(r"\bcautions?\b", each.stdout)]


def test_the_hash_of_a_shipped_set_is_in_the_header() -> None:
    assert '[Components "khan-reference-0#sha256=' in MATCH.read_text()


@pytest.mark.parametrize(("seats", "count"), [(2, 2), (3, 3), (4, 4)])
def test_perft_counts_the_entries_of_khan(seats: int, count: int) -> None:
    arguments = ("perft", "--game", "khan", "--board", "khan-reference-0", "--seats", str(seats))

    assert run(*arguments, "--depth", "1").stdout == f"{count}\n"
    assert run(*arguments, "--depth", "2").stdout == f"{count * 124}\n"
    assert run(*arguments, "--depth", "2", "--divide").stdout.splitlines()[0] == "first one: 124"


def test_perft_counts_from_a_position() -> None:
    position = json.loads(run("verify", MATCH.with_name("unfinished.shiji"), "--json").stdout)["position"]

    counted = run("perft", "--game", "khan", "--position", position, "--depth", "2", "--divide").stdout

    *lines, total = counted.splitlines()
    assert sum(int(line.rpartition(": ")[2]) for line in lines) == int(total) > 0
    assert run("perft", "--game", "khan", "--position", "x", "--depth", "1").exit_code == 2
    assert run("perft", "--game", "go", "--depth", "1").exit_code == 2


def test_a_game_without_series_says_so() -> None:
    result = run("verify", "--series", MATCH)

    assert result.exit_code == 2
    assert "no series: Khan has no series of matches" in result.stderr


@pytest.mark.parametrize(
    "known",
    [known for game in GAMES if game.game.check_components for known in game.about.components],
    ids=lambda known: known.name,
)
def test_every_shipped_set_is_checked_by_the_game_that_it_is_for(tmp_path: Path, known: ComponentSet) -> None:
    file = tmp_path / "set.toml"
    file.write_text(run("components", "show", known.name).stdout)

    assert run("components", "check", file).exit_code == 0


def test_the_game_of_a_file_can_be_named(tmp_path: Path) -> None:
    file = tmp_path / "set.toml"
    file.write_text(run("components", "show", "khan-reference-0").stdout)

    assert run("components", "check", file, "--game", "khan").exit_code == 0
    assert "Qin has no component files" in run("components", "check", file, "--game", "qin").stderr
    assert "no game is called 'go'" in run("components", "check", file, "--game", "go").stderr
