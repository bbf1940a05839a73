"""The tables of a PostgreSQL archive: numbered migrations, and checks of what a database has."""

from typing import Final

from psycopg import sql
from psycopg.errors import UndefinedTable

from records.log.contract import LogUnreadable
from records.log.postgres.amcheck import amcheck_function
from records.log.postgres.connection import Session, Target, connect, number, translated

MIGRATION_LOCK_KEY: Final = int.from_bytes(b"ShijMigr")
"""The advisory lock that a migration holds, so that two of them never run at once."""

SERVER_ROLE: Final = "shiji_server"
SEQUENCER_ROLE: Final = "shiji_sequencer"
AUDITOR_ROLE: Final = "shiji_auditor"
GROUP_ROLES: Final = (SERVER_ROLE, SEQUENCER_ROLE, AUDITOR_ROLE)
"""Group roles without login: operators grant them to the roles that connect."""

# Ids are bytes, since text of PostgreSQL has no NUL and an id may have one. What a listing shows of a match
# comes from its header, entry 0.
_TABLES: Final = """
CREATE TABLE shiji.match (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id bytea NOT NULL UNIQUE,
    request bytea NOT NULL UNIQUE,
    copy boolean NOT NULL
);

CREATE TABLE shiji.entry (
    match bigint NOT NULL REFERENCES shiji.match (key),
    sequence bigint NOT NULL CHECK (sequence >= 0),
    kind smallint NOT NULL CHECK (kind BETWEEN 0 AND 255),
    actor smallint NOT NULL,
    move bytea NOT NULL,
    events bytea NOT NULL,
    state bytea NOT NULL,
    request bytea NOT NULL,
    recorded bigint NOT NULL,
    previous bytea NOT NULL CHECK (length(previous) = 32),
    hash bytea NOT NULL CHECK (length(hash) = 32),
    signature bytea NOT NULL,
    secret bytea NOT NULL,
    concealed bytea NOT NULL CHECK (length(concealed) = 0 OR length(concealed) % 41 = 1),
    PRIMARY KEY (match, sequence),
    UNIQUE (match, request),
    CHECK ((kind = 0) = (sequence = 0))
);

CREATE TABLE shiji.pending (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    since timestamptz NOT NULL DEFAULT clock_timestamp(),
    matches bigint[] NOT NULL,
    sequences bigint[] NOT NULL
);

CREATE TABLE shiji.leaf (
    position bigint PRIMARY KEY CHECK (position > 0),
    match bigint NOT NULL,
    sequence bigint NOT NULL,
    UNIQUE (match, sequence),
    FOREIGN KEY (match, sequence) REFERENCES shiji.entry (match, sequence)
);

CREATE TABLE shiji.listing (
    number bigint PRIMARY KEY CHECK (number > 0),
    match bigint NOT NULL UNIQUE REFERENCES shiji.match (key)
);

CREATE TABLE shiji.tile (
    level smallint NOT NULL CHECK (level BETWEEN 0 AND 7),
    index bigint NOT NULL CHECK (index >= 0),
    hashes bytea NOT NULL CHECK (length(hashes) = 8192),
    root bytea NOT NULL CHECK (length(root) = 32),
    PRIMARY KEY (level, index)
);

CREATE TABLE shiji.sequenced (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    position bigint NOT NULL,
    matches bigint NOT NULL
);
INSERT INTO shiji.sequenced (position, matches) VALUES (0, 0);

CREATE TABLE shiji.checkpoint (
    size bigint PRIMARY KEY CHECK (size >= 0),
    note text NOT NULL
);

CREATE TABLE shiji.fleet (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    log_name text,
    log_key text,
    secret_fingerprint bytea CHECK (length(secret_fingerprint) = 32)
);
INSERT INTO shiji.fleet DEFAULT VALUES;

CREATE TABLE shiji.owner (
    match bytea PRIMARY KEY,
    owner text NOT NULL
);

CREATE TABLE shiji.person (
    id text PRIMARY KEY,
    key bytea NOT NULL CHECK (length(key) = 32)
);

CREATE TABLE shiji.personal (
    commitment bytea PRIMARY KEY CHECK (length(commitment) = 32),
    person text NOT NULL REFERENCES shiji.person (id),
    field text NOT NULL,
    value text NOT NULL
);
"""

_CHAIN_FUNCTION: Final = """
BEGIN
    IF EXISTS (
        SELECT FROM added
        LEFT JOIN shiji.entry AS before
            ON before.match = added.match AND before.sequence = added.sequence - 1
        WHERE CASE added.sequence
            WHEN 0 THEN added.previous <> decode(repeat('00', 32), 'hex')
            ELSE before.hash IS DISTINCT FROM added.previous
        END
    ) THEN
        RAISE EXCEPTION 'entries are only appended, chained and without gaps'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    INSERT INTO shiji.pending (matches, sequences)
    SELECT array_agg(match ORDER BY match, sequence), array_agg(sequence ORDER BY match, sequence)
    FROM added
    HAVING count(*) > 0;
    RETURN NULL;
END
"""
"""Checks the chain, and hands what was inserted to the sequencer: no entry escapes being numbered."""

_REFUSE_FUNCTION: Final = """
BEGIN
    RAISE EXCEPTION 'rows of shiji.% are only inserted', TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END
"""

APPEND_ONLY: Final = ("match", "entry", "leaf", "listing", "tile", "checkpoint", "owner")
"""Tables whose rows are never changed or deleted."""

_GUARDS: Final = f"""
CREATE FUNCTION shiji.chain() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $body${_CHAIN_FUNCTION}$body$;

CREATE FUNCTION shiji.refuse() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $body${_REFUSE_FUNCTION}$body$;

CREATE TRIGGER chain AFTER INSERT ON shiji.entry REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION shiji.chain();
""" + "".join(
    f"""
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON shiji.{table}
FOR EACH STATEMENT EXECUTE FUNCTION shiji.refuse();
"""
    for table in APPEND_ONLY
)

_GRANTS: Final = f"""
REVOKE ALL ON ALL TABLES IN SCHEMA shiji FROM PUBLIC;
GRANT USAGE ON SCHEMA shiji TO {", ".join(GROUP_ROLES)};
GRANT SELECT ON
    shiji.migration, shiji.match, shiji.entry, shiji.pending, shiji.leaf, shiji.listing, shiji.tile,
    shiji.sequenced, shiji.checkpoint, shiji.fleet
TO {", ".join(GROUP_ROLES)};
GRANT SELECT, INSERT ON shiji.owner, shiji.person, shiji.personal TO {SERVER_ROLE};
GRANT INSERT ON shiji.match, shiji.entry TO {SERVER_ROLE};
GRANT INSERT ON shiji.leaf, shiji.listing, shiji.tile, shiji.checkpoint TO {SEQUENCER_ROLE};
GRANT DELETE ON shiji.pending TO {SEQUENCER_ROLE};
GRANT UPDATE ON shiji.sequenced, shiji.fleet TO {SEQUENCER_ROLE};
"""

_MAY_GRANT: Final = "SELECT pg_has_role(proowner, 'USAGE')::integer FROM pg_proc WHERE oid = %s::regprocedure"

MIGRATIONS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (("1-entries", (_TABLES, _GUARDS, _GRANTS)),)
"""Names and statements, in order; a released migration is never changed. Each only adds, so that servers of
the version before go on while it is applied."""


def migrate(target: Target) -> list[str]:
    """Create or update the tables and roles of an archive; returns the names of the migrations applied."""
    with translated(target), connect(target, purpose="migrate") as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", (MIGRATION_LOCK_KEY,))
        try:
            _create_roles(connection)
            connection.execute("CREATE SCHEMA IF NOT EXISTS shiji")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS shiji.migration "
                "(number integer PRIMARY KEY, name text NOT NULL, applied timestamptz NOT NULL DEFAULT now())"
            )
            known = version(connection)
            _require_not_newer(target, known)
            for number, (name, statements) in enumerate(MIGRATIONS[known:], start=known + 1):
                with connection.transaction():
                    for statement in statements:
                        connection.execute(statement)
                    connection.execute(
                        "INSERT INTO shiji.migration (number, name) VALUES (%s, %s)", (number, name)
                    )
            _grant_amcheck(connection)
        finally:
            connection.execute("SELECT pg_advisory_unlock(%s)", (MIGRATION_LOCK_KEY,))
        return [name for name, _ in MIGRATIONS[known:]]


def require_known_schema(target: Target, connection: Session) -> None:
    """Raises LogUnreadable unless the database has exactly the tables of this build."""
    try:
        found = version(connection)
    except UndefinedTable:
        found = 0
    _require_not_newer(target, found)
    if found < len(MIGRATIONS):
        what = "is not an archive yet" if found == 0 else f"has tables of version {found}"
        raise LogUnreadable(
            f"{target} {what}, and this build needs version {len(MIGRATIONS)}: run `shiji migrate` first"
        )


def version(connection: Session) -> int:
    """How many migrations were applied."""
    return number(connection.execute("SELECT count(*) FROM shiji.migration"))


def _grant_amcheck(connection: Session) -> None:
    """Let all roles check indexes, where the extension is installed and this role may grant it."""
    match amcheck_function(connection):
        case (function, _) if number(connection.execute(_MAY_GRANT, (function,))):
            connection.execute(f"GRANT EXECUTE ON FUNCTION {function} TO {', '.join(GROUP_ROLES)}".encode())
        case _:
            pass


def _create_roles(connection: Session) -> None:
    for role in GROUP_ROLES:
        known = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone()
        if known is None:
            connection.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(sql.Identifier(role)))


def _require_not_newer(target: Target, found: int) -> None:
    if found > len(MIGRATIONS):
        raise LogUnreadable(
            f"{target} has tables of version {found}, and this build knows {len(MIGRATIONS)}: use a newer one"
        )
