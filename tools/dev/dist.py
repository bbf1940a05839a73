"""`make dist`: builds the wheels of this repository into dist/, each with its size."""

import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click

from tools.dev import web

ROOT: Final = Path(__file__).resolve().parents[2]
"""Root of the work tree."""

PROJECTS: Final = (ROOT / "packaging/client", ROOT / "packaging/judge", ROOT)
"""Folders of the projects, in the order in which they depend on each other."""


def build(project: Path, into: Path, target: str = "wheel") -> Path:
    """Build the distribution of a project, and return its file; raises CalledProcessError."""
    with TemporaryDirectory(dir=into) as scratch:
        command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", scratch]
        subprocess.run(command, cwd=project, check=True, stdout=sys.stderr)
        (built,) = Path(scratch).iterdir()
        return built.replace(into / built.name)


def version_of(project: Path) -> str:
    """The version that a project states."""
    stated: object = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    return str(stated)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=ROOT / "dist")
def main(folder: Path) -> None:
    """Build the wheels into FOLDER; other versions that lie there stay."""
    versions = {version_of(project) for project in PROJECTS}
    if len(versions) > 1:
        raise click.ClickException(f"the projects state different versions: {', '.join(sorted(versions))}")
    if not web.is_current():
        web.build()
    folder.mkdir(parents=True, exist_ok=True)
    built = [build(project, folder.resolve()) for project in PROJECTS]
    for wheel in built:
        click.echo(f"{wheel.name}: {wheel.stat().st_size / 1000:,.0f} KB")
    click.echo(f"{len(built)} wheels of version {versions.pop()} in {folder}: pip install {folder}/*.whl")


if __name__ == "__main__":
    main()
