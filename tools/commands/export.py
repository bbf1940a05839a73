"""`shiji export`: writes matches of an archive to files."""

from collections.abc import Callable, Iterator
from typing import Final
from urllib.parse import quote

import click

from records.entry import Entry, MatchId
from records.files.record_file import write_record
from records.files.transcript import write_transcript
from records.ledger.redaction import SPECTATOR_NAME, redacted, viewer_named
from records.ledger.transfer import as_transcript
from records.log.contract import Log, LogUnreadable
from records.replay.fold import BadRecord, open_record
from rules.kernel.actors import AUDITOR
from tools.report.file_report import BAD
from tools.terminal.atomic_files import make_folder, save_bytes
from tools.terminal.output import Line, file_name, plural, show
from tools.terminal.progress import exit_on_archive_fault, progress, read_only_opener

_LISTING_PAGE_MATCHES: Final = 256
"""Matches read from the listing at a time, so that a large archive is not listed as a whole."""


def _as_record(entries: list[Entry]) -> bytes:
    return b"".join(write_record(entries))


def _as_transcript(entries: list[Entry]) -> bytes:
    return write_transcript(as_transcript(entries)).encode()


FORMATS: Final[dict[str, tuple[str, Callable[[list[Entry]], bytes]]]] = {
    "transcript": (".shiji", _as_transcript),
    "record": (".jsonl", _as_record),
}
"""Suffix and writer by the name of a format."""


@click.command(
    epilog="Exit codes: 0 all matches were written, 1 a record is too damaged to be written, 2 the archive"
    " could not be read, or a file could not be written.\n\n"
    "Example: shiji export shiji.db matches/ --format record --as spectator"
)
@click.argument("archive", metavar="DB", type=click.Path())
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False))
@click.option("--match", "matches", metavar="ID", multiple=True, help="Only this match. May be repeated.")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="transcript",
    show_default=True,
    help="A transcript is for people; a record file has every entry with its hashes.",
)
@click.option(
    "--as",
    "viewer",
    metavar="spectator|SEAT",
    help="Leave out what a spectator, or the seat with this name or number, may not see; by default nothing.",
)
@click.pass_context
def command(  # noqa: PLR0913 - one parameter per option
    ctx: click.Context,
    archive: str,
    folder: str,
    *,
    matches: tuple[str, ...],
    form: str,
    viewer: str | None,
) -> None:
    """Write the matches of an archive to DIR, one file per match, named by its id.

    A transcript leaves out moves that were taken back; a record file has them. Without --as, the files show
    the hidden hands of matches in progress. Once a match is over, everybody may see all of it. Only their
    owner can read the files, unless they are for a spectator.
    """
    suffix, write = FORMATS[form]
    done = failed = 0
    with exit_on_archive_fault(), read_only_opener(archive)() as log, progress("export") as advance:
        target = make_folder(folder)
        for match in [MatchId(each) for each in matches] or _all_matches(log):
            try:
                entries = list(log.read(match))
                if not entries:
                    raise click.BadParameter(f"there is no match {match}", param_hint="'--match'")
                data = write(_shown(entries, viewer))
                save_bytes(
                    target / f"{quote(match, safe='')}{suffix}", data, private=viewer != SPECTATOR_NAME
                )
                done += 1
            except (LogUnreadable, BadRecord, ValueError) as fault:
                failed += 1
                show([Line(f"{file_name(match)}: not written", style="bold red"), Line(str(fault), "why", 2)])
            advance(done + failed, None)
    show([Line(f"{plural(done, 'match', 'matches')} written to {file_name(folder)}", style="bold")])
    ctx.exit(BAD if failed else 0)


def _shown(entries: list[Entry], viewer: str | None) -> list[Entry]:
    """The entries as the viewer with this name may see them; raises ValueError or BadRecord."""
    if viewer is None:
        return redacted(entries, AUDITOR)
    return redacted(entries, viewer_named(open_record(entries[0]).header, viewer))


def _all_matches(log: Log) -> Iterator[MatchId]:
    """Every match, in the order in which they started."""
    after = 0
    while page := list(log.listing(after, _LISTING_PAGE_MATCHES)):
        yield from (each.match for each in page)
        after = page[-1].number
