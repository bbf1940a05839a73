"""`shiji import` and `shiji export`."""

import json
from pathlib import Path

import pytest

from records.entry import Entry
from records.files.record_file import write_record
from records.ledger.ledger import Ledger
from records.log.sqlite import SqliteLog
from tests.records.archives import add, damage, make
from tests.records.matches import MOVES, Table, begin, forged, played
from tests.records.texts import text
from tests.tools.running import run, run_process

GOLDEN = Path(__file__).parents[1] / "records/golden/qin"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "archive.db"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with one file of each kind."""
    folder = tmp_path / "files"
    (folder / "deeper").mkdir(parents=True)
    (folder / "good.shiji").write_text(text(*MOVES))
    (folder / "illegal.shiji").write_text(text("violet pass"))
    (folder / "diverged.shiji").write_text(text(Result="green"))
    (folder / "unreadable.shiji").write_text(text("green"))
    (folder / "deeper" / "record.jsonl").write_bytes(b"".join(write_record(played(*MOVES))))
    (folder / "deeper" / "corrupt.jsonl").write_bytes(b"".join(list(write_record(played(*MOVES)))[:-1]))
    (folder / "notes.txt").write_text("not a record")
    return folder


class TestImport:
    def test_a_file_is_stored_and_its_match_reported(self, db: Path, files: Path) -> None:
        result = run("import", db, files / "good.shiji", files / "deeper" / "record.jsonl")

        assert result.exit_code == 0
        assert f"{files}/good.shiji: stored as match " in result.stdout
        assert f"{files}/deeper/record.jsonl: stored as match match-1, 5 entries\n" in result.stdout
        assert result.stdout.endswith("\n2 files: 2 stored\n")
        assert run("audit", db).exit_code == 0

    def test_a_whole_folder_is_imported_in_spite_of_failures(self, db: Path, files: Path) -> None:
        result = run("import", db, files)

        assert result.exit_code == 2
        assert result.stdout.endswith("\n6 files: 1 corrupt, 1 diverged, 1 illegal, 2 stored, 1 unreadable\n")
        assert f"{files}/illegal.shiji: illegal at entry 1 of 1\n  why       QIN-TURN-1: " in result.stdout
        assert f"{files}/unreadable.shiji: unreadable\n  why       line 10, " in result.stderr

    @pytest.mark.parametrize(
        ("names", "code"),
        [("good", 0), ("good illegal", 1), ("diverged", 1), ("illegal unreadable", 2), ("missing", 2)],
    )
    def test_the_exit_code_is_the_worst_of_all(self, db: Path, files: Path, names: str, code: int) -> None:
        paths = [files / f"{name}.shiji" for name in names.split()]

        assert run("import", db, *paths).exit_code == code
        assert run("import", "--json", db, *paths).exit_code == code

    def test_a_record_that_the_archive_has_is_not_stored_again(self, db: Path, files: Path) -> None:
        _, result = [run("import", db, files / "good.shiji", files / "deeper") for _ in range(2)]

        assert result.stdout.endswith("\n3 files: 1 corrupt, 2 known\n")
        assert json.loads(run("audit", db, "--json").stdout.splitlines()[-1])["summary"]["matches"] == 2

    def test_another_record_of_a_match_is_refused(self, db: Path, files: Path, tmp_path: Path) -> None:
        other = tmp_path / "other.jsonl"
        other.write_bytes(b"".join(write_record(played(*MOVES[:2], "green pass"))))
        run("import", db, files / "deeper" / "record.jsonl")

        result = run("import", db, other)

        assert result.exit_code == 1
        assert result.stdout.startswith(
            f"{other}: refused\n"
            "  why       the archive has another record of this match: they differ from entry 3 on\n"
        )

    def test_json_has_one_object_per_file_and_then_a_summary(self, db: Path, files: Path) -> None:
        result = run("import", "--json", db, files)

        *objects, summary = map(json.loads, result.stdout.splitlines())
        by_name = {Path(each["file"]).stem: each for each in objects}
        assert result.stderr == ""
        assert {name: each["import"] for name, each in by_name.items()} == {
            "good": "stored", "record": "stored", "illegal": "illegal", "diverged": "diverged",
            "corrupt": "corrupt", "unreadable": "unreadable",
        }  # fmt: skip
        assert by_name["record"] | {"file": ""} == {
            "file": "",
            "import": "stored",
            "match": "match-1",
            "entries": 5,
            "added": 6,
            "copy": False,
            "entry": None,
            "rules": [],
            "why": None,
        }
        assert (by_name["illegal"]["entry"], by_name["illegal"]["rules"]) == (1, ["QIN-TURN-1"])
        assert summary["summary"]["files"] == 6

    def test_of_many_files_only_the_failures_are_listed(self, db: Path, tmp_path: Path) -> None:
        for number in range(30):
            (tmp_path / f"{number}.shiji").write_text(text("green Re8Re9", Event=str(number)))
        (tmp_path / "bad.shiji").write_text(text("violet pass"))

        result = run("import", db, tmp_path)

        assert result.stdout.count(": stored") == 0
        assert result.stdout.count(": illegal") == 1
        assert result.stdout.endswith("\n31 files: 1 illegal, 30 stored\n")

    def test_any_number_of_records_is_stored_in_the_order_of_their_files(
        self, db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tools.commands.import_.ENTRIES_PER_WRITE", 5)
        for number in range(7):
            (tmp_path / f"{number}.shiji").write_text(text("green Re8Re9", Event=str(number)))

        result = run("import", "--json", db, tmp_path)

        stored = [json.loads(line)["match"] for line in result.stdout.splitlines()[:-1]]
        with SqliteLog.open(db, read_only=True) as log:
            assert stored == list(log.matches())
        assert len(stored) == 7

    def test_several_processes_store_the_same(self, db: Path, files: Path, tmp_path: Path) -> None:
        one, other = (
            run("import", "--json", db, files),
            run("import", "--json", "--jobs", "2", tmp_path / "other.db", files),
        )

        def results(text: str) -> list[object]:
            return [json.loads(line) | {"match": None} for line in text.splitlines()]

        assert (one.exit_code, results(one.stdout)) == (other.exit_code, results(other.stdout))

    def test_a_file_of_another_program_is_not_changed(self, tmp_path: Path, files: Path) -> None:
        other = tmp_path / "other.db"
        other.write_bytes(b"mine" * 1000)

        done = run_process("import", other, files / "good.shiji")

        assert done.code == 2
        assert "Traceback" not in done.err
        assert other.read_bytes() == b"mine" * 1000


class TestExport:
    def test_every_match_becomes_a_transcript(self, db: Path, tmp_path: Path) -> None:
        ids = make(db, 2)

        result = run("export", db, tmp_path / "new" / "out")

        written = sorted((tmp_path / "new" / "out").iterdir())
        assert result.exit_code == 0
        assert result.stdout == f"2 matches written to {tmp_path}/new/out\n"
        assert [path.name for path in written] == [f"{match}.shiji" for match in ids]
        assert written[0].read_text() == text(*MOVES)

    def test_record_files_carry_everything_to_another_archive(self, db: Path, tmp_path: Path) -> None:
        with SqliteLog.open(db) as log:
            table = begin(Ledger(log))
            table.play(*MOVES[:3])
            table.go_back(1)
        out, other = tmp_path / "out", tmp_path / "other.db"

        run("export", db, out, "--format", "record")
        run("import", other, out)

        with SqliteLog.open(other, read_only=True) as log:
            again = Table(Ledger(log), table.match)
            assert [entry.hash for entry in again.entries] == [entry.hash for entry in table_entries(db)]

    def test_only_the_requested_matches_are_exported(self, db: Path, tmp_path: Path) -> None:
        ids = make(db, 3)

        run("export", db, tmp_path / "out", "--match", ids[1])

        assert [path.stem for path in (tmp_path / "out").iterdir()] == [ids[1]]

    def test_a_match_that_does_not_exist_is_refused(self, db: Path, tmp_path: Path) -> None:
        make(db, 1)

        result = run("export", db, tmp_path / "out", "--match", "nowhere")

        assert result.exit_code == 2
        assert "there is no match nowhere" in result.stderr

    def test_a_damaged_record_does_not_stop_the_others(self, db: Path, tmp_path: Path) -> None:
        make(db, 2)
        add(db, forged(played(*MOVES), 3, actor=1))
        damage(db, "UPDATE entry SET move = x'ff' WHERE position = 3")

        result = run("export", db, tmp_path / "out")

        assert result.exit_code == 1
        assert result.stdout.count(": not written\n") == 2
        assert "entry 3 breaks QIN-TURN-1" in result.stdout
        assert len(list((tmp_path / "out").iterdir())) == 1

    def test_a_folder_that_cannot_be_created_is_reported(self, db: Path, tmp_path: Path) -> None:
        make(db, 1)
        (tmp_path / "file").write_text("")

        done = run_process("export", db, tmp_path / "file" / "out")

        assert done.code == 2
        assert "cannot be created" in done.err
        assert "Traceback" not in done.err

    def test_an_archive_that_does_not_exist_is_not_created(self, tmp_path: Path) -> None:
        done = run_process("export", tmp_path / "none.db", tmp_path / "out")

        assert (done.code, done.out) == (2, "")
        assert not (tmp_path / "none.db").exists()


def table_entries(db: Path) -> list[Entry]:
    with SqliteLog.open(db, read_only=True) as log:
        return list(log.archive())


def test_every_golden_transcript_is_the_same_after_import_and_export(db: Path, tmp_path: Path) -> None:
    names = sorted(GOLDEN.glob("*.shiji"))
    run("import", db, *names)
    run("export", db, tmp_path / "out")

    written = {path.read_text() for path in (tmp_path / "out").iterdir()}

    assert written == {path.read_text() for path in names}
