"""`shiji diff`."""

import json
from pathlib import Path

import pytest

from records.files.record_file import write_record
from tests.records.bundles import LOG, bundled
from tests.records.matches import MOVES, begin, ledger_in_memory, played
from tests.records.texts import text
from tests.tools.running import run

AGREE = "both records agree up to entry 2"
LEGAL = "both are legal: the rules cannot say which was played"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    contents = {
        "all": text(*MOVES),
        "start": text(*MOVES[:3]),
        "other": text(*MOVES[:2], "green pass", "violet pass"),
        "illegal": text(*MOVES[:2], "green Ra1Ra2"),
        "ruling": text(*MOVES, Rulings="stuck=end"),
        "unreadable": text("green"),
    }
    for name, content in contents.items():
        (tmp_path / f"{name}.shiji").write_text(content)
    (tmp_path / "record.jsonl").write_bytes(b"".join(write_record(played(*MOVES))))
    table = begin(ledger_in_memory())
    table.play(*MOVES[:2], "green pass")
    table.go_back(2)
    table.play(*MOVES[2:])
    (tmp_path / "corrected.jsonl").write_bytes(b"".join(write_record(table.entries)))
    return tmp_path


@pytest.mark.parametrize(
    ("one", "other", "code", "headline"),
    [
        ("all.shiji", "all.shiji", 0, "the records are the same"),
        ("all.shiji", "start.shiji", 0, "the records agree, and A continues"),
        ("start.shiji", "all.shiji", 0, "the records agree, and B continues"),
        (
            "all.shiji",
            "other.shiji",
            1,
            f"{LEGAL}; {AGREE}",
        ),
        (
            "all.shiji",
            "illegal.shiji",
            1,
            f"entry 3 of B is illegal; {AGREE}",
        ),
        ("illegal.shiji", "illegal.shiji", 1, "entry 3 is illegal in both; the records are the same"),
        ("all.shiji", "ruling.shiji", 1, "the records are of matches with different settings"),
        ("all.shiji", "record.jsonl", 0, "the records are the same"),
        ("all.shiji", "corrected.jsonl", 0, "the records are the same"),
        (
            "record.jsonl",
            "corrected.jsonl",
            1,
            f"{LEGAL}; {AGREE}",
        ),
        ("record.jsonl", "record.jsonl", 0, "the records are the same"),
    ],
)
def test_the_headline_says_whether_two_records_agree(
    folder: Path, one: str, other: str, code: int, headline: str
) -> None:
    result = run("diff", folder / one, folder / other)

    assert result.exit_code == code
    assert result.stdout.startswith(f"{headline}\n")


def test_both_branches_are_reported_with_their_verdicts(folder: Path) -> None:
    output = run("diff", folder / "all.shiji", folder / "illegal.shiji").stdout

    for line in (
        "  common    2 entries\n",
        f"  {folder}/all.shiji: 3. green Yd8Rd9\n",
        f"  {folder}/illegal.shiji: 3. green Ra1Ra2\n",
        f"{folder}/all.shiji: verified, 5 entries\n",
        f"{folder}/illegal.shiji: illegal at entry 3 of 3\n",
        "  QIN-PLACE-1 ",
    ):
        assert line in output


def test_each_record_keeps_its_own_numbers(folder: Path) -> None:
    (folder / "later.shiji").write_text(text(*MOVES[:3], "violet pass"))

    output = run("diff", folder / "corrected.jsonl", folder / "later.shiji").stdout
    report = json.loads(run("diff", folder / "corrected.jsonl", folder / "later.shiji", "--json").stdout)

    # Entries 3 and 4 of the record are a move and its takeback, which a transcript does not have.
    assert output.startswith(f"{LEGAL}; both records agree up to entry 5 of A, which is entry 3 of B\n")
    assert f"  {folder}/corrected.jsonl: 6. {MOVES[3]}\n" in output
    assert f"  {folder}/later.shiji: 4. violet pass\n" in output
    assert report["next_entry"] == {"a": 6, "b": 4}


def test_a_setting_that_differs_is_reported(folder: Path) -> None:
    output = run("diff", folder / "all.shiji", folder / "ruling.shiji").stdout

    assert f"  rulings   none in {folder}/all.shiji, stuck=end in {folder}/ruling.shiji\n" in output


def test_json_has_both_verdicts_and_the_difference(folder: Path) -> None:
    result = run("diff", "--json", folder / "all.shiji", folder / "illegal.shiji")

    compared = json.loads(result.stdout)
    assert result.exit_code == 1
    assert (compared["a"]["verdict"], compared["b"]["verdict"]) == ("verified", "illegal")
    assert compared["b"]["rules"] == ["QIN-PLACE-1", "QIN-PLACE-3", "QIN-PLACE-5"]
    assert (compared["common"], compared["settings"]) == (2, [])
    assert compared["next"] == {"a": "green Yd8Rd9", "b": "green Ra1Ra2"}


@pytest.mark.parametrize("name", ["unreadable.shiji", "missing.shiji"])
def test_a_file_that_cannot_be_read_leaves_nothing_to_compare(folder: Path, name: str) -> None:
    result = run("diff", folder / "all.shiji", folder / name)
    as_json = run("diff", "--json", folder / "all.shiji", folder / name)

    assert (result.exit_code, as_json.exit_code) == (2, 2)
    assert result.stderr.startswith(f"{folder}/{name}: unreadable\n")
    assert json.loads(as_json.stdout)["common"] is None


def test_a_page_shows_them_side_by_side(folder: Path) -> None:
    page = folder / "page.html"

    result = run("diff", folder / "all.shiji", folder / "illegal.shiji", "--html", page)

    assert result.exit_code == 1
    assert result.stdout == run("diff", folder / "all.shiji", folder / "illegal.shiji").stdout
    assert "Entry 3 of B is illegal; both records agree up to entry 2." in page.read_text(encoding="utf-8")


def test_a_bundle_proves_which_of_two_branches_is_signed_and_in_the_log(tmp_path: Path) -> None:
    logged, alone = tmp_path / "logged.bundle", tmp_path / "alone.jsonl"
    logged.write_bytes(bundled())
    alone.write_bytes(b"".join(write_record(played(*MOVES[:2], "green pass"))))

    done = run("diff", logged, alone, "--log-key", LOG.verifier.text)
    report = json.loads(run("diff", logged, alone, "--json").stdout)

    assert done.exit_code == 1
    assert AGREE in done.stdout
    assert f"{LOG.name} holds every entry, in a log of 606" in done.stdout
    assert report["a"]["proven"]["log"]["origin"] == LOG.name
    assert "proven" not in report["b"]
    assert run("diff", alone, logged, "--log-key", "nonsense").exit_code == 2
