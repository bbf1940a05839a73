"""Finds the matches of a query in an index file, each through the SQL index that leads to the fewest rows."""

import heapq
import sqlite3
from collections.abc import Iterator
from itertools import product
from operator import attrgetter
from typing import Final, NamedTuple, TypeAlias

from records.index.rows import COLUMNS, IndexRow
from records.index.schema import ORDERS
from records.index.values import IndexedMatch, MatchPage, MatchQuery

_MAX_EXAMINED_ROWS: Final = 2000
"""Rows examined for one page, so that a query with few matches among many ends in milliseconds."""

_MAX_COUNTED_ROWS: Final = 1000
"""Rows examined for a total that is not kept: enough for people, and quick."""

_MAX_COMPLETIONS: Final = 32
"""Different words with one beginning that are looked up one by one; with more, matches are read in order."""

_AFTER_ALL: Final = "\U0010ffff"
"""Behind a prefix: a text that sorts after every text with that prefix."""

_Parameters: TypeAlias = tuple[int | str, ...]
_Key: TypeAlias = tuple[int, int]

_key: Final = attrgetter("started", "number")
"""The order of matches: when they began, then the order in which they were stored."""

_MATCH: Final = "match AS place"
_SEAT: Final = "seat AS place CROSS JOIN match ON match.number = place.number"
_WORD: Final = "word AS place CROSS JOIN match ON match.number = place.number"
_IDS: Final = "number FROM match AS place INDEXED BY match_by_id"
_WORDS: Final = "DISTINCT number FROM word AS place"
_SEATS: Final = "number FROM seat AS place"
_STARTS: Final = "number FROM match AS place INDEXED BY match_by_start"
_OF_SEAT: Final = "place.name IN (?, '')"
_ALL: Final = "TRUE"


class _Range(NamedTuple):
    """Rows that an SQL index has in the order of matches."""

    source: str
    """The tables to select from; that with the order is called `place`."""
    condition: str
    parameters: _Parameters = ()


def select_page(
    connection: sqlite3.Connection, query: MatchQuery, after: int | None, size: int, *, counted: bool = True
) -> MatchPage:
    """A page of the matches that pass, after the match with this number; with their total if it is wanted."""
    found: list[IndexedMatch] = []
    last: int | None = None
    passes = query.passes()
    candidates = _with_prefix if query.prefix else _candidates
    for examined, row in enumerate(candidates(connection, query, after)):
        if len(found) == size or examined == _MAX_EXAMINED_ROWS:
            break
        last = row.number
        if _may_pass(query, row):
            match = row.decoded()
            if passes(match):
                found.append(match)
    else:
        last = None
    total, exact = _total(connection, query) if counted else (0, False)
    return MatchPage(tuple(found), last, total, exact)


def _may_pass(query: MatchQuery, row: IndexRow) -> bool:
    """Whether a row passes as far as its columns say, which is quicker than to decode it."""
    return (not query.game or row.game == query.game) and row.id.startswith(query.prefix)


def _key_of(connection: sqlite3.Connection, number: int | None) -> _Key | None:
    """The place of a match in the order; of one that is not there, behind all that were stored before it."""
    if number is None:
        return None
    row: tuple[int, int] | None = connection.execute(
        "SELECT started, number FROM match WHERE number = ?", (number,)
    ).fetchone()
    if row is not None:
        return row
    before: tuple[int | None] = connection.execute(
        "SELECT max(started) FROM match WHERE number < ?", (number,)
    ).fetchone()
    return before[0] or 0, number


def _with_prefix(connection: sqlite3.Connection, query: MatchQuery, after: int | None) -> Iterator[IndexRow]:
    """Rows with the prefix, in the order of ids, which sort by age where Shiji made them."""
    first, end = _starts_with(query.prefix)
    reached: tuple[str] | None = connection.execute(
        "SELECT id FROM match WHERE number = ?", (after,)
    ).fetchone()
    sign = ">="
    if reached is not None and query.newest_first:
        end = min(end, reached[0])
    elif reached is not None:
        sign, first = ">", max(first, reached[0])
    rows = connection.execute(
        f"SELECT {', '.join(COLUMNS)} FROM match INDEXED BY match_by_id WHERE id {sign} ? AND id < ?"
        f" ORDER BY id {'DESC' if query.newest_first else 'ASC'}",
        (first, end),
    )
    return map(IndexRow._make, rows)


def _candidates(connection: sqlite3.Connection, query: MatchQuery, after: int | None) -> Iterator[IndexRow]:
    """Rows in the order of the query, among them all that pass."""
    before = 0
    key = _key_of(connection, after)
    cursors = [_rows(connection, query, each, key) for each in _ranges(connection, query)]
    for row in heapq.merge(*cursors, key=_key, reverse=query.newest_first):
        if row.number != before:  # a stale match may be in two ranges
            before = row.number
            yield row


def _rows(
    connection: sqlite3.Connection, query: MatchQuery, within: _Range, after: _Key | None
) -> Iterator[IndexRow]:
    of = "place" if within.source.startswith(_MATCH) else "match"
    columns = ", ".join(f"{of}.{name}" for name in COLUMNS)
    bounds, limits = _bounds(query, after)
    order = "DESC" if query.newest_first else "ASC"
    rows = connection.execute(
        f"SELECT {columns} FROM {within.source} WHERE {within.condition}{bounds}"
        f" ORDER BY place.started {order}, place.number {order}",
        (*within.parameters, *limits),
    )
    return map(IndexRow._make, rows)


def _bounds(query: MatchQuery, after: _Key | None) -> tuple[str, _Parameters]:
    """The part of the order that the query wants, with one bound on each side for SQLite to start at."""
    lower = "" if query.start is None else "place.started >= ?"
    upper = "" if query.end is None else "place.started < ?"
    start: _Parameters = () if query.start is None else (query.start,)
    end: _Parameters = () if query.end is None else (query.end,)
    if after is not None and query.newest_first and (query.end is None or after[0] < query.end):
        upper, end = "(place.started, place.number) < (?, ?)", after
    elif after is not None and not query.newest_first and (query.start is None or after[0] >= query.start):
        lower, start = "(place.started, place.number) > (?, ?)", after
    return "".join(f" AND {each}" for each in (lower, upper) if each), (*start, *end)


def _ranges(connection: sqlite3.Connection, query: MatchQuery) -> list[_Range]:
    """The ranges that have all matches of the query, and few others."""
    wanted = query.wanted_words
    if wanted:
        words = _completions(connection, wanted[0])
        if len(words) <= _MAX_COMPLETIONS:
            return [_Range(_WORD, "place.word = ?", (word,)) for word in words]
    if query.seat:
        # Under '' are the matches of which nobody can read who sat there.
        return [_Range(_SEAT, "place.name = ?", (name,)) for name in (query.seat, "")]
    return list(_facet_ranges(query))


def _facet_ranges(query: MatchQuery) -> Iterator[_Range]:
    """The ranges of the columns with few values, one for each combination that passes."""
    wanted: dict[str, _Parameters] = {}
    if query.game:
        wanted["game"] = (query.game,)
    if query.states:
        wanted["state"] = query.states
    if query.audit is not None:
        wanted["audit"] = (query.audit,)
    source = f"{_MATCH} INDEXED BY {ORDERS[tuple(wanted)]}"
    condition = " AND ".join(f"place.{name} = ?" for name in wanted) or "TRUE"
    for values in product(*wanted.values()):
        yield _Range(source, condition, tuple(map(_plain, values)))
    if query.states or query.audit is not None:
        yield _Range(f"{_MATCH} INDEXED BY match_stale", "place.stale")


def _plain(value: int | str) -> int | str:
    """Without its enum, which SQLite is slow to adapt."""
    return value if isinstance(value, str) else int(value)


def _completions(connection: sqlite3.Connection, beginning: str) -> list[str]:
    """The words with this beginning, up to one more than are looked up one by one."""
    words: list[str] = []
    least, end = _starts_with(beginning)
    while len(words) <= _MAX_COMPLETIONS:
        row: tuple[str | None] = connection.execute(
            f"SELECT min(word) FROM word WHERE word {'>' if words else '>='} ? AND word < ?", (least, end)
        ).fetchone()
        if row[0] is None:
            break
        least = row[0]
        words.append(least)
    return words


def _total(connection: sqlite3.Connection, query: MatchQuery) -> tuple[int, bool]:
    """How many matches pass, and whether that is exact."""
    condition, parameters = _facets(query)
    settled = not (query.states or query.audit is not None) or not _count(
        connection, "SELECT 1 FROM match INDEXED BY match_stale WHERE stale", ()
    )
    counted = _counted_by(query)
    if counted is None:
        row: tuple[int | None] = connection.execute(
            f"SELECT sum(matches) FROM tally AS match WHERE {condition}", parameters
        ).fetchone()
        return row[0] or 0, settled
    bounds, limits = _bounds(query, None)
    examined = f"SELECT {counted.source} WHERE {counted.condition}{bounds} LIMIT {_MAX_COUNTED_ROWS}"
    for word in query.wanted_words[1 if counted.source == _WORDS else 0 :]:
        condition += " AND instr(match.words, ?) > 0"
        parameters += (f" {word}",)
    if query.seat and counted.source != _SEATS:
        here = "started = match.started AND place.number = match.number"
        condition += f" AND EXISTS (SELECT {_SEATS} WHERE {_OF_SEAT} AND {here})"
        parameters += (query.seat,)
    found: tuple[int, int] = connection.execute(
        f"SELECT count(*), count(*) FROM ({examined})"
        if condition == _ALL
        else f"SELECT count(*), coalesce(sum({condition}), 0) FROM ({examined}) JOIN match USING (number)",
        (*parameters, *counted.parameters, *limits),
    ).fetchone()
    return found[1], settled and found[0] < _MAX_COUNTED_ROWS


def _counted_by(query: MatchQuery) -> _Range | None:
    """The rows that are counted one by one; None if the index keeps their number."""
    if query.prefix:
        return _Range(_IDS, "place.id >= ? AND place.id < ?", _starts_with(query.prefix))
    if query.wanted_words:
        beginning = _starts_with(query.wanted_words[0])
        return _Range(_WORDS, "place.word >= ? AND place.word < ?", beginning)
    if query.seat:
        return _Range(_SEATS, _OF_SEAT, (query.seat,))
    if query.start is not None or query.end is not None:
        return _Range(_STARTS, "TRUE")
    return None


def _facets(query: MatchQuery) -> tuple[str, _Parameters]:
    """The condition on the columns with few values."""
    condition: str = _ALL
    parameters: list[int | str] = []
    if query.game:
        condition += " AND match.game = ?"
        parameters.append(query.game)
    if query.states:
        condition += f" AND match.state IN ({', '.join('?' * len(query.states))})"
        parameters += map(_plain, query.states)
    if query.audit is not None:
        condition += " AND match.audit = ?"
        parameters.append(_plain(query.audit))
    return condition, tuple(parameters)


def _starts_with(prefix: str) -> tuple[str, str]:
    """The bounds of the texts with a prefix."""
    return prefix, f"{prefix}{_AFTER_ALL}"


def _count(connection: sqlite3.Connection, query: str, parameters: _Parameters) -> int:
    """The number of rows of a query, at most the number that is counted."""
    row: tuple[int] = connection.execute(
        f"SELECT count(*) FROM ({query} LIMIT {_MAX_COUNTED_ROWS})", parameters
    ).fetchone()
    return row[0]
