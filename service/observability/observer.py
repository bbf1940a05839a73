"""Observers of calls: the log always, metrics and traces where they are configured."""

import logging
import re
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final, assert_never

from records.log.contract import LogUnavailable
from records.text import MAX_REQUEST_ID_CHARS
from service.authorization import Caller
from service.bounds import MAX_MATCH_ID_CHARS
from service.call import (
    Answered,
    Call,
    CallOutcome,
    Cancelled,
    Failed,
    Observer,
    Rejected,
    RejectedRequest,
)
from service.errors import CallError, Reason
from service.observability.logs import LOG, log_event

MAX_LINES_PER_SECOND: Final = 100
"""Maximum log lines per second: enough to diagnose a flood of refused calls without filling the disk."""

_MATCH_ID: Final = re.compile(rf"[A-Za-z0-9_-]{{1,{MAX_MATCH_ID_CHARS}}}")
"""Match ids that are safe in a log line; others are not logged."""

_LEVELS: Final = {
    Reason.CORRUPT_RECORD: logging.ERROR,
    Reason.STORAGE_FULL: logging.ERROR,
    Reason.STORAGE_UNAVAILABLE: logging.ERROR,
    Reason.STORAGE_FORBIDDEN: logging.ERROR,
    Reason.NO_DEALER: logging.ERROR,
    Reason.UNKNOWN_ENTRY: logging.ERROR,
    Reason.NO_CREDENTIALS: logging.WARNING,
    Reason.NOT_SIGNED: logging.WARNING,
    Reason.NOT_YOUR_ROLE: logging.WARNING,
    Reason.NOT_YOUR_SEAT: logging.WARNING,
    Reason.NOT_YOUR_MATCH: logging.WARNING,
    Reason.TOO_MANY_CALLS: logging.WARNING,
    Reason.SLOW_CONSUMER: logging.WARNING,
}
"""Log levels of refusals that an operator should act on or know of; all others are logged as INFO."""


class LogRateLimit:
    """Limits the log lines per second, and logs how many lines were dropped."""

    def __init__(
        self, max_lines: int = MAX_LINES_PER_SECOND, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._max_lines: Final = max_lines
        self._clock: Final = clock
        self._second = -1
        self._lines = 0

    def admits(self) -> bool:
        """Count a line; whether it may be written."""
        second = int(self._clock())
        if second != self._second:
            dropped = self._lines - self._max_lines
            self._second, self._lines = second, 0
            if dropped > 0:
                log_event(logging.WARNING, "left out", {"lines": dropped})
        self._lines += 1
        return self._lines <= self._max_lines


class LogObserver(Observer):
    """Logs calls: answered ones at level DEBUG, all others within the rate limit."""

    def __init__(self, rate_limit: LogRateLimit | None = None) -> None:
        self._rate_limit: Final = rate_limit or LogRateLimit()
        self.wants_answers = LOG.isEnabledFor(logging.DEBUG)

    def ended(self, call: Call, outcome: CallOutcome) -> None:
        """Log a refusal with its reason and rules, but not its message, which may reveal a hand."""
        match outcome:
            case Answered(caller):
                if LOG.isEnabledFor(logging.DEBUG):
                    log_event(logging.DEBUG, "answered", _call_fields(call, caller))
            case Rejected(caller, error):
                if self._may_log(level := _level(error)):
                    log_event(level, "refused", {**_error_fields(error), **_call_fields(call, caller)})
            case RejectedRequest(caller, request, error):
                if self._may_log(level := _level(error)):
                    fields = {**_error_fields(error), **_request_fields(request), "caller": caller.name}
                    log_event(level, "refused", fields)
            case Failed(caller, _, fault):
                if self._may_log(logging.ERROR):
                    log_event(logging.ERROR, "failed", _call_fields(call, caller), fault)
            case Cancelled(caller):  # the usual end of a call that follows
                if LOG.isEnabledFor(logging.DEBUG):
                    log_event(logging.DEBUG, "abandoned", _call_fields(call, caller))
            case _:
                assert_never(outcome)

    def _may_log(self, level: int) -> bool:
        return LOG.isEnabledFor(level) and self._rate_limit.admits()


class TracingMissing(ImportError):
    """Tracing is configured, but its packages are not installed."""


def tracer(endpoint: str) -> AbstractContextManager[Observer]:
    """An observer that sends a span per call to an OpenTelemetry collector; raises TracingMissing."""
    try:
        from service.observability.tracing import Tracer  # noqa: PLC0415 - needs an extra that is optional
    except ModuleNotFoundError as fault:
        raise TracingMissing(
            f"traces need {fault.name}: pip install 'shiji[tracing]', or do without --otlp-endpoint"
        ) from fault
    return Tracer.sending_to(endpoint)


def match_id_in(request: object) -> str | None:
    """The id of the match that a request is about; None if it has none, or one that is not safe to log."""
    found: object = getattr(request, "match_id", None) or getattr(
        getattr(request, "stored", None), "match_id", None
    )
    return found if isinstance(found, str) and _MATCH_ID.fullmatch(found) else None


def _level(error: CallError) -> int:
    return _LEVELS.get(error.reason, logging.INFO)


def _error_fields(error: CallError) -> dict[str, object]:
    """Reason and rules; for a storage fault also its message, which callers do not get."""
    cause = error.__cause__
    return {
        "reason": error.reason.name,
        "rules": ",".join(violation.rule_id for violation in error.violations),
        "why": str(cause) if isinstance(cause, LogUnavailable) else None,
    }


def _request_fields(request: object) -> dict[str, object]:
    request_id: object = getattr(request, "request_id", None)
    return {
        "request": request_id[:MAX_REQUEST_ID_CHARS] if isinstance(request_id, str) else None,
        "match": match_id_in(request),
    }


def _call_fields(call: Call, caller: Caller | None) -> dict[str, object]:
    return {
        "method": call.method,
        "call": call.id,
        **_request_fields(call.request),
        "caller": call.context.peer() if caller is None else caller.name,
        "role": None if caller is None else caller.role.value,
        "ms": round(call.seconds * 1000, 1),
    }
