"""The index of one archive: brought up to date from its log, and asked for lists of matches."""

import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from msgspec import structs

from records.closeable import Closeable
from records.entry import Entry, MatchId
from records.games.registry import GAMES, UnknownGame
from records.index import rows
from records.index.file import clear_index, drop_index, open_index, transaction
from records.index.rows import BadRow, IndexRow
from records.index.selection import select_page
from records.index.summary import CurrentMatch, entry_words, folded_match, opened, refreshed
from records.index.values import AuditState, IndexedMatch, LastAudit, MatchPage, MatchQuery, PlayState
from records.log.contract import Log, LogUnavailable, UnreadableEntry
from records.log.listing import MatchListing
from records.verdict import AuditReport, word

POSITIONS_PER_STEP: Final = 20_000
"""Positions of the archive that are looked through before a commit: a moment's work."""

_VERDICTS: Final = {each.word: each for each in AuditState}

_OPEN_ATTEMPTS: Final = 3
"""How often work is begun on an index: as it was found, rebuilt, and in memory."""

_Result = TypeVar("_Result")


class Coverage(NamedTuple):
    """Up to where every match of an archive was audited, and when."""

    position: int
    time: int
    """In microseconds since 1970, UTC."""


class FacetCount(NamedTuple):
    """How many matches of a game are in a state."""

    game: str
    state: PlayState
    audit: AuditState
    matches: int


class Backlog(NamedTuple):
    """Matches that are left to be brought up to date."""

    stale: int
    """To be folded."""
    undescribed: int
    """With entries that are not in words yet."""


class ArchiveIndex(Closeable):
    """An index that is derived from a log; thread-safe. Several programs may use its file at once.

    An index that is damaged, of another archive or of another build is dropped and made anew. Every method
    that reads the log may raise LogUnavailable.
    """

    def __init__(
        self, log: Log, archive: Path | str | None = None, current: CurrentMatch | None = None
    ) -> None:
        """The index of a log; without the path or address of its archive, it is kept in memory.

        `current` folds matches; by default each is folded from its whole record.
        """
        self._log: Final = log
        self._archive: Final = archive
        self._current: Final[CurrentMatch] = current or partial(folded_match, log)
        self._lock: Final = threading.RLock()
        self._connection, self.path = open_index(archive)
        self._compared = False
        """Whether the index was found to be of this archive."""

    def catch_up(self, positions: int = POSITIONS_PER_STEP) -> bool:
        """Take note of new entries, up to a number of positions; returns whether there are no more.

        Matches with new entries become stale, and new matches are listed by their header.
        """
        return self._retried(partial(self._catch_up, positions))

    def page(
        self, query: MatchQuery, after: int | None = None, size: int = 50, *, counted: bool = True
    ) -> MatchPage:
        """A page of matches as the index has them; catch_up() first, and refresh() those that are stale."""
        select = partial(select_page, query=query, after=after, size=size, counted=counted)
        return self._retried(lambda: self._locked(select))

    def refresh(self, row: IndexedMatch) -> IndexedMatch:
        """A match as of its last entry."""
        if not row.stale:
            return row
        found = refreshed(row, self._log, self._current)

        def store(at: sqlite3.Connection) -> IndexedMatch:
            with transaction(at):
                stored = _row_of(at, row.number)
                if stored is None or stored.touched != row.touched:
                    return found  # it has changed meanwhile, and stays stale
                match = structs.replace(found, audited=stored.audited)
                rows.update(at, match)
                return match

        return self._retried(lambda: self._locked(store))

    def listed(self, query: MatchQuery, after: int | None = None, size: int = 50) -> MatchPage:
        """A page of matches that are not stale; it may be short without being the last."""
        page = self.page(query, after, size)
        fresh = tuple(filter(query.passes(), map(self.refresh, page.rows)))
        return structs.replace(page, rows=fresh)

    def stale(self, limit: int) -> list[IndexedMatch]:
        """Matches to be refreshed, the newest first."""
        return self._select("match INDEXED BY match_stale", "stale ORDER BY started DESC, number DESC", limit)

    def describe(self, limit: int, before: int | None = None) -> int:
        """Put entries of some matches into words; returns of how many.

        Only of matches that have not changed since `before`, in microseconds since 1970.
        """
        condition = "described < sequence AND NOT stale"
        if before is not None:
            condition += f" AND (active < {before:d} OR state = {PlayState.OVER:d})"
        found = self._select("match INDEXED BY match_undescribed", f"{condition} ORDER BY active DESC", limit)
        for match in found:
            self._describe(match)
        return len(found)

    def counts(self) -> list[FacetCount]:
        """How many matches there are by game, state and audit."""

        def select(at: sqlite3.Connection) -> list[FacetCount]:
            found: list[tuple[str, int, int, int]] = at.execute(
                "SELECT game, state, audit, matches FROM tally WHERE matches > 0"
            ).fetchall()
            return [
                FacetCount(game, PlayState(state), AuditState(audit), number)
                for game, state, audit, number in found
            ]

        return self._retried(lambda: self._locked(select))

    def require_game(self, key: str) -> None:
        """Raises UnknownGame for a game that neither this build knows nor the archive has matches of."""
        if key not in GAMES.keys and key not in {each.game for each in self.counts()}:
            raise UnknownGame(key)

    def behind(self) -> int:
        """The number of positions of the archive that catch_up() has not seen."""
        position, _ = self._retried(lambda: self._locked(_position))
        return self._log.last_position() - position

    def backlog(self) -> Backlog:
        """The matches that are left to be brought up to date."""

        def select(at: sqlite3.Connection) -> Backlog:
            row: tuple[int, int] = at.execute(
                "SELECT (SELECT count(*) FROM match INDEXED BY match_stale WHERE stale),"
                " (SELECT count(*) FROM match INDEXED BY match_undescribed"
                "  WHERE described < sequence AND NOT stale)"
            ).fetchone()
            return Backlog(*row)

        return self._retried(lambda: self._locked(select))

    def note(self, reports: Iterable[AuditReport], position: int, at: int) -> None:
        """Store the verdicts of an audit up to a position of the archive."""
        while not self.catch_up():
            pass
        found = list(reports)

        def store(on: sqlite3.Connection) -> None:
            with transaction(on):
                for report in found:
                    state = _VERDICTS[word(report.verdict)]
                    verdict = LastAudit(state, report.entries, position, at, report.first_bad)
                    for row in _row_with_id(on, report.match):
                        rows.update(on, structs.replace(row, audited=verdict))

        self._retried(lambda: self._locked(store))

    def last_audit(self, match: MatchId) -> LastAudit | None:
        """The last audit of a match; None if it never was audited."""
        found = self._retried(lambda: self._locked(partial(_row_with_id, match=match)))
        return found[0].audited if found else None

    def cover(self, since: int, position: int, at: int) -> None:
        """Store that every match with entries after `since` and up to a position was audited."""
        known = self.coverage()
        if since > (0 if known is None else known.position):
            return

        def store(on: sqlite3.Connection) -> None:
            with transaction(on):
                _note(on, audited=position, audit_time=at, audited_hash=_hash_at(self._log, position))

        self._retried(lambda: self._locked(store))

    def coverage(self) -> Coverage | None:
        """Up to where every match was audited; None if the archive never was, or has changed before that."""

        def select(on: sqlite3.Connection) -> Coverage | None:
            about = _about(on)
            position, when, found = (about.get(name) for name in ("audited", "audit_time", "audited_hash"))
            if not isinstance(position, int) or not isinstance(when, int):
                return None
            if position > self._log.last_position() or found != _hash_at(self._log, position):
                return None
            return Coverage(position, when)

        return self._retried(lambda: self._locked(select))

    def clear(self) -> None:
        """Drop everything; catch_up() makes it again."""

        def drop(on: sqlite3.Connection) -> None:
            with transaction(on):
                clear_index(on)

        self._retried(lambda: self._locked(drop))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def _catch_up(self, positions: int) -> bool:
        with self._lock:
            self._compare()
            position, _ = _position(self._connection)
        last = self._log.last_position()
        if last <= position:
            return True
        until = min(position + positions, last)
        touched = list(self._log.touched(position, until))
        new = [opened(listing, self._first(listing)) for listing in self._unknown(touched)]
        marks = [(until, listing.number) for listing in touched]
        found = _hash_at(self._log, until)

        def store(at: sqlite3.Connection) -> None:
            with transaction(at):
                if _position(at)[0] != position:
                    return  # another program has done it
                rows.insert(at, new)
                at.executemany("UPDATE match SET stale = 1, touched = ? WHERE number = ?", marks)
                _note(at, position=until, hash=found, first=_hash_at(self._log, 1))

        self._locked(store)
        return until == last

    def _compare(self) -> None:
        """Drop what is in the index if it is of another archive."""
        if self._compared:
            return
        at = self._connection
        position, found = _position(at)
        first = _about(at).get("first")
        if position and (
            position > self._log.last_position()
            or found != _hash_at(self._log, position)
            or first != _hash_at(self._log, 1)
        ):
            with transaction(at):
                clear_index(at)
        self._compared = True

    def _unknown(self, listings: Sequence[MatchListing]) -> list[MatchListing]:
        """Those that the index does not have."""
        with self._lock:
            return [
                listing
                for listing in listings
                if self._connection.execute(
                    "SELECT 1 FROM match WHERE number = ?", (listing.number,)
                ).fetchone()
                is None
            ]

    def _first(self, listing: MatchListing) -> Entry | None:
        try:
            return next(iter(self._log.read(listing.match, 0, 1)), None)
        except UnreadableEntry:
            return None

    def _describe(self, match: IndexedMatch) -> None:
        entries: list[Entry] = []
        with suppress(UnreadableEntry):
            for entry in self._log.read(match.match):
                entries.append(entry)  # noqa: PERF402 - those before a damaged one are kept
        known = self._retried(lambda: self._locked(partial(_described, number=match.number)))
        words = entry_words(match.number, entries, known + 1) if entries else []
        last = max(match.sequence, len(entries) - 1)

        def store(at: sqlite3.Connection) -> None:
            with transaction(at):
                at.executemany("INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?)", words)
                at.execute("UPDATE match SET described = ? WHERE number = ?", (last, match.number))

        self._retried(lambda: self._locked(store))

    def _select(self, source: str, condition: str, limit: int) -> list[IndexedMatch]:
        return self._retried(lambda: self._locked(lambda at: _select_rows(at, source, condition, limit)))

    def _locked(self, use: Callable[[sqlite3.Connection], _Result]) -> _Result:
        with self._lock:
            return use(self._connection)

    def _retried(self, work: Callable[[], _Result]) -> _Result:
        """Do some work; where the index turns out to be unusable, rebuild it and do the work again."""
        for attempt in range(1, _OPEN_ATTEMPTS):
            try:
                return work()
            except BadRow:
                with suppress(sqlite3.Error), self._lock, transaction(self._connection):
                    clear_index(self._connection)
                self._make_again()
            except (sqlite3.Error, UnicodeDecodeError) as fault:
                self._replace(fault, in_memory=attempt > 1)
                self._make_again()
        return work()

    def _replace(self, fault: sqlite3.Error | UnicodeDecodeError, *, in_memory: bool) -> None:
        """Open another file in place of one that SQLite cannot use."""
        with self._lock:
            self._connection.close()
            busy = getattr(fault, "sqlite_errorcode", 0) & 0xFF in {
                sqlite3.SQLITE_BUSY,
                sqlite3.SQLITE_LOCKED,
            }
            if self.path is not None and not busy:
                drop_index(self.path)
            self._connection, self.path = open_index(None if in_memory else self._archive)
            self._compared = False

    def _make_again(self) -> None:
        """Fill an index that was just rebuilt."""
        with suppress(sqlite3.Error):
            while not self._catch_up(POSITIONS_PER_STEP):
                pass


def _hash_at(log: Log, position: int) -> bytes:
    """The hash of the entry at a position; empty if there is none that can be read."""
    try:
        return next(iter(log.hashes(position - 1, 1)), b"")
    except LogUnavailable:
        raise
    except UnreadableEntry:
        return b""


def _about(connection: sqlite3.Connection) -> dict[str, int | bytes | str]:
    return dict(connection.execute("SELECT name, value FROM about").fetchall())


def _note(connection: sqlite3.Connection, **values: int | bytes) -> None:
    connection.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", values.items())


def _position(connection: sqlite3.Connection) -> tuple[int, bytes]:
    """The position up to which the index knows the archive, and the hash of the entry there."""
    about = _about(connection)
    position, found = about.get("position", 0), about.get("hash", b"")
    if not isinstance(position, int) or not isinstance(found, bytes):
        raise BadRow("the index does not say what it knows")
    return position, found


def _described(connection: sqlite3.Connection, number: int) -> int:
    row: tuple[int] | None = connection.execute(
        "SELECT described FROM match WHERE number = ?", (number,)
    ).fetchone()
    return -1 if row is None else row[0]


def _row_of(connection: sqlite3.Connection, number: int) -> IndexedMatch | None:
    found = _select_rows(connection, "match", "number = ?", 1, (number,))
    return found[0] if found else None


def _row_with_id(connection: sqlite3.Connection, match: MatchId) -> list[IndexedMatch]:
    """The row of a match, if the index has one."""
    return _select_rows(connection, "match INDEXED BY match_by_id", "id = ?", 1, (match,))


def _select_rows(
    connection: sqlite3.Connection,
    source: str,
    condition: str,
    limit: int,
    parameters: tuple[int | str, ...] = (),
) -> list[IndexedMatch]:
    found = connection.execute(
        f"SELECT {', '.join(rows.COLUMNS)} FROM {source} WHERE {condition} LIMIT ?", (*parameters, limit)
    ).fetchall()
    return [IndexRow._make(row).decoded() for row in found]
