"""`shiji show`: the board after any entry of a record."""

from collections.abc import Iterator

import click

from records.verdict import IllegalAt
from tools.cli import CANNOT_READ
from tools.output import BLANK, Line, plural, show
from tools.verdicts import BAD, Judged, Unread, as_lines, cited, described, judge_file


@click.command(
    epilog="Exit codes: 0 shown as asked, 1 an illegal entry comes before, 2 the file could not be read.\n\n"
    "Example: shiji show match.shiji --at 12"
)
@click.argument("file", metavar="FILE", type=click.Path())
@click.option(
    "--at",
    metavar="N",
    type=click.IntRange(min=0),
    help="After entry N, 0 being the start; without it, after the last entry.",
)
@click.pass_context
def command(ctx: click.Context, file: str, at: int | None) -> None:
    """Show the board after an entry of a record; FILE may be - for standard input.

    Of a record that breaks the rules, the board is shown as it was before the first illegal entry.
    """
    judged = judge_file(file, at)
    if isinstance(judged, Unread):
        show(as_lines(judged), err=True)
        ctx.exit(CANNOT_READ)
    if at is not None and at > len(judged.entries):
        has = plural(len(judged.entries), "entry", "entries")
        raise click.BadParameter(f"the record has {has}", param_hint="'--at'")
    show(_picture(judged))
    if isinstance(judged.report.verdict, IllegalAt):
        ctx.exit(BAD)


def _picture(judged: Judged) -> Iterator[Line]:
    report = judged.report
    yield Line(_when(judged), style="bold")
    yield from described(judged.header)
    yield BLANK
    for line in report.standing.draw().split("\n"):
        yield Line(line, wraps=False)
    if isinstance(report.verdict, IllegalAt):
        yield BLANK
        yield Line("This is the last legal position; the next entry is illegal.", style="bold red")
        yield from cited(judged.header, report.verdict)


def _when(judged: Judged) -> str:
    good = judged.report.good
    if not good:
        return f"at the start, before entry 1 of {len(judged.entries)}" if judged.entries else "at the start"
    entry = judged.entries[good - 1]
    comment = f" ; {entry.comment}" if entry.comment else ""
    return f"after entry {good} of {len(judged.entries)}: {entry.text}{comment}"
