"""Finds or installs the browser for the tests of pages, Debian's chromium."""

import os
import shutil
import subprocess
from typing import Final

import click

INSTALL_HINT: Final = "install Debian's package chromium (apt-get install chromium)"
"""What to do if there is no browser."""

_APT_ENVIRONMENT: Final = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
"""Keeps apt-get from asking questions."""


def find_browser() -> str | None:
    """Path of the browser; None if there is none."""
    return shutil.which("chromium")


def _install(apt: str) -> None:
    for words in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
        subprocess.run([apt, "-qq", *words], env=_APT_ENVIRONMENT, stdout=subprocess.DEVNULL, check=False)


@click.command()
def main() -> None:
    """Install the browser if it is missing and the user is root; exits with 0 even if that fails."""
    if find_browser():
        return
    apt = shutil.which("apt-get")
    if apt and os.geteuid() == 0:
        click.echo("Installing Debian's chromium for the tests of pages.")
        _install(apt)
    if not find_browser():
        click.echo(f"There is no browser for the tests of pages: {INSTALL_HINT}.", err=True)


if __name__ == "__main__":
    main()
