"""`shiji replay`: steps through a record, in the terminal or in a browser."""

import os
import sys
from collections.abc import Iterator

import click

from records.audit.judged_file import FileReport, UnreadableFile
from records.browser.files import HOW_TO_GET, judge_files
from records.verdict import CorruptAt, DivergedAt
from tools.cli import CANNOT_READ
from tools.report.drawing import event_lines, headline, plain_board
from tools.report.file_report import (
    as_lines,
    exit_code,
    match_lines,
    unjudged_lines,
    verdict_line,
    violation_lines,
)
from tools.report.file_verdict import judge_file
from tools.report.steps import step_json, steps_of
from tools.terminal.output import (
    BLANK,
    STANDARD_OUTPUT,
    Line,
    file_name,
    is_terminal,
    save_text,
    show,
    show_json,
)


@click.command(
    epilog="Exit codes: 0 the record is verified, in full or as far as shown, 1 it is illegal, diverged or"
    " corrupt, 2 a file could not be read or written.\n\n"
    "Keys: left, right, space and b step; Home and End go to the first and the last step; a number and Enter"
    " go to that entry; v goes to the first violation; up and down scroll; q quits.\n\n"
    "Example: shiji replay match.shiji --html match.html"
)
@click.argument("file", metavar="FILE", type=click.Path())
@click.argument("match", metavar="[MATCH]", required=False)
@click.option(
    "--html",
    "page",
    metavar="OUT",
    type=click.Path(),
    help="Write a self-contained HTML page; - for standard output.",
)
@click.option("--judge", "with_judge", is_flag=True, help="Put the judge into the page, about 8 MB.")
@click.option("--json", "as_object", is_flag=True, help="Print JSON instead.")
@click.pass_context
def command(  # noqa: PLR0913 - one parameter per option
    ctx: click.Context, file: str, match: str | None, *, page: str | None, with_judge: bool, as_object: bool
) -> None:
    """Step through a record; FILE may be - for standard input.

    FILE may be an archive with the id of a MATCH, or enough of its beginning.

    A page of --html checks its hashes and signatures in the browser that opens it; with --judge it can also
    judge every move again there, without a network.

    In a terminal, the keys below move through the record. Otherwise every step is printed as text.
    """
    if with_judge and page is None:
        raise click.UsageError("--judge goes with --html: it is the page that judges")
    judged = judge_file(file, match=match)
    if isinstance(judged, UnreadableFile):
        show(as_lines(judged), err=True)
        ctx.exit(CANNOT_READ)
    if as_object:
        for step in steps_of(judged):
            show_json(step_json(step))
    elif page is not None:
        _write_page(judged, page, with_judge=with_judge)
    elif is_terminal(sys.stdin) and is_terminal(sys.stdout) and os.environ.get("TERM", "dumb") != "dumb":
        from tools.terminal.stepper import step_through  # noqa: PLC0415 - imports rich

        step_through(judged)
    else:
        show(_lines(judged))
    ctx.exit(exit_code(judged.verdict, as_shown=True))


def _write_page(judged: FileReport, path: str, *, with_judge: bool) -> None:
    from tools.page.page import replay_page  # noqa: PLC0415 - needed only for --html

    embedded = judge_files() if with_judge else None
    if with_judge and embedded is None:
        raise click.ClickException(f"the judge for browsers is not installed: {HOW_TO_GET}")
    save_text(path, replay_page(judged, embedded), (judged.path,), private=judged.may_show_hands)
    if path != STANDARD_OUTPUT:
        show([Line(f"{file_name(path)}: {len(judged.entries)} entries; open it in a browser")])


def _lines(judged: FileReport) -> Iterator[Line]:
    yield verdict_line(judged)
    if isinstance(judged.report.verdict, DivergedAt | CorruptAt):
        yield Line(judged.report.verdict.why, "why", 2)
    yield from unjudged_lines(judged.report)
    yield from match_lines(judged.header)
    for step in steps_of(judged):
        yield BLANK
        yield headline(step, judged)
        if step.refused:
            yield from violation_lines(judged.header, step.refused)
        else:
            yield from event_lines(step)
            yield BLANK
            yield from plain_board(step)
