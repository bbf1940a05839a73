"""Numbers the entries of a PostgreSQL archive; of all servers, the one that holds the lock does so."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from records.log.contract import LogFault
from records.log.postgres import rows as sql
from records.log.postgres.connection import (
    Row,
    Session,
    Target,
    commit,
    connect_to_write,
    number,
    rolled_back,
    translated,
)
from records.log.postgres.listener import CHANNEL
from records.log.tiles import StoredTile, fill_tiles

SEQUENCER_LOCK_KEY: Final = int.from_bytes(b"ShijSequ")
"""The advisory lock that the sequencer holds for as long as its connection lives."""

POLL_SECONDS: Final = 0.01
"""How often entries of other servers are looked for: soon enough for followers, and a hundredth of a core."""

BUSY_ENTRIES: Final = 8
"""Entries in one turn from which on the archive counts as busy: more than one player sends at a time."""

BUSY_PAUSE_SECONDS: Final = 0.03
"""Pause after a turn in a busy archive: positions come this much later, and turns take much less of the
server's time, which appends need (docs/fleet.md has the measurements)."""

RETRY_SECONDS: Final = 0.2
"""Pause before the lock, or a lost connection, is tried again: how long numbers are missing after a crash."""

MAX_RETRY_SECONDS: Final = 5.0
"""Longest pause after several failures of this program itself, which doubles: others may number meanwhile."""

TURN_SECONDS: Final = 60.0
"""How long one statement may take: after an interruption, a turn may have to number 100,000 entries."""

MAX_INSERTS_AT_ONCE: Final = 256
"""Pending inserts that are numbered per transaction; more would make the first of them wait."""

_TAKE: Final = (
    "DELETE FROM shiji.pending WHERE id IN (SELECT id FROM shiji.pending ORDER BY id LIMIT %b) "
    "RETURNING id, matches, sequences"
)
_LOCK: Final = "SELECT position, matches FROM shiji.sequenced FOR UPDATE"
_LEAVES: Final = (
    "INSERT INTO shiji.leaf (position, match, sequence) "
    "SELECT * FROM unnest(%b::bigint[], %b::bigint[], %b::bigint[])"
)
_LISTINGS: Final = (
    "INSERT INTO shiji.listing (number, match) SELECT * FROM unnest(%b::bigint[], %b::bigint[])"
)
_TILE: Final = "INSERT INTO shiji.tile (level, index, hashes, root) VALUES (%b, %b, %b, %b)"
_ADVANCE: Final = "UPDATE shiji.sequenced SET position = %b, matches = %b"


@dataclass(frozen=True, slots=True)
class SequencerStatus:
    """What operators want to know of a sequencer."""

    leading: bool
    """Whether it holds the lock."""
    position: int
    """The last position that it gave."""
    seconds: float
    """How long its last transaction took."""
    failures: int = 0
    """How often this program itself was at fault, which then leaves the lock to others for a moment."""
    fault: str | None = None
    """Why nothing could be numbered the last time; None since that has worked again, here or elsewhere."""


class Sequencer:
    """A thread that numbers entries while it holds the lock, and tries to get it otherwise."""

    def __init__(
        self,
        target: Target,
        held: Callable[[], str | None] = lambda: None,
        connected: Callable[[], None] = lambda: None,
    ) -> None:
        """`held` returns why nothing may be numbered now, or None; `connected` is called on new connections.

        While it is held, it leaves the lock to other servers.
        """
        self._target: Final = target
        self._held: Final = held
        self._connected: Final = connected
        self._woken: Final = threading.Event()
        self._ending: Final = threading.Event()
        self.status = SequencerStatus(leading=False, position=0, seconds=0.0)
        self._thread: Final = threading.Thread(target=self._run, name="sequencer", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Number at once: this process has just written."""
        self._woken.set()

    def close(self) -> None:
        """Finish the present transaction, and let another server take over."""
        self._ending.set()
        self._woken.set()
        self._thread.join()

    def _run(self) -> None:
        pause = RETRY_SECONDS
        while not self._ending.is_set():
            try:
                with translated(self._target), self._connect() as session:
                    self._connected()
                    self._lead(session)
            except LogFault as fault:
                pause = RETRY_SECONDS
                self.status = replace(self.status, leading=False, fault=str(fault))
            except Exception as fault:  # noqa: BLE001 - without this thread, nothing would be numbered again
                pause = RETRY_SECONDS if self.status.fault is None else min(2 * pause, MAX_RETRY_SECONDS)
                failures, why = self.status.failures + 1, f"{type(fault).__name__}: {fault}"
                self.status = replace(self.status, leading=False, failures=failures, fault=why)
            else:
                self.status = replace(self.status, leading=False)
                continue
            self._ending.wait(pause)

    def _connect(self) -> Session:
        session = connect_to_write(self._target, purpose="sequencer")
        session.answer_seconds = TURN_SECONDS
        return session

    def _lead(self, session: Session) -> None:
        """Number entries until the process ends, or is held: then another server may."""
        while not self._ending.is_set() and not self._leads(session):
            self._ending.wait(RETRY_SECONDS)
        while not self._ending.is_set() and self._held() is None:
            self._woken.clear()
            numbered = self._number(session)
            if not numbered:
                self._woken.wait(POLL_SECONDS)
            elif numbered >= BUSY_ENTRIES:
                self._ending.wait(BUSY_PAUSE_SECONDS)
        while self._held() is None and self._number(session):
            pass  # what was written until close()

    def _leads(self, session: Session) -> bool:
        """Whether the lock could be taken, which a server that is held does not try."""
        if self._held() is not None:
            session.execute("SELECT 1")  # a connection that is lost is noticed, and replaced
            leads = False
        else:
            answer = session.execute("SELECT pg_try_advisory_lock(%s)", (SEQUENCER_LOCK_KEY,))
            leads = answer.fetchone() == (True,)
        if not leads:
            self.status = replace(self.status, fault=None)
        return leads

    def _number(self, session: Session) -> int:
        """Number what is pending; returns how many entries that were."""
        began = time.monotonic()
        if not number(session.execute("SELECT EXISTS (SELECT FROM shiji.pending)::integer")):
            self.status = replace(self.status, leading=True, fault=None)
            return 0
        with rolled_back(session):
            with session.pipeline():
                session.execute("BEGIN")
                numbers = session.execute(_LOCK, binary=True)
                taken = session.execute(_TAKE.encode(), (MAX_INSERTS_AT_ONCE,), binary=True)
            last, due = _last_numbers(numbers.fetchall()), _due(taken.fetchall())
            position = give_positions(session, last, due)
        commit(session, self._target)
        seconds = time.monotonic() - began
        self.status = replace(self.status, leading=True, position=position, seconds=seconds, fault=None)
        return len(due)


class LastNumbers(NamedTuple):
    """The last numbers that were given."""

    position: int
    match: int


def locked(session: Session) -> LastNumbers:
    """The last numbers; nobody else gives any until the transaction ends."""
    return _last_numbers(sql.rows_of(session, _LOCK))


def _last_numbers(rows: Sequence[Row]) -> LastNumbers:
    match rows:
        case [(int(position), int(match))]:
            return LastNumbers(position, match)
        case _:
            raise TypeError("the row with the last position is damaged")


def give_positions(session: Session, last: LastNumbers, due: Sequence[tuple[int, int]]) -> int:
    """Number entries, by match key and sequence, in this order; returns the last position."""
    after = last.position + len(due)
    places = list(range(last.position + 1, after + 1))
    started = [match for match, sequence in due if sequence == 0]
    matches = last.match + len(started)
    with session.pipeline():
        session.execute(_LEAVES, (places, [match for match, _ in due], [sequence for _, sequence in due]))
        if started:
            session.execute(_LISTINGS, (list(range(last.match + 1, matches + 1)), started))
        session.execute(_ADVANCE, (after, matches))
        session.execute(f"NOTIFY {CHANNEL}")
    _fill_tiles(session, last.position, after)
    return after


def _fill_tiles(session: Session, before: int, after: int) -> None:
    def hashes(first: int, last: int) -> Sequence[bytes]:
        return [sql.hashed_of(row).hash for row in sql.rows_of(session, sql.HASHES, (first, last))]

    def roots(level: int, first: int, last: int) -> Sequence[bytes]:
        return sql.roots_of(sql.rows_of(session, sql.ROOTS, (level, first, last)))

    def store(tile: StoredTile) -> None:
        session.execute(_TILE, (tile.level, tile.index, tile.hashes, tile.root))

    fill_tiles(before, after, hashes, roots, store)


def _due(rows: Sequence[tuple[object, ...]]) -> list[tuple[int, int]]:
    """The match key and sequence of each pending entry, in the order in which they were inserted."""
    due: list[tuple[int, int]] = []
    for row in sorted(rows, key=lambda row: str(row[0]).rjust(20)):
        match row:
            case (int(), list() as matches, list() as sequences):
                due += zip(map(int, matches), map(int, sequences), strict=True)
            case _:
                raise TypeError("a row of the table of pending entries is damaged")
    return due
