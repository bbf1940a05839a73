"""`make versions`: runs the tests on every supported version of Python, each in a copy of the work tree."""

import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click

from tools.dev.parts import PARTS
from tools.dev.pytest_run import ROOT

VERSIONS: Final = ("3.11", "3.12", "3.13")
"""The supported versions of Python."""

SUITE: Final = ("compile", *(name for name, part in PARTS.items() if part.tests))
"""The parts of `make test` whose results can differ between versions."""


def find_python(version: str) -> str | None:
    """Path of the interpreter of a version; None if there is none that runs."""
    path = shutil.which(f"python{version}")
    program = "import sys; print('%d.%d' % sys.version_info[:2])"
    if path is None:
        return None
    done = subprocess.run([path, "-c", program], capture_output=True, text=True, check=False)
    return path if done.stdout.strip() == version else None


def copy_tree(folder: Path) -> None:
    """Copy every file that git tracks or does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],  # noqa: S607 - git is found by PATH
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        source, target = ROOT / name, folder / name
        if source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)


def run_suite(python: str, folder: Path) -> tuple[bool, str]:
    """Run the tests in a folder; returns whether they pass, and the last line of their output."""
    last = ""
    command = ["make", f"PYTHON={python}", f"PARTS={' '.join(SUITE)}", "test"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as running:
        for line in running.stdout or ():
            click.echo(line, nl=False)
            last = line
    return running.returncode == 0, last.strip("= \n")


@click.command()
@click.argument("versions", nargs=-1)
@click.option("--missing-ok", is_flag=True, help="Do not fail if a version is not installed.")
def main(versions: tuple[str, ...], *, missing_ok: bool) -> None:
    """Run the tests on the versions named, or on all supported ones."""
    began, good, report = time.monotonic(), True, []
    for version in versions or VERSIONS:
        python = find_python(version)
        if python is None:
            report.append(f"{version}: not run, there is no python{version}")
            good = good and missing_ok
            continue
        with TemporaryDirectory(prefix=f"shiji-{version}-") as folder:
            copy_tree(Path(folder))
            passed, last = run_suite(python, Path(folder))
        report.append(f"{version}: {'passed' if passed else 'FAILED'} ({last})")
        good = good and passed
    click.echo(f"{'; '.join(report)}; {time.monotonic() - began:.0f} s in all")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
