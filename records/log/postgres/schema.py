"""Compares the schema of a database with the one that the migrations make."""

from collections.abc import Iterator, Mapping
from typing import Final

from records.log.postgres.connection import Session
from records.log.postgres.expected_schema import EXPECTED

_OBJECTS: Final = """
WITH here AS (
    SELECT c.oid, c.relname, c.relkind, c.relpersistence, c.relrowsecurity, c.relacl, c.relowner, n.nspowner
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'shiji' AND c.relkind NOT IN ('i', 'I', 't')
),
granted AS (
    SELECT 'table ' || relname AS what, relacl AS acl, relowner AS owner FROM here
    UNION ALL
    SELECT 'column ' || relname || '.' || attname, attacl, relowner
    FROM here JOIN pg_attribute ON attrelid = here.oid
    UNION ALL
    SELECT 'function ' || proname, proacl, proowner FROM pg_proc WHERE pronamespace = 'shiji'::regnamespace
    UNION ALL
    SELECT 'schema', nspacl, nspowner FROM pg_namespace WHERE nspname = 'shiji'
),
rights AS (
    SELECT what, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(a.grantee) END AS role,
        a.privilege_type AS privilege
    FROM granted, aclexplode(acl) AS a WHERE a.grantee <> owner
)
SELECT
    CASE relkind WHEN 'r' THEN 'table' WHEN 'S' THEN 'sequence' WHEN 'v' THEN 'view' ELSE 'relation' END
        || ' ' || relname,
    relkind::text || relpersistence::text || CASE WHEN relrowsecurity THEN ' row security' ELSE '' END
        || CASE WHEN relowner = nspowner THEN '' ELSE ' of another owner' END
FROM here
UNION ALL
SELECT
    'column ' || relname || '.' || attname,
    format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
        || CASE attidentity WHEN '' THEN '' ELSE ' identity ' || attidentity::text END
        || coalesce(' default ' || pg_get_expr(adbin, adrelid), '')
FROM here JOIN pg_attribute ON attrelid = here.oid
LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
WHERE relkind = 'r' AND attnum > 0 AND NOT attisdropped
UNION ALL
SELECT
    'constraint ' || conname || ' of table ' || relname,
    pg_get_constraintdef(pg_constraint.oid) || CASE WHEN convalidated THEN '' ELSE ' not validated' END
FROM here JOIN pg_constraint ON conrelid = here.oid WHERE contype NOT IN ('n', 't')
UNION ALL
SELECT
    'index ' || indexrelid::regclass,
    pg_get_indexdef(indexrelid) || CASE WHEN indisvalid AND indisready THEN '' ELSE ' not valid' END
FROM here JOIN pg_index ON indrelid = here.oid
UNION ALL
SELECT
    'trigger ' || tgname || ' of table ' || relname,
    pg_get_triggerdef(pg_trigger.oid) || CASE WHEN tgenabled IN ('O', 'A') THEN '' ELSE ' switched off' END
FROM here JOIN pg_trigger ON tgrelid = here.oid WHERE NOT tgisinternal
UNION ALL
SELECT 'rule ' || rulename || ' of table ' || relname, pg_get_ruledef(pg_rewrite.oid)
FROM here JOIN pg_rewrite ON ev_class = here.oid WHERE rulename <> '_RETURN'
UNION ALL
SELECT
    'function ' || proname,
    CASE WHEN prosecdef THEN 'definer ' ELSE 'invoker ' END || coalesce(array_to_string(proconfig, ' '), '')
        || ' ' || md5(prosrc) || CASE WHEN proowner = nspowner THEN '' ELSE ' of another owner' END
FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace WHERE nspname = 'shiji'
UNION ALL
SELECT 'grant to ' || role || ' on ' || what, string_agg(DISTINCT privilege, ', ' ORDER BY privilege)
FROM rights
WHERE role = 'PUBLIC' OR role LIKE 'shiji_%' OR privilege NOT IN ('SELECT', 'USAGE', 'EXECUTE')
GROUP BY role, what
ORDER BY 1, 2
"""
"""What the schema consists of, as names with definitions. Operators may let further roles read."""


def found_schema(session: Session) -> dict[str, str]:
    """What the schema of a database consists of, by name."""
    with session.transaction():
        # Names are written with their schema, whatever the path and the name of the role are.
        session.execute("SET LOCAL search_path = pg_catalog")
        rows = session.execute(_OBJECTS.encode()).fetchall()
    return {str(name): str(definition) for name, definition in rows}


def schema_flaws(session: Session, expected: Mapping[str, str] = EXPECTED) -> Iterator[str]:
    """Where the schema is another one than this build makes: missing, changed, switched off or added."""
    found = found_schema(session)
    for name in sorted(expected.keys() | found.keys()):
        if name not in found:
            yield f"the schema lacks the {name}"
        elif name not in expected:
            yield f"the schema has the {name}, which Shiji does not make"
        elif found[name] == f"{expected[name]} switched off":
            yield f"the {name} is switched off"
        elif found[name] != expected[name]:
            yield f"the {name} is not as Shiji makes it"
