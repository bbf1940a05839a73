"""`shiji verify`: judges transcripts, record files and bundles, offline."""

from collections import Counter
from collections.abc import Iterator

import click

from records.audit.file_json import as_json
from records.audit.judged_file import FileReport, UnreadableFile
from records.evidence.note import VerifierKey
from rules.kernel.series import BadSeries, Standings
from rules.kernel.text import listed
from tools.cli import CANNOT_READ
from tools.report.checkpoint_args import trusted_key_options
from tools.report.file_report import as_lines, as_shown_option, exit_code, verbose_option, worst_code
from tools.report.file_verdict import judge_file
from tools.terminal.output import BLANK, Line, plural, show, show_json


@click.command(
    epilog="Exit codes: 0 all records are verified, 1 a record is illegal, diverged or corrupt,"
    " 2 a file could not be read, 3 a record is verified only as far as it is shown.\n\n"
    "Example: shiji verify --json matches/*.shiji"
)
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=click.Path())
@click.option("--json", "as_objects", is_flag=True, help="Print one JSON object per line.")
@click.option(
    "--series", "as_series", is_flag=True, help="Add up the matches as one series, as in QIN-MATCH-1."
)
@verbose_option
@as_shown_option
@trusted_key_options
@click.pass_context
def command(  # noqa: PLR0913 - one parameter per option
    ctx: click.Context,
    files: tuple[str, ...],
    *,
    as_objects: bool,
    as_series: bool,
    verbose: bool,
    as_shown: bool,
    log_keys: tuple[VerifierKey, ...],
    witness_keys: tuple[VerifierKey, ...],
) -> None:
    """Judge records by their game's rules; FILE may be - for standard input.

    Each FILE is a transcript, a record file or a bundle. The verdict is verified, verified as far as shown,
    illegal, diverged, corrupt or unreadable. For an illegal record every rule that its first illegal entry
    breaks is printed, for one with parts left out what could not be judged, and for a bundle what it proves.
    """
    judged: list[FileReport | UnreadableFile] = []
    for path in files:
        one = judge_file(path, trusted=(*log_keys, *witness_keys))
        if as_objects:
            show_json(as_json(one))
        else:
            gap = [BLANK] if judged else []
            # An unreadable file is an error, not a verdict by the rules.
            show([*gap, *as_lines(one, verbose=verbose)], err=isinstance(one, UnreadableFile))
        judged.append(one)
    if not as_objects and len(judged) > 1:
        show([BLANK, _summary(judged)])
    codes = [_exit_code(one, as_shown=as_shown) for one in judged]
    if as_series:
        codes.append(_judge_series(judged, as_object=as_objects))
    ctx.exit(worst_code(codes))


def _exit_code(judged: FileReport | UnreadableFile, *, as_shown: bool) -> int:
    if isinstance(judged, UnreadableFile):
        return CANNOT_READ
    return exit_code(judged.verdict, as_shown=as_shown)


def _summary(judged: list[FileReport | UnreadableFile]) -> Line:
    counts = Counter(one.verdict for one in judged)
    by_verdict = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    return Line(f"{plural(len(judged), 'file', 'files')}: {by_verdict}", style="bold")


def _judge_series(judged: list[FileReport | UnreadableFile], *, as_object: bool) -> int:
    """Print the standings of the series, or why there are none."""
    try:
        standings = _standings(judged)
    except BadSeries as fault:
        if as_object:
            show_json({"series": None, "why": str(fault)})
        else:
            show([Line(f"no series: {fault}", style="bold magenta")], err=True)
        return CANNOT_READ
    if as_object:
        show_json({"series": _series_json(standings), "why": None})
    else:
        show([BLANK, *_series_lines(standings)])
    return 0


def _standings(judged: list[FileReport | UnreadableFile]) -> Standings:
    verified: list[FileReport] = []
    for number, one in enumerate(judged, start=1):
        if isinstance(one, UnreadableFile) or one.verdict != "verified":
            raise BadSeries(f"match {number} is {one.verdict}")
        verified.append(one)
        if one.header.game is not verified[0].header.game:
            raise BadSeries(f"match {number} is not a match of {verified[0].header.game.about.title}")
    return verified[0].header.game.series([one.report.reached for one in verified])


def _series_json(standings: Standings) -> dict[str, object]:
    return {
        "totals": dict(zip(standings.names, standings.totals, strict=True)),
        "matches": [dict(zip(standings.names, left, strict=True)) for left in standings.left],
        "winners": list(standings.winners),
    }


def _series_lines(standings: Standings) -> Iterator[Line]:
    won = listed(standings.winners)
    yield Line(f"series of {plural(len(standings.left), 'match', 'matches')}: {won} won", style="bold green")
    for number, name in enumerate(standings.names):
        left = " + ".join(str(match[number]) for match in standings.left)
        yield Line(f"{name}: {left} = {standings.totals[number]} {standings.what}", indent=2)
    yield Line(f"{standings.rule.id} {standings.rule.text}", "rule", 2)
