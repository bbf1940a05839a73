"""What the page of the archive shows: matches, newest first, and how many there are of each kind."""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import partial

from google.protobuf.timestamp_pb2 import Timestamp
from msgspec import Struct
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from records.games.registry import UnknownGame, find_game
from records.index.values import AuditState, PlayState
from service.authorization import Caller
from service.http.faults import HttpReason, HttpRefusal
from service.methods.listing import list_matches
from service.resources import Resources

FILTERS = frozenset({"q", "game", "seat", "id", "state", "audit", "from", "to", "page"})
"""The parameters of the page's address."""

_STATES: Mapping[str, pb.MatchState.ValueType] = {
    "": pb.MATCH_STATE_UNSPECIFIED,
    "open": pb.MATCH_STATE_OPEN,
    "over": pb.MATCH_STATE_OVER,
    "damaged": pb.MATCH_STATE_DAMAGED,
}
_AUDITS: Mapping[str, entries.AuditState.ValueType] = {
    "": entries.AUDIT_STATE_UNSPECIFIED,
    "none": entries.AUDIT_STATE_NONE,
    "outdated": entries.AUDIT_STATE_OUTDATED,
    "verified": entries.AUDIT_STATE_VERIFIED,
    "as-shown": entries.AUDIT_STATE_AS_SHOWN,
    "illegal": entries.AUDIT_STATE_ILLEGAL,
    "diverged": entries.AUDIT_STATE_DIVERGED,
    "corrupt": entries.AUDIT_STATE_CORRUPT,
}


class ArchiveRow(Struct, frozen=True):
    """A match in the list."""

    match_id: str
    game: str
    seats: tuple[str, ...]
    headline: str
    """Who won, whose turn it is, or what is damaged."""
    entries: int
    started: str
    last: str
    """When its last entry was recorded."""
    audit: str


class ArchiveCounts(Struct, frozen=True):
    """How many matches there are of each kind, by the value of the filter."""

    games: dict[str, int]
    states: dict[str, int]
    audits: dict[str, int]


class ArchiveView(Struct, frozen=True):
    """The page of the archive, in values."""

    filters: dict[str, str]
    """Those that were given."""
    total: int
    about: bool
    """Whether the total is only about right."""
    matches: tuple[ArchiveRow, ...]
    counts: ArchiveCounts
    titles: dict[str, str]
    """Of the games that are counted, by their keys."""
    next_page: str
    """The parameter `page` of the next page; empty on the last."""


async def archive_view(resources: Resources, caller: Caller, *, filters: dict[str, str]) -> ArchiveView:
    """A page of matches that pass the filters; raises CallError."""
    request = pb.ListMatchesRequest(
        game=filters.get("game", ""),
        seat=filters.get("seat", ""),
        match_id_prefix=filters.get("id", ""),
        text=filters.get("q", ""),
        page_token=filters.get("page", ""),
        state=_STATES[filters.get("state", "")],
        audit=_AUDITS[filters.get("audit", "")],
        start_time=_stamp(_day(filters, "from")),
        end_time=_stamp(_day(filters, "to", plus=timedelta(days=1))),
        order=pb.MATCH_ORDER_NEWEST_FIRST,
    )
    found = await list_matches(resources, caller, request)
    counts = await resources.off_loop(partial(_counts, resources))
    return ArchiveView(
        {name: value for name, value in filters.items() if value and name != "page"},
        found.total_size,
        found.total_size_approximate,
        tuple(map(_row, found.matches)),
        counts,
        {game: title_of(game) for game in counts.games},
        found.next_page_token,
    )


def require_filters(filters: Mapping[str, str]) -> None:
    """Raises HttpRefusal for a filter with a value that it does not take."""
    for name, known in (("state", _STATES), ("audit", _AUDITS)):
        if filters.get(name, "") not in known:
            words = ", ".join(word for word in known if word)
            raise HttpRefusal(HttpReason.BAD_PARAMETER, f"{name} takes {words}")
    for name in ("from", "to"):
        _day(filters, name)


def _day(filters: Mapping[str, str], name: str, plus: timedelta = timedelta()) -> datetime | None:
    """The beginning of the day that a filter names, in UTC, and some time after it; raises HttpRefusal."""
    text = filters.get(name, "")
    if not text:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC) + plus
    except OverflowError:
        return None  # after the last day that there is
    except ValueError:
        message = f"{name} takes a day as year, month and day, such as 2026-03-31"
        raise HttpRefusal(HttpReason.BAD_PARAMETER, message) from None


def _stamp(time: datetime | None) -> Timestamp | None:
    if time is None:
        return None
    stamp = Timestamp()
    stamp.FromDatetime(time)
    return stamp


def _row(match: entries.Match) -> ArchiveRow:
    return ArchiveRow(
        match.match_id,
        title_of(match.header.game),
        tuple(seat.name for seat in match.header.seats),
        f"damaged: {match.damage}" if match.damage else match.turn,
        match.sequence,
        _time(match.start_time),
        _time(match.last_time),
        entries.AuditState.Name(match.audit).removeprefix("AUDIT_STATE_").lower().replace("_", "-"),
    )


def title_of(game: str) -> str:
    """The title of a game; its key if it is not installed."""
    try:
        return find_game(game).about.title
    except UnknownGame:
        return game


def _time(stamp: Timestamp) -> str:
    """A time to the minute, in UTC; empty if there is none."""
    return stamp.ToDatetime().strftime("%Y-%m-%d %H:%M") if stamp.seconds else ""


def _counts(resources: Resources) -> ArchiveCounts:
    games, states, audits = Counter[str](), Counter[str](), Counter[str]()
    for each in resources.index.counts():
        games[each.game] += each.matches
        if each.state is not PlayState.UNKNOWN:
            states[each.state.name.lower()] += each.matches
        audits[AuditState(each.audit).name.lower().replace("_", "-")] += each.matches
    return ArchiveCounts(dict(games), dict(states), dict(audits))
