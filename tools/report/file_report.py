"""Describes the verdict on a file, as lines of text and as JSON."""

import shlex
from collections.abc import Iterable, Iterator
from typing import Final

import click

from records.audit.judged_file import FileReport, UnreadableFile, outcome_text, verdict_words
from records.files.tags import Header
from records.games.citations import rulings_for, source_words
from records.verdict import (
    AS_SHOWN,
    AuditReport,
    CorruptAt,
    DivergedAt,
    IllegalAt,
    Verified,
    VerifiedAsShown,
    grouped,
)
from tools.cli import CANNOT_READ
from tools.report.proofs import proven_lines
from tools.terminal.output import Line, file_name, plural
from tools.terminal.sources import STANDARD_INPUT

BAD: Final = 1
"""Exit code if a record is illegal, diverged or corrupt."""

ONLY_AS_SHOWN: Final = 3
"""Exit code if nothing is wrong, but a record is verified only as far as it is shown."""

STYLES: Final = {
    "verified": "bold green",
    AS_SHOWN: "bold yellow",
    "illegal": "bold red",
    "diverged": "bold yellow",
    "corrupt": "bold red",
    "unreadable": "bold magenta",
}
"""Styles of rich by verdict."""

_COMPONENTS_WIDTH: Final = 40
"""Maximum characters shown of a component set: a board given as a map is long, and the position line
repeats it in full."""

_TAG_WIDTH: Final = 120
"""Maximum characters shown of a free tag: some hold a whole position, which the file has in full."""


verbose_option = click.option(
    "-v", "--verbose", is_flag=True, help="Print the position as a line of text too."
)


def as_lines(judged: FileReport | UnreadableFile, *, verbose: bool = False) -> Iterator[Line]:
    """The verdict as lines of text, with the position line if it is to be `verbose`."""
    if isinstance(judged, UnreadableFile):
        yield _headline(judged, judged.fault.in_short)
        yield Line(str(judged.fault), indent=2)
        for line in judged.fault.excerpt:
            yield Line(line, indent=4, wraps=False)
        return
    report = judged.report
    yield verdict_line(judged)
    match report.verdict:
        case Verified():
            pass
        case VerifiedAsShown():
            yield from unjudged_lines(report)
        case IllegalAt() as illegal:
            yield from illegal_entry_lines(judged.header, illegal)
        case DivergedAt() | CorruptAt() as bad:
            yield Line(bad.why, "why", 2)
    signed = sum(bool(entry.signature) for entry in judged.stored)
    if judged.proven is not None:
        must_sign = report.header is not None and bool(report.header.keys)
        yield from proven_lines(judged.proven, judged.trusted, must_sign=must_sign)
    elif signed:
        yield Line(f"{signed} of {plural(len(judged.stored) - 1, 'entry', 'entries')}", "signed", 2)
    yield from match_lines(judged.header)
    if not report.impossible:
        closed = judged.closed
        text = outcome_text(report.reached) if closed is None else f"closed without a result: {closed}"
        yield Line(text, "outcome", 2)
    if verbose:
        yield Line(report.reached.position(), "position", 2, wraps=False)
    yield from _next(judged)


def unjudged_lines(report: AuditReport) -> Iterator[Line]:
    """The same as lines of text, by reason."""
    for reason, entries in grouped(report.unjudged):
        yield Line(f"{reason}: {entries}", "unjudged", 2)


def worst_code(codes: Iterable[int]) -> int:
    """The exit code for several results: the most serious of theirs."""
    found = set(codes)
    return next((code for code in (CANNOT_READ, BAD, ONLY_AS_SHOWN) if code in found), 0)


def exit_code(verdict: str, *, as_shown: bool) -> int:
    """The exit code for the verdict on a record that was read; `as_shown` accepts one with parts left out."""
    if verdict == AS_SHOWN:
        return 0 if as_shown else ONLY_AS_SHOWN
    return 0 if verdict == "verified" else BAD


as_shown_option = click.option(
    "--as-shown", is_flag=True, help="Accept records that are verified only as far as they are shown."
)


def verdict_line(judged: FileReport) -> Line:
    """The file name and the verdict, on one line."""
    return _headline(judged, verdict_words(judged))


def match_lines(header: Header) -> Iterator[Line]:
    """The game, the seats, the options and the rulings of the match, and the further tags of the file."""
    setup, about = header.start.setup, header.game.about
    components = _shortened(setup.components, _COMPONENTS_WIDTH)
    yield Line(f"{about.title}, edition {setup.edition}, {components}", "game", 2)
    caution = header.start.display.caution()
    if caution:
        yield caution_line(caution)
    yield Line(f"{', '.join(setup.seats)}; draws {setup.draws.value}", "seats", 2)
    for label, chosen in (("options", setup.options), ("rulings", setup.rulings)):
        if chosen:
            yield Line(", ".join(f"{name}={value}" for name, value in chosen), label, 2)
    for tag in header.further:
        yield Line(f"{tag.name}: {_shortened(tag.value, _TAG_WIDTH)}", "tag", 2, breaks_words=True)


def caution_line(caution: str) -> Line:
    """The warning that belongs to a match, such as a component set that is invented."""
    return Line(caution, "caution", 2, style="bold yellow")


def _shortened(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def illegal_entry_lines(header: Header, illegal: IllegalAt) -> Iterator[Line]:
    """The illegal entry, and every rule that it breaks."""
    yield Line(f"{illegal.sequence}. {illegal.move}", "entry", 2)
    yield from violation_lines(header, illegal)


def violation_lines(header: Header, illegal: IllegalAt) -> Iterator[Line]:
    """Every rule that the entry breaks, with its source and the rulings in force."""
    for violation in illegal.violations:
        rule = violation.rule
        yield Line(f"{rule.id} {rule.title}", indent=2, style="bold")
        yield Line(violation.why, "why", 4)
        if violation.places:
            yield Line(" ".join(violation.places), "concerns", 4)
        yield Line(rule.text, "rule", 4)
        yield Line(source_words(header.game.about, header.start.setup.edition, rule.source), "source", 4)
        for in_force in rulings_for(header.game.about, rule, header.start.setup.rulings):
            yield Line(str(in_force), "ruling", 4)


def _headline(judged: FileReport | UnreadableFile, verdict: str) -> Line:
    return Line(f"{source_name(judged)}: {verdict}", style=STYLES[judged.verdict])


def source_name(judged: FileReport | UnreadableFile) -> str:
    """Where a record comes from, for headlines."""
    if judged.path == STANDARD_INPUT:
        return "standard input"
    if isinstance(judged, FileReport) and judged.match is not None:
        return f"{file_name(judged.path)} {judged.match}"
    return file_name(judged.path)


def _next(judged: FileReport) -> Iterator[Line]:
    if judged.verdict in {"verified", AS_SHOWN} or judged.path == STANDARD_INPUT:
        return
    path = shlex.quote(judged.path) if judged.match is None else f"{shlex.quote(judged.path)} {judged.match}"
    yield Line(f"shiji show {file_name(path)} --at {judged.report.good}", "next", 2)
