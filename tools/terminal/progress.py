"""Archive files as the commands open them, and how far a long command has come."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeAlias

import click

from records.audit.archive import OpenLog
from records.log.contract import Log, LogFault
from records.log.sqlite import SqliteLog
from tools.terminal.output import is_terminal

Advance: TypeAlias = Callable[[int, int | None], None]
"""Is told how much is done, and of how much in all, if that is known."""


def reading(path: str) -> OpenLog:
    """Opens an archive for reading, in any process."""
    return partial(SqliteLog.open, Path(path), read_only=True)


def writing(path: str) -> Log:
    """An archive to write to, made if there is none."""
    return SqliteLog.open(Path(path))


@contextmanager
def faults_told() -> Iterator[None]:
    """What is wrong with an archive is told in words, with the exit code of a file that cannot be read."""
    try:
        yield
    except LogFault as fault:
        raise click.ClickException(str(fault)) from fault


@contextmanager
def progress(what: str) -> Iterator[Advance]:
    """A bar on the terminal while the block lasts; nothing where nobody watches."""
    if not is_terminal(sys.stderr):
        yield lambda *_: None
        return
    from rich import console, progress  # noqa: PLC0415 - a pipe need not wait for their import

    bar = progress.Progress(
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeRemainingColumn(),
        console=console.Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
