"""Runs tests in their long form, and prints the figures that they record."""

import sys
import time

import click

from tools.dev.pytest_run import run_pytest


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("name")
@click.argument("arguments", nargs=-1)
def main(name: str, arguments: tuple[str, ...]) -> None:
    """Run pytest with these arguments; the last line has the figures. Exits with 1 on a failure."""
    began = time.monotonic()
    results = run_pytest(arguments)
    figures = [f"{value} {what}" for what, value in sorted(results.figures.items())]
    click.echo(f"{name}: {', '.join([*figures, f'tests: {results}'])} in {time.monotonic() - began:.0f} s")
    sys.exit(0 if results.good else 1)


if __name__ == "__main__":
    main()
