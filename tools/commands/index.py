"""`shiji index`: brings the index of an archive up to date, or makes it anew."""

import click

from records.index.values import MatchQuery
from tools.commands.list import bring_up_to_date
from tools.terminal.indexed_archives import indexed
from tools.terminal.output import Line, file_name, plural, show
from tools.terminal.progress import exit_on_archive_fault, progress


@click.command(
    epilog="Exit codes: 0 the index is up to date, 2 the archive could not be read.\n\n"
    'Example: shiji index shiji.db && sqlite3 -readonly shiji.db-index "SELECT * FROM readable_match"'
)
@click.argument("archive", metavar="DB", type=click.Path())
@click.option("--rebuild", is_flag=True, help="Drop the index first, with the results of audits in it.")
def command(archive: str, *, rebuild: bool) -> None:
    """Bring the index of an archive up to date, with every entry in words.

    The index is a file beside the archive, DB-index, or in the cache folder where that is read-only or the
    archive is in PostgreSQL. It is
    derived from the archive, which is only read, and may be deleted at any time. Servers and `shiji list`
    keep it up to date by themselves; its views readable_match and readable_entry are for people.
    """
    with exit_on_archive_fault(), indexed(archive) as (log, index):
        if rebuild:
            index.clear()
        bring_up_to_date(index, archive)
        total, done = index.backlog().undescribed, 0
        with progress("entries in words") as advance:
            while described := index.describe(1):
                done += described
                advance(done, total)
        matches = plural(index.page(MatchQuery(), size=1).total, "match", "matches")
        entries = plural(log.last_position(), "entry", "entries")
        where = "in memory, since no file can be written" if index.path is None else str(index.path)
    show([Line(f"{file_name(where)}: {matches}, {entries}", style="bold")])
