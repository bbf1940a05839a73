"""A server whose log and metrics a test can read."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias
from urllib.request import urlopen

from prometheus_client.parser import text_string_to_metric_families

from tests.service.servers import TIMEOUT_SECONDS, Running, serving

Line: TypeAlias = Mapping[str, object]
Measured: TypeAlias = tuple[str, frozenset[tuple[str, str]]]
"""The name of a metric with its labels."""


@dataclass(frozen=True, slots=True)
class ObservedServer:
    """A server, its log file, and the address of its metrics."""

    server: Running
    log: Path
    metrics: str
    before: Mapping[Measured, float] = field(default_factory=dict)

    def counting_from_now(self) -> "ObservedServer":
        """The same server, with growth() counted from now on."""
        return replace(self, before=self._measurements())

    def lines(self, event: str) -> list[Line]:
        """Every line of the log with this event."""
        return [line for line in _lines(self.log) if line["event"] == event]

    def line(self, event: str, **fields: str) -> Line:
        """The first line of the log with this event and these fields, which is waited for."""
        return _line(self.log, {"event": event, **fields})

    def page(self, path: str = "/metrics") -> str:
        """A page of the metrics port."""
        with urlopen(f"http://{self.metrics}{path}", timeout=TIMEOUT_SECONDS) as answer:
            text: str = answer.read().decode()
        return text

    def now(self, name: str, **labels: str) -> float:
        """The current value of a metric; 0 if there is none yet."""
        return self._measurements().get((name, frozenset(labels.items())), 0.0)

    def growth(self, name: str, **labels: str) -> float:
        """The increase of a metric since counting_from_now()."""
        return self.now(name, **labels) - self.before.get((name, frozenset(labels.items())), 0.0)

    def _measurements(self) -> Mapping[Measured, float]:
        return {
            (sample.name, frozenset(sample.labels.items())): sample.value
            for family in text_string_to_metric_families(self.page())
            for sample in family.samples
        }


@contextmanager
def observed_server(folder: Path, *flags: str | Path) -> Iterator[ObservedServer]:
    """A server over an archive in the folder, with its log in JSON and its metrics on a free port."""
    log = folder / "log.jsonl"
    flags = ("--log-format", "json", "--metrics-listen", "127.0.0.1:0", *flags)
    with log.open("w") as file, serving(folder / "a.db", *flags, log=file) as server:
        yield ObservedServer(server, log, str(_line(log, {"event": "started"})["metrics"]))


def wait_until(condition: Callable[[], bool]) -> None:
    """Waits until the condition holds; fails after TIMEOUT_SECONDS."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "the condition did not become true in time"
        time.sleep(0.01)


def _line(log: Path, fields: Line) -> Line:
    found: list[Line] = []

    def search() -> bool:
        found.extend(line for line in _lines(log) if fields.items() <= line.items())
        return bool(found)

    wait_until(search)
    return found[0]


def _lines(log: Path) -> Iterator[Line]:
    """Every complete line: the server may be writing the last one."""
    for text in log.read_text().splitlines(keepends=True):
        if text.endswith("\n"):
            yield json.loads(text)
