"""A write that cannot go on ends soon: refused, or with an unknown outcome, never by a cancelled commit."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from records.entry import MatchId
from records.evidence.ed25519 import SecretKey
from records.evidence.note import SignatureType, SignerKey
from records.evidence.personal_commitment import Fact
from records.log.contract import LogBusy, LogReadOnly, LogUnavailable, write_each
from records.log.postgres.checkpoints import PublishedCheckpoints
from records.log.postgres.connection import (
    OutcomeUnknown,
    Session,
    Target,
    connect,
    connect_to_write,
    translated,
)
from records.log.postgres.log import PostgresLog
from records.log.postgres.migrations import migrate
from records.log.postgres.owners import PostgresOwners
from records.log.postgres.people import PostgresRegister
from records.log.postgres.pulse import NOT_CONFIRMED, Pulse
from records.log.tree import Tree
from tests.postgres import Cluster, shared_cluster
from tests.records.log.making import RecordWriter, only

WAIT_SECONDS = 120.0
"""Far above what a healthy write takes, and no limit of its own: a busy machine is slow."""

ANN = Fact("p", "name", "Ann")
SIGNER = SignerKey("a.example/log", SignatureType.ED25519, SecretKey(bytes(32)))

ALL_WAITING = (
    "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'shiji %' AND wait_event = 'SyncRep'"
)
"""Connections whose commit waits for the standby, whether or not anybody waits for them."""


def eventually(true: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


class TestBehindAnother:
    """Another transaction holds the row, such as one whose commit waits for the standby."""

    @pytest.fixture
    def other(self, target: Target) -> Iterator[Session]:
        with connect(target, purpose="test") as session:
            yield session

    @pytest.fixture
    def log(self, target: Target) -> Iterator[PostgresLog]:
        with PostgresLog.open(target, sequence=False) as log:
            yield log

    @staticmethod
    def holds(other: Session, match: str, sequence: int) -> None:
        """Insert the next entry of a match as a copy of the last, in a transaction that stays open."""
        other.execute("BEGIN")
        other.execute(
            "INSERT INTO shiji.entry SELECT match, %s, 1, actor, move, events, state, 'another', recorded, "
            "hash, sha256(hash), signature, secret, concealed "
            "FROM shiji.entry JOIN shiji.match ON key = match WHERE id = %s::bytea AND sequence = %s",
            (sequence, match.encode(), sequence - 1),
        )

    def test_a_write_is_refused_and_goes_through_when_the_other_is_gone(
        self, log: PostgresLog, other: Session
    ) -> None:
        writer = RecordWriter("m")
        writer.write(log)
        append = writer.next()
        self.holds(other, "m", 1)

        with pytest.raises(LogBusy, match="another write holds what this one needs"):
            log.write([append])

        other.execute("ROLLBACK")
        assert only(log.write([append]))[0].hash == append.entries[0].hash
        assert log.unknown_outcomes == 0

    def test_of_a_group_only_the_write_behind_it_is_refused(self, log: PostgresLog, other: Session) -> None:
        writers = [RecordWriter(name) for name in ("a", "b", "c")]
        for writer in writers:
            writer.write(log)
        self.holds(other, "b", 1)

        results = write_each(log, [writer.next() for writer in writers])

        assert [isinstance(result, tuple) for result in results] == [True, False, True]
        assert isinstance(results[1], LogBusy)

    def test_people_and_owners_are_not_waited_for_either(self, target: Target, other: Session) -> None:
        other.execute("BEGIN")
        other.execute("INSERT INTO shiji.person VALUES ('p', sha256('key'))")
        other.execute("INSERT INTO shiji.owner VALUES ('m', 'club')")
        with closing(PostgresRegister(target)) as register, closing(PostgresOwners(target)) as owners:
            with pytest.raises(LogBusy):
                register.remember([ANN])
            with pytest.raises(LogBusy):
                owners.claim(MatchId("m"), "rival")

            other.execute("ROLLBACK")

            (commitment,) = register.remember([ANN])
            assert register.recall(commitment) == ANN
            assert owners.claim(MatchId("m"), "rival")

    def test_a_statement_without_an_answer_gives_up_the_connection_and_cancels_nothing(
        self, target: Target, other: Session
    ) -> None:
        with connect_to_write(target, purpose="slow") as session:
            session.answer_seconds = 0.2
            with pytest.raises(LogUnavailable), closing(session):
                self.sleeps(session, target)

        running = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'shiji slow'"
        assert other.execute(running).fetchone() == (1,), "it was cancelled"

    @staticmethod
    def sleeps(session: Session, target: Target) -> None:
        with translated(target):
            session.execute("SELECT pg_sleep(5)")

    def test_the_database_frees_what_a_vanished_machine_held(self, target: Target) -> None:
        with connect_to_write(target, purpose="test") as session:
            settings = {
                name: session.execute("SELECT setting FROM pg_settings WHERE name = %s", (name,)).fetchone()
                for name in ("tcp_keepalives_idle", "tcp_user_timeout", "idle_in_transaction_session_timeout")
            }

        assert settings == {
            "tcp_keepalives_idle": ("2",),
            "tcp_user_timeout": ("4000",),
            "idle_in_transaction_session_timeout": ("10000",),
        }


@dataclass
class Away:
    """A primary that knows for certain that its standby is away, and a log that knows it, too."""

    primary: Cluster
    standby: Cluster
    target: Target
    pulse: Pulse
    log: PostgresLog


@pytest.fixture(scope="module")
def away() -> Iterator[Away]:
    with ExitStack() as stack:
        primary = Cluster.create()
        stack.callback(primary.remove)
        primary.start()
        primary.execute("CREATE DATABASE shiji")
        target = Target.parse(primary.address("shiji"))
        migrate(target)
        standby = Cluster.standby_of(primary)
        stack.callback(standby.remove)
        standby.start()
        primary.waits_for_standby()
        pulse = stack.enter_context(closing(Pulse(target)))
        log = stack.enter_context(PostgresLog.open(target))
        log.hold = pulse.write_fault
        yield Away(primary, standby, target, pulse, log)


def test_nothing_is_begun_while_the_standby_is_away_and_everything_goes_on_afterwards(
    away: Away, tmp_path: Path
) -> None:
    """What is begun leaves a connection that waits for the standby, until there is no room for more."""
    log, held = away.log, away.pulse.write_fault
    checkpoints = PublishedCheckpoints(away.target, log, tmp_path / "kept", SIGNER)
    with (
        closing(PostgresRegister(away.target, held)) as register,
        closing(PostgresOwners(away.target, held)) as owners,
    ):
        RecordWriter("m").write(log)
        log.wait(0, WAIT_SECONDS)
        note = Tree(log).checkpoint(SIGNER, 1)
        checkpoints.publish(note)
        away.standby.stop("immediate")
        with pytest.raises(OutcomeUnknown):
            register.remember([ANN])
        eventually(lambda: away.pulse.write_fault() == NOT_CONFIRMED)
        waiting = away.primary.ask(ALL_WAITING)

        for _ in range(3):
            checkpoints.look()
            with pytest.raises(LogReadOnly):
                PublishedCheckpoints(away.target, log, tmp_path / "other", SIGNER).newest()
            with pytest.raises(LogReadOnly):
                checkpoints.publish(note)
            with pytest.raises(LogReadOnly):
                register.remember([ANN])
            with pytest.raises(LogReadOnly):
                owners.claim(MatchId("m"), "club")
            with pytest.raises(LogReadOnly):
                log.write([RecordWriter("n").next()])

        assert away.primary.ask(ALL_WAITING) == waiting <= 2
        away.standby.start()
        eventually(lambda: away.pulse.write_fault() is None)
        (commitment,) = register.remember([ANN])
        assert register.recall(commitment) == ANN
        assert owners.claim(MatchId("m"), "club")
        assert checkpoints.newest() == note


class TestSequencerFaults:
    def test_a_fault_of_the_sequencer_itself_is_counted_and_it_goes_on_afterwards(self) -> None:
        target = shared_cluster().target()
        with PostgresLog.open(target) as log, connect(target, purpose="test") as owner:
            assert log.sequencer is not None
            writer = RecordWriter("m")
            writer.write(log)
            assert log.wait(0, WAIT_SECONDS) == 1
            owner.execute("DELETE FROM shiji.sequenced")
            writer.write(log)
            eventually(lambda: log.sequencer is not None and log.sequencer.status.failures > 1)
            failed = log.sequencer.status
            owner.execute("INSERT INTO shiji.sequenced (position, matches) VALUES (1, 1)")
            eventually(lambda: len(list(log.archive())) == 2)

            assert failed.fault == "TypeError: the row with the last position is damaged"
            assert not failed.leading
            eventually(lambda: log.sequencer is not None and log.sequencer.status.fault is None)
