"""What the page of the archive shows: matches, newest first, and how many there are of each kind."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from google.protobuf.timestamp_pb2 import Timestamp
from msgspec import Struct
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from records.games.headline import headline
from records.games.registry import UnknownGame, find_game
from records.index.index import FacetCount
from records.index.values import PlayState
from service.authorization import Caller
from service.http.faults import HttpReason, HttpRefusal
from service.methods.listing import list_matches
from service.resources import Resources

FILTERS = frozenset({"q", "game", "seat", "id", "state", "audit", "from", "to", "page"})
"""The parameters of the page's address."""

_FACETS = ("game", "state", "audit")
"""Filters of which the page lists the values."""

_SEARCHES = frozenset({"q", "seat", "id", "from", "to"})
"""Filters by which the index keeps no counts."""

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


class FilterChoices(Struct, frozen=True):
    """The values that each filter can take."""

    games: tuple[str, ...]
    states: tuple[str, ...]
    audits: tuple[str, ...]


class ArchiveView(Struct, frozen=True):
    """The page of the archive, in values."""

    filters: dict[str, str]
    """Those that were given."""
    total: int
    about: bool
    """Whether the total is only about right."""
    matches: tuple[ArchiveRow, ...]
    counts: ArchiveCounts | None
    """Of each kind as the other filters leave them; None where a search or dates would make them wrong."""
    choices: FilterChoices
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
    tally = await resources.off_loop(resources.index.counts)
    counts = facet_counts(tally, filters)
    choices = FilterChoices(*(tuple(sorted(each)) for each in (counts.games, counts.states, counts.audits)))
    return ArchiveView(
        {name: value for name, value in filters.items() if value and name != "page"},
        found.total_size,
        found.total_size_approximate,
        tuple(map(_row, found.matches)),
        None if _SEARCHES & {name for name, value in filters.items() if value} else counts,
        choices,
        {game: title_of(game) for game in counts.games},
        found.next_page_token,
    )


def require_filters(filters: Mapping[str, str]) -> None:
    """Raises HttpRefusal for a filter with a value that it does not take."""
    for name, known in (("state", _STATES), ("audit", _AUDITS)):
        if filters.get(name, "") not in known:
            *words, last = (word for word in known if word)
            message = f"{name} takes {', '.join(words)} or {last}, not {filters[name][:100]!r}"
            raise HttpRefusal(HttpReason.BAD_PARAMETER, message)
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
        f"damaged: {match.damage}"
        if match.damage
        else headline(match.turn, ((each.owner, each.points) for each in match.outcome.scores)),
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


def facet_counts(tally: Sequence[FacetCount], filters: Mapping[str, str]) -> ArchiveCounts:
    """How many matches each value of a filter would list, given the other two; 0 where that is none."""
    counts = {name: Counter[str]() for name in _FACETS}
    states = {each.state: each.state.name.lower() for each in tally}
    known = [_facets(each, states) for each in tally]
    for name, counted in counts.items():
        others = {other: filters[other] for other in _FACETS if other != name and filters.get(other)}
        for facets, each in zip(known, tally, strict=True):
            listed = all(value in facets[other] for other, value in others.items())
            for value in facets[name]:
                counted[value] += each.matches if listed else 0
    return ArchiveCounts(*(dict(each) for each in counts.values()))


def _facets(count: FacetCount, states: Mapping[PlayState, str]) -> dict[str, tuple[str, ...]]:
    """The values of each filter that list such matches, of these states."""
    return {
        "game": (count.game,) if count.game else (),  # nobody can read of which it is
        "state": tuple(word for state, word in states.items() if _lists(state, count.state)),
        "audit": (count.audit.name.lower().replace("_", "-"),),
    }


def _lists(wanted: PlayState, state: PlayState) -> bool:
    """Whether a filter lists matches of a state: nobody knows whether damaged ones are over."""
    return wanted is not PlayState.UNKNOWN and state in {wanted, PlayState.DAMAGED}
