"""Tiles of the Merkle tree: stored as they fill, read instead of entries, and never believed by an audit."""

import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Protocol

import pytest

from records.audit.archive import ArchiveAudit
from records.entry import MatchId
from records.evidence.merkle import leaf_hash
from records.log import sqlite_tiles
from records.log.contract import Log, LogUnreadable
from records.log.memory import MemoryLog
from records.log.postgres.connection import connect
from records.log.postgres.log import PostgresLog
from records.log.sqlite import SqliteLog
from records.log.tiles import StoredTile, fill_tiles
from records.log.tree import Tree
from tests.postgres import shared_cluster
from tests.records.archives import damage, unguarded
from tests.records.counting import CountingLog
from tests.records.evidence.trees import defined_root
from tests.records.log.making import RecordWriter
from tools.dev.golden_records import ARCHIVES

NOT_OF_THE_ENTRIES = "tile 0 of level 0 of the Merkle tree is not that of the entries"


class Stored(Protocol):
    """An archive with tiles, and how somebody with all rights changes them."""

    log: Log

    def change(self, statement: str) -> None: ...


class InFile:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.log: Log = SqliteLog.open(path)

    def change(self, statement: str) -> None:
        damage(self.path, statement.format(tile="tile", number="number", zero="zeroblob(32)"))


class InDatabase:
    def __init__(self) -> None:
        self.target = shared_cluster().target()
        self.log: Log = PostgresLog.open(self.target)

    def change(self, statement: str) -> None:
        zero = "decode(repeat('00', 32), 'hex')"
        with connect(self.target, purpose="test") as session:
            session.execute("ALTER TABLE shiji.tile DISABLE TRIGGER append_only")
            session.execute(statement.format(tile="shiji.tile", number="index", zero=zero).encode())
            session.execute("ALTER TABLE shiji.tile ENABLE TRIGGER append_only")


@pytest.fixture(params=["sqlite", "postgres"])
def stored(request: pytest.FixtureRequest, path: Path) -> Iterator[Stored]:
    archive: Stored = InFile(path) if request.param == "sqlite" else InDatabase()
    with archive.log:
        yield archive


def write(log: Log, count: int) -> None:
    """Two matches with this many entries together."""
    RecordWriter("a").write(log, count // 2)
    RecordWriter("b").write(log, count - count // 2)
    while log.wait(count - 1, 10) < count:
        pass


def plain(count: int) -> Tree:
    """The tree of the same entries in memory, where no tile is stored."""
    log = MemoryLog()
    write(log, count)
    return Tree(log)


def test_full_tiles_are_stored_and_the_right_edge_is_not(stored: Stored) -> None:
    write(stored.log, 600)
    tree = plain(600)

    assert stored.log.tile_roots(0, 0, 9) == [tree.nodes(600)(8, 0), tree.nodes(600)(8, 1)]
    assert stored.log.tile(0, 0) == b"".join(leaf_hash(each) for each in stored.log.hashes(0, 256))
    assert stored.log.tile(0, 2) is None
    assert Tree(stored.log).root(600) == tree.root(600) == Tree(stored.log, stored=False).root(600)
    assert Tree(stored.log).inclusion(300, 590) == tree.inclusion(300, 590)
    assert Tree(stored.log).consistency(260, 600) == tree.consistency(260, 600)
    assert stored.log.flaws() == ()


def test_the_first_root_reads_only_the_entries_of_the_right_edge(stored: Stored) -> None:
    write(stored.log, 600)
    counting = CountingLog(stored.log)

    Tree(counting).root(600)

    assert counting.hashes_read == [(512, 88)]


@pytest.mark.parametrize(
    "change", ["root = {zero}", "hashes = (SELECT hashes FROM {tile} WHERE {number} = 1)"]
)
def test_a_changed_tile_is_a_flaw_and_misleads_no_audit(stored: Stored, change: str) -> None:
    write(stored.log, 600)
    stored.change(f"UPDATE {{tile}} SET {change} WHERE {{number}} = 0")  # noqa: S608 - a test's own

    assert stored.log.flaws() == (NOT_OF_THE_ENTRIES,)
    assert Tree(stored.log, stored=False).root(600) == plain(600).root(600)


def test_a_tile_that_is_missing_between_others_is_a_flaw(stored: Stored) -> None:
    write(stored.log, 600)
    stored.change("DELETE FROM {tile} WHERE {number} = 0")

    assert stored.log.flaws() == ("tile 0 of level 0 of the Merkle tree is missing",)
    assert Tree(stored.log).root(600) == plain(600).root(600)


def test_a_tile_of_entries_that_are_not_there_is_a_flaw(stored: Stored) -> None:
    write(stored.log, 600)
    stored.change(
        "INSERT INTO {tile} (level, {number}, root, hashes) "
        "SELECT level, 2, root, hashes FROM {tile} WHERE {number} = 0"
    )

    assert stored.log.flaws() == ("level 0 of the Merkle tree has 3 tiles, and the entries fill 2",)


def test_the_audit_of_an_archive_reports_a_changed_tile(path: Path) -> None:
    shutil.copy(ARCHIVES / "schema-2-qin-1.db", path)
    SqliteLog.open(path).close()  # which brings it up to date
    damage(path, "UPDATE tile SET root = zeroblob(32) WHERE number = 0")
    audit = ArchiveAudit(lambda: SqliteLog.open(path, read_only=True), jobs=1)
    verdicts = list(audit.reports())

    assert verdicts
    assert audit.summary.flaws == [NOT_OF_THE_ENTRIES]


HASHES = [sha256(b"%d" % number).digest() for number in range(256 * 256 + 600)]


def tiles_of_synthetic_entries(*sizes: int) -> dict[tuple[int, int], StoredTile]:
    """The tiles that are stored while a log grows to these sizes."""
    tiles: dict[tuple[int, int], StoredTile] = {}

    def store(tile: StoredTile) -> None:
        assert (tile.level, tile.index) not in tiles
        tiles[tile.level, tile.index] = tile

    def roots(level: int, first: int, last: int) -> Sequence[bytes]:
        return [tiles[level, index].root for index in range(first, last + 1)]

    for before, after in zip((0, *sizes), sizes, strict=False):
        fill_tiles(before, after, lambda first, last: HASHES[first - 1 : last], roots, store)
    return tiles


def test_tiles_of_higher_levels_fill_with_those_below() -> None:
    tiles = tiles_of_synthetic_entries(len(HASHES))

    assert len(tiles) == 256 + 2 + 1
    top = tiles[1, 0]
    assert top.root == defined_root(tuple(leaf_hash(each) for each in HASHES[: 256 * 256]))
    assert top.hashes == b"".join(tiles[0, index].root for index in range(256))


def test_a_log_that_grows_in_steps_stores_the_same_tiles() -> None:
    once = tiles_of_synthetic_entries(len(HASHES))

    assert tiles_of_synthetic_entries(1, 255, 256, 700, 65_535, 65_536, len(HASHES)) == once


class TestOlderFiles:
    @pytest.fixture(params=[1, 2])
    def old(self, request: pytest.FixtureRequest, path: Path) -> Path:
        """An archive of 1,125 entries from before there were tiles."""
        return Path(shutil.copy(ARCHIVES / f"schema-{request.param}-qin-1.db", path))

    def test_it_is_read_as_it_is(self, old: Path) -> None:
        before = old.read_bytes()
        with SqliteLog.open(old, read_only=True) as log:
            root = Tree(log).root(1125)

            assert log.tile_roots(0, 0, 9) == []
            assert log.flaws() == ()
        assert old.read_bytes() == before
        with SqliteLog.open(old) as log:
            assert Tree(log).root(1125) == root

    def test_its_tiles_are_stored_when_it_is_opened_for_writing(self, old: Path) -> None:
        with SqliteLog.open(old) as log:
            assert len(log.tile_roots(0, 0, 9)) == 4
            assert Tree(log).root(1125) == Tree(log, stored=False).root(1125)
            assert log.flaws() == ()

    def test_what_was_stored_before_the_program_ended_is_not_stored_again(
        self, old: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sqlite_tiles, "_TILES_PER_STEP", 1)
        begun: list[int] = []
        storing = sqlite_tiles.store_tiles

        def killed(connection: sqlite3.Connection, filled: int, last: int) -> None:
            if len(begun) == 2:
                raise KeyboardInterrupt
            begun.append(filled)
            storing(connection, filled, last)

        with monkeypatch.context() as interrupted:
            interrupted.setattr(sqlite_tiles, "store_tiles", killed)
            with pytest.raises(KeyboardInterrupt):
                SqliteLog.open(old)
        with SqliteLog.open(old, read_only=True) as log:
            assert len(log.tile_roots(0, 0, 9)) == 2
            assert log.flaws() == ()
            assert Tree(log).root(1125) == Tree(log, stored=False).root(1125)

        with SqliteLog.open(old) as log:
            assert len(log.tile_roots(0, 0, 9)) == 4
            assert log.flaws() == ()

    def test_what_a_program_of_the_older_version_adds_meanwhile_is_made_up_for(self, old: Path) -> None:
        """It has the file open while a newer one brings it up to date, and stores no tiles."""
        SqliteLog.open(old).close()
        with unguarded(old) as raw:
            raw.execute("DELETE FROM tile WHERE number > 1")
        with SqliteLog.open(old) as log:
            RecordWriter("new").write(log, 3)

            assert len(log.tile_roots(0, 0, 9)) == 4
            assert log.flaws() == ()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entry SET hash = x'00' WHERE position = 20",
        "DELETE FROM entry WHERE position = 20",
        "INSERT INTO tile VALUES (0, 0, zeroblob(32), zeroblob(8192)), (0, 5, zeroblob(32), zeroblob(8192))",
    ],
)
def test_damage_that_keeps_tiles_from_being_stored_stops_no_append(path: Path, change: str) -> None:
    writer = RecordWriter("m")
    with SqliteLog.open(path) as log:
        writer.write(log, 200)
    damage(path, change)

    with SqliteLog.open(path) as log:
        for _ in range(5):
            writer.write(log, 100)

        assert log.last_position() == 700
        head = log.head(MatchId("m"))
        assert head is not None
        assert head.sequence == 699


def test_a_write_that_fails_stores_no_tile(path: Path) -> None:
    with SqliteLog.open(path) as log:
        RecordWriter("m").write(log, 255)
        with closing(sqlite3.connect(path)) as other, other:
            other.execute(
                "CREATE TRIGGER refuse AFTER INSERT ON tile BEGIN SELECT RAISE(ROLLBACK, 'the disk'); END"
            )

        with pytest.raises(LogUnreadable):
            RecordWriter("n").write(log, 100)

        assert log.last_position() == 255
        assert log.tile(0, 0) is None


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE tile SET root = randomblob(32)",
        "UPDATE tile SET level = level",
        "DELETE FROM tile",
        "REPLACE INTO tile VALUES (0, 0, randomblob(32), zeroblob(8192))",
        "INSERT INTO tile VALUES (0, 2, zeroblob(32), zeroblob(8192))",
        "INSERT INTO tile VALUES (0, 1, zeroblob(32), zeroblob(4096))",
        "INSERT INTO tile VALUES (1, 1, zeroblob(32), zeroblob(8192))",
    ],
)
def test_the_file_itself_refuses_changes_of_tiles(path: Path, change: str) -> None:
    with SqliteLog.open(path) as log:
        RecordWriter("m").write(log, 300)
        with (
            closing(sqlite3.connect(path, isolation_level=None)) as other,
            pytest.raises(sqlite3.IntegrityError),
        ):
            other.execute(change)

        assert log.flaws() == ()
