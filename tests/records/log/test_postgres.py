"""What PostgreSQL adds to the contract: numbers that come later, several servers, roles, failed commits."""

import threading
import time
from contextlib import ExitStack, closing
from functools import partial

import psycopg
import pytest
from msgspec import structs

from records.entry import MatchId
from records.evidence.ed25519 import SecretKey
from records.evidence.note import SignatureType, SignerKey
from records.ledger.ledger import Ledger
from records.log.contract import Append, AppendRejected, AppendResult, LogFault, LogUnavailable, LogUnreadable
from records.log.opening import BadArchiveAddress, open_log
from records.log.postgres.connection import BadTarget, Session, Target, commit, connect
from records.log.postgres.log import PostgresLog
from records.log.postgres.migrations import APPEND_ONLY, MIGRATIONS, migrate
from records.log.postgres.sequencer import SEQUENCER_LOCK_KEY, Sequencer
from tests.postgres import shared_cluster
from tests.records.log.making import RecordWriter, only, whole
from tests.records.matches import begin

M = MatchId("m")
SIGNER = SignerKey("a.example/log", SignatureType.ED25519, SecretKey(bytes(32)))


class TestNumbers:
    def test_an_entry_is_acknowledged_before_it_has_a_position(self, target: Target) -> None:
        with PostgresLog.open(target, sequence=False) as log:
            stored = RecordWriter("m").write(log, 3)

            assert [each.position for each in stored] == [0, 0, 0]
            assert [each.position for each in log.read(M)] == [0, 0, 0]
            assert log.last_position() == 0
            assert list(log.archive()) == []
            assert list(log.listing()) == []

            with closing(Sequencer(target)):
                assert log.wait(2, 10) == 3
            assert [each.position for each in log.read(M)] == [1, 2, 3]
            assert whole(log)[M] == list(log.read(M))

    def test_a_repeat_equals_the_first_answer_but_for_its_position(self, target: Target) -> None:
        with PostgresLog.open(target) as log:
            append = RecordWriter("m").next(2)
            first = only(log.write([append]))
            log.wait(1, 10)

            repeat = only(log.write([append]))

            assert [each.position for each in repeat] == [1, 2]
            assert [structs.replace(each, position=0) for each in repeat] == list(first)

    def test_of_two_sequencers_one_numbers_and_the_other_takes_over(self, target: Target) -> None:
        with PostgresLog.open(target) as one, PostgresLog.open(target) as other:
            writer = RecordWriter("m")
            writer.write(one)
            assert other.wait(0, 10) == 1
            assert one.sequencer is not None
            one.sequencer.close()
            writer.write(one)

            assert other.wait(1, 10) == 2

    def test_entries_of_many_servers_are_numbered_without_gaps(self, target: Target) -> None:
        with ExitStack() as stack:
            logs = [stack.enter_context(PostgresLog.open(target)) for _ in range(3)]

            def play(log: PostgresLog, name: int) -> None:
                writer = RecordWriter(f"m{name}")
                for _ in range(15):
                    writer.write(log, 2)

            threads = [threading.Thread(target=play, args=each) for each in zip(logs, range(3), strict=True)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            while logs[0].wait(89, 10) < 90:
                pass

            assert {len(record) for record in whole(logs[1]).values()} == {30}


class TestGuards:
    @pytest.mark.parametrize("table", APPEND_ONLY)
    @pytest.mark.parametrize("change", ["DELETE FROM {}", "TRUNCATE {} CASCADE"])
    def test_nothing_is_deleted_by_anybody(self, owner: Session, table: str, change: str) -> None:
        with pytest.raises(psycopg.errors.IntegrityConstraintViolation, match="only inserted"):
            owner.execute(change.format(f"shiji.{table}").encode())

    def test_no_entry_is_changed(self, target: Target, owner: Session) -> None:
        with PostgresLog.open(target) as log:
            RecordWriter("m").write(log)

        with pytest.raises(psycopg.errors.IntegrityConstraintViolation, match="only inserted"):
            owner.execute("UPDATE shiji.entry SET move = ''")

    def test_an_entry_that_is_not_chained_is_refused_by_the_table_itself(
        self, target: Target, owner: Session
    ) -> None:
        with PostgresLog.open(target) as log:
            RecordWriter("m").write(log)
        stray = (
            "INSERT INTO shiji.entry SELECT match, 5, 1, actor, move, events, state, 'r', recorded, previous"
        )

        with pytest.raises(psycopg.errors.IntegrityConstraintViolation, match="chained"):
            owner.execute(f"{stray}, hash, signature, secret, concealed FROM shiji.entry".encode())

    def test_a_trigger_that_was_switched_off_is_a_flaw(self, target: Target, owner: Session) -> None:
        owner.execute("ALTER TABLE shiji.entry DISABLE TRIGGER chain")
        owner.execute("DROP TRIGGER append_only ON shiji.leaf")
        with PostgresLog.open(target) as log:
            assert log.flaws() == (
                "the schema lacks the trigger append_only of table leaf",
                "the trigger chain of table entry is switched off",
            )

    def test_an_entry_that_nobody_will_number_is_a_flaw(self, target: Target, owner: Session) -> None:
        with PostgresLog.open(target, sequence=False) as log:
            RecordWriter("m").write(log, 2)
            owner.execute("DELETE FROM shiji.pending")

            assert log.flaws() == ("2 entries have no position, and none will be given to them",)

    def test_each_role_may_do_its_own_work_only(self, owner: Session) -> None:
        def refused(role: str, statement: str) -> bool:
            owner.execute(f"SET ROLE {role}".encode())
            try:
                owner.execute(
                    f"{statement} LIMIT 0" if statement.startswith("SELECT") else statement.encode()
                )
            except psycopg.errors.InsufficientPrivilege:
                return True
            else:
                return False
            finally:
                owner.execute("RESET ROLE")

        assert not refused("shiji_auditor", "SELECT * FROM shiji.entry")
        assert refused("shiji_auditor", "SELECT * FROM shiji.personal")
        assert refused("shiji_auditor", "INSERT INTO shiji.match (id, request, copy) VALUES ('', '', false)")
        assert refused("shiji_server", "INSERT INTO shiji.leaf VALUES (1, 1, 1)")
        assert refused("shiji_server", "DELETE FROM shiji.pending")
        assert refused(
            "shiji_sequencer", "INSERT INTO shiji.match (id, request, copy) VALUES ('', '', false)"
        )
        assert not refused("shiji_sequencer", "DELETE FROM shiji.pending")


class TestOpening:
    def test_a_database_without_tables_is_not_opened(self) -> None:
        shared_cluster().execute("CREATE DATABASE bare")
        with pytest.raises(LogUnreadable, match="shiji migrate"):
            PostgresLog.open(Target.parse(shared_cluster().address("bare")))

    def test_migrating_twice_changes_nothing(self, target: Target) -> None:
        assert migrate(target) == []

    def test_tables_of_a_later_build_are_refused(self, target: Target, owner: Session) -> None:
        owner.execute(
            "INSERT INTO shiji.migration (number, name) VALUES (%s, 'later')", (len(MIGRATIONS) + 1,)
        )

        with pytest.raises(LogUnreadable, match="use a newer one"):
            PostgresLog.open(target)
        with pytest.raises(LogUnreadable, match="use a newer one"):
            migrate(target)

    @pytest.mark.parametrize(
        ("url", "why"),
        [
            ("postgresql://user:hush@localhost/shiji", "PGPASSWORD"),
            ("postgresql://localhost", "names no database"),
            ("postgresql://db.example.org/shiji", "sslmode=verify-full"),
            ("postgresql://localhost,db.example.org/shiji?sslmode=require", "sslmode=verify-full"),
            ("postgresql://localhost:port/shiji?nonsense=1", "cannot be read"),
            ("postgresql://localhost/shiji?hostaddr=10.0.0.1", "sslmode=verify-full"),
            ("postgresql:///shiji?hostaddr=127.0.0.1,10.0.0.1&host=a,b", "sslmode=verify-full"),
            ("postgresql:///shiji?service=elsewhere", "a service of PostgreSQL"),
        ],
    )
    def test_an_address_that_cannot_be_used_says_why(self, url: str, why: str) -> None:
        with pytest.raises(BadTarget, match=why) as refused:
            Target.parse(url)
        assert "hush" not in str(refused.value)
        with pytest.raises(BadArchiveAddress, match=why):
            open_log(url)

    @pytest.mark.parametrize(
        ("variable", "value", "why"),
        [
            ("PGHOST", "db.example.org", "sslmode=verify-full"),
            ("PGHOSTADDR", "10.0.0.1", "sslmode=verify-full"),
            ("PGSERVICE", "elsewhere", "a service of PostgreSQL"),
        ],
    )
    def test_the_environment_does_not_lead_elsewhere(
        self, variable: str, value: str, why: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        target = Target.parse("postgresql:///shiji")
        monkeypatch.setenv(variable, value)

        with pytest.raises(BadTarget, match=why):
            Target.parse("postgresql:///shiji")
        with pytest.raises(LogUnavailable, match=why):
            connect(target, purpose="test")

    def test_the_environment_may_ask_for_tls(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PGHOST", "db.example.org")
        monkeypatch.setenv("PGSSLMODE", "verify-full")

        assert str(Target.parse("postgresql:///shiji")) == "postgresql://db.example.org:5432/shiji"

    def test_an_address_is_shown_without_its_user(self) -> None:
        url = "postgresql://me@db.example.org:5433/shiji?sslmode=verify-full"
        assert str(Target.parse(url)) == "postgresql://db.example.org:5433/shiji"

    def test_a_server_that_is_not_there_is_unavailable(self) -> None:
        with pytest.raises(LogUnavailable, match=r"127\.0\.0\.1:1/shiji"):
            open_log("postgresql://127.0.0.1:1/shiji", read_only=True)


class TestFaults:
    def test_a_warning_at_the_commit_means_that_the_outcome_is_unknown(
        self, target: Target, owner: Session
    ) -> None:
        """PostgreSQL warns so when the wait for a standby was cancelled; a trigger can do the same."""
        owner.execute(
            "CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS "
            "$$BEGIN RAISE WARNING 'canceling wait for synchronous replication'; RETURN NULL; END$$"
        )
        with PostgresLog.open(target) as log:
            writer = RecordWriter("m")
            writer.write(log)
            owner.execute(
                "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON shiji.entry "
                "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION warn()"
            )
            append = writer.next(request="r")
            with pytest.raises(LogUnavailable, match="not known whether the entries are safe"):
                log.write([append])
            owner.execute("DROP TRIGGER late ON shiji.entry")

            assert only(log.write([append]))[0].hash == append.entries[0].hash
            assert len(list(log.read(M))) == 2

    def test_a_commit_without_an_answer_is_not_cancelled_and_its_outcome_is_unknown(
        self, target: Target, owner: Session, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        owner.execute(
            "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS "
            "$$BEGIN PERFORM pg_sleep(1); RETURN NULL; END$$"
        )
        with PostgresLog.open(target) as log:
            writer = RecordWriter("m")
            writer.write(log)
            owner.execute(
                "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON shiji.entry "
                "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow()"
            )
            impatient = partial(commit, seconds=0.05)
            monkeypatch.setattr("records.log.postgres.log.commit", impatient)
            with pytest.raises(LogUnavailable, match="no answer to the commit in time"):
                log.write([writer.next()])
            deadline = time.monotonic() + 20
            while (head := log.head(M)) is None or head.sequence != 1:
                assert time.monotonic() < deadline, "the commit was cancelled"

    def test_a_repeat_is_answered_only_after_a_barrier(
        self, target: Target, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with PostgresLog.open(target) as log, PostgresLog.open(target) as other:
            append = RecordWriter("m").next()
            log.write([append])
            other.confirm()
            waited = self.waits(monkeypatch)

            only(other.write([append]))

            assert waited == [target]

    def test_a_repeat_that_is_found_late_is_answered_only_after_a_barrier(
        self, target: Target, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Another server stores it right after this one has looked for it."""

        class Overtaken(PostgresLog):
            first = True

            @staticmethod
            def _known(session: Session, append: Append) -> AppendResult | None:
                found = PostgresLog._known(session, append)  # noqa: SLF001 - it is overridden here
                if append is repeat and Overtaken.first:
                    Overtaken.first = False
                    assert found is None
                    log.write([append])
                return found

        with PostgresLog.open(target) as log, Overtaken.open(target, sequence=False) as other:
            writer = RecordWriter("m")
            writer.write(log)
            taken, repeat = RecordWriter("m").next(request="taken"), writer.next(request="repeat")
            other.confirm()
            waited = self.waits(monkeypatch)

            _, found = other.write([taken, repeat])

            assert not isinstance(found, AppendRejected)
            assert [each.hash for each in found] == [each.hash for each in repeat.entries]
            assert waited[-1] == target

    def test_a_new_connection_begins_with_a_barrier(
        self, target: Target, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with PostgresLog.open(target) as log:
            waited = self.waits(monkeypatch)

            RecordWriter("m").write(log)

            assert waited == [target, target], "the barrier, and the write itself"

    @staticmethod
    def waits(monkeypatch: pytest.MonkeyPatch) -> list[Target]:
        """Notes the commits from now on; each must write something, or it does not wait for the standby."""
        waited: list[Target] = []

        def noted(session: Session, at: Target) -> None:
            row = session.execute("SELECT pg_current_xact_id_if_assigned() IS NOT NULL").fetchone()
            assert row == (True,), "a commit without a write does not wait for the standby"
            waited.append(at)
            commit(session, at)

        monkeypatch.setattr("records.log.postgres.log.commit", noted)
        return waited

    def test_a_writer_whose_connection_is_cut_connects_again(self, target: Target, owner: Session) -> None:
        with PostgresLog.open(target) as log:
            writer = RecordWriter("m")
            writer.write(log)
            owner.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            append = writer.next()
            for _ in range(3):
                try:
                    stored = log.write([append])
                    break
                except LogUnavailable:
                    continue
            else:
                pytest.fail("the writer never connected again")

            assert only(stored)[0].hash == append.entries[0].hash
            assert log.wait(1, 20) == 2

    def test_a_state_ahead_of_the_log_is_dropped_when_the_connection_is_new(
        self, target: Target, owner: Session
    ) -> None:
        with PostgresLog.open(target) as log:
            ledger = Ledger(log)
            begin(ledger)
            assert len(ledger.cache) == 1
            owner.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND application_name = 'shiji write'"
            )
            with pytest.raises(LogUnavailable):
                RecordWriter("m").write(log)

            RecordWriter("m").write(log)

            assert len(ledger.cache) == 0


def test_only_the_holder_of_the_lock_numbers(target: Target, owner: Session) -> None:
    owner.execute("SELECT pg_advisory_lock(%s)", (SEQUENCER_LOCK_KEY,))
    with PostgresLog.open(target) as log:
        RecordWriter("m").write(log)

        assert log.wait(0, 0.3) == 0

        owner.execute("SELECT pg_advisory_unlock(%s)", (SEQUENCER_LOCK_KEY,))
        assert log.wait(0, 10) == 1


def test_a_closed_server_leaves_nothing_unnumbered(target: Target) -> None:
    with PostgresLog.open(target) as log:
        RecordWriter("m").write(log, 50)
    with PostgresLog.open(target, read_only=True) as log:
        assert log.last_position() == 50
        with pytest.raises(LogFault, match="for reading only"):
            log.write([RecordWriter("n").next()])
