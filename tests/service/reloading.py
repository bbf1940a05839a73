"""A server that is watched: its log is kept, and its metrics can be read."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias
from urllib.request import urlopen

from prometheus_client.parser import text_string_to_metric_families

from tests.service.servers import PATIENCE, Running, serving

Line: TypeAlias = Mapping[str, object]
Measured: TypeAlias = tuple[str, frozenset[tuple[str, str]]]
"""A name with its labels."""


@dataclass(frozen=True, slots=True)
class Watched:
    """A server, its log, and where its metrics are."""

    server: Running
    log: Path
    metrics: str
    before: Mapping[Measured, float] = field(default_factory=dict)

    def anew(self) -> "Watched":
        """The same server; growth counts from now on."""
        return replace(self, before=self._measurements())

    def lines(self, event: str) -> list[Line]:
        """Every line of the log that tells of such an event."""
        return [line for line in _lines(self.log) if line["event"] == event]

    def line(self, event: str, **fields: str) -> Line:
        """The first line of the log that tells of such an event, as soon as there is one."""
        return _line(self.log, {"event": event, **fields})

    def page(self, path: str = "/metrics") -> str:
        """A page of its metrics port."""
        with urlopen(f"http://{self.metrics}{path}", timeout=PATIENCE) as answer:
            text: str = answer.read().decode()
        return text

    def now(self, name: str, **labels: str) -> float:
        """A measurement as it is; 0 where there is none yet."""
        return self._measurements().get((name, frozenset(labels.items())), 0.0)

    def grown(self, name: str, **labels: str) -> float:
        """By how much it has grown."""
        return self.now(name, **labels) - self.before.get((name, frozenset(labels.items())), 0.0)

    def _measurements(self) -> Mapping[Measured, float]:
        return {
            (sample.name, frozenset(sample.labels.items())): sample.value
            for family in text_string_to_metric_families(self.page())
            for sample in family.samples
        }


@contextmanager
def watched(folder: Path, *flags: str | Path) -> Iterator[Watched]:
    """A server over an archive in the folder."""
    log = folder / "log.jsonl"
    flags = ("--log-format", "json", "--metrics-listen", "127.0.0.1:0", *flags)
    with log.open("w") as file, serving(folder / "a.db", *flags, log=file) as server:
        yield Watched(server, log, str(_line(log, {"event": "started"})["metrics"]))


def until(condition: Callable[[], bool]) -> None:
    """Wait for what must come true."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.01)


def _line(log: Path, told: Line) -> Line:
    found: list[Line] = []

    def search() -> bool:
        found.extend(line for line in _lines(log) if told.items() <= line.items())
        return bool(found)

    until(search)
    return found[0]


def _lines(log: Path) -> Iterator[Line]:
    """Every line that is whole."""
    for text in log.read_text().splitlines(keepends=True):
        if text.endswith("\n"):
            yield json.loads(text)
