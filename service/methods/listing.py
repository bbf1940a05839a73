"""ListMatches: the matches of the archive, from its index."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Final, Literal

import msgspec
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.header_pb2 import MatchHeader as HeaderMessage
from shiji.record.v1.header_pb2 import SeatHeader

from records.codec.header import decode_header
from records.entry import actor_of
from records.games.registry import UnknownGame
from records.index.index import ArchiveIndex
from records.index.values import AuditState, IndexedMatch, MatchPage, MatchQuery, PlayState
from records.log.people import Register
from rules.kernel.game import Outcome
from service.authorization import Caller, require_reader
from service.errors import bad_field
from service.loop_share import StreamThrottle
from service.messages import actor_message, fill_time, outcome_message
from service.methods.query import page_size, page_start
from service.resources import Resources
from service.state_messages import known_people

DEFAULT_PAGE_MATCHES: Final = 50
MAX_PAGE_MATCHES: Final = 500
"""Matches per page of ListMatches: each may have to be rebuilt from the archive."""

_REFRESHED_FIRST: Final = 64
"""Matches that were just played and are brought up to date before a count by state: a few milliseconds."""

READ_AT_ONCE: Final = 64
"""Matches that are read from the index before others get their turn: about a millisecond."""

_STATES: Final = {
    pb.MATCH_STATE_UNSPECIFIED: None,
    pb.MATCH_STATE_OPEN: PlayState.OPEN,
    pb.MATCH_STATE_OVER: PlayState.OVER,
    pb.MATCH_STATE_DAMAGED: PlayState.DAMAGED,
}
_AUDITS: Final = {
    entries.AUDIT_STATE_UNSPECIFIED: None,
    **{entries.AuditState.Value(f"AUDIT_STATE_{each.name}"): each for each in AuditState},
}
_AUDIT_MESSAGES: Final = {state: message for message, state in _AUDITS.items() if state is not None}


async def list_matches(
    resources: Resources, caller: Caller, request: pb.ListMatchesRequest
) -> pb.ListMatchesResponse:
    """A page of the matches that pass the filters."""
    require_reader(caller)
    query = _query(request)
    size = page_size(request.page_size, DEFAULT_PAGE_MATCHES, MAX_PAGE_MATCHES)
    after = page_start(request.page_token) or None
    index = resources.index
    throttle = resources.throttle(caller)
    await _bring_up_to_date(resources, query, throttle)
    if query.game:
        await resources.off_loop(partial(_require_game, index, query.game))
    response = pb.ListMatchesResponse()
    bytes_left = resources.max_response_bytes // 2
    passes = query.passes()
    last: int | None = None
    async for part in _portions(index, query, after, size, throttle):
        if last is None:
            response.total_size, response.total_size_approximate = part.total, not part.exact
        last = part.last
        for place, row in enumerate(part.rows, start=1):
            match = await throttle.do(partial(index.refresh, row)) if row.stale else row
            if passes(match):
                message = await throttle.do(partial(listed_message, match, resources.register))
                response.matches.append(message)
                bytes_left -= message.ByteSize()
            if bytes_left < 0:
                last = row.number if place < len(part.rows) else last
                break
            await throttle.rest_when_due()
        if bytes_left < 0:
            break
    response.next_page_token = "" if last is None else str(last)
    return response


async def _portions(
    index: ArchiveIndex, query: MatchQuery, after: int | None, size: int, throttle: StreamThrottle
) -> AsyncIterator[MatchPage]:
    """A page in portions, so that others get their turn; the first has the total."""
    left = size
    while True:
        wanted = min(left, READ_AT_ONCE)
        part = await throttle.do(partial(index.page, query, after, wanted, counted=left == size))
        yield part
        left, after = left - wanted, part.last
        if not left or after is None or len(part.rows) < wanted:
            return


def _require_game(index: ArchiveIndex, game: str) -> None:
    try:
        index.require_game(game)
    except UnknownGame as fault:
        raise bad_field("game", str(fault)) from None


async def _bring_up_to_date(resources: Resources, query: MatchQuery, throttle: StreamThrottle) -> None:
    index = resources.index
    if await resources.off_loop(index.behind):
        while not await asyncio.to_thread(index.catch_up):
            pass
    if query.states or query.audit is not None:
        for row in await resources.off_loop(partial(index.stale, _REFRESHED_FIRST)):
            await throttle.do(partial(index.refresh, row))
            await throttle.rest(0)


def listed_message(row: IndexedMatch, register: Register) -> entries.Match:
    """A match as the index has it: everything in it is public."""
    audited = row.audited
    message = entries.Match(match_id=row.match, audit=_AUDIT_MESSAGES[row.audit])
    fill_time(message.start_time, row.started)
    if audited is not None:
        message.audited_sequence = audited.sequence
        fill_time(message.audit_time, audited.time)
    if row.state is PlayState.DAMAGED:
        message.damage = row.damage
        seats = [SeatHeader(name=name) for name in row.seats]
        message.header.MergeFrom(HeaderMessage(game=row.game, edition=row.edition, seats=seats))
        return message
    message.header.MergeFromString(row.header)
    message.sequence = row.sequence
    message.awaiting.extend(actor_message(actor_of(number), row.seats) for number in row.awaiting)
    message.copy = row.copy
    message.closed = row.closed
    message.turn = row.turn
    fill_time(message.last_time, row.active)
    if row.outcome:
        outcome = msgspec.json.decode(row.outcome, type=Outcome)
        message.outcome.MergeFrom(outcome_message(row.seats, outcome))
    if message.header.people:
        message.people.extend(known_people(decode_header(row.header), register))
    return message


def _query(request: pb.ListMatchesRequest) -> MatchQuery:
    """What the request asks for; raises CallError."""
    if request.state not in _STATES:
        raise bad_field("state", f"{request.state} is not known")
    if request.audit not in _AUDITS:
        raise bad_field("audit", f"{request.audit} is not known")
    if request.order not in pb.MatchOrder.values():
        raise bad_field("order", f"{request.order} is not known")
    return MatchQuery(
        request.game,
        request.seat,
        _STATES[request.state],
        _AUDITS[request.audit],
        request.match_id_prefix,
        request.text,
        _time(request, "start_time"),
        _time(request, "end_time"),
        request.order == pb.MATCH_ORDER_NEWEST_FIRST,
    )


def _time(request: pb.ListMatchesRequest, name: Literal["start_time", "end_time"]) -> int | None:
    if not request.HasField(name):
        return None
    try:
        return (request.start_time if name == "start_time" else request.end_time).ToMicroseconds()
    except ValueError:
        raise bad_field(name, "must be a time between the years 1 and 9999") from None
