"""Files that may show hidden hands are readable only by their owner, whatever the umask says."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from records.entry import Dealer
from records.files.record_file import write_record
from tests.records.archives import add
from tests.records.concealed import MATCH, record
from tests.records.matches import MOVES, played
from tests.tools.running import run

OWNER_ONLY, EVERYBODY = 0o600, 0o644


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """An archive with a match under way whose hands are hidden."""
    path = tmp_path / "archive.db"
    add(path, record(dealer=Dealer.SERVICE, moves=6))
    return path


def rights(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.mark.parametrize("form", ["record", "transcript"])
@pytest.mark.parametrize(
    ("shown_to", "expected"), [(None, OWNER_ONLY), ("0", OWNER_ONLY), ("spectator", EVERYBODY)]
)
def test_exports_with_hidden_hands_are_private(
    db: Path, tmp_path: Path, form: str, shown_to: str | None, expected: int
) -> None:
    viewer = [] if shown_to is None else ["--as", shown_to]

    assert run("export", db, tmp_path / "out", "--format", form, *viewer).exit_code == 0

    (file,) = (tmp_path / "out").iterdir()
    assert rights(file) == expected


def test_a_draft_that_an_aborted_export_left_behind_does_not_lend_its_rights(
    db: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / f"{MATCH}.jsonl.part").write_text("")

    run("export", db, folder, "--format", "record")

    assert [(file.name, rights(file)) for file in folder.iterdir()] == [(f"{MATCH}.jsonl", OWNER_ONLY)]


def test_bundles_are_private(db: Path, tmp_path: Path) -> None:
    file = tmp_path / "match.bundle"

    assert run("bundle", db, MATCH, "--out", file).exit_code == 0

    assert rights(file) == OWNER_ONLY


def written(kind: str, file: Path, source: Path) -> None:
    match kind:
        case "page":
            run("replay", source, "--html", file)
        case "picture":
            run("show", source, "--svg", file)
        case _:
            run("diff", source, source, "--html", file)


@pytest.mark.parametrize("kind", ["page", "picture", "comparison"])
def test_pages_and_pictures_are_private_while_hands_are_hidden(tmp_path: Path, kind: str) -> None:
    hidden, public = tmp_path / "hidden.jsonl", tmp_path / "public.jsonl"
    hidden.write_bytes(b"".join(write_record(record(dealer=Dealer.SERVICE, moves=6))))
    public.write_bytes(b"".join(write_record(played(*MOVES))))
    new, old, shared = tmp_path / "new", tmp_path / "old", tmp_path / "shared"
    old.write_text("readable by everybody until now")

    written(kind, new, hidden)
    written(kind, old, hidden)
    written(kind, shared, public)

    assert [rights(file) for file in (new, old, shared)] == [OWNER_ONLY, OWNER_ONLY, EVERYBODY]
    assert old.stat().st_size > 100
