"""What audits and the doctor find out about the schema and the indexes of a PostgreSQL archive."""

import psycopg
import pytest

from records.log.postgres.connection import Session, Target
from records.log.postgres.expected_schema import EXPECTED
from records.log.postgres.log import PostgresLog
from records.log.postgres.migrations import migrate
from records.log.postgres.schema import found_schema
from tests.postgres import as_role, shared_cluster
from tests.records.log.making import RecordWriter

REFUSE_NOTHING = (
    "CREATE OR REPLACE FUNCTION shiji.refuse() RETURNS trigger LANGUAGE plpgsql "
    "SET search_path = pg_catalog, pg_temp AS 'BEGIN RETURN NULL; END'"
)


def flaws(target: Target) -> tuple[str, ...]:
    with PostgresLog.open(as_role(target, "auditor"), read_only=True) as log:
        return log.flaws()


def test_the_expected_schema_is_the_one_that_the_migrations_make(owner: Session) -> None:
    assert found_schema(owner) == EXPECTED


def test_the_schema_reads_the_same_for_a_role_of_its_name(target: Target, owner: Session) -> None:
    """PostgreSQL leaves out the name of a schema that a role finds by itself."""
    owner.execute("DO $$ BEGIN CREATE ROLE shiji LOGIN; EXCEPTION WHEN duplicate_object THEN END $$")
    owner.execute("GRANT shiji_auditor TO shiji")
    with PostgresLog.open(as_role(target, "shiji"), read_only=True) as log:
        assert log.flaws() == ()


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (
            "ALTER TABLE shiji.entry DROP CONSTRAINT entry_match_request_key",
            (
                "the schema lacks the constraint entry_match_request_key of table entry",
                "the schema lacks the index shiji.entry_match_request_key",
            ),
        ),
        (
            "ALTER TABLE shiji.leaf DROP CONSTRAINT leaf_match_sequence_fkey",
            ("the schema lacks the constraint leaf_match_sequence_fkey of table leaf",),
        ),
        (
            "ALTER TABLE shiji.tile DROP CONSTRAINT tile_root_check",
            ("the schema lacks the constraint tile_root_check of table tile",),
        ),
        (
            "GRANT UPDATE, DELETE ON shiji.entry TO PUBLIC",
            ("the schema has the grant to PUBLIC on table entry, which Shiji does not make",),
        ),
        (
            "GRANT UPDATE (move) ON shiji.entry TO shiji_server",
            ("the schema has the grant to shiji_server on column entry.move, which Shiji does not make",),
        ),
        (
            "GRANT DELETE ON shiji.personal TO shiji_server",
            ("the grant to shiji_server on table personal is not as Shiji makes it",),
        ),
        (
            "GRANT CREATE ON SCHEMA shiji TO PUBLIC",
            ("the schema has the grant to PUBLIC on schema, which Shiji does not make",),
        ),
        ("ALTER FUNCTION shiji.chain() SECURITY INVOKER", ("the function chain is not as Shiji makes it",)),
        ("ALTER FUNCTION shiji.chain() RESET search_path", ("the function chain is not as Shiji makes it",)),
        (
            REFUSE_NOTHING,
            ("the function refuse is not as Shiji makes it",),
        ),
        (
            "ALTER TABLE shiji.entry ADD COLUMN extra integer",
            ("the schema has the column entry.extra, which Shiji does not make",),
        ),
        (
            "ALTER TABLE shiji.entry ALTER COLUMN hash DROP NOT NULL",
            ("the column entry.hash is not as Shiji makes it",),
        ),
        (
            "CREATE INDEX another ON shiji.entry (recorded)",
            ("the schema has the index shiji.another, which Shiji does not make",),
        ),
        (
            "CREATE RULE nothing AS ON INSERT TO shiji.checkpoint DO INSTEAD NOTHING",
            ("the schema has the rule nothing of table checkpoint, which Shiji does not make",),
        ),
        ("ALTER TABLE shiji.owner SET UNLOGGED", ("the table owner is not as Shiji makes it",)),
        ("GRANT SELECT ON shiji.entry TO auditor", ()),
    ],
)
def test_a_schema_that_was_changed_is_a_flaw(
    target: Target, owner: Session, change: str, found: tuple[str, ...]
) -> None:
    owner.execute(change.encode())

    assert flaws(target) == found


def test_a_damaged_checkpoint_is_a_flaw(target: Target, owner: Session) -> None:
    owner.execute("INSERT INTO shiji.checkpoint VALUES (7, 'rubbish')")

    assert flaws(target) == ("the stored checkpoint of 7 entries is damaged",)


class TestIndexes:
    @pytest.fixture(autouse=True)
    def available(self) -> None:
        if not shared_cluster().has("amcheck"):
            pytest.skip("not run: this PostgreSQL has no amcheck")

    @pytest.mark.parametrize("role", ["auditor", "server", "owner"])
    def test_they_are_checked_as_every_role_once_migrate_has_granted_it(
        self, target: Target, owner: Session, role: str
    ) -> None:
        with PostgresLog.open(target) as log:
            RecordWriter("m").write(log, 3)
        owner.execute("CREATE SCHEMA extensions")
        owner.execute("GRANT USAGE ON SCHEMA extensions TO PUBLIC")
        owner.execute("CREATE EXTENSION amcheck SCHEMA extensions")
        migrate(target)
        with PostgresLog.open(as_role(target, role), read_only=True) as log:
            assert log.unchecked() == ()
            assert log.flaws() == ()

            _lose_an_index_entry(owner)

            (flaw,) = log.flaws()
            assert flaw.startswith("the index owner_pkey is damaged: heap tuple")

    @pytest.mark.parametrize("role", ["auditor", "server"])
    def test_without_the_right_to_it_an_audit_goes_on_and_says_so(
        self, target: Target, owner: Session, role: str
    ) -> None:
        owner.execute("CREATE EXTENSION amcheck")
        with PostgresLog.open(as_role(target, role), read_only=True) as log:
            assert log.flaws() == ()
            assert log.unchecked() == ("indexes, because this role may not run amcheck",)


def test_without_amcheck_an_audit_says_that_indexes_are_unchecked(target: Target) -> None:
    with PostgresLog.open(target, read_only=True) as log:
        assert log.unchecked() == ("indexes, because the extension amcheck is not installed",)


def _lose_an_index_entry(owner: psycopg.Connection[tuple[object, ...]]) -> None:
    """Store a row of which the primary key's index does not know, as a broken disk might."""
    ready = "UPDATE pg_index SET indisready = %s WHERE indexrelid = 'shiji.owner_pkey'::regclass"
    owner.execute(ready, (False,))
    owner.execute("INSERT INTO shiji.owner VALUES ('m', 'club')")
    owner.execute(ready, (True,))
