"""Whether an archive file has the tables, guards and rows about people that it should have."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple

from sqlite_utils import Database

from records.evidence.personal_commitment import check_personal
from records.log import schema
from rules.kernel.text import quoted

SCHEMA: Final = "SELECT type, name, tbl_name, sql FROM main.sqlite_master"

PEOPLE: Final = (
    "SELECT commitment, key, field, value FROM personal LEFT JOIN person ON person.id = personal.person"
)

_Value = bytes | str | int | float | None
"""As SQLite may bring it, whatever the disk has done to it."""

_OF_ANALYZE: Final = re.compile(r"sqlite_stat[0-9]")
"""Tables that SQLite itself makes when somebody asks for statistics."""

_QUOTES: Final = re.compile(r'[\s"`\[\]]')


class SchemaRow(NamedTuple):
    """A table, an index, a trigger or a view, as SQLite lists it."""

    type: _Value
    name: _Value
    table: _Value
    sql: _Value


def schema_flaws(version: int, rows: Iterable[SchemaRow]) -> Iterator[str]:
    """Where a file of this version of the schema has another schema than the migrations give it."""
    due = {row.name: row for row in _migrated(version)}
    for row in rows:
        if isinstance(row.name, str) and _OF_ANALYZE.fullmatch(row.name):
            continue
        expected = due.pop(row.name, None)
        if expected is None:
            yield f"the schema has {quoted(str(row.name))}, which Shiji does not make"
        elif _comparable(row) != _comparable(expected):
            yield f"{expected.name!r} is not in the schema as Shiji makes it"
    for missing in due.values():
        yield f"{missing.name!r} is missing from the schema"


def person_flaw(row: tuple[_Value, _Value, _Value, _Value]) -> str | None:
    """What is wrong with a row about a person, without repeating what it says; None where nothing is."""
    match row:
        case (bytes(commitment), bytes(key), str(field), str(value)):
            try:
                check_personal(commitment, key, field, value)
            except ValueError:
                return f"the row about people {commitment[:8].hex()}… is not what its record commits to"
            return None
        case (bytes(commitment), None, _, _):
            return f"the row about people {commitment[:8].hex()}… belongs to nobody"
        case _:
            return "a row about people is damaged"


@cache
def _migrated(version: int) -> tuple[SchemaRow, ...]:
    """The schema of a new file after this many migrations."""
    later = schema.steps()[version:]
    with Database(memory=True, execute_plugins=False) as empty:
        schema.MIGRATIONS.apply(empty, stop_before=later[:1])
        return tuple(SchemaRow(*row) for row in empty.execute(SCHEMA).fetchall())


def _comparable(row: SchemaRow) -> tuple[_Value, ...]:
    """A row, of the list of migrations without quotes: versions of sqlite-utils write them differently."""
    sql = row.sql
    if row.table == schema.MIGRATIONS.migrations_table and isinstance(sql, str):
        sql = _QUOTES.sub("", sql)
    return row.type, row.table, sql
