"""Connections to PostgreSQL: addresses, translated faults, and commits that nobody cancels."""

import asyncio
import ipaddress
import select
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final, Self, TypeAlias, TypeVar

from psycopg import Connection, Cursor, Error, errors
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.errors import Diagnostic
from psycopg.pq import Conninfo, ExecStatus
from psycopg.rows import tuple_row

from records.log.contract import (
    LogBusy,
    LogFault,
    LogForbidden,
    LogFull,
    LogReadOnly,
    LogUnavailable,
    LogUnreadable,
)

COMMIT_SECONDS: Final = 3.0
"""How long a commit may wait for the disk and the standby before its outcome counts as unknown: a healthy one
takes milliseconds. Callers then send their request again."""

CONNECT_SECONDS: Final = 5
"""How long connecting to one host may take before the next is tried; a server answers within milliseconds."""

TCP_TIMEOUTS: Final = {
    "tcp_user_timeout": "4000",
    "keepalives_idle": "2",
    "keepalives_interval": "1",
    "keepalives_count": "3",
}
"""Settings, unless an address has its own, that end connections to a machine that has vanished: within about
4 seconds (the first in milliseconds, the others in seconds). By default that takes a quarter of an hour for
what was sent, and for ever where an answer is waited for. PostgreSQL has the same for its side, so that it
frees the rows and the sequencer's lock of a server that has vanished; by default after two hours."""

LOCK_SECONDS: Final = 2.0
"""How long a write waits for a row that another transaction holds, such as one that waits for the standby
itself: a healthy one ends within milliseconds. Then nothing of the write was stored."""

ANSWER_SECONDS: Final = 10.0
"""How long one statement of a write may take before its connection is given up; a large one takes less than a
second. It is longer than LOCK_SECONDS, so that PostgreSQL itself ends a wait for a row."""

_WRITER_SETTINGS: Final = {
    "lock_timeout": f"{LOCK_SECONDS * 1000:.0f}",
    "idle_in_transaction_session_timeout": f"{ANSWER_SECONDS * 1000:.0f}",
}
"""Settings of connections that write, in milliseconds. The second is for a program that hangs between two
statements; neither ends the wait of a commit for the standby."""

MAX_IDLE_READERS: Final = 8
"""Connections for reading that are kept open: as many as a server has threads that read at once."""

BARRIER: Final = "SELECT pg_logical_emit_message(true, 'shiji', '')"
"""Writes nothing that anybody reads; but a transaction with it waits for the standby as a write does."""

_SAFE_MODES: Final = {"verify-full"}
"""Modes of TLS in which nobody in between can pose as the database."""

Held: TypeAlias = Callable[[], str | None]
"""Returns why nothing is to be written now; None if something may be."""

Row: TypeAlias = tuple[object, ...]
Result = TypeVar("Result")


class Session(Connection[Row]):
    """A connection that is given up, and not cancelled, when a statement takes too long."""

    answer_seconds: float | None = None
    """Limit for each statement; None if there is none."""

    def wait(self, gen: PQGen[Result], interval: float = 0.1, timeout: float | None = None) -> Result:
        """Wait for the answer to a statement, or for a notification."""
        if timeout is not None or self.answer_seconds is None:
            return super().wait(gen, interval, timeout)
        end = time.monotonic() + self.answer_seconds
        try:
            return super().wait(gen, interval, self.answer_seconds)
        except errors.OperationalError:
            if time.monotonic() >= end:
                self.close()
            raise


class BadTarget(ValueError):
    """The address of an archive that cannot be used, and why."""


class OutcomeUnknown(LogUnavailable):
    """It is not known whether a commit has taken place, or whether the standby has it."""


@dataclass(frozen=True, slots=True)
class Target:
    """The address of a PostgreSQL archive. It never holds a password, so it can be logged and pickled."""

    url: str

    @classmethod
    def parse(cls, url: str) -> Self:
        """The address in a postgresql:// URL; raises BadTarget."""
        try:
            settings = conninfo_to_dict(url)
        except Error:  # its text may repeat a part of a password
            raise BadTarget(
                "the address of the archive cannot be read: it has the form "
                "postgresql://USER@HOST:PORT/NAME?sslmode=verify-full, without a password"
            ) from None
        _require_safe(_resolved(settings))
        if settings.get("password"):
            raise BadTarget(
                "the address of the archive has a password in it: put it into a passfile or into PGPASSWORD"
            )
        if not settings.get("dbname"):
            raise BadTarget("the address of the archive names no database, as postgresql://HOST/NAME does")
        return cls(url)

    @property
    def has_several_hosts(self) -> bool:
        """Whether there is more than one machine to try."""
        return len(_hosts(_resolved(conninfo_to_dict(self.url)))) > 1

    def __str__(self) -> str:
        settings = _resolved(conninfo_to_dict(self.url))
        hosts = [host or "localhost" for host in _hosts(settings)]
        ports = settings["port"].split(",")
        ports = ports * len(hosts) if len(ports) == 1 else ports
        places = ",".join(f"{host}:{port}" for host, port in zip(hosts, ports, strict=False))
        return f"postgresql://{places}/{settings['dbname']}"


def _resolved(settings: Mapping[str, object]) -> dict[str, str]:
    """Settings of an address, and of the environment what they leave open, as libpq will use them."""
    defaults = {each.keyword.decode(): each.val.decode() for each in Conninfo.get_defaults() if each.val}
    return {**defaults, **{name: str(value) for name, value in settings.items() if value not in {None, ""}}}


def _hosts(settings: Mapping[str, str]) -> list[str]:
    """Where libpq connects: hostaddr is used instead of host."""
    return (settings.get("hostaddr") or settings.get("host") or "").split(",")


def _require_safe(settings: Mapping[str, str]) -> None:
    """Raises BadTarget for what somebody in between could pose as."""
    if settings.get("service"):
        raise BadTarget(
            "the archive is named by a service of PostgreSQL, whose file may lead anywhere: "
            "give its host in the address, and unset PGSERVICE"
        )
    named = f"{settings.get('host', '')},{settings.get('hostaddr', '')}".split(",")
    if not all(map(_is_local, named)) and settings.get("sslmode") not in _SAFE_MODES:
        raise BadTarget(
            "a database on another machine is reached with sslmode=verify-full only: "
            "add it to the address, with sslrootcert (PGHOST and PGHOSTADDR count, too)"
        )


def connect(target: Target, *, purpose: str, read_only: bool = False) -> Session:
    """A new connection in autocommit mode; raises psycopg's Error, which `translated` turns into a LogFault.

    Of several hosts, the one that takes writes; to read only, any that answers. Raises RuntimeError in an
    event loop: all that it serves would wait for the database.
    """
    _require_no_event_loop()
    try:
        Target.parse(target.url)
    except BadTarget as fault:  # it may have been checked in a process with another environment
        raise LogUnavailable(str(fault)) from fault
    own = conninfo_to_dict(target.url)
    timeouts = {name: str(own.get(name, value)) for name, value in TCP_TIMEOUTS.items()}
    conninfo = make_conninfo(
        target.url,
        **timeouts,
        application_name=f"shiji {purpose}",
        connect_timeout=CONNECT_SECONDS,
        target_session_attrs="any" if read_only else "read-write",
    )
    connection = Session.connect(conninfo, autocommit=True, row_factory=tuple_row)
    connection.prepare_threshold = 2
    with closing_on_fault(connection):
        _set(connection, {f"tcp_{name.removeprefix('tcp_')}": value for name, value in timeouts.items()})
    return connection


def connect_to_write(target: Target, *, purpose: str) -> Session:
    """As connect(), with limits for every statement, so that a write never waits for another without end."""
    connection = connect(target, purpose=purpose)
    with closing_on_fault(connection):
        _set(connection, _WRITER_SETTINGS)
    connection.answer_seconds = ANSWER_SECONDS
    return connection


def _set(connection: Session, settings: Mapping[str, str]) -> None:
    called = ", ".join("set_config(%s, %s, false)" for _ in settings)
    connection.execute(f"SELECT {called}".encode(), [each for pair in settings.items() for each in pair])


def _require_no_event_loop() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RuntimeError("an event loop must not wait for the database: call it in a thread")


@contextmanager
def translated(target: Target) -> Iterator[None]:
    """Raises LogFault for what PostgreSQL and its driver raise."""
    try:
        yield
    except Error as fault:
        raise as_fault(target, fault) from fault


def as_fault(target: Target, fault: Error) -> LogFault:
    """Translates an error of PostgreSQL or its driver into the LogFault that callers handle."""
    text = f"{target}: {str(fault).strip().splitlines()[0] if str(fault).strip() else type(fault).__name__}"
    match fault:
        case errors.DiskFull():
            return LogFull(text)
        case errors.LockNotAvailable():
            return LogBusy(f"{target}: another write holds what this one needs, and does not end; try again")
        case errors.UndefinedTable() | errors.UndefinedColumn() | errors.UndefinedFunction():
            return LogUnreadable(f"{text}: run `shiji migrate` with this build")
        case errors.InsufficientPrivilege():
            return LogForbidden(f"{text}: grant the roles of docs/fleet.md")
        case errors.DataCorrupted() | errors.IndexCorrupted():
            return LogUnreadable(text)
        case _:
            return LogUnavailable(text)


def never_held() -> None:
    """For programs that write whenever they can."""


def require_not_held(held: Held) -> None:
    """Raises LogReadOnly with the reason while nothing is to be written.

    A commit that waits for a standby leaves a connection behind if its program stops waiting. So nothing is
    even begun while the standby is known to be away.
    """
    why = held()
    if why is not None:
        raise LogReadOnly(why)


def number(cursor: "Cursor[Row]") -> int:
    """The only number of a query's only row."""
    row = cursor.fetchone()
    if row is None or not isinstance(row[0], int):
        raise TypeError(f"a number was asked for, and {row} came")
    return row[0]


def commit(connection: Session, target: Target, seconds: float = COMMIT_SECONDS) -> None:
    """Commit, or raise LogUnavailable where the outcome is unknown; the connection is closed then.

    The wait for a synchronous standby is never cancelled: PostgreSQL would report success with a warning,
    although the entries are on one machine only. psycopg cancels a query when it is interrupted, so this
    waits by itself.
    """
    warnings: list[str] = []

    def notice(diagnostic: Diagnostic) -> None:
        warnings.append(diagnostic.message_primary or "a warning")

    connection.add_notice_handler(notice)
    try:
        status = _finish(connection, time.monotonic() + seconds)
    except Error as fault:
        connection.close()
        raise _unknown(target, str(fault).strip()) from fault
    finally:
        if not connection.closed:
            connection.remove_notice_handler(notice)
    if warnings or status != b"COMMIT":
        connection.close()
        raise _unknown(target, "; ".join(warnings) or "it was rolled back")


def _finish(connection: Session, deadline: float) -> bytes | None:
    """Send COMMIT and wait for its result; returns the command that was carried out."""
    wire = connection.pgconn
    wire.send_query(b"COMMIT")
    status: bytes | None = None
    failed = ""
    while True:
        while wire.is_busy():
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([wire.socket], [], [], left)[0]:
                raise errors.OperationalError("no answer to the commit in time")
            wire.consume_input()
        result = wire.get_result()
        if result is None:
            break
        if result.status == ExecStatus.COMMAND_OK:
            status = result.command_status
        else:
            failed = result.error_message.decode(errors="replace")
    if failed:
        raise errors.OperationalError(failed)
    return status


def _unknown(target: Target, why: str) -> OutcomeUnknown:
    return OutcomeUnknown(
        f"{target}: it is not known whether the entries are safe ({why}): send the request again"
    )


class SessionPool:
    """Connections for reading, kept open and used by one thread at a time."""

    def __init__(self, target: Target, *, read_only: bool) -> None:
        self._target: Final = target
        self._read_only: Final = read_only
        self._lock: Final = threading.Lock()
        self._idle: Final[list[Session]] = []
        self._closed = False

    @contextmanager
    def one(self) -> Iterator[Session]:
        """A connection; one that has failed is not used again, nor are those that were open beside it.

        While no database takes writes, a standby is read.
        """
        _require_no_event_loop()
        with self._lock:
            if self._closed:
                raise LogUnavailable("the log is closed")
            connection = self._idle.pop() if self._idle else None
        with translated(self._target):
            fallback = False
            if connection is None:
                connection, fallback = self._connect()
            try:
                yield connection
            except BaseException:
                connection.close()
                self.drop_idle()
                raise
        if fallback or not self._kept(connection):
            connection.close()

    def _connect(self) -> tuple[Session, bool]:
        """A new connection, and whether it leads to a standby because there is no primary."""
        try:
            return connect(self._target, purpose="read", read_only=self._read_only), False
        except errors.OperationalError:
            if self._read_only or not self._target.has_several_hosts:
                raise
            return connect(self._target, purpose="read", read_only=True), True

    def _kept(self, connection: Session) -> bool:
        with self._lock:
            kept = not (self._closed or connection.closed) and len(self._idle) < MAX_IDLE_READERS
            if kept:
                self._idle.append(connection)
            return kept

    def drop_idle(self) -> None:
        """Close the connections that nobody uses now: they may lead to a primary that is gone."""
        with self._lock:
            idle, self._idle[:] = list(self._idle), []
        for connection in idle:
            connection.close()

    def close(self) -> None:
        """Close all connections that nobody uses; the others are closed when they come back."""
        with self._lock:
            self._closed = True
        self.drop_idle()


@contextmanager
def rolled_back(connection: Session) -> Iterator[None]:
    """Roll the transaction back if the block raises."""
    try:
        yield
    except BaseException:
        with suppress(Error):
            connection.execute("ROLLBACK")
        raise


@contextmanager
def closing_on_fault(connection: Session) -> Iterator[None]:
    """Close the connection if the block raises."""
    try:
        yield
    except BaseException:
        connection.close()
        raise


def _is_local(host: str) -> bool:
    """Whether a host is this machine: none given, a socket's folder, or a loopback address."""
    if not host or host.startswith(("/", "@")) or host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
