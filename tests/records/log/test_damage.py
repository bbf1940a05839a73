"""Damage by a disk or by somebody's hand is reported, and never passes for what was written."""

import sqlite3
from itertools import islice
from pathlib import Path

import pytest

from records.entry import GENESIS, Entry, MatchId, entry_hash
from records.log.contract import LogFault, LogUnreadable, UnreadableEntry
from records.log.sqlite import SqliteLog
from tests.records.log.making import RecordWriter, whole

COLUMNS = (
    "position",
    "match",
    "sequence",
    "kind",
    "actor",
    "move",
    "events",
    "state",
    "request",
    "recorded",
    "previous",
    "hash",
)
ENTRIES = 12
HURT = 5
"""The position of the entry that is damaged; it stands in match m."""


@pytest.fixture(scope="module")
def unhurt(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Two matches that grew by turns."""
    path = tmp_path_factory.mktemp("unhurt") / "archive.db"
    with SqliteLog.open(path) as log:
        m, n = RecordWriter("m"), RecordWriter("n")
        for _ in range(ENTRIES // 2):
            m.write(log)
            n.write(log)
    return path.read_bytes()


@pytest.fixture
def archive(path: Path, unhurt: bytes) -> Path:
    path.write_bytes(unhurt)
    return path


def as_written(entries: list[Entry]) -> bool:
    """Whether these are the two matches, complete and undamaged, by their numbers, links and hashes."""
    heads: dict[MatchId, Entry] = {}
    for entry in entries:
        head = heads.get(entry.match)
        if (
            entry_hash(entry) != entry.hash
            or entry.previous != (head.hash if head else GENESIS)
            or entry.sequence != (head.sequence + 1 if head else 0)
        ):
            return False
        heads[entry.match] = entry
    return len(entries) == ENTRIES


def noticed(path: Path) -> str:
    """How the damage is noticed; empty if it is not."""
    try:
        with SqliteLog.open(path, read_only=True) as log:
            if not as_written([*log.archive()]):
                return "by the chain"
            if not as_written([entry for match in ("m", "n") for entry in log.read(MatchId(match))]):
                return "by the chain of a match"
            if log.flaws():
                return "by a look at the storage"
    except LogUnreadable:
        return "by reading"
    return ""


def test_an_unhurt_file_is_as_it_was_written(archive: Path) -> None:
    assert noticed(archive) == ""


def unguarded(path: Path) -> sqlite3.Connection:
    """A connection to a file whose triggers and constraints somebody has removed."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute("PRAGMA ignore_check_constraints = ON")
    return connection


def hurt(path: Path, change: str, *values: int | str | bytes) -> None:
    """Do to one entry what nobody can do while the triggers are there."""
    connection = unguarded(path)
    connection.execute(f"UPDATE entry SET {change} WHERE position = {HURT}", values)  # noqa: S608 - the test's own words
    connection.close()


@pytest.mark.parametrize("bit", [0, 6])
@pytest.mark.parametrize("column", COLUMNS)
def test_a_flipped_bit_in_any_column_is_noticed(archive: Path, column: str, bit: int) -> None:
    with SqliteLog.open(archive, read_only=True) as log:
        value = 1 if column == "match" else getattr([*log.archive()][HURT - 1], column)
    match value:
        case int():
            flipped: int | str | bytes = value ^ (1 << bit + 8)
        case str():
            flipped = chr(ord(value[0]) ^ 1 << bit) + value[1:]
        case _:
            flipped = bytes([value[0] ^ 1 << bit]) + value[1:]
    hurt(archive, f"{column} = ?", flipped)

    assert noticed(archive)


UNTYPED = (  # the table without its types, as damage to the file might leave it
    "PRAGMA writable_schema = ON;"
    "UPDATE sqlite_master SET sql = replace(replace(sql, 'STRICT', ''), 'NOT NULL', '')"
    " WHERE name = 'entry';"
    "PRAGMA writable_schema = RESET;"
)

STRANGE = ("-1", "9223372036854775807", "NULL", "1.5", "'text'", "x'00'", "x'ff'")


@pytest.mark.parametrize(
    ("column", "value"),
    [(column, value) for column in COLUMNS for value in (STRANGE if column != "position" else STRANGE[:2])],
)
def test_a_value_of_another_kind_in_any_column_is_noticed(archive: Path, column: str, value: str) -> None:
    connection = unguarded(archive)
    connection.executescript(UNTYPED)
    connection.close()
    hurt(archive, f"{column} = {value}")

    assert noticed(archive)


@pytest.mark.parametrize("value", ["-1", "NULL", "'text'", "x'00'"])
def test_a_damaged_hash_is_no_leaf(archive: Path, value: str) -> None:
    connection = unguarded(archive)
    connection.executescript(UNTYPED)
    connection.close()
    hurt(archive, f"hash = {value}")

    with SqliteLog.open(archive, read_only=True) as log, pytest.raises(UnreadableEntry) as raised:
        list(log.hashes())

    assert raised.value.position == HURT


def test_a_missing_entry_is_no_leaf(archive: Path) -> None:
    connection = unguarded(archive)
    connection.execute(f"DELETE FROM entry WHERE position = {HURT}")  # noqa: S608 - the test's own words
    connection.close()

    with SqliteLog.open(archive, read_only=True) as log, pytest.raises(UnreadableEntry, match="missing"):
        list(log.hashes())


def test_damaged_text_does_not_verify(archive: Path) -> None:
    hurt(archive, "request = CAST(CAST(request AS BLOB) || x'ff' AS TEXT)")

    assert noticed(archive) == "by the chain"


def test_an_unreadable_entry_is_reported_with_its_place_and_the_archive_continues_after_it(
    archive: Path,
) -> None:
    hurt(archive, "kind = 256")

    with SqliteLog.open(archive) as log:
        reading = log.archive()
        assert [entry.position for entry in islice(reading, HURT - 1)] == list(range(1, HURT))
        with pytest.raises(UnreadableEntry) as raised:
            next(reading)
        assert (raised.value.position, raised.value.sequence) == (HURT, 2)
        assert [entry.position for entry in log.archive(after=HURT)] == list(range(HURT + 1, ENTRIES + 1))
        assert len([*log.read(MatchId("n"))]) == ENTRIES // 2


def test_a_missing_entry_is_reported_with_its_place(archive: Path) -> None:
    connection = unguarded(archive)
    connection.execute("DELETE FROM entry WHERE position = ?", (HURT,))
    connection.close()

    with SqliteLog.open(archive) as log:
        with pytest.raises(UnreadableEntry, match=f"position {HURT} is missing") as raised:
            list(log.archive())
        assert raised.value.position == HURT
        with pytest.raises(UnreadableEntry, match="sequence 2 is missing") as raised:
            list(log.read(MatchId("m")))
        assert raised.value.sequence == 2
        assert len([*log.archive(after=HURT)]) == ENTRIES - HURT


def test_a_match_that_is_missing_is_noticed(archive: Path) -> None:
    connection = unguarded(archive)
    connection.execute("DELETE FROM match WHERE number = 1")
    connection.close()

    assert noticed(archive) == "by reading"


def test_a_match_with_a_damaged_listing_is_listed_and_read(archive: Path) -> None:
    connection = unguarded(archive)
    connection.execute("UPDATE match SET seats = '[\"green' WHERE number = 2")
    connection.close()

    with SqliteLog.open(archive) as log:
        assert [listed.match for listed in log.listing()] == ["m", "n"]
        assert len([*log.read(MatchId("n"))]) == ENTRIES // 2


def test_damage_to_one_match_does_not_stop_the_others_from_growing(archive: Path) -> None:
    connection = unguarded(archive)
    connection.execute("UPDATE entry SET hash = x'00' WHERE position = 11")
    connection.close()

    with SqliteLog.open(archive) as log:
        assert RecordWriter("o").write(log)[0].position == ENTRIES + 1


def test_any_byte_of_an_entry_that_changes_on_the_disk_is_noticed(archive: Path, unhurt: bytes) -> None:
    """Every byte of one stored row, where it lies in the file."""
    with SqliteLog.open(archive, read_only=True) as log:
        target = [*log.archive()][HURT - 1]
    row = target.move + target.events + target.state + target.request.encode()
    start = unhurt.index(row)
    length = len(row) + 8 + 32 + 32  # the time, the previous hash, the hash
    assert unhurt[start + length - 32 : start + length] == target.hash

    unnoticed = []
    for offset in range(start - 18, start + length):  # from the row's own header on
        damaged = bytearray(unhurt)
        damaged[offset] ^= 0x41
        archive.write_bytes(damaged)
        if not noticed(archive):
            unnoticed.append(offset - start)

    assert unnoticed == []


def test_a_file_that_was_cut_off_anywhere_is_noticed(archive: Path, unhurt: bytes) -> None:
    unnoticed = []
    for size in range(1, len(unhurt), 509):
        archive.write_bytes(unhurt[:size])
        if not noticed(archive):
            unnoticed.append(size)

    assert unnoticed == []


def test_a_file_cut_off_while_it_is_open_for_reading_is_reported(archive: Path) -> None:
    with SqliteLog.open(archive, read_only=True) as log:
        with archive.open("r+b") as file:
            file.truncate(5000)

        with pytest.raises(LogFault):
            whole(log)


def test_pages_of_noise_are_noticed(archive: Path, unhurt: bytes) -> None:
    for start in range(0, len(unhurt), 4096):
        archive.write_bytes(unhurt[:start] + bytes(range(256)) * 16 + unhurt[start + 4096 :])

        assert noticed(archive), start
