"""What PostgreSQL keeps of people that are forgotten."""

from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest

from records.evidence.personal_commitment import Fact
from records.log.contract import LogForbidden, LogUnavailable
from records.log.opening import open_register
from records.log.people import Register
from records.log.postgres.connection import Session, Target, connect
from records.log.postgres.rows import rows_of
from tests.postgres import as_role, shared_cluster


class TestForgetting:
    ANN = Fact("p", "name", "A rare name")

    @pytest.fixture
    def register(self, target: Target) -> Iterator[Register]:
        with closing(open_register(target.url)) as register:
            yield register

    @staticmethod
    def files(owner: Session) -> bytes:
        """What is in the files of the tables about people."""
        owner.execute("CHECKPOINT")
        rows = owner.execute(
            "SELECT pg_relation_filepath(oid) FROM pg_class "
            "WHERE oid IN ('shiji.person'::regclass, 'shiji.personal'::regclass)"
        ).fetchall()
        return b"".join((shared_cluster().folder / str(file)).read_bytes() for (file,) in rows)

    @staticmethod
    def key(owner: Session) -> bytes:
        ((found,),) = rows_of(owner, "SELECT key FROM shiji.person")
        assert isinstance(found, bytes)
        return found

    def test_a_forgotten_person_is_gone_from_the_files_of_the_tables(
        self, register: Register, owner: Session
    ) -> None:
        (commitment,) = register.remember([self.ANN])
        key = self.key(owner)
        assert register.recall(commitment) == self.ANN
        assert key in self.files(owner)

        assert register.forget("p") == 1

        assert register.recall(commitment) is None
        assert register.forget("p") == 0
        assert key not in self.files(owner)
        assert b"A rare name" not in self.files(owner)

    def test_only_the_owner_of_the_tables_forgets(
        self, target: Target, register: Register, owner: Session
    ) -> None:
        (commitment,) = register.remember([self.ANN])
        owner.execute("GRANT DELETE ON shiji.person, shiji.personal TO shiji_server")
        with (
            closing(open_register(as_role(target, "server").url)) as served,
            pytest.raises(LogForbidden, match="only the owner of the tables"),
        ):
            served.forget("p")

        assert register.recall(commitment) == self.ANN

    def test_no_server_may_delete_people(self, owner: Session) -> None:
        owner.execute("SET ROLE shiji_server")
        for statement in ("DELETE FROM shiji.person", "DELETE FROM shiji.personal"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                owner.execute(statement.encode())

    def test_what_a_transaction_still_sees_is_not_called_deleted_and_goes_with_the_next_try(
        self, target: Target, register: Register, owner: Session
    ) -> None:
        register.remember([self.ANN])
        key = self.key(owner)
        with connect(target, purpose="test") as other:
            other.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
            other.execute("SELECT count(*) FROM shiji.match")

            with pytest.raises(LogUnavailable, match="try again when that has ended"):
                register.forget("p")
            assert key in self.files(owner)

        assert register.forget("p") == 0
        assert key not in self.files(owner)
