"""`shiji diff`: compares two records of one match."""

from collections.abc import Iterator
from pathlib import Path

import click

from records.audit.branches import branch_of
from records.audit.compare import Comparison, compare
from records.audit.comparison_words import comparison_words
from records.audit.file_json import as_json
from records.audit.judged_file import FileReport, UnreadableFile
from records.evidence.note import VerifierKey
from tools.cli import CANNOT_READ
from tools.report.checkpoint_args import trusted_key_options
from tools.report.file_report import (
    BAD,
    as_lines,
    as_shown_option,
    exit_code,
    source_name,
    verbose_option,
    worst_code,
)
from tools.report.file_verdict import judge_file
from tools.terminal.archives import holds_archive
from tools.terminal.output import BLANK, Line, plural, save_text, show, show_json


@click.command(
    epilog="Exit codes: 0 both records are verified and agree as far as the shorter one goes, 1 they differ,"
    " or one is illegal, diverged or corrupt, 2 a file could not be read, 3 they agree, but one is verified"
    " only as far as it is shown.\n\n"
    "Examples: shiji diff mine.shiji yours.shiji; shiji diff shiji.db MATCH theirs.jsonl"
)
@click.argument("sources", metavar="A B", nargs=-1, required=True)
@click.option("--json", "as_object", is_flag=True, help="Print one JSON object.")
@click.option(
    "--html",
    "page",
    metavar="OUT",
    type=click.Path(),
    help="Also write an HTML page that shows them side by side.",
)
@verbose_option
@as_shown_option
@trusted_key_options
@click.pass_context
def command(  # noqa: PLR0913 - one parameter per option
    ctx: click.Context,
    sources: tuple[str, ...],
    *,
    as_object: bool,
    page: str | None,
    verbose: bool,
    as_shown: bool,
    log_keys: tuple[VerifierKey, ...],
    witness_keys: tuple[VerifierKey, ...],
) -> None:
    """Compare two records of one match: where they differ, which is legal, which is signed and in a log.

    A and B are transcripts, record files or bundles; only a bundle proves that a log holds the record. Two
    record files are compared entry by entry. A record file is compared with a transcript by the moves that
    were not taken back. Either may be an archive, followed by the id of a match or enough of its beginning;
    where B is an archive without a match, the match of A is compared with its copy there.
    """
    trusted = (*log_keys, *witness_keys)
    (one, of_one), (other, of_other) = _two_sources(sources)
    here = judge_file(one, trusted=trusted, match=of_one)
    there = judge_file(other, trusted=trusted, match=of_other or _match_of(here, other))
    judged = (here, there)
    if isinstance(here, UnreadableFile) or isinstance(there, UnreadableFile):
        if as_object:
            show_json({"a": as_json(here), "b": as_json(there), "common": None, "settings": []})
        for each in judged:
            if isinstance(each, UnreadableFile) and not as_object:
                show(as_lines(each), err=True)
        ctx.exit(CANNOT_READ)
    compared = compare_judged(here, there)
    if as_object:
        show_json(_as_json(compared, here, there))
    else:
        show(_as_lines(compared, here, there, verbose=verbose))
    if page is not None:
        from tools.page.page import comparison_page  # noqa: PLC0415 - needed only for --html

        private = here.may_show_hands or there.may_show_hands
        save_text(page, comparison_page(here, there, compared), (here.path, there.path), private=private)
    codes = [exit_code(each.verdict, as_shown=as_shown) for each in (here, there)]
    ctx.exit(worst_code([*codes, BAD if compared.contradict else 0]))


def _two_sources(given: tuple[str, ...]) -> list[tuple[str, str | None]]:
    """Two files, each with the match that follows it if it is an archive."""
    found: list[tuple[str, str | None]] = []
    words = list(given)
    while words:
        path = words.pop(0)
        chosen = words.pop(0) if words and holds_archive(path) and not Path(words[0]).exists() else None
        found.append((path, chosen))
    if len(found) != 2:  # noqa: PLR2004 - a comparison has two sides
        raise click.UsageError("give two records: files, or an archive and a match for each: DB MATCH")
    return found


def _match_of(here: FileReport | UnreadableFile, other: str) -> str | None:
    """The match of the other record, which may be in an archive under its id."""
    if isinstance(here, UnreadableFile) or not here.stored or not holds_archive(other):
        return None
    return here.stored[0].match


def compare_judged(here: FileReport, there: FileReport) -> Comparison:
    """Compare the records of two judged files."""
    return compare(branch_of(here), branch_of(there))


def _as_json(compared: Comparison, here: FileReport, there: FileReport) -> dict[str, object]:
    return {
        "a": as_json(here),
        "b": as_json(there),
        "common": compared.common,
        "settings": [{"name": each.name, "a": each.one, "b": each.other} for each in compared.settings],
        "next": {"a": compared.one, "b": compared.other},
        "next_entry": dict(zip("ab", compared.following, strict=True)),
        "header": list(compared.header),
        "fields": list(compared.fields),
    }


def _as_lines(compared: Comparison, here: FileReport, there: FileReport, *, verbose: bool) -> Iterator[Line]:
    names = (source_name(here), source_name(there))
    yield Line(
        comparison_words(compared, here.report, there.report),
        style="bold red" if compared.contradict else "bold green",
    )
    for setting in compared.settings:
        yield Line(
            f"{setting.one or 'none'} in {names[0]}, {setting.other or 'none'} in {names[1]}", setting.name, 2
        )
    if compared.header:
        yield Line(f"the headers differ in {', '.join(compared.header)}", "header", 2)
    yield Line(f"{plural(compared.common, 'entry', 'entries')}", "common", 2)
    for side, (name, text) in enumerate(zip(names, (compared.one, compared.other), strict=True)):
        following = (
            f"{compared.following[side]}. {text}"
            if text is not None
            else f"ends after entry {compared.agreed[side]}"
        )
        yield Line(f"{name}: {following}", indent=2)
    if compared.fields:
        yield Line(", ".join(compared.fields), "differ in", 2)
    for judged in (here, there):
        yield BLANK
        yield from as_lines(judged, verbose=verbose)
