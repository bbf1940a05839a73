"""`make test`: runs its parts in sequence, and prints how long each took."""

import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import click

from tools.dev.pytest_run import ROOT, Results, closing_line, run_pytest

MAX_PART_SECONDS: Final = 180
"""Time that a part may take on two idle cores; longer tests belong in a separate target of the Makefile."""

_BIN: Final = Path(sys.executable).parent
"""Folder with the commands of the virtual environment."""

_PYTHON: Final = (sys.executable, "-m")
"""Beginning of a command that runs a module."""


@dataclass(frozen=True, slots=True)
class TestPart:
    """A part of `make test`: commands, then tests; either may be empty."""

    commands: tuple[tuple[str, ...], ...] = ()
    tests: tuple[str, ...] = ()
    """Paths and options for pytest."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Environment variables for the tests."""


class CommandFailed(Exception):
    """A command of a part has failed; later parts depend on it."""


_RULES: Final = {
    "laws": "tests/rules/test_laws.py",
    "lockstep": "tests/rules/test_lockstep.py",
    "kit": "tests/rules/kit",
    "zhanguo": "tests/rules/zhanguo",
    "great-wall": "tests/rules/great_wall",
}
"""Tests of rules that take so long that they are parts of their own."""

_SEARCH: Final = "tests/service/test_noninterference.py"
"""The search for what a viewer may not see, which takes as long as the other tests of the service."""

_CRASHES: Final = "tests/service/test_power_cuts.py"
"""Servers that are killed and lose their power, which takes a third of the time of the other tests."""

_PLAYING: Final = "tests/page/test_play.py"
"""Matches played in a browser, which takes as long as looking at all pages."""

_BROWSER: Final = (*_PYTHON, "tools.dev.browser")
"""Installs the browser where that is possible."""

_WEB: Final = (*_PYTHON, "tools.dev.web", "--if-possible")
"""Makes what judges records in browsers."""

_CHECKING: Final = "tests/page/checking"
"""Records that are checked and judged in a browser."""

PARTS: Final[dict[str, TestPart]] = {
    "lint": TestPart(
        (
            (f"{_BIN}/ruff", "check"),
            (f"{_BIN}/ruff", "format", "--check"),
            (f"{_BIN}/lint-imports", "--no-cache"),
            (f"{_BIN}/buf", "lint", "protos"),
            (f"{_BIN}/buf", "breaking", "protos", "--against", "protos/released.binpb"),
            (*_PYTHON, "tools.dev.protos", "--check"),
            (*_PYTHON, "tools.dev.sync_client", "--check"),
            (*_PYTHON, "tools.dev.errors_page", "--check"),
        )
    ),
    "types": TestPart(((f"{_BIN}/mypy", "--cache-dir=/dev/null"),)),
    "compile": TestPart(((*_PYTHON, "tools.dev.compiling"),)),
    # tests/project/test_compiled.py compares the two forms.
    "uncompiled": TestPart(
        tests=(
            "tests/rules/test_laws.py",
            "tests/rules/test_value.py",
            "tests/rules/qin/test_adjudication.py",
            # Only Qin is compiled, and law 8 starts processes that run the compiled form.
            "-k=not khan and not zhanguo and not great and not law_8",
        ),
        environment={"SHIJI_UNCOMPILED": "1"},
    ),
    "rules": TestPart(tests=("tests/rules", *(f"--ignore={path}" for path in _RULES.values()))),
    **{name: TestPart(tests=(path,)) for name, path in _RULES.items()},
    "records": TestPart(tests=("tests/records",)),
    "service": TestPart(tests=("tests/service", f"--ignore={_SEARCH}", f"--ignore={_CRASHES}")),
    "views": TestPart(tests=(_SEARCH,)),
    "crash": TestPart(tests=(_CRASHES,)),
    "fuzz": TestPart(tests=("tests/fuzz",)),
    "pages": TestPart((_BROWSER,), ("tests/page", f"--ignore={_PLAYING}", f"--ignore={_CHECKING}")),
    "play": TestPart((_BROWSER,), (_PLAYING,)),
    "judge": TestPart((_BROWSER, _WEB), (_CHECKING,)),
    "client": TestPart(tests=("tests/client",)),
    "tools": TestPart(tests=("tests/tools",)),
    "project": TestPart((_WEB,), ("tests/project", "tests/examples")),
}
"""The parts of `make test`, in the order in which they run."""


def run(part: TestPart) -> Results:
    """Run a part; raises CommandFailed."""
    for command in part.commands:
        if subprocess.run(command, cwd=ROOT, check=False).returncode:
            raise CommandFailed(" ".join(command))
    return run_pytest(["--durations=25", *part.tests], part.environment) if part.tests else Results()


def rows(times: Mapping[str, float], results: Mapping[str, Results]) -> Iterator[str]:
    """One line per part, with its time and its results."""
    for name, seconds in times.items():
        counted = str(results[name]) if PARTS[name].tests else ""
        late = f"over {MAX_PART_SECONDS} s" if seconds > MAX_PART_SECONDS else ""
        yield f"{name:<12}{seconds:>8.1f} s   {', '.join(filter(None, (counted, late)))}".rstrip()


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(PARTS)))
def main(names: tuple[str, ...]) -> None:
    """Run the parts named, or all. A failing command ends the run, a failing test does not."""
    times: dict[str, float] = {}
    results: dict[str, Results] = {}
    for name in names or PARTS:
        click.echo(f"--- {name}")
        began = time.monotonic()
        try:
            results[name] = run(PARTS[name])
        except CommandFailed as command:
            raise click.ClickException(f"{name}: `{command}` failed") from command
        times[name] = time.monotonic() - began
        click.echo(f"--- {name}: {times[name]:.1f} s")
    click.echo("\n".join(rows(times, results)))
    tested = [results[name] for name in results if PARTS[name].tests]
    if tested:
        click.echo(closing_line(sum(tested, Results()), sum(times.values())))
    if not all(each.good for each in tested):
        sys.exit(1)


if __name__ == "__main__":
    main()
