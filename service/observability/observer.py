"""Who takes note of calls: the log always, metrics and traces where the operator asks for them."""

import logging
import re
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final, assert_never

from records.log.contract import LogUnavailable
from records.text import MAX_REQUEST_ID
from service.authorization import Caller
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
from service.observability.logs import LOG, note
from service.requests import LONGEST_ID

MOST_LINES: Final = 100
"""So many lines are written in a second."""

_ID: Final = re.compile(rf"[A-Za-z0-9_-]{{1,{LONGEST_ID}}}")

_LOUD: Final = {
    Reason.CORRUPT_RECORD: logging.ERROR,
    Reason.STORAGE_FULL: logging.ERROR,
    Reason.STORAGE_UNAVAILABLE: logging.ERROR,
    Reason.NO_DEALER: logging.ERROR,
    Reason.UNKNOWN_ENTRY: logging.ERROR,
    Reason.NO_CREDENTIALS: logging.WARNING,
    Reason.NOT_SIGNED: logging.WARNING,
    Reason.NOT_YOUR_ROLE: logging.WARNING,
    Reason.NOT_YOUR_SEAT: logging.WARNING,
    Reason.TOO_MANY_CALLS: logging.WARNING,
    Reason.SLOW_CONSUMER: logging.WARNING,
}
"""Refusals that an operator should see to, or should know of; all others are between caller and rules."""


class LogRateLimit:
    """So many lines a second, so that a flood fills no disk; what is left out is counted, and told."""

    def __init__(self, most: int = MOST_LINES, clock: Callable[[], float] = time.monotonic) -> None:
        self._most: Final = most
        self._clock: Final = clock
        self._second = -1
        self._lines = 0

    def admits(self) -> bool:
        """Whether there is room for one more."""
        second = int(self._clock())
        if second != self._second:
            untold = self._lines - self._most
            self._second, self._lines = second, 0
            if untold > 0:
                note(logging.WARNING, "left out", {"lines": untold})
        self._lines += 1
        return self._lines <= self._most


class LogObserver(Observer):
    """Writes a line for a call: of an answered one when debugging, of any other as far as there is room."""

    def __init__(self, ration: LogRateLimit | None = None) -> None:
        self._ration: Final = ration or LogRateLimit()
        self.sees_answers = LOG.isEnabledFor(logging.DEBUG)

    def ended(self, call: Call, outcome: CallOutcome) -> None:
        """A refusal with its reason and rules, but not its words: they may tell of a hand."""
        match outcome:
            case Answered(caller):
                if LOG.isEnabledFor(logging.DEBUG):
                    note(logging.DEBUG, "answered", _about(call, caller))
            case Rejected(caller, error):
                if self._admits(level := _level(error)):
                    note(level, "refused", {**_why(error), **_about(call, caller)})
            case RejectedRequest(caller, request, error):
                if self._admits(level := _level(error)):
                    note(level, "refused", {**_why(error), **_named(request), "caller": caller.name})
            case Failed(caller, _, fault):
                if self._admits(logging.ERROR):
                    note(logging.ERROR, "failed", _about(call, caller), fault)
            case Cancelled(caller):  # that is usual: a follower goes when it has seen enough
                if LOG.isEnabledFor(logging.DEBUG):
                    note(logging.DEBUG, "abandoned", _about(call, caller))
            case _:
                assert_never(outcome)

    def _admits(self, level: int) -> bool:
        return LOG.isEnabledFor(level) and self._ration.admits()


class TracingMissing(ImportError):
    """Traces are asked for, and what sends them is not installed."""


def tracer(endpoint: str) -> AbstractContextManager[Observer]:
    """Sends a span a call to an OpenTelemetry collector as long as it lasts."""
    try:
        from service.observability.tracing import Tracer  # noqa: PLC0415 - only whoever wants traces installs the extra
    except ModuleNotFoundError as fault:
        raise TracingMissing(
            f"traces need {fault.name}: pip install 'shiji[tracing]', or leave --otlp-endpoint out"
        ) from fault
    return Tracer.sending_to(endpoint)


def match_named(request: object) -> str | None:
    """The match that a request is about, where it names one by what can be an id."""
    named: object = getattr(request, "match_id", None) or getattr(
        getattr(request, "stored", None), "match_id", None
    )
    return named if isinstance(named, str) and _ID.fullmatch(named) else None


def _level(error: CallError) -> int:
    return _LOUD.get(error.reason, logging.INFO)


def _why(refusal: CallError) -> dict[str, object]:
    """What the operator needs; of the storage what it complained of, which its callers are not told."""
    cause = refusal.__cause__
    return {
        "reason": refusal.reason.name,
        "rules": ",".join(violation.rule_id for violation in refusal.violations),
        "why": str(cause) if isinstance(cause, LogUnavailable) else None,
    }


def _named(request: object) -> dict[str, object]:
    sent: object = getattr(request, "request_id", None)
    return {
        "request": sent[:MAX_REQUEST_ID] if isinstance(sent, str) else None,
        "match": match_named(request),
    }


def _about(call: Call, caller: Caller | None) -> dict[str, object]:
    return {
        "method": call.method,
        "call": call.id,
        **_named(call.request),
        "caller": call.context.peer() if caller is None else caller.name,
        "role": None if caller is None else caller.role.value,
        "ms": round(call.seconds * 1000, 1),
    }
