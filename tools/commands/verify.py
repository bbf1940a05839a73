"""`shiji verify`: judges transcripts, record files and bundles, offline."""

from collections import Counter
from collections.abc import Iterator

import click

from records.evidence.note import VerifierKey
from rules.kernel.series import BadSeries, Standings
from tools.cli import CANNOT_READ
from tools.report.checkpoint_args import trusting
from tools.report.file_report import BAD, FileReport, Unread, as_json, as_lines, judge_file
from tools.terminal.output import BLANK, Line, plural, show, show_json


@click.command(
    epilog="Exit codes: 0 all is well, 1 a record is illegal, diverged or corrupt,"
    " 2 a file could not be read.\n\n"
    "Example: shiji verify --json matches/*.shiji"
)
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=click.Path())
@click.option("--json", "as_objects", is_flag=True, help="Print one JSON object a line.")
@click.option(
    "--series", "as_series", is_flag=True, help="Add the matches up as one series, as in QIN-MATCH-1."
)
@trusting
@click.pass_context
def command(  # noqa: PLR0913 - one for each option
    ctx: click.Context,
    files: tuple[str, ...],
    *,
    as_objects: bool,
    as_series: bool,
    log_keys: tuple[VerifierKey, ...],
    witness_keys: tuple[VerifierKey, ...],
) -> None:
    """Judge records by their game's rules; FILE may be - for standard input.

    Each FILE is a transcript, a record file or a bundle. It is verified, illegal, diverged, corrupt or
    unreadable; an illegal one is told with every rule that its first bad entry breaks, and of a bundle also
    what it proves.
    """
    judged: list[FileReport | Unread] = []
    for path in files:
        one = judge_file(path, trusted=(*log_keys, *witness_keys))
        if as_objects:
            show_json(as_json(one))
        else:
            gap = [BLANK] if judged else []
            # A file that cannot be read is an error, not a verdict of the rules.
            show([*gap, *as_lines(one)], err=isinstance(one, Unread))
        judged.append(one)
    if not as_objects and len(judged) > 1:
        show([BLANK, _summary(judged)])
    worst = max(_exit_code(one) for one in judged)
    if as_series:
        worst = max(worst, _judge_series(judged, as_object=as_objects))
    ctx.exit(worst)


def _exit_code(judged: FileReport | Unread) -> int:
    if isinstance(judged, Unread):
        return CANNOT_READ
    return 0 if judged.verdict == "verified" else BAD


def _summary(judged: list[FileReport | Unread]) -> Line:
    counts = Counter(one.verdict for one in judged)
    told = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    return Line(f"{plural(len(judged), 'file', 'files')}: {told}", style="bold")


def _judge_series(judged: list[FileReport | Unread], *, as_object: bool) -> int:
    """Print the standings of the series, or why there are none."""
    try:
        standings = _states(judged)
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


def _states(judged: list[FileReport | Unread]) -> Standings:
    verified: list[FileReport] = []
    for number, one in enumerate(judged, start=1):
        if isinstance(one, Unread) or one.verdict != "verified":
            raise BadSeries(f"match {number} is {one.verdict}")
        verified.append(one)
        if one.header.game is not verified[0].header.game:
            raise BadSeries(f"match {number} is no match of {verified[0].header.game.about.title}")
    return verified[0].header.game.series([one.report.reached for one in verified])


def _series_json(standings: Standings) -> dict[str, object]:
    return {
        "totals": dict(zip(standings.names, standings.totals, strict=True)),
        "matches": [dict(zip(standings.names, left, strict=True)) for left in standings.left],
        "winners": list(standings.winners),
    }


def _series_lines(standings: Standings) -> Iterator[Line]:
    won = " and ".join(standings.winners)
    yield Line(f"series of {plural(len(standings.left), 'match', 'matches')}: {won} won", style="bold green")
    for number, name in enumerate(standings.names):
        left = " + ".join(str(match[number]) for match in standings.left)
        yield Line(f"{name}: {left} = {standings.totals[number]} {standings.what}", indent=2)
    yield Line(f"{standings.rule.id} {standings.rule.text}", "rule", 2)
