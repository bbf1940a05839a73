"""Sees to it that there is a browser to test pages in: Debian's chromium, if it can be installed here."""

import os
import shutil
import subprocess
from typing import Final

import click

HOW: Final = "install Debian's package chromium (apt-get install chromium)"
_APT: Final = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}


def find_browser() -> str | None:
    """The path of the browser; None where there is none."""
    return shutil.which("chromium")


def _install(apt: str) -> None:
    for words in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
        subprocess.run([apt, "-qq", *words], env=_APT, stdout=subprocess.DEVNULL, check=False)


@click.command()
def main() -> None:
    """Install the browser where it is missing and root asks for it; it is no fault if that fails."""
    if find_browser():
        return
    apt = shutil.which("apt-get")
    if apt and os.geteuid() == 0:
        click.echo("Installing Debian's chromium, to test pages in it.")
        _install(apt)
    if not find_browser():
        click.echo(f"There is no browser to test pages in: {HOW}.", err=True)


if __name__ == "__main__":
    main()
