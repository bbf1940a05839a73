"""What a line of the log has, and what it never has."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from service.observability import logs
from service.observability.observer import LogRateLimit


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """What is logged, with the loggers of the process put back afterwards."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield io.StringIO()
    root.handlers[:], root.level = handlers, level


def broken() -> Exception:
    """A fault that quotes a hand, caused by another that does."""
    fault = KeyError("the bag holds RB")
    try:
        int("violet holds RB")
    except ValueError as cause:
        fault.__cause__ = cause
    return fault


def test_a_line_of_json_has_time_level_event_and_fields(lines: io.StringIO) -> None:
    logs.set_up("json", "info", lines)
    logs.note(logging.WARNING, "refused", {"method": "AppendMove", "match": None, "rules": "", "ms": 1.5})

    told = json.loads(lines.getvalue())
    assert told.pop("time").endswith("+00:00")
    assert told == {"level": "warning", "event": "refused", "method": "AppendMove", "ms": 1.5}


def test_a_line_of_text_stays_one_line_whatever_a_caller_sends(lines: io.StringIO) -> None:
    logs.set_up("text", "info", lines)
    logs.note(logging.INFO, "refused", {"request": 'a\nERROR forged "b"', "caller": "ipv4:127.0.0.1:1"})

    (line,) = lines.getvalue().splitlines()
    assert line.endswith(r'INFO refused request="a\nERROR forged \"b\"" caller=ipv4:127.0.0.1:1')


def test_less_than_the_level_is_not_written(lines: io.StringIO) -> None:
    logs.set_up("text", "warning", lines)
    logs.note(logging.INFO, "refused", {})

    assert lines.getvalue() == ""


@pytest.mark.parametrize("style", ["text", "json"])
def test_a_fault_is_told_by_kind_and_place_without_its_words(lines: io.StringIO, style: str) -> None:
    logs.set_up(style, "info", lines)
    logs.note(logging.ERROR, "failed", {"call": "c1"}, broken())

    told = lines.getvalue()
    assert told.count("\n") == 1
    assert all(part in told for part in ("failed", "c1", "ValueError", "KeyError", "service/test_logs.py:"))
    assert "RB" not in told


def test_of_other_loggers_only_the_first_line_is_told(lines: io.StringIO) -> None:
    logs.set_up("json", "info", lines)
    logging.getLogger("asyncio").error("Task failed\nfuture: <Task holds RB>", exc_info=broken())

    told = json.loads(lines.getvalue())
    assert (told["logger"], told["event"]) == ("asyncio", "Task failed")
    assert "RB" not in lines.getvalue()


def test_a_flood_is_cut_short_and_counted(lines: io.StringIO) -> None:
    logs.set_up("json", "info", lines)
    now = [0.0]
    ration = LogRateLimit(2, lambda: now[0])
    admitted = [ration.admits() for _ in range(5)]
    now[0] = 1.5
    admitted.append(ration.admits())

    assert admitted == [True, True, False, False, False, True]
    told = json.loads(lines.getvalue())
    assert (told["event"], told["lines"]) == ("left out", 3)
