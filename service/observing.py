"""Who takes note of calls: the log always, metrics and traces where the operator asks for them."""

import logging
import re
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final

from google.protobuf.message import Message

from records.ledger import LONGEST_REQUEST
from records.log import LogUnavailable
from service.access import Caller
from service.door import Call, Observer
from service.errors import Reason, Refused
from service.logs import LOG, note
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


class Ration:
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

    def __init__(self, ration: Ration | None = None) -> None:
        self._ration: Final = ration or Ration()

    def answered(self, call: Call, caller: Caller) -> None:
        """For whoever debugs."""
        if LOG.isEnabledFor(logging.DEBUG):
            note(logging.DEBUG, "answered", _about(call, caller))

    def refused(self, call: Call, caller: Caller | None, refusal: Refused) -> None:
        """The reason and the rules, but not the words: they may tell of a hand."""
        level = _LOUD.get(refusal.reason, logging.INFO)
        if refusal.reason is not Reason.INTERNAL and LOG.isEnabledFor(level) and self._ration.admits():
            note(level, "refused", {**_why(refusal), **_about(call, caller)})

    def refused_one(self, request: Message, caller: Caller, refusal: Refused) -> None:
        """As a call of its own."""
        level = _LOUD.get(refusal.reason, logging.INFO)
        if LOG.isEnabledFor(level) and self._ration.admits():
            note(level, "refused", {**_why(refusal), **_named(request), "caller": caller.name})

    def failed(self, call: Call, caller: Caller, fault: Exception) -> None:
        """With the places that the fault came through."""
        if self._ration.admits():
            note(logging.ERROR, "failed", _about(call, caller), fault)

    def abandoned(self, call: Call, caller: Caller) -> None:
        """That is usual: a follower goes when he has seen enough."""
        if LOG.isEnabledFor(logging.DEBUG):
            note(logging.DEBUG, "abandoned", _about(call, caller))


class Several(Observer):
    """Tells several observers, one after the other."""

    def __init__(self, *observers: Observer) -> None:
        self._observers: Final = observers

    def answered(self, call: Call, caller: Caller) -> None:
        """To each."""
        for observer in self._observers:
            observer.answered(call, caller)

    def refused(self, call: Call, caller: Caller | None, refusal: Refused) -> None:
        """To each."""
        for observer in self._observers:
            observer.refused(call, caller, refusal)

    def refused_one(self, request: Message, caller: Caller, refusal: Refused) -> None:
        """To each."""
        for observer in self._observers:
            observer.refused_one(request, caller, refusal)

    def failed(self, call: Call, caller: Caller, fault: Exception) -> None:
        """To each."""
        for observer in self._observers:
            observer.failed(call, caller, fault)

    def abandoned(self, call: Call, caller: Caller) -> None:
        """To each."""
        for observer in self._observers:
            observer.abandoned(call, caller)


class TracingMissing(ImportError):
    """Traces are asked for, and what sends them is not installed."""


def tracer(endpoint: str) -> AbstractContextManager[Observer]:
    """Sends a span a call to an OpenTelemetry collector as long as it lasts."""
    try:
        from service.tracing import Tracer  # noqa: PLC0415 - only whoever wants traces installs the extra
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


def _why(refusal: Refused) -> dict[str, object]:
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
        "request": sent[:LONGEST_REQUEST] if isinstance(sent, str) else None,
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
