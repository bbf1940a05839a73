"""The operator's log: one line per event, as text or JSON.

No line contains a token, a move, a position or the message of a refusal. Of an exception it has only the type
and the traceback, as the message may quote a hidden hand.
"""

import json
import logging
import re
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import PurePath
from traceback import walk_tb
from typing import Final, TextIO

LOG: Final = logging.getLogger("shiji")

_FIELDS: Final = "fields"
"""Attribute of a LogRecord that holds the fields of the event."""

_UNQUOTED: Final = re.compile(r"[A-Za-z0-9_.:/\[\]-]+")
"""Values that stand without quotes in a text line."""


def log_event(level: int, event: str, fields: Mapping[str, object], fault: Exception | None = None) -> None:
    """Write a line; fields that are None or empty are omitted."""
    given = {name: value for name, value in fields.items() if value not in {None, ""}}
    LOG.log(level, event, exc_info=fault, extra={_FIELDS: given})


def set_up(style: str, level: str, stream: TextIO | None = None) -> None:
    """Set the format and level of every logger in this process; by default lines go to standard error."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if style == "json" else TextLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)


class JsonLines(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a JSON object."""
        return json.dumps(_fields(record), default=str)


class TextLines(logging.Formatter):
    """Time, level and event, then the fields as key=value."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line of text."""
        fields = _fields(record)
        head = (fields.pop("time"), str(fields.pop("level")).upper(), fields.pop("event"))
        return " ".join((*map(str, head), *(f"{name}={_quoted(value)}" for name, value in fields.items())))


def _fields(record: logging.LogRecord) -> dict[str, object]:
    # In messages of asyncio, the lines after the first show the variables of a task.
    lines = record.getMessage().splitlines()
    fields: dict[str, object] = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
        "level": record.levelname.lower(),
        "event": lines[0] if lines else "",
    }
    if record.name != LOG.name:
        fields["logger"] = record.name
    given: object = getattr(record, _FIELDS, None)
    if isinstance(given, Mapping):
        fields.update(given)
    if record.exc_info and record.exc_info[1] is not None:
        fields["fault"] = list(_traceback(record.exc_info[1]))
    return fields


def _traceback(fault: BaseException) -> Iterator[str]:
    """The type of the exception and its frames, innermost last; then the same for its causes. No messages."""
    seen: set[int] = set()
    cause: BaseException | None = fault
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield type(cause).__qualname__
        for frame, line in walk_tb(cause.__traceback__):
            code = frame.f_code
            yield f"{'/'.join(PurePath(code.co_filename).parts[-2:])}:{line} in {code.co_name}"
        cause = cause.__cause__ or cause.__context__


def _quoted(value: object) -> str:
    if isinstance(value, list):
        return json.dumps(value, default=str)
    text = str(value)
    return text if _UNQUOTED.fullmatch(text) else json.dumps(text)
