"""The index says of every match what its record says, and is made anew whenever it does not."""

import hashlib
import random
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

import pytest
from msgspec import structs

from records.audit.build import build_words
from records.entry import Dealer, Entry, MatchId
from records.files.record_file import read_record
from records.index.file import index_path
from records.index.index import ArchiveIndex
from records.index.summary import EntryWords, entry_words
from records.index.values import AuditState, IndexedMatch, MatchQuery, PlayState
from records.ledger.ledger import Ledger
from records.ledger.redaction import CannotRedact, redacted
from records.log.memory import MemoryLog
from records.log.sqlite import SqliteLog
from records.replay.fold import rebuild
from records.verdict import AuditReport, IllegalAt, Verified, winners_of
from rules.kernel.actors import CHANCE, SPECTATOR
from tests.records.archives import add, damage, make, open_log
from tests.records.concealed import GAMES as HIDING
from tests.records.concealed import hidden_hands
from tests.records.matches import MOVES, begin, forged
from tools.dev.golden_version_2 import FOLDER
from tools.dev.version_1 import Version1Ledger

GOLDENS = sorted(
    path
    for path in FOLDER.glob("*.jsonl")
    if path.stem != "choices" and not path.stem.endswith(("-bare", "-green"))
)


@contextmanager
def indexed(path: Path) -> Iterator[ArchiveIndex]:
    with open_log(path) as log, ArchiveIndex(log, path) as index:
        yield index


def brought_up_to_date(index: ArchiveIndex) -> None:
    while not index.catch_up():
        pass


def listed(path: Path, query: MatchQuery | None = None) -> list[IndexedMatch]:
    with indexed(path) as index:
        brought_up_to_date(index)
        return list(index.listed(query or MatchQuery(), size=1000).rows)


def ids(found: list[IndexedMatch]) -> list[str]:
    return [match.match for match in found]


def test_a_match_stands_as_its_record_says(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    shutil.copy(FOLDER / "mixed.db", path)
    found = listed(path)

    assert found
    with open_log(path) as log:
        for match in found:
            snapshot = rebuild(list(log.read(match.match)))
            outcome = snapshot.state.outcome()
            over = outcome is not None or snapshot.guards.closed
            assert match.state is (PlayState.OVER if over else PlayState.OPEN)
            assert match.sequence == snapshot.sequence
            assert match.winners == winners_of(snapshot.header.setup.seats, outcome)
            assert match.seats == snapshot.header.setup.seats
            assert match.tags == snapshot.header.tags
            assert match.copy == log.is_copy(match.match)
            assert not match.stale


def test_new_entries_and_matches_are_seen_at_the_next_look(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    first, *_ = make(path, 2, MOVES[:2])
    before = {match.match: match.sequence for match in listed(path)}
    with SqliteLog.open(path) as log:
        ledger = Ledger(log)
        table = begin(ledger, request="later")
        ledger.append(MatchId(first), 2, "third", ledger.state_at(MatchId(first)).parse_text(MOVES[2]))

    after = {match.match: match.sequence for match in listed(path)}

    assert before[MatchId(first)] == 2
    assert after == before | {MatchId(first): 3, table.match: 0}


def test_a_match_that_changes_while_it_is_folded_stays_stale(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    (match,) = make(path, 1, MOVES[:1])
    with SqliteLog.open(path) as log:
        ledger = Ledger(log)

        def played_meanwhile(asked: MatchId) -> object:
            snapshot = ledger.current(asked)
            ledger.append(asked, 1, "second", snapshot.state.parse_text(MOVES[1]))
            while not other.catch_up():
                pass
            return snapshot

        with ArchiveIndex(log, path) as other, ArchiveIndex(log, path, played_meanwhile) as index:  # type: ignore[arg-type] # a snapshot
            brought_up_to_date(index)
            (row,) = index.page(MatchQuery()).rows
            index.refresh(row)
            (again,) = index.page(MatchQuery()).rows

            assert again.stale
            assert other.refresh(again).sequence == 2
    assert match


def test_a_damaged_match_is_listed_as_damaged_whatever_its_state(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    matches = make(path, 5)
    damage(path, "UPDATE entry SET events = x'ff' WHERE match = 2 AND sequence = 1")
    damage(path, "DELETE FROM entry WHERE match = 3 AND sequence = 0")
    damage(path, "UPDATE match SET seats = 'x' WHERE number = 4")

    damaged = [match for match in listed(path) if match.state is PlayState.DAMAGED]

    assert ids(damaged) == matches[1:3]
    assert all(match.damage for match in damaged)
    assert ids(listed(path, MatchQuery(state=PlayState.OVER))) == matches[1:3]
    assert ids(listed(path, MatchQuery(state=PlayState.DAMAGED))) == matches[1:3]
    assert ids(listed(path, MatchQuery(seat="green"))) == matches
    assert ids(listed(path, MatchQuery(seat="nobody"))) == [matches[3]]


def test_neither_listing_nor_indexing_changes_a_byte_of_the_archive(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    make(path, 3)
    before = hashlib.sha256(path.read_bytes()).digest()
    with indexed(path) as index:
        brought_up_to_date(index)
        index.listed(MatchQuery())
        index.describe(10)
        index.note([AuditReport(MatchId("x"), Verified(), 1, 1)], 3, 1)

    assert hashlib.sha256(path.read_bytes()).digest() == before
    assert not sum(each.stat().st_size for each in tmp_path.glob("archive.db-wal"))


def _foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE match (number, id)")
        other.execute("CREATE VIEW readable_entry AS SELECT 1")


def _newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA user_version = 99")


def _of_another_build(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE about SET value = 'shiji 9' WHERE name = 'made by'")


def _without_a_table(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("DROP TABLE word")


def _with_a_changed_row(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file, file:
        changed = "CAST(replace(CAST(row AS TEXT), 'violet to place', 'violet to plead') AS BLOB)"
        file.execute(f"UPDATE match SET row = {changed} WHERE number = 2")  # noqa: S608 - our own text


def _with_a_row_that_is_no_row(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE match SET row = x'00'")


def _emptied(path: Path) -> None:
    path.write_bytes(b"")


def _overwritten(path: Path) -> None:
    path.write_bytes(b"this is no index" * 1000)


def _cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5000])


def _scrambled(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:8192] = random.Random(1).randbytes(4096)  # noqa: S311 - the same in every run
    path.write_bytes(data)


def _without_position(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE about SET value = 'far' WHERE name = 'position'")


def test_an_index_is_of_a_build_with_exactly_this_code_and_these_games(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    make(path, 1)
    listed(path)

    with closing(sqlite3.connect(index_path(path))) as file:
        rows = list(file.execute("SELECT value FROM about WHERE name = 'made by'"))

    assert rows == [(build_words(),)]


@pytest.mark.parametrize(
    "spoil",
    [
        _foreign,
        _newer,
        _of_another_build,
        _without_a_table,
        _with_a_changed_row,
        _with_a_row_that_is_no_row,
        _emptied,
        _overwritten,
        _cut_off,
        _scrambled,
        _without_position,
    ],
)
def test_a_damaged_foreign_or_newer_index_is_made_anew(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    path = tmp_path / "archive.db"
    make(path, 4)
    right = listed(path)
    if spoil is _foreign:
        index_path(path).unlink()
    spoil(index_path(path))

    again = listed(path)

    assert [structs.replace(match, touched=0) for match in again] == [
        structs.replace(match, touched=0) for match in right
    ]
    assert listed(path, MatchQuery(text="vio")) == again


def test_an_index_of_another_archive_is_not_believed(tmp_path: Path) -> None:
    one, other = tmp_path / "one.db", tmp_path / "other.db"
    make(one, 2)
    matches = make(other, 3)
    listed(one)
    shutil.copy(index_path(one), index_path(other))

    assert ids(listed(other)) == matches


def test_an_index_of_an_archive_that_was_longer_is_not_believed(tmp_path: Path) -> None:
    path, copy = tmp_path / "archive.db", tmp_path / "copy.db"
    matches = make(path, 2, MOVES[:1])
    shutil.copy(path, copy)
    with SqliteLog.open(path) as log:
        begin(Ledger(log), request="later").play(*MOVES)
    listed(path)
    shutil.copy(copy, path)

    assert ids(listed(path)) == matches


def test_where_no_file_can_be_beside_the_archive_the_index_is_in_the_cache_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "archive.db"
    matches = make(path, 2)
    index_path(path).mkdir()

    with indexed(path) as index:
        brought_up_to_date(index)
        assert ids([*index.listed(MatchQuery()).rows]) == matches
        assert index.path is not None
        assert index.path.parent == tmp_path / "cache" / "shiji"
        assert index.path.stat().st_mode & 0o777 == 0o600


def test_where_no_file_can_be_written_at_all_the_index_is_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    path = tmp_path / "archive.db"
    matches = make(path, 2)
    index_path(path).mkdir()

    with indexed(path) as index:
        brought_up_to_date(index)
        assert ids([*index.listed(MatchQuery()).rows]) == matches
        assert index.path is None


def test_an_index_is_only_for_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    make(path, 1)
    listed(path)

    assert index_path(path).stat().st_mode & 0o777 == 0o600


def test_programs_that_use_one_index_at_once_all_see_everything(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    make(path, 3)
    seen: list[set[str]] = []

    def look() -> None:
        for _ in range(15):
            seen.append(set(ids(listed(path))))  # noqa: PERF401 - other threads append too

    with SqliteLog.open(path) as log:
        ledger = Ledger(log)
        threads = [threading.Thread(target=look) for _ in range(3)]
        for thread in threads:
            thread.start()
        for number in range(10):
            begin(ledger, request=f"later {number}").play(*MOVES[:2])
        for thread in threads:
            thread.join()
        everything = set(log.matches())

    assert len(seen) == 45
    assert set(ids(listed(path))) == everything
    assert {match.sequence for match in listed(path)} == {2, 5}


def test_an_audit_is_remembered_until_the_match_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    first, second = map(MatchId, make(path, 2, MOVES[:2]))
    with indexed(path) as index:
        brought_up_to_date(index)
        illegal = IllegalAt(1, "", ())
        index.note([AuditReport(first, Verified(), 2, 2), AuditReport(second, illegal, 2, 2)], 6, 1)
    with SqliteLog.open(path) as log:
        ledger = Ledger(log)
        for match in (first, second):
            ledger.append(match, 2, "third", ledger.state_at(match).parse_text(MOVES[2]))

    assert [match.audit for match in listed(path)] == [AuditState.OUTDATED, AuditState.ILLEGAL]
    assert ids(listed(path, MatchQuery(audit=AuditState.ILLEGAL))) == [second]
    assert listed(path, MatchQuery(audit=AuditState.VERIFIED)) == []


def test_what_was_audited_is_not_known_of_a_changed_archive(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    make(path, 1, MOVES[:2])
    with indexed(path) as index:
        brought_up_to_date(index)
        index.cover(0, 3, 7)
        assert index.coverage() == (3, 7)
        index.cover(5, 9, 8)
        assert index.coverage() == (3, 7), "what lies between was not audited"
    damage(path, "UPDATE entry SET hash = zeroblob(32) WHERE position = 3")

    with indexed(path) as index:
        assert index.coverage() is None


def test_every_entry_is_in_words_in_the_view(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    (match,) = make(path, 1)
    with indexed(path) as index:
        brought_up_to_date(index)
        index.listed(MatchQuery())
        assert index.describe(5) == 1
        assert index.describe(5) == 0
    with closing(sqlite3.connect(index_path(path))) as file:
        words = file.execute("SELECT sequence, kind, actor, move, events FROM readable_entry").fetchall()
        (standing,) = file.execute(
            "SELECT match, state, winners, audit, entries FROM readable_match"
        ).fetchall()

    assert words[0] == (0, "header", "arbiter", "", "")
    assert words[1][:4] == (1, "move", "green", MOVES[0])
    assert words[1][4].startswith("green placed red on e8 and e9; green founded a red province")
    assert [row[3] for row in words[1:]] == list(MOVES)
    assert standing == (match, "under way", "", "unaudited", 5)


def _plain(words: list[EntryWords]) -> list[tuple[str, str]]:
    return [(each.move, each.events) for each in words]


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_words_show_no_more_than_a_spectator_may_read(path: Path) -> None:
    entries = list(read_record(path.read_bytes()).entries)
    under_way = _before_the_end(entries)
    try:
        public = redacted(under_way, SPECTATOR)
    except CannotRedact:
        pytest.skip("version 1 without a seal has no public form; the next test is about it")

    assert _plain(entry_words(1, under_way, 0)) == _plain(entry_words(1, public, 0))


def _before_the_end(entries: list[Entry]) -> list[Entry]:
    """The record as long as something is hidden."""
    while len(entries) > 1 and (
        rebuild(entries).state.outcome() is not None or rebuild(entries).guards.closed
    ):
        entries = entries[:-1]
    return entries


@pytest.mark.parametrize("kind", [Ledger, Version1Ledger])
@pytest.mark.parametrize("game", HIDING)
def test_words_are_the_same_in_worlds_that_differ_only_in_hidden_hands(game: str, kind: type[Ledger]) -> None:
    worlds = []
    for choice in (0, 1):
        log = MemoryLog()
        ledger = kind(log, new_id=lambda: MatchId("hidden"), clock=lambda: 1)
        header = hidden_hands(game, Dealer.RECORDER)
        match = ledger.start(header, "start").entry.match
        hidden = False
        while not hidden:
            current = ledger.current(match)
            (actor, *_) = current.state.awaiting()
            moves = list(islice(current.state.legal_moves(actor), 2))
            hidden = actor is CHANCE and current.state.hides_move(moves[-1])
            move = moves[choice if hidden else 0]
            ledger.append(match, current.sequence, f"move {current.sequence}", move)
        worlds.append(ledger)
    one, other = (list(world.log.read(MatchId("hidden"))) for world in worlds)

    assert worlds[0].state_at(MatchId("hidden")) != worlds[1].state_at(MatchId("hidden"))
    assert _plain(entry_words(1, one, 0)) == _plain(entry_words(1, other, 0))


def test_a_forged_record_has_a_row_and_words_as_far_as_it_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    (match,) = make(path, 1)
    with open_log(path) as log:
        entries = list(log.read(MatchId(match)))
    other = tmp_path / "forged.db"
    add(other, forged(entries, 3, events=b"\xff\xff"))
    with indexed(other) as index:
        brought_up_to_date(index)
        (row,) = index.listed(MatchQuery()).rows
        index.describe(5)

    assert row.state is PlayState.DAMAGED
    with closing(sqlite3.connect(index_path(other))) as file:
        assert file.execute("SELECT count(*) FROM readable_entry").fetchone() == (6,)


def test_a_log_in_memory_has_an_index_in_memory() -> None:
    log = MemoryLog()
    table = begin(Ledger(log))
    with ArchiveIndex(log) as index:
        brought_up_to_date(index)
        assert index.path is None
        assert ids([*index.listed(MatchQuery()).rows]) == [table.match]
