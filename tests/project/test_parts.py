"""`make test` runs every test folder, counts the results, and fails if a test or command failed."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.project.places import ROOT
from tools.dev import parts, versions
from tools.dev.pytest_run import Results, closing_line, run_pytest

SAMPLE = """
import pytest

@pytest.mark.parametrize("number", range(3))
def test_recorded(number, record_property):
    record_property("entries", 10)

@pytest.mark.skip(reason="to be counted")
def test_skipped():
    pass
"""


def test_every_test_belongs_to_one_part() -> None:
    for path in (ROOT / "tests").rglob("test_*.py"):
        test = path.relative_to(ROOT)
        holding = [name for name, part in parts.PARTS.items() if name != "uncompiled" and holds(part, test)]

        assert len(holding) == 1, f"{test} is in {holding}"


def test_contributors_read_of_every_part_and_of_every_long_run() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    _, long = (ROOT / "Makefile").read_text("utf-8").split("# Long runs.")
    targets = re.findall(r"^([a-z]+): \.venv/\S+ ##", long.split("\nversions:")[0], re.MULTILINE)

    assert {"crash", "fleet", "load", "views"} <= {*targets}
    assert [part for part in parts.PARTS if f"`{part}`" not in page] == []
    assert [target for target in targets if f"| `make {target}" not in page] == []


def holds(part: parts.TestPart, test: Path) -> bool:
    ignored = [each.removeprefix("--ignore=") for each in part.tests if each.startswith("--ignore=")]
    return any(map(test.is_relative_to, part.tests)) and not any(map(test.is_relative_to, ignored))


def test_results_and_recorded_figures_are_counted(tmp_path: Path) -> None:
    (tmp_path / "test_sample.py").write_text(SAMPLE)

    results = run_pytest(["-n0", "-q", str(tmp_path)])

    assert results.good
    assert str(results) == "3 passed, 1 skipped"
    assert results.figures == {"entries": 30}


@pytest.mark.parametrize(
    ("test", "counted"),
    [
        ("def test_sample():\n    assert False", "1 failed"),
        ("def test_sample(no_such_fixture):\n    pass", "1 errors"),
        ("", "no tests ran"),
    ],
)
def test_a_failure_an_error_and_an_empty_run_are_not_good(tmp_path: Path, test: str, counted: str) -> None:
    (tmp_path / "test_sample.py").write_text(test)

    results = run_pytest(["-n0", "-q", str(tmp_path)])

    assert not results.good
    assert str(results) == counted


def test_the_last_line_adds_up_the_parts_in_the_format_of_pytest() -> None:
    one, other = Results(), Results()
    one.counts.update(passed=5, skipped=2)
    other.counts.update(failed=1, passed=7)

    assert closing_line(one + other, 3671.5) == (
        "============= 1 failed, 12 passed, 2 skipped in 3671.50s (1:01:12) ============="
    )


def test_a_command_that_fails_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(parts.PARTS, "lint", parts.TestPart((("false",),)))

    done = CliRunner().invoke(parts.main, ["lint", "types"])

    assert done.exit_code == 1
    assert "lint: `false` failed" in done.output
    assert "types" not in done.output


@pytest.mark.parametrize(("options", "code"), [((), 1), (("--missing-ok",), 0)])
def test_a_version_that_is_not_installed_is_reported_as_not_run(options: tuple[str, ...], code: int) -> None:
    done = CliRunner().invoke(versions.main, ["2.99", *options])

    assert done.exit_code == code
    assert "2.99: not run, there is no python2.99" in done.output
