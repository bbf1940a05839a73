"""Waits for new positions of an archive, over one connection that listens to the sequencer."""

import threading
import time
from typing import Final

from psycopg import Error

from records.log.contract import LogFault, LogUnavailable, closed, fault_copy
from records.log.postgres.connection import Session, Target, as_fault, connect, number
from records.log.postgres.rows import LAST_POSITION

CHANNEL: Final = "shiji"
"""The channel on which the sequencer notifies of new positions."""

_POLL_SECONDS: Final = 1.0
"""How often the position is read without a notification, in case one was lost with a connection."""

_STOP_SECONDS: Final = 0.1
"""How soon the thread notices that the log was closed."""

_RECONNECT_SECONDS: Final = 0.2
"""Pause before connecting again: a standby is promoted within seconds, and nobody should hammer it."""


class Listener:
    """The last position, kept up to date by a thread that starts with the first wait()."""

    def __init__(self, target: Target, *, read_only: bool) -> None:
        self._target: Final = target
        self._read_only: Final = read_only
        self._changed: Final = threading.Condition()
        self._position = -1
        """-1 until it was read for the first time."""
        self._fault: LogFault | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def wait(self, after: int, timeout: float) -> int:
        """The last position, once it is above `after` or the time is over; raises LogFault."""
        with self._changed:
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._listen, name="listen", daemon=True)
                self._thread.start()
            deadline = time.monotonic() + timeout
            self._changed.wait_for(lambda: self._closed or self._position > after, timeout)
            if self._position < 0:  # asked before the first answer came, with a short timeout
                self._changed.wait_for(
                    lambda: self._closed or self._position >= 0 or self._fault is not None,
                    max(deadline + _POLL_SECONDS - time.monotonic(), 0),
                )
            if self._closed:
                raise closed()
            if self._fault is not None:
                raise fault_copy(self._fault)
            return max(self._position, 0)

    def close(self) -> None:
        """Wake all that wait, and end the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join()

    def _listen(self) -> None:
        while not self._closed:
            try:
                with connect(self._target, purpose="listen", read_only=self._read_only) as session:
                    if not self._read_only:
                        session.execute(f"LISTEN {CHANNEL}")
                    self._follow(session)
            except Error as fault:
                self._set(self._position, as_fault(self._target, fault))
                time.sleep(_RECONNECT_SECONDS)
            except Exception as fault:  # noqa: BLE001 - without this thread, nobody would hear of new entries
                self._set(self._position, LogUnavailable(f"{self._target}: {type(fault).__name__}: {fault}"))
                time.sleep(_RECONNECT_SECONDS)

    def _follow(self, session: Session) -> None:
        polled = 0.0
        while not self._closed:
            notified = any(True for _ in session.notifies(timeout=_STOP_SECONDS, stop_after=1))
            if notified or time.monotonic() - polled > _POLL_SECONDS:
                polled = time.monotonic()
                self._set(number(session.execute(LAST_POSITION)), None)

    def _set(self, position: int, fault: LogFault | None) -> None:
        with self._changed:
            self._position, self._fault = position, fault
            self._changed.notify_all()
