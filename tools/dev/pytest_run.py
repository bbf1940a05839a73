"""Runs pytest, counts the results and adds up the figures that tests record."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from xml.etree import ElementTree as ET

ROOT: Final = Path(__file__).resolve().parents[2]
"""Root of the work tree."""

PARALLEL_OPTIONS: Final = ("-n", "auto", "--dist", "loadgroup")
"""Options for one process per core; tests of a group run in the same process."""

_CLOSING_LINE_WIDTH: Final = 80
"""Columns of the closing line, the same as pytest's if its output is not a terminal."""

_NAMES: Final = ("failed", "passed", "skipped", "errors")
"""In the order of pytest's closing line."""


@dataclass(frozen=True, slots=True)
class Results:
    """Results of one or several runs of pytest."""

    counts: Counter[str] = field(default_factory=Counter)
    """Number of tests by result: passed, failed, skipped, errors."""
    figures: Counter[str] = field(default_factory=Counter)
    """Sums of the values that tests record with `record_property`, by name."""

    def __add__(self, other: "Results") -> "Results":
        return Results(self.counts + other.counts, self.figures + other.figures)

    @property
    def good(self) -> bool:
        """Whether tests ran and none failed or had an error."""
        return self.counts["passed"] > 0 and not self.counts["failed"] and not self.counts["errors"]

    def __str__(self) -> str:
        found = [f"{self.counts[name]} {name}" for name in _NAMES if self.counts[name]]
        return ", ".join(found) or "no tests ran"


def run_pytest(arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> Results:
    """Run pytest, with its output on our standard output."""
    with TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *PARALLEL_OPTIONS, f"--junitxml={report}", *arguments],
            cwd=ROOT,
            env={**os.environ, **(environment or {})},
            check=False,
        )
        results = read_report(report.read_text("utf-8")) if report.exists() else Results()
    if done.returncode and results.good:
        results.counts["errors"] += 1  # pytest itself failed
    return results


def read_report(text: str) -> Results:
    """The results in a report in JUnit's format."""
    results = Results()
    for suite in ET.fromstring(text).iter("testsuite"):  # noqa: S314 - pytest has just written it
        bad = {"failed": int(suite.get("failures", 0)), "errors": int(suite.get("errors", 0))}
        skipped = int(suite.get("skipped", 0))
        passed = int(suite.get("tests", 0)) - sum(bad.values()) - skipped
        results.counts.update({**bad, "passed": passed, "skipped": skipped})
        for recorded in suite.iter("property"):
            results.figures[recorded.get("name", "")] += int(recorded.get("value", 0))
    return results


def closing_line(results: Results, seconds: float) -> str:
    """The last line of a run, in pytest's format."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f" {results} in {seconds:.2f}s ({hours}:{minutes:02}:{rest:02}) ".center(_CLOSING_LINE_WIDTH, "=")
