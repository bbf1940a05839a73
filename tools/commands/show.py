"""`shiji show`: shows the board after any entry of a record, in the terminal or as a picture."""

import shutil
import sys
from collections.abc import Iterator

import click

from records.audit.file_json import as_json
from records.audit.judged_file import FileReport, UnreadableFile
from records.verdict import IllegalAt
from rules.kernel.display import TerminalSize
from tools.cli import CANNOT_READ
from tools.report.drawing import event_lines, headline, plain_board, seat_lines, styled_board, svg
from tools.report.file_report import BAD, as_lines, illegal_entry_lines, match_lines
from tools.report.file_verdict import judge_file
from tools.report.steps import Step, step_json, steps_of
from tools.terminal.output import (
    BLANK,
    STANDARD_OUTPUT,
    Line,
    file_name,
    plural,
    save_text,
    show,
    show_json,
    shows_colour,
)


@click.command(
    epilog="Exit codes: 0 the board was shown, 1 an earlier entry is illegal, 2 a file could not be read or"
    " written.\n\n"
    "Examples: shiji show match.shiji --at 12; shiji show match.shiji --svg board.svg"
)
@click.argument("file", metavar="FILE", type=click.Path())
@click.argument("match", metavar="[MATCH]", required=False)
@click.option(
    "--at",
    metavar="N",
    type=click.IntRange(min=0),
    help="Show the board after entry N, where 0 is the start; by default after the last entry.",
)
@click.option(
    "--svg", "picture", metavar="OUT", type=click.Path(), help="Write an SVG picture; - for standard output."
)
@click.option("--json", "as_object", is_flag=True, help="Print JSON instead.")
@click.pass_context
def command(  # noqa: PLR0913 - one parameter per option
    ctx: click.Context, file: str, match: str | None, *, at: int | None, picture: str | None, as_object: bool
) -> None:
    """Show the board after an entry of a record; FILE may be - for standard input.

    FILE may be an archive with the id of a MATCH, or enough of its beginning.

    For a record that breaks the rules, the board is shown as it was before the first illegal entry, with that
    entry crossed out.
    """
    judged = judge_file(file, at, match=match)
    if isinstance(judged, UnreadableFile):
        show(as_lines(judged), err=True)
        ctx.exit(CANNOT_READ)
    if at is not None and at > len(judged.entries):
        count = plural(len(judged.entries), "entry", "entries")
        raise click.BadParameter(f"the record has {count}", param_hint="'--at'")
    steps = steps_of(judged)
    if as_object:
        show_json(as_json(judged) | {"shown": step_json(steps[-1])})
    elif picture is None:
        show(_lines(judged, steps))
    else:
        save_text(picture, svg(steps[-1], judged), (judged.path,), private=judged.may_show_hands)
        if picture != STANDARD_OUTPUT:
            show([Line(f"{file_name(picture)}: {steps[-1].heading(len(judged.entries))}")])
    if steps[-1].refused:
        ctx.exit(BAD)


def _lines(judged: FileReport, steps: tuple[Step, ...]) -> Iterator[Line]:
    last = steps[-1]
    good = steps[-2] if last.refused else last
    yield headline(good, judged)
    yield from match_lines(judged.header)
    yield from event_lines(good)
    yield BLANK
    if shows_colour(sys.stdout):
        yield from styled_board(last, TerminalSize(shutil.get_terminal_size().columns))
        yield BLANK
        yield from seat_lines(last)
        yield BLANK
        yield Line(last.state.display.key, style="dim")
    else:
        yield from plain_board(last)
    if isinstance(judged.report.verdict, IllegalAt):
        yield BLANK
        yield Line("This is the last legal position; the next entry is illegal.", style="bold red")
        yield from illegal_entry_lines(judged.header, judged.report.verdict)
