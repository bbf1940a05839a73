"""Opens archives for the commands, and shows the progress of long ones."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TypeAlias

import click

from records.audit.archive import OpenLog
from records.log.contract import Log, LogFault
from records.log.opening import open_log
from tools.terminal.output import is_terminal

Advance: TypeAlias = Callable[[int, int | None], None]
"""Called with the amount done and the total, which is None if it is not known."""


def read_only_opener(path: str) -> OpenLog:
    """A function that opens an archive for reading; it can be passed to another process."""
    return partial(open_log, path, read_only=True)


def open_for_writing(path: str) -> Log:
    """Open an archive for writing; it is created if it does not exist."""
    return open_log(path)


@contextmanager
def exit_on_archive_fault() -> Iterator[None]:
    """Ends the command with a message, as for an unreadable file, when an archive is faulty."""
    try:
        yield
    except LogFault as fault:
        raise click.ClickException(str(fault)) from fault


@contextmanager
def progress(what: str) -> Iterator[Advance]:
    """Shows a progress bar for the duration of the block, if standard error is a terminal."""
    if not is_terminal(sys.stderr):
        yield lambda *_: None
        return
    from rich import console, progress  # noqa: PLC0415 - slow to import, and a pipe does not need them

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
