"""`shiji list`: lists the matches of an archive."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import click

from records.files.comments import readable_tags
from records.games.registry import UnknownGame
from records.index.index import ArchiveIndex
from records.index.values import AuditState, IndexedMatch, MatchPage, MatchQuery, PlayState
from tools.terminal.archives import day
from tools.terminal.indexed_archives import indexed
from tools.terminal.output import Line, file_name, plural, show, show_json
from tools.terminal.progress import exit_on_archive_fault, progress

_PAGE: Final = 200
"""Matches that are asked for at a time."""

_STATES: Final = {"open": PlayState.OPEN, "over": PlayState.OVER, "damaged": PlayState.DAMAGED}
_AUDITS: Final = {each.word: each for each in AuditState}
_STYLES: Final = {
    PlayState.OPEN: "",
    PlayState.OVER: "bold",
    PlayState.DAMAGED: "bold red",
    PlayState.UNKNOWN: "dim",
}


@click.command(
    epilog="Exit codes: 0 the matches were listed, 2 the archive or an argument could not be read.\n\n"
    "Examples: shiji list shiji.db --state over --seat green; shiji list shiji.db --audit illegal --json"
)
@click.argument("archive", metavar="DB", type=click.Path())
@click.option("--game", metavar="GAME", default="", help="Only matches of this game.")
@click.option("--seat", metavar="NAME", default="", help="Only matches with a seat of this name.")
@click.option(
    "--state",
    type=click.Choice(list(_STATES)),
    help="Only matches under way, or over; damaged ones are listed with both, or alone.",
)
@click.option(
    "--audit", type=click.Choice(list(_AUDITS)), help="Only matches of which the last audit says this."
)
@click.option("--id", "prefix", metavar="PREFIX", default="", help="Only matches whose id begins so.")
@click.option(
    "--text", metavar="WORDS", default="", help="Only matches with these words in their tags or seats."
)
@click.option(
    "--from", "start", metavar="DATE", type=click.DateTime(["%Y-%m-%d"]), help="Only matches since this day."
)
@click.option(
    "--to", "end", metavar="DATE", type=click.DateTime(["%Y-%m-%d"]), help="Only matches up to this day."
)
@click.option("--oldest-first", is_flag=True, help="The oldest first; by default the newest.")
@click.option(
    "--limit",
    metavar="N",
    type=click.IntRange(min=0),
    default=50,
    show_default=True,
    help="Maximum number of matches; 0 lists all.",
)
@click.option("--json", "as_objects", is_flag=True, help="Print one JSON object per match.")
def command(  # noqa: PLR0913 - one parameter per option
    archive: str,
    *,
    game: str,
    seat: str,
    state: str | None,
    audit: str | None,
    prefix: str,
    text: str,
    start: datetime | None,
    end: datetime | None,
    oldest_first: bool,
    limit: int,
    as_objects: bool,
) -> None:
    """List the matches of an archive: id, start, game, seats, whose turn it is or who won, and last audit.

    The list comes from the index of the archive, which is brought up to date first; the archive itself is
    only read. Days are in UTC.
    """
    query = MatchQuery(
        game,
        seat,
        None if state is None else _STATES[state],
        None if audit is None else _AUDITS[audit],
        prefix,
        text,
        _microseconds(start),
        _microseconds(None if end is None else end + timedelta(days=1)),
        not oldest_first,
    )
    found: list[IndexedMatch] = []
    after: int | None = None
    with exit_on_archive_fault(), indexed(archive) as (_, index):
        bring_up_to_date(index, archive)
        if game:
            _require_game(index, game)
        while True:
            page = index.listed(query, after, min(_PAGE, limit - len(found)) if limit else _PAGE)
            found += page.rows
            if as_objects:
                for match in page.rows:
                    show_json(as_json(match))
            after = page.last
            if after is None or (limit and len(found) >= limit):
                break
    if not as_objects:
        show(_lines(found, archive, len(found) if after is None else page))


def _require_game(index: ArchiveIndex, game: str) -> None:
    try:
        index.require_game(game)
    except UnknownGame as fault:
        raise click.BadParameter(str(fault), param_hint="'--game'") from None


def bring_up_to_date(index: ArchiveIndex, archive: str) -> None:
    """Take note of everything new in the archive, and fold the matches that it changed."""
    with progress(f"index of {file_name(archive)}") as advance:
        left = total = index.behind()
        while not index.catch_up():
            left = index.behind()
            advance(total - left, total)
    stale = index.backlog().stale
    with progress("matches") as advance:
        done = 0
        while rows := index.stale(_PAGE):
            for row in rows:
                index.refresh(row)
            done += len(rows)
            advance(done, stale)


def as_json(match: IndexedMatch) -> dict[str, object]:
    """A match as a JSON object."""
    audited = match.audited
    return {
        "match": match.match,
        "game": match.game,
        "edition": match.edition,
        "seats": list(match.seats),
        "started": _iso(match.started),
        "state": match.state.word,
        "turn": match.turn,
        "winners": list(match.winners),
        "entries": match.sequence,
        "last_activity": _iso(match.active) if match.active else None,
        "copy": match.copy,
        "audit": match.audit.word,
        "audited_entries": None if audited is None else audited.sequence,
        "audited": None if audited is None else _iso(audited.time),
        "tags": readable_tags(match.tags),
        "damage": match.damage,
    }


def _lines(found: Sequence[IndexedMatch], archive: str, page: MatchPage | int) -> Iterator[Line]:
    """A table of the matches, and how many there are; the last page, where that is not all of them."""
    rows = [
        (
            match.match,
            day(match.started),
            match.game or "?",
            ", ".join(match.seats),
            _state(match),
            match.audit.word,
        )
        for match in found
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for match, row in zip(found, rows, strict=True):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        yield Line("  ".join(cells).rstrip(), wraps=False, style=_STYLES[match.state])
    if isinstance(page, int):
        yield Line(f"{file_name(archive)}: {plural(page, 'match', 'matches')}", style="bold")
        return
    least = "" if page.exact else "at least "
    size = f"{least}{plural(page.total, 'match', 'matches')}"
    yield Line(f"{file_name(archive)}: {size}; {len(found)} are shown, --limit 0 shows all", style="bold")


def _state(match: IndexedMatch) -> str:
    if match.state is PlayState.DAMAGED:
        return "damaged"
    entries = plural(match.sequence, "entry", "entries")
    state = "closed without a result" if match.closed else match.turn
    return f"{state}, {entries}"


def _microseconds(when: datetime | None) -> int | None:
    return None if when is None else round(when.replace(tzinfo=UTC).timestamp()) * 1_000_000


def _iso(microseconds: int) -> str:
    return datetime.fromtimestamp(microseconds / 1e6, UTC).isoformat()
