"""Whether an archive can be read, written to and numbered now: asked every second, over connections apart."""

import threading
import time
from dataclasses import dataclass
from typing import Final

from records.log.contract import LogFault
from records.log.postgres.connection import (
    BARRIER,
    Session,
    SessionPool,
    Target,
    commit,
    connect_to_write,
    rolled_back,
)
from records.log.postgres.fleet import MAX_CLOCK_SECONDS, clock_lead
from records.log.postgres.rows import LAST_POSITION, rows_of

PULSE_SECONDS: Final = 1.0
"""Time between two questions: a promoted standby is found soon, and a commit per second costs nothing."""

MAX_WAIT_SECONDS: Final = 2.0
"""How long a commit may wait, and how old a pending entry may be, before the archive counts as out of order.
A healthy commit takes milliseconds."""

_RETRY_SECONDS: Final = 0.1
"""Pause before another try while there is no primary: how much later than a promotion writes go on."""

_COMMIT_SECONDS: Final = 86_400.0
"""How long the pulse waits for one commit: a backend that waits for a standby outlives its client, so that a
new connection for every try would use up all that the database has."""

_PENDING: Final = (
    "SELECT count(*), coalesce(extract(epoch FROM clock_timestamp() - min(since)), 0)::float8 "
    "FROM shiji.pending"
)
_STANDBYS: Final = (
    "SELECT count(*) FILTER (WHERE sync_state IN ('sync', 'quorum')), "
    "coalesce(max(extract(epoch FROM replay_lag)), 0)::float8 FROM pg_stat_replication"
)

WRONG_CLOCK: Final = "the clock of this server is {:+.0f} seconds from that of the database"
NO_PRIMARY: Final = "no database that takes writes answers"
NOT_CONFIRMED: Final = "commits wait for the standby, which does not confirm them"
NOT_NUMBERED: Final = "entries wait to be numbered, and no server does it"
"""Reasons, for callers as well: they name no machine."""


@dataclass(frozen=True, slots=True)
class PulseReport:
    """What was found the last time; of each fault the reason, None where all is well."""

    read: str | None = None
    write: str | None = None
    sequencer: str | None = None
    position: int = 0
    """The last position."""
    pending: int = 0
    """Inserts that wait to be numbered."""
    pending_seconds: float = 0.0
    """Age of the oldest of them."""
    standbys: int = 0
    """Synchronous standbys that are connected, as far as this role may see them."""
    standby_seconds: float = 0.0
    """How far the slowest standby is behind."""
    clock_lead: float = 0.0
    """Seconds that this machine's clock is ahead of the database's."""


class Pulse:
    """Two threads that keep a report up to date: one commits, the other reads."""

    def __init__(self, target: Target) -> None:
        self._target: Final = target
        self._readers: Final = SessionPool(target, read_only=False)
        self._stopped: Final = threading.Event()
        self._committing_since: float | None = None
        self._commit_fault: str | None = None
        self.commit_seconds = 0.0
        """How long the last commit took."""
        self.report = PulseReport()
        self._look()
        self._threads: Final = [
            threading.Thread(target=work, name="pulse", daemon=True)
            for work in (self._commit_always, self._look_always)
        ]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """End the threads; one that waits for a standby is left to the end of the process."""
        self._stopped.set()
        for thread in self._threads:
            thread.join(PULSE_SECONDS)
        self._readers.close()

    def write_fault(self) -> str | None:
        """Why nothing can be written now; None if something can."""
        lead = self.report.clock_lead
        if abs(lead) > MAX_CLOCK_SECONDS:
            return WRONG_CLOCK.format(lead)
        since = self._committing_since
        if since is not None and time.monotonic() - since > MAX_WAIT_SECONDS:
            return self._commit_fault or NOT_CONFIRMED
        return self._commit_fault

    def _look_always(self) -> None:
        while not self._stopped.wait(PULSE_SECONDS):
            self._look()

    def _look(self) -> None:
        try:
            with self._readers.one() as session:
                self.report = _reported(session, self.write_fault())
        except Exception:  # noqa: BLE001 - whatever it is, this thread goes on, and the archive is out of order
            self.report = PulseReport(
                NO_PRIMARY, self.write_fault() or NO_PRIMARY, NO_PRIMARY, self.report.position
            )

    def _commit_always(self) -> None:
        session: Session | None = None
        while not self._stopped.is_set():
            began = self._committing_since = time.monotonic()
            try:
                if session is None or session.closed:
                    session = connect_to_write(self._target, purpose="pulse")
                with rolled_back(session):
                    session.execute("BEGIN")
                    session.execute(BARRIER)
                commit(session, self._target, _COMMIT_SECONDS)
            except Exception:  # noqa: BLE001 - as above
                self._commit_fault, session = NO_PRIMARY, None
            else:
                self._commit_fault = None
                self.commit_seconds = time.monotonic() - began
            self._committing_since = None
            self._stopped.wait(PULSE_SECONDS if self._commit_fault is None else _RETRY_SECONDS)
        if session is not None:
            session.close()


def _reported(session: Session, write_fault: str | None) -> PulseReport:
    position = rows_of(session, LAST_POSITION)
    pending = rows_of(session, _PENDING)
    standbys = rows_of(session, _STANDBYS)
    match position, pending, standbys:
        case [(int(last),)], [(int(waiting), float(age))], [(int(connected), float(lag))]:
            late = NOT_NUMBERED if age > MAX_WAIT_SECONDS else None
            return PulseReport(
                None, write_fault, late, last, waiting, age, connected, lag, clock_lead(session)
            )
        case _:
            raise LogFault("the tables that servers share are damaged")
