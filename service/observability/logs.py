"""The log that an operator reads: one line an event, as text or as JSON.

No line has a token, a move, a position or what a refusal said of them, and of a fault only its kind and where
it arose: its message may quote a hand that is hidden.
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
_PLAIN: Final = re.compile(r"[A-Za-z0-9_.:/\[\]-]+")


def note(level: int, event: str, fields: Mapping[str, object], fault: Exception | None = None) -> None:
    """Write a line; fields that are None or empty are left out."""
    told = {name: value for name, value in fields.items() if value not in {None, ""}}
    LOG.log(level, event, exc_info=fault, extra={_FIELDS: told})


def set_up(style: str, level: str, stream: TextIO | None = None) -> None:
    """Have everything that is logged in this process written like this, by default on standard error."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if style == "json" else TextLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)


class JsonLines(logging.Formatter):
    """An object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as an object."""
        return json.dumps(_told(record), default=str)


class TextLines(logging.Formatter):
    """Time, level and event, then what is known of it as key=value."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as text, still on one line."""
        told = _told(record)
        head = (told.pop("time"), str(told.pop("level")).upper(), told.pop("event"))
        return " ".join((*map(str, head), *(f"{name}={_quoted(value)}" for name, value in told.items())))


def _told(record: logging.LogRecord) -> dict[str, object]:
    lines = record.getMessage().splitlines()  # below the first, asyncio shows what a task holds
    told: dict[str, object] = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
        "level": record.levelname.lower(),
        "event": lines[0] if lines else "",
    }
    if record.name != LOG.name:
        told["logger"] = record.name
    fields: object = getattr(record, _FIELDS, None)
    if isinstance(fields, Mapping):
        told.update(fields)
    if record.exc_info and record.exc_info[1] is not None:
        told["fault"] = list(_kinds_and_places(record.exc_info[1]))
    return told


def _kinds_and_places(fault: BaseException) -> Iterator[str]:
    """What was raised and where, the innermost place last, then what caused it."""
    known: set[int] = set()
    cause: BaseException | None = fault
    while cause is not None and id(cause) not in known:
        known.add(id(cause))
        yield type(cause).__qualname__
        for frame, line in walk_tb(cause.__traceback__):
            code = frame.f_code
            yield f"{'/'.join(PurePath(code.co_filename).parts[-2:])}:{line} in {code.co_name}"
        cause = cause.__cause__ or cause.__context__


def _quoted(value: object) -> str:
    if isinstance(value, list):
        return json.dumps(value, default=str)
    text = str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)
