"""How the commands print: plain lines for files and pipes, colour and wrapped lines for a terminal."""

import json
import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TextIO

import click

from records.text import escaped
from rules.kernel.display import StyledLine


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
    spans: StyledLine = ()
    """What a terminal shows in place of the text."""

    def __post_init__(self) -> None:
        """Escape what steers a terminal: much of what is printed comes out of files."""
        object.__setattr__(self, "text", escaped(self.text))
        object.__setattr__(
            self, "spans", tuple(replace(each, text=escaped(each.text)) for each in self.spans)
        )

    @property
    def margin(self) -> str:
        """What stands before the text."""
        return " " * self.indent + (f"{self.label:<10}" if self.label else "")


BLANK: Final = Line("")
STANDARD_OUTPUT: Final = "-"


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


def shows_colour(stream: TextIO | None) -> bool:
    """Whether a picture in colours can be shown; NO_COLOR asks for none (no-color.org)."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR") and shows_lines(stream)


def shows_lines(stream: TextIO | None) -> bool:
    """Whether a terminal can show lines and signs beyond ASCII."""
    told = stream.encoding.lower() if stream is not None else ""
    return told.replace("-", "") == "utf8" and os.environ.get("TERM") != "dumb"


def show_json(value: Mapping[str, object]) -> None:
    """Print an object on a line of its own, in ASCII, whatever the locale."""
    click.echo(json.dumps(value))


def save(path: str, text: str, made_from: Iterable[str]) -> None:
    """Write a file of text, or to standard output for '-'.

    A file that is there already is replaced, but never one of those that the text was made from.
    """
    if path == STANDARD_OUTPUT:
        click.echo(text, nl=False)
        return
    try:
        for source in made_from:
            if Path(path).exists() and Path(source).exists() and Path(path).samefile(source):
                raise click.ClickException(f"{file_name(path)} is the record itself; name another file")
        Path(path).write_text(text, encoding="utf-8")
    except OSError as fault:
        raise click.ClickException(
            f"{file_name(path)} cannot be written: {fault.strerror or fault}"
        ) from None


def file_name(path: str) -> str:
    """A path as it may be shown: control characters and bytes that are no text are escaped."""
    return path if path.isprintable() else ascii(path)


def plural(count: int, one: str, many: str) -> str:
    """A number with its noun: '1 entry', '2 entries'."""
    return f"{count} {one if count == 1 else many}"


def _show_on_terminal(lines: Iterable[Line], *, err: bool) -> None:
    from rich import console  # noqa: PLC0415 - a pipe need not wait for its import

    from tools.terminal.styling import rendered  # noqa: PLC0415 - as above

    terminal = console.Console(stderr=err, highlight=False)
    for text in rendered(lines, shutil.get_terminal_size().columns):
        terminal.print(text, soft_wrap=True)
