"""`shiji export`: matches of an archive as files."""

from collections.abc import Callable, Iterator
from typing import Final
from urllib.parse import quote

import click

from records.entry import Entry, MatchId
from records.files.record_file import write_record
from records.files.transcript import write_transcript
from records.ledger.transfer import as_transcript
from records.log.contract import Log, LogUnreadable
from records.replay.fold import BadRecord
from tools.report.file_report import BAD
from tools.terminal.atomic_files import made, save
from tools.terminal.output import Line, file_name, plural, show
from tools.terminal.progress import faults_told, progress, reading

_PAGE: Final = 256


def _as_record(entries: list[Entry]) -> bytes:
    return b"".join(write_record(entries))


def _as_transcript(entries: list[Entry]) -> bytes:
    return write_transcript(as_transcript(entries)).encode()


FORMATS: Final[dict[str, tuple[str, Callable[[list[Entry]], bytes]]]] = {
    "transcript": (".shiji", _as_transcript),
    "record": (".jsonl", _as_record),
}


@click.command(
    epilog="Exit codes: 0 all is written, 1 a record is too damaged to be written, 2 the archive could not be"
    " read, or a file not be written.\n\n"
    "Example: shiji export shiji.db matches/ --format record"
)
@click.argument("archive", metavar="DB", type=click.Path())
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False))
@click.option("--match", "matches", metavar="ID", multiple=True, help="Only this match; may be repeated.")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="transcript",
    show_default=True,
    help="A transcript is for people; a record file keeps every entry with its hashes.",
)
@click.pass_context
def command(ctx: click.Context, archive: str, folder: str, *, matches: tuple[str, ...], form: str) -> None:
    """Write the matches of an archive to DIR, a file each, called by their ids.

    A transcript has the moves that stand: what was taken back is only in a record file.
    """
    suffix, write = FORMATS[form]
    done = failed = 0
    with faults_told(), reading(archive)() as log, progress("export") as advance:
        target = made(folder)
        for match in [MatchId(each) for each in matches] or _listed(log):
            try:
                entries = list(log.read(match))
                if not entries:
                    raise click.BadParameter(f"there is no match {match}", param_hint="'--match'")
                save(target / f"{quote(match, safe='')}{suffix}", write(entries))
                done += 1
            except (LogUnreadable, BadRecord, ValueError) as fault:
                failed += 1
                show([Line(f"{file_name(match)}: not written", style="bold red"), Line(str(fault), "why", 2)])
            advance(done + failed, None)
    show([Line(f"{plural(done, 'match', 'matches')} written to {file_name(folder)}", style="bold")])
    ctx.exit(BAD if failed else 0)


def _listed(log: Log) -> Iterator[MatchId]:
    """Every match, in the order in which they began."""
    after = 0
    while page := list(log.listing(after, _PAGE)):
        yield from (each.match for each in page)
        after = page[-1].number
