"""`shiji list`, `shiji index`, and matches of an archive as arguments of other commands."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from records.entry import MatchId
from records.ledger.ledger import Ledger
from records.ledger.transfer import VerifiedImport, judge, store
from records.log.sqlite import SqliteLog
from tests.records.archives import add, damage, make
from tests.records.matches import MOVES, begin, forged, header, played
from tests.records.texts import text
from tests.tools.running import run
from tools.dev.golden import FOLDER


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A finished match, two under way, and a damaged one."""
    path = tmp_path / "archive.db"
    ended = judge((FOLDER / "last-pagoda.shiji").read_bytes())
    assert isinstance(ended, VerifiedImport)
    with SqliteLog.open(path) as log:
        store(log, [ended])
        ledger = Ledger(log)
        begin(ledger, header(tags=(("Place", "the kitchen table"),)), "one").play(*MOVES)
        begin(ledger, request="two")
        begin(ledger, request="three").play(*MOVES[:2])
    damage(path, "UPDATE entry SET events = x'ff' WHERE match = 4 AND sequence = 1")
    return path


def listed(archive: Path, *options: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in run("list", archive, "--json", *options).stdout.splitlines()]


def test_matches_are_listed_newest_first_with_state_winner_and_audit(archive: Path) -> None:
    newest, *_, oldest = listed(archive)

    assert [match["state"] for match in listed(archive)] == ["damaged", "under way", "under way", "over"]
    assert (oldest["winners"], oldest["audit"]) == (["violet"], "unaudited")
    assert newest["damage"]
    assert listed(archive, "--oldest-first")[0] == oldest


def test_filters_choose_what_is_listed(archive: Path) -> None:
    assert [match["state"] for match in listed(archive, "--state", "over")] == ["damaged", "over"]
    assert [match["tags"] for match in listed(archive, "--text", "KITCH")] == [{"Place": "the kitchen table"}]
    assert listed(archive, "--seat", "nobody") == listed(archive, "--game", "khan") == []
    assert len(listed(archive, "--limit", "2")) == 2
    assert listed(archive, "--to", "2001-01-01") == []
    assert len(listed(archive, "--from", "2001-01-01")) == 4


def test_a_game_that_nobody_knows_is_refused_with_those_that_are_known(archive: Path) -> None:
    refused = run("list", archive, "--game", "chess")

    assert refused.exit_code == 2
    assert "known: qin, khan, zhanguo, great-wall" in refused.stderr


def test_a_list_reads_well_and_says_how_many_there_are(archive: Path) -> None:
    output = run("list", archive, "--limit", "3").stdout

    assert "damaged" in output.splitlines()[0]
    assert "green to place, 0 entries" in output
    assert output.splitlines()[-1].endswith("archive.db: 4 matches; 3 are shown, --limit 0 shows all")
    assert run("list", archive).stdout.splitlines()[-1].endswith("archive.db: 4 matches")


def test_what_is_no_archive_cannot_be_listed(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("x" * 1000)

    for path in (tmp_path / "text", tmp_path / "missing", tmp_path):
        result = run("list", path)
        assert result.exit_code == 2
        assert "Error" in result.stderr


def test_an_index_is_brought_up_to_date_and_made_anew(archive: Path) -> None:
    first = run("index", archive)
    again = run("index", archive, "--rebuild")

    assert first.stdout == again.stdout == f"{archive}-index: 4 matches, {_entries(archive)} entries\n"
    with closing(sqlite3.connect(f"{archive}-index")) as file:
        assert file.execute("SELECT count(*) FROM readable_entry").fetchone() == (_entries(archive),)


def _entries(archive: Path) -> int:
    with SqliteLog.open(archive, read_only=True) as log:
        return log.last_position()


def test_a_match_is_shown_replayed_and_bundled_by_the_beginning_of_its_id(
    archive: Path, tmp_path: Path
) -> None:
    match = str(listed(archive, "--text", "kitchen")[0]["match"])
    with SqliteLog.open(archive, read_only=True) as log:
        others = [each for each in log.matches() if each != match]
    prefix = next(
        match[:size] for size in range(1, 37) if not any(each.startswith(match[:size]) for each in others)
    )

    assert "after entry 5 of 5: green Bi5Bi6" in run("show", archive, prefix).stdout
    assert json.loads(run("show", archive, prefix, "--json").stdout)["shown"]["text"] == MOVES[-1]
    assert len(run("replay", archive, prefix, "--json").stdout.splitlines()) == 6
    out = tmp_path / "match.bundle"
    assert run("bundle", archive, prefix, "--out", out).exit_code == 0
    same = run("diff", archive, prefix, out)
    assert (same.exit_code, same.stdout.splitlines()[0]) == (0, "the records are the same")
    assert run("diff", out, archive).stdout.splitlines()[0] == "the records are the same"


def test_an_ambiguous_beginning_lists_the_candidates(archive: Path) -> None:
    with SqliteLog.open(archive, read_only=True) as log:
        matches = list(log.matches())
    for command in ("show", "replay", "bundle"):
        result = run(command, archive, "0")

        assert result.exit_code == 2
        assert "several matches begin with '0'" in result.stderr
        assert all(match in result.stderr for match in matches)
        assert "unreadable" not in result.stderr
    assert "shiji list" in run("show", archive, "x").stderr
    assert "shiji list" in run("bundle", archive, "x").stderr


def test_an_archive_without_a_match_and_a_match_without_an_archive_say_what_to_give(archive: Path) -> None:
    assert "this is an archive of matches" in run("show", archive).stderr
    match = str(listed(archive)[0]["match"])
    assert "give both: DB MATCH" in run("show", match).stderr
    assert "not an archive" in run("show", FOLDER / "last-pagoda.shiji", match).stderr


def test_an_audit_is_noted_and_the_next_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    (match,) = make(path, 1)
    assert run("audit", path, "--since", "last").exit_code == 2
    assert run("audit", path).exit_code == 0
    assert [each["audit"] for each in listed(path)] == ["verified"]
    with SqliteLog.open(path) as log:
        begin(Ledger(log), request="later").play(*MOVES[:1])

    result = run("audit", path, "--since", "last")

    assert result.exit_code == 0
    assert "1 match, 1 entry" in result.stdout
    assert "were not audited this time" in result.stdout
    assert [each["audit"] for each in listed(path)] == ["verified", "verified"]
    assert match


def test_what_an_earlier_audit_found_is_not_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    add(path, forged(played(*MOVES), 3, actor=1))
    assert run("audit", path).exit_code == 1

    result = run("audit", path, "--since", "last")

    assert result.exit_code == 1
    assert "1 match was not good" in result.stdout
    assert run("audit", path, "--since", "soon").exit_code == 2


def test_a_page_is_judged_by_the_record_that_it_carries(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    for name in ("docs/examples/first.shiji", "docs/examples/refused.shiji"):
        run("replay", name, "--html", page)
        plain, carried = run("verify", name), run("verify", page)

        assert carried.exit_code == plain.exit_code
        assert carried.stdout.splitlines()[1:-1] == plain.stdout.splitlines()[1:-1]
    page.write_text("<!doctype html>\n<p>nothing</p>")
    assert "carries no record" in run("verify", page).stderr
    run("diff", "docs/examples/first.shiji", "docs/examples/refused.shiji", "--html", page)
    assert "compares two records" in run("verify", page).stderr


def test_an_id_is_the_match_of_its_archive(archive: Path) -> None:
    assert MatchId(str(listed(archive)[0]["match"])) in run("list", archive).stdout


def test_comments_of_an_imported_record_are_called_comments_and_shown_with_their_entries(
    tmp_path: Path,
) -> None:
    path = tmp_path / "archive.db"
    imported = judge(text("green Re8Re9 ; a strong start", "violet Yg8Bh8").encode())
    assert isinstance(imported, VerifiedImport)
    with SqliteLog.open(path) as log:
        store(log, [imported])

    (match,) = listed(path)
    steps = [
        json.loads(line) for line in run("replay", path, str(match["match"]), "--json").stdout.splitlines()
    ]
    with closing(sqlite3.connect(f"{path}-index")) as index:
        ((tags,),) = index.execute("SELECT tags FROM readable_match")
    assert match["tags"] == json.loads(tags) == {"comment on entry 1": "a strong start"}
    assert [step["comment"] for step in steps] == ["", "a strong start", ""]
