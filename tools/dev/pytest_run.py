"""Runs pytest and counts the results and figures that its tests recorded."""

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
SPREAD: Final = ("-n", "auto", "--dist", "loadgroup")
"""One process per core; tests of a group share one."""

_WIDTH: Final = 80
"""Columns of a closing line, as where pytest writes to a file."""


@dataclass(frozen=True, slots=True)
class Results:
    """What one or several runs of pytest came to."""

    counts: Counter[str] = field(default_factory=Counter)
    """How many tests passed, failed, were skipped or had an error."""
    figures: Counter[str] = field(default_factory=Counter)
    """Sums of what tests have recorded with `record_property`, by name."""

    def __add__(self, other: "Results") -> "Results":
        return Results(self.counts + other.counts, self.figures + other.figures)

    @property
    def good(self) -> bool:
        """Whether tests ran and none went wrong."""
        return self.counts["passed"] > 0 and not self.counts["failed"] and not self.counts["errors"]

    def __str__(self) -> str:
        return ", ".join(f"{count} {name}" for name, count in self.counts.items() if count) or "no tests ran"


def run_pytest(arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> Results:
    """Run the tests, with their output where ours goes."""
    with TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *SPREAD, f"--junitxml={report}", *arguments],
            cwd=ROOT,
            env={**os.environ, **(environment or {})},
            check=False,
        )
        results = read_report(report.read_text("utf-8")) if report.exists() else Results()
    if done.returncode and results.good:
        results.counts["errors"] += 1  # pytest itself went wrong
    return results


def read_report(text: str) -> Results:
    """What a report in JUnit's format says."""
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
    """The last line of a run, in the form of pytest's own."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f" {results} in {seconds:.2f}s ({hours}:{minutes:02}:{rest:02}) ".center(_WIDTH, "=")
