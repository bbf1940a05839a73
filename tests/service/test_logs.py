"""What a log line contains, and what it never contains."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from service.observability import logs
from service.observability.observer import LogRateLimit


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """A stream for log lines; the loggers of the process are restored afterwards."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield io.StringIO()
    root.handlers[:], root.level = handlers, level


def broken() -> Exception:
    """An exception whose message quotes a hand, as does that of its cause."""
    fault = KeyError("the bag holds RB")
    try:
        int("violet holds RB")
    except ValueError as cause:
        fault.__cause__ = cause
    return fault


def test_a_json_line_has_time_level_event_and_fields(lines: io.StringIO) -> None:
    logs.set_up("json", "info", lines)
    logs.log_event(
        logging.WARNING, "refused", {"method": "AppendMove", "match": None, "rules": "", "ms": 1.5}
    )

    line = json.loads(lines.getvalue())
    assert line.pop("time").endswith("+00:00")
    assert line == {"level": "warning", "event": "refused", "method": "AppendMove", "ms": 1.5}


def test_a_text_line_stays_one_line_whatever_a_caller_sends(lines: io.StringIO) -> None:
    logs.set_up("text", "info", lines)
    logs.log_event(logging.INFO, "refused", {"request": 'a\nERROR forged "b"', "caller": "ipv4:127.0.0.1:1"})

    (line,) = lines.getvalue().splitlines()
    assert line.endswith(r'INFO refused request="a\nERROR forged \"b\"" caller=ipv4:127.0.0.1:1')


def test_lines_below_the_level_are_not_written(lines: io.StringIO) -> None:
    logs.set_up("text", "warning", lines)
    logs.log_event(logging.INFO, "refused", {})

    assert lines.getvalue() == ""


@pytest.mark.parametrize("style", ["text", "json"])
def test_an_exception_is_logged_with_type_and_traceback_but_without_its_message(
    lines: io.StringIO, style: str
) -> None:
    logs.set_up(style, "info", lines)
    logs.log_event(logging.ERROR, "failed", {"call": "c1"}, broken())

    logged = lines.getvalue()
    assert logged.count("\n") == 1
    assert all(part in logged for part in ("failed", "c1", "ValueError", "KeyError", "service/test_logs.py:"))
    assert "RB" not in logged


def test_only_the_first_line_of_other_loggers_messages_is_logged(lines: io.StringIO) -> None:
    logs.set_up("json", "info", lines)
    logging.getLogger("asyncio").error("Task failed\nfuture: <Task holds RB>", exc_info=broken())

    line = json.loads(lines.getvalue())
    assert (line["logger"], line["event"]) == ("asyncio", "Task failed")
    assert "RB" not in lines.getvalue()


def test_lines_beyond_the_rate_are_dropped_and_counted(lines: io.StringIO) -> None:
    logs.set_up("json", "info", lines)
    now = [0.0]
    rate_limit = LogRateLimit(2, lambda: now[0])
    admitted = [rate_limit.admits() for _ in range(5)]
    now[0] = 1.5
    admitted.append(rate_limit.admits())

    assert admitted == [True, True, False, False, False, True]
    line = json.loads(lines.getvalue())
    assert (line["event"], line["lines"]) == ("left out", 3)
