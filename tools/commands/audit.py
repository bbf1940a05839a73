"""`shiji audit`: audits every match of an archive."""

import shlex
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

import click

from records.audit.archive import ArchiveAudit, AuditCluster, Summary
from records.audit.file_json import outcome_json, unjudged_json
from records.audit.judged_file import as_shown_words
from records.audit.rule_change import RuleChange
from records.evidence.note import VerifierKey
from records.verdict import AS_SHOWN, AuditReport, Verified, rules_broken, why, word
from rules.kernel.edition import EditionKey, UnknownEdition, UnknownRuling
from tools.report.audit_notes import AuditNotes, LastAuditNote
from tools.report.checkpoint_args import as_log_key
from tools.report.checkpoint_check import CheckpointCheck
from tools.report.file_report import (
    BAD,
    STYLES,
    as_shown_option,
    caution_line,
    exit_code,
    verbose_option,
)
from tools.terminal.output import BLANK, Line, file_name, plural, show, show_json
from tools.terminal.progress import exit_on_archive_fault, progress, read_only_opener

_LAST: Final = -1
"""Stands for the position of the last audit."""

_MAX_DIGITS: Final = 18
"""Digits of a position: every such number fits into 64 bits."""


def _since(ctx: click.Context, parameter: click.Parameter, value: str) -> int:
    if value == "last":
        return _LAST
    if value.isascii() and value.isdecimal() and len(value) <= _MAX_DIGITS:
        return int(value)
    raise click.BadParameter(f"{value!r} is neither a position nor `last`", ctx, parameter)


@click.command(
    epilog="Exit codes: 0 no problem was found, 1 a record is illegal, diverged or corrupt, or the archive"
    " has flaws, 2 the archive or an argument could not be read, 3 a record is verified only as far as it is"
    " shown.\n\n"
    "Examples: shiji audit shiji.db; shiji audit shiji.db --ruling major-conflict=major-keeps"
)
@click.argument("archive", metavar="DB", type=click.Path())
@click.option(
    "--since",
    metavar="POSITION|last",
    default="0",
    callback=_since,
    help="Audit only matches with entries after this position, or after the last audit; the others are"
    " trusted: changes to them are not found.",
)
@click.option(
    "--jobs", metavar="N", type=click.IntRange(min=1), help="Number of processes; by default one per core."
)
@click.option(
    "--dask",
    "scheduler",
    metavar="SCHEDULER",
    help="Audit on the workers of this Dask scheduler, tls://HOST:PORT; see docs/fleet.md.",
)
@click.option(
    "--json", "as_objects", is_flag=True, help="Print one JSON object per match and one for the summary."
)
@click.option("--edition", metavar="EDITION", help="Judge every match by this edition instead of its own.")
@click.option(
    "--ruling",
    "rulings",
    metavar="NAME=VALUE",
    multiple=True,
    help="Judge every match by this ruling instead of its own. May be repeated.",
)
@click.option(
    "--checkpoint",
    "checkpoint_file",
    metavar="FILE",
    type=click.Path(),
    help="Check that the archive still holds the entries of this checkpoint.",
)
@click.option(
    "--log-key", metavar="VKEY", callback=as_log_key, help="The key that must have signed the checkpoint."
)
@verbose_option
@as_shown_option
@click.pass_context
def command(  # noqa: PLR0913 - one parameter per option
    ctx: click.Context,
    archive: str,
    *,
    since: int,
    jobs: int | None,
    scheduler: str | None,
    as_objects: bool,
    edition: str | None,
    rulings: tuple[str, ...],
    checkpoint_file: str | None,
    log_key: VerifierKey | None,
    verbose: bool,
    as_shown: bool,
) -> None:
    """Audit every match of an archive: hashes, moves by the match's own rules, events, states and results.

    With --edition or --ruling, check instead whether the matches would be the same under other rules.
    """
    change = _change(edition, rulings)
    if log_key is not None and checkpoint_file is None:
        raise click.UsageError("--log-key needs --checkpoint")
    checkpoint = None if checkpoint_file is None else CheckpointCheck.read(checkpoint_file, log_key)
    with exit_on_archive_fault(), AuditNotes(archive) as notes, _cluster(scheduler) as cluster:
        trusted = None
        if since == _LAST:
            trusted = notes.last()
            since = trusted.position
        audit = ArchiveAudit(
            read_only_opener(archive), since=since, jobs=jobs, change=change, cluster=cluster
        )
        kept = None if change else notes
        _print_reports(audit, archive, kept, as_objects=as_objects, verbose=verbose)
        if checkpoint is not None:
            checkpoint.run(read_only_opener(archive), audit.summary)
    summary = audit.summary
    if as_objects:
        fields = _summary_json(summary, trusted)
        if checkpoint is not None:
            fields["checkpoint"] = checkpoint.as_json()
        show_json({"summary": fields})
    else:
        show(_summary_lines(summary, archive, checkpoint, trusted, changed=change is not None))
    if trusted is not None and trusted.bad:
        ctx.exit(BAD)
    if summary.clean_as_shown:
        ctx.exit(exit_code(AS_SHOWN, as_shown=as_shown))
    ctx.exit(0 if summary.clean else BAD)


@contextmanager
def _cluster(scheduler: str | None) -> Iterator[AuditCluster | None]:
    """The cluster of a scheduler, if one is given; ends the command if it cannot be used."""
    if scheduler is None:
        yield None
        return
    try:
        from records.audit.dask_cluster import BadCluster, DaskCluster  # noqa: PLC0415 - needs distributed
    except ModuleNotFoundError:
        raise click.UsageError(
            "audits on a cluster need Dask: install it with pip install 'shiji[dask]'"
        ) from None
    try:
        with DaskCluster(scheduler) as cluster:
            yield cluster
    except BadCluster as fault:
        raise click.BadParameter(str(fault), param_hint="'--dask'") from None


def _change(edition: str | None, rulings: tuple[str, ...]) -> RuleChange | None:
    if edition is None and not rulings:
        return None
    pairs = []
    for ruling in rulings:
        name, sign, value = ruling.partition("=")
        if not (name and sign and value):
            raise click.BadParameter(f"{ruling!r} is not NAME=VALUE", param_hint="'--ruling'")
        pairs.append((name, value))
    try:
        return RuleChange(None if edition is None else EditionKey(edition), tuple(pairs))
    except UnknownEdition as fault:
        raise click.BadParameter(str(fault), param_hint="'--edition'") from None
    except UnknownRuling as fault:
        raise click.BadParameter(str(fault), param_hint="'--ruling'") from None


def _print_reports(
    audit: ArchiveAudit, archive: str, notes: AuditNotes | None, *, as_objects: bool, verbose: bool
) -> None:
    """Print every match as JSON, or as text only those that are not verified; keep them in the index."""
    with ExitStack() as stack:
        advance = stack.enter_context(progress(f"audit of {file_name(archive)}"))
        total = audit.summary.position - audit.summary.since
        for report in audit.reports():
            advance(audit.summary.seen, total)
            if notes is not None:
                notes.add(report, audit.summary)
            if as_objects:
                show_json(_as_json(report))
            elif not isinstance(report.verdict, Verified):
                show([*_as_lines(report, archive, verbose=verbose), BLANK])
    if notes is not None:
        notes.finish(audit.summary)


def _as_json(report: AuditReport) -> dict[str, object]:
    fields: dict[str, object] = {
        "match": report.match,
        "game": report.game,
        "edition": report.edition,
        "verdict": word(report.verdict),
        "entries": report.entries,
        "entry": report.first_bad,
        "rules": list(rules_broken(report.verdict)),
        "why": why(report.verdict),
        "position": report.position,
        "outcome": outcome_json(report),
    }
    if report.recorded or report.ruled:
        fields |= {"recorded": list(report.recorded), "ruled": list(report.ruled)}
    if report.unjudged:
        fields["unjudged"] = unjudged_json(report)
    if report.caution:
        fields["caution"] = report.caution
    return fields if report.before is None else {**fields, "before": report.before}


def _as_lines(report: AuditReport, archive: str, *, verbose: bool) -> Iterator[Line]:
    verdict, rules = word(report.verdict), rules_broken(report.verdict)
    at = f"{verdict} at entry {report.first_bad} of {report.entries}"
    if report.unjudged:
        at = as_shown_words(report)
    yield Line(f"{file_name(report.match)}: {at}", style=STYLES[verdict])
    if report.game is not None:
        yield Line(f"{report.game}, edition {report.edition}", "game", 2)
    if report.caution:
        yield caution_line(report.caution)
    if rules:
        yield Line(", ".join(rules), "rules", 2)
    yield Line(why(report.verdict) or "", "why", 2)
    for event in report.recorded:
        yield Line(event, "recorded", 4, wraps=False)
    for event in report.ruled:
        yield Line(event, "by rules", 4, wraps=False)
    if report.before is not None:
        yield Line(f"{report.before} by the match's own rules", "before", 2)
    if verbose and report.position is not None:
        yield Line(report.position, "position", 2, wraps=False)
    where = f"{shlex.quote(archive)} {shlex.quote(report.match)}"
    yield Line(f"shiji show {file_name(where)}", "next", 2)


def _summary_json(summary: Summary, trusted: LastAuditNote | None) -> dict[str, object]:
    games: dict[str, dict[str, dict[str, int]]] = {}
    for (game, edition), verdicts in sorted(summary.editions.items()):
        games.setdefault(game, {})[edition] = dict(sorted(verdicts.items()))
    fields: dict[str, object] = {
        "matches": summary.matches,
        "entries": summary.entries,
        "verdicts": dict(sorted(summary.verdicts.items())),
        "games": games,
        "rules": dict(sorted(summary.rules.items())),
        "flaws": summary.flaws,
        "not_checked": list(summary.not_checked),
        "since": summary.since,
        "position": summary.position,
    }
    if summary.cautions:
        fields["cautions"] = sorted(summary.cautions)
    return fields if trusted is None else {**fields, "bad_before": trusted.bad}


def _summary_lines(
    summary: Summary,
    archive: str,
    checkpoint: CheckpointCheck | None,
    trusted: LastAuditNote | None,
    *,
    changed: bool,
) -> Iterator[Line]:
    size = f"{plural(summary.matches, 'match', 'matches')}, {plural(summary.entries, 'entry', 'entries')}"
    yield Line(f"{file_name(archive)}: {size}", style="bold green" if summary.clean else "bold red")
    same = "would read the same" if changed else "verified"
    for (game, edition), verdicts in sorted(summary.editions.items()):
        yield Line(f"{edition or 'no readable edition'}: {_count_text(verdicts, same)}", game or "?", 2)
    for caution in sorted(summary.cautions):
        yield caution_line(caution)
    for rule, count in sorted(summary.rules.items()):
        yield Line(f"{rule} in {plural(count, 'match', 'matches')}", "broken", 2)
    for flaw in summary.flaws:
        yield Line(flaw, "flaw", 2, style="bold red")
    for text in summary.not_checked:
        yield Line(text, "not checked", 2, style="yellow")
    if checkpoint is not None:
        yield from checkpoint.as_lines()
    yield Line(f"up to position {summary.position}", "audited", 2)
    if summary.since:
        others = f"matches that have nothing after position {summary.since}: they were not audited this time"
        yield Line(others, "trusted", 2)
    if trusted is not None and trusted.bad:
        bad = f"{plural(trusted.bad, 'match was', 'matches were')} not good; `shiji list --audit` lists them"
        yield Line(bad, "before", 2, style="bold red")
    yield Line(f"shiji audit {shlex.quote(archive)} --since last", "next time", 2)


def _count_text(verdicts: Counter[str], same: str) -> str:
    return ", ".join(
        f"{count} {same if verdict == 'verified' else verdict}" for verdict, count in sorted(verdicts.items())
    )
