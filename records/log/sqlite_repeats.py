"""Finds out whether the request ids of an append were used before, and for what."""

import sqlite3

from records.log import sqlite_rows as sql
from records.log.contract import NEW, Append, AppendResult, RequestReused, repeated


def first_result(connection: sqlite3.Connection, append: Append) -> AppendResult | None:
    """The result of an append whose request id was used before; None if it is new."""
    request = append.entries[0].request
    if append.expected == NEW:
        row = connection.execute(sql.STARTED, (request,)).fetchone()
    else:
        row = connection.execute(sql.REQUESTED, (append.match, request)).fetchone()
    if row is None:
        return None
    first = sql.entry_of(row)
    last = first.sequence + len(append.entries) - 1
    rows = connection.execute(sql.READ, (first.match, first.sequence, last)).fetchall()
    return repeated(append, list(sql.entries_of_match(first.match, rows)))


def reused_later_id(connection: sqlite3.Connection, append: Append) -> RequestReused | None:
    """The rejection of an append of which a later entry has a request id that was used before."""
    for entry in append.entries[1:]:
        used = connection.execute(sql.REQUESTED, (append.match, entry.request)).fetchone()
        if used is not None:
            return RequestReused(sql.entry_of(used))
    return None
