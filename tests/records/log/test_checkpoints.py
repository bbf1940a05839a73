"""Published checkpoints of a PostgreSQL archive, and an archive that is not the one that they are of."""

import time
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from records.evidence.checkpoint import parse_checkpoint
from records.evidence.ed25519 import SecretKey
from records.evidence.note import SignatureType, SignerKey, format_note, parse_note
from records.log.contract import LogFault, LogReadOnly, LogUnreadable
from records.log.postgres.checkpoints import PublishedCheckpoints
from records.log.postgres.connection import Session, Target, commit
from records.log.postgres.log import PostgresLog
from records.log.tree import Tree, signed_checkpoint
from tests.postgres import Cluster, as_role, shared_cluster
from tests.records.log.making import RecordWriter

KEY = SignerKey("example.com/log", SignatureType.ED25519, SecretKey(bytes(range(32))))
SEQUENCING = (
    "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'shiji sequencer' "
    "AND datname = current_database() AND query <> ''"
)
"""Connections of sequencers that have asked something."""
WAIT_SECONDS = 60.0


@pytest.fixture
def target() -> Target:
    return shared_cluster().target_of("server")


def eventually(true: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def served(target: Target, kept: Path) -> tuple[PostgresLog, PublishedCheckpoints]:
    """A log as a server has it, which compares the archive with the checkpoint that it keeps."""
    log = PostgresLog.open(target, sequence=False)
    checkpoints = PublishedCheckpoints(target, log, kept, KEY)
    log.hold = checkpoints.fault
    return log, checkpoints


def leads(log: PostgresLog) -> bool:
    """Whether the log numbers entries now."""
    assert log.sequencer is not None
    return log.sequencer.status.leading


def size_in(kept: Path) -> int:
    return parse_checkpoint(parse_note(kept.read_bytes()).text).size if kept.exists() else 0


def restore(cluster: Cluster, name: str, source: str, former: str) -> None:
    """Put another database in the place of one, as an operator does while servers run."""
    with psycopg.connect(cluster.address("postgres"), autocommit=True) as session:
        session.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
        session.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
        while session.execute("SELECT 1 FROM pg_stat_activity WHERE datname = %s", (name,)).fetchone():
            time.sleep(0.01)
        session.execute(f"ALTER DATABASE {name} RENAME TO {name}_{former}".encode())
        session.execute(f"ALTER DATABASE {name}_{former} ALLOW_CONNECTIONS true".encode())
        session.execute(f"ALTER DATABASE {name}_{source} RENAME TO {name}".encode())


class TestABackupRestoredUnderARunningServer:
    def test_it_takes_no_write_and_gives_no_number_until_the_right_archive_is_back(
        self, target: Target, tmp_path: Path
    ) -> None:
        cluster, name, kept = shared_cluster(), target.url.rpartition("/")[2], tmp_path / "kept"
        writer = RecordWriter("m")
        with PostgresLog.open(target) as log:
            writer.write(log, 2)
        with PostgresLog.open(target, sequence=False) as log:
            writer.write(log)  # no number yet
        cluster.execute(f"CREATE DATABASE {name}_backup TEMPLATE {name}")
        log, checkpoints = served(target, kept)
        with log:
            log.begin_numbering()
            writer.write(log, 2)
            eventually(lambda: log.last_position() == 5)
            checkpoints.publish(Tree(log).checkpoint(KEY))
            assert size_in(kept) == 5

            restore(cluster, name, "backup", "lost")

            append = RecordWriter("another").next()
            for _ in range(5):
                with pytest.raises(LogFault):
                    log.write([append])
            with pytest.raises(LogReadOnly, match="a checkpoint of 5 entries was published: it has 2"):
                log.write([append])
            eventually(lambda: bool(cluster.ask(SEQUENCING, name)))
            assert log.wait(2, 1) == 2
            assert cluster.ask("SELECT count(*) FROM shiji.entry", name) == 3
            assert size_in(kept) == 5

            restore(cluster, name, "lost", "backup")

            eventually(lambda: quietly(checkpoints.look) and checkpoints.fault() is None)
            eventually(lambda: quietly(lambda: log.write([append])))
            assert log.wait(5, WAIT_SECONDS) == 6


class TestSequencing:
    def test_a_server_that_is_held_leaves_numbering_to_others(self, target: Target) -> None:
        name = target.url.rpartition("/")[2]
        with PostgresLog.open(target, sequence=False) as held:
            held.hold = lambda: "its clock is wrong"
            held.begin_numbering()
            eventually(lambda: bool(shared_cluster().ask(SEQUENCING, name)))
            with PostgresLog.open(target) as other:
                RecordWriter("m").write(other)

                assert other.wait(0, WAIT_SECONDS) == 1
                eventually(lambda: not leads(held))

    def test_a_server_that_is_held_later_gives_the_lock_away(self, target: Target) -> None:
        with PostgresLog.open(target) as held:
            RecordWriter("m").write(held)
            assert held.wait(0, WAIT_SECONDS) == 1
            eventually(lambda: leads(held))
            held.hold = lambda: "its clock is wrong"
            with PostgresLog.open(target) as other:
                RecordWriter("n").write(other)

                assert other.wait(1, WAIT_SECONDS) == 2
                eventually(lambda: not leads(held))

            held.hold = lambda: None
            RecordWriter("o").write(held)
            assert held.wait(2, WAIT_SECONDS) == 3

    def test_the_time_of_the_last_turn_stays_while_nothing_is_to_do(self, target: Target) -> None:
        with PostgresLog.open(target) as log:
            RecordWriter("m").write(log)
            assert log.wait(0, WAIT_SECONDS) == 1
            assert log.sequencer is not None
            eventually(lambda: log.sequencer is not None and log.sequencer.status.position == 1)
            last = log.sequencer.status.seconds
            time.sleep(0.1)  # several polls

            assert last > 0
            assert log.sequencer.status.seconds == last


class TestStoredCheckpoints:
    def test_one_that_another_server_has_stored_is_shown_only_after_a_barrier(
        self, target: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        log, writer = served(target, tmp_path / "one")
        with log:
            writer.publish(Tree(log).checkpoint(KEY))
            waited = noted_commits(monkeypatch)
            reader = PublishedCheckpoints(target, log, tmp_path / "other", None)

            assert reader.newest() is not None
            assert waited == [True]
            assert reader.newest() is not None
            assert waited == [True], "it is known to be safe"

    def test_one_that_is_stored_already_is_published_only_after_a_barrier(
        self, target: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        log, checkpoints = served(target, tmp_path / "kept")
        with log:
            note = Tree(log).checkpoint(KEY)
            checkpoints.publish(note)
            waited = noted_commits(monkeypatch)

            checkpoints.publish(note)

            assert waited == [True]

    def test_one_of_another_archive_is_not_published(self, target: Target, tmp_path: Path) -> None:
        log, checkpoints = served(target, tmp_path / "kept")
        with log, PostgresLog.open(shared_cluster().target_of("server")) as other:
            RecordWriter("m").write(other)
            assert other.wait(0, WAIT_SECONDS) == 1
            with pytest.raises(LogFault, match="nothing was published"):
                checkpoints.publish(Tree(other).checkpoint(KEY))

            assert checkpoints.newest() is None

    @pytest.mark.parametrize("note", ["rubbish", "example.com/log\n999\nAAAA\n"])
    def test_a_damaged_one_is_a_fault_of_the_archive(self, target: Target, tmp_path: Path, note: str) -> None:
        log, checkpoints = served(target, tmp_path / "kept")
        with psycopg.connect(as_role(target, "owner").url, autocommit=True) as owner:
            owner.execute("INSERT INTO shiji.checkpoint VALUES (999, %s)", (note,))
        with log, pytest.raises(LogUnreadable, match="a stored checkpoint is damaged"):
            checkpoints.look()

    def test_one_that_promises_too_much_is_not_kept(self, target: Target, tmp_path: Path) -> None:
        kept = tmp_path / "kept"
        log, checkpoints = served(target, kept)
        note = format_note(signed_checkpoint(KEY, 999, bytes(32))).decode()
        with psycopg.connect(as_role(target, "owner").url, autocommit=True) as owner:
            owner.execute("INSERT INTO shiji.checkpoint VALUES (999, %s)", (note,))
        with log, pytest.raises(LogUnreadable, match="promises 999 entries"):
            checkpoints.look()
        assert not kept.exists()


def quietly(work: Callable[[], object]) -> bool:
    """Whether some work could be done."""
    try:
        work()
    except LogFault:
        return False
    return True


def noted_commits(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Notes of each commit from now on whether it writes something, and so waits for the standby."""
    waited: list[bool] = []

    def noted(session: Session, at: Target) -> None:
        row = session.execute("SELECT pg_current_xact_id_if_assigned() IS NOT NULL").fetchone()
        waited.append(row == (True,))
        commit(session, at)

    monkeypatch.setattr("records.log.postgres.log.commit", noted)
    return waited
