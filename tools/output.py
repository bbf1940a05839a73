"""How the commands print: plain lines for files and pipes, colour and wrapped lines for a terminal."""

import json
import shutil
import sys
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TextIO

import click


@dataclass(frozen=True, slots=True)
class Line:
    """A line of output; what is too wide for a terminal goes on below, aligned with the text."""

    text: str
    label: str = ""
    """Stands in a column before the text."""
    indent: int = 0
    style: str = ""
    """As rich has it; only a terminal shows it."""
    wraps: bool = True
    """Whether it may be broken to fit a terminal; a picture may not."""

    @property
    def margin(self) -> str:
        """What stands before the text."""
        return " " * self.indent + (f"{self.label:<10}" if self.label else "")


BLANK: Final = Line("")


def show(lines: Iterable[Line], *, err: bool = False) -> None:
    """Print the lines on standard output, or on standard error."""
    stream = sys.stderr if err else sys.stdout
    if is_terminal(stream):
        _show_on_terminal(lines, err=err)
        return
    for line in lines:
        click.echo((line.margin + line.text).rstrip(), err=err)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody watches; a stream that was closed from outside is None."""
    return stream is not None and stream.isatty()


def show_json(value: Mapping[str, object]) -> None:
    """Print an object on a line of its own, in ASCII, whatever the locale."""
    click.echo(json.dumps(value))


def file_name(path: str) -> str:
    """A path as it may be shown: control characters and bytes that are no text are escaped."""
    return path if path.isprintable() else ascii(path)


def plural(count: int, one: str, many: str) -> str:
    """A number with its noun: '1 entry', '2 entries'."""
    return f"{count} {one if count == 1 else many}"


def _show_on_terminal(lines: Iterable[Line], *, err: bool) -> None:
    from rich import console, text  # noqa: PLC0415 - a pipe need not wait for their import

    terminal = console.Console(stderr=err, highlight=False)
    width = shutil.get_terminal_size().columns
    for line in lines:
        for number, part in enumerate(_wrapped(line, width)):
            margin = " " * len(line.margin) if number else line.margin
            terminal.print(text.Text(margin + part, style=line.style), soft_wrap=True)


def _wrapped(line: Line, width: int) -> list[str]:
    if not line.wraps:
        return [line.text]
    room = max(width - len(line.margin), 20)
    return textwrap.wrap(line.text, room, break_long_words=False, break_on_hyphens=False) or [""]
