"""Methods that store nothing: CheckMove, ListLegalMoves, GetMatch, ListMatches, GetState."""

import asyncio
from itertools import islice
from typing import Final, Literal

from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.entry_pb2 import Match

from records.entry import MatchHeader, MatchId
from records.games.picture import svg
from records.games.state import GameState
from records.log.contract import UnreadableEntry
from records.log.listing import MatchListing
from records.replay.fold import BadRecord
from records.replay.policies import may_not_deal
from records.replay.sealed_draws import public_digest
from rules.kernel.actors import Actor
from rules.kernel.display import Highlights
from rules.kernel.rule import Illegal
from service.authorization import (
    Caller,
    require_may_see,
    require_own_actor,
    require_own_match,
    require_reader,
)
from service.errors import CallError, Reason, bad_field
from service.messages import (
    actor_message,
    actor_of_message,
    conceals,
    damaged_message,
    hides_hashes,
    match_message,
    outcome_message,
    viewer_for,
    violations_of,
)
from service.methods.append import candidate_of
from service.requests import match_id, state_in, viewer_of
from service.resources import Resources

DEFAULT_PAGE_MOVES: Final = 1_000
MAX_PAGE_MOVES: Final = 10_000
"""Legal moves per page of ListLegalMoves; even the largest page is far below the size limit of messages."""

DEFAULT_PAGE_MATCHES: Final = 50
MAX_PAGE_MATCHES: Final = 500
"""Matches per page of ListMatches: each may have to be rebuilt from the archive."""

_SCANNED_MATCHES: Final = 2_000
"""Maximum matches that a page examines; if few of them pass the filters, the page is short but not the last.
Bounds the work of one call."""

_MAX_PAGE_TOKEN_DIGITS: Final = 18
"""Maximum digits of a page token: every such number fits into 64 bits."""


def check_move(resources: Resources, caller: Caller, request: pb.CheckMoveRequest) -> pb.CheckMoveResponse:
    """The verdict on a move."""
    header, state, match = _subject(resources, caller, request)
    candidate = candidate_of(request.move, state)
    if match is not None:
        require_own_actor(caller, match, candidate.actor)
    violation = may_not_deal(header, candidate.actor)
    verdict = state.judge(candidate) if violation is None else Illegal((violation,))
    if isinstance(verdict, Illegal):
        return pb.CheckMoveResponse(violations=violations_of(header, verdict.violations))
    if request.brief:
        return pb.CheckMoveResponse(legal=True)
    after, viewer = verdict.after, viewer_for(candidate.actor)
    visible = after.view(viewer) if match is not None and conceals(after, viewer) else after
    outcome = after.outcome()
    return pb.CheckMoveResponse(
        legal=True,
        events=[event.text for event in state.display.tell(verdict.events)],
        position=visible.position(),
        awaiting=map(actor_message, after.awaiting()),
        outcome=None if outcome is None else outcome_message(header, outcome),
    )


def list_legal_moves(
    resources: Resources, caller: Caller, request: pb.ListLegalMovesRequest
) -> pb.ListLegalMovesResponse:
    """The legal moves of an actor."""
    header, state, match = _subject(resources, caller, request)
    awaited = state.awaiting()
    actor: Actor | None = (
        actor_of_message(request.actor, "actor") if request.HasField("actor") else next(iter(awaited), None)
    )
    if actor is None:
        return pb.ListLegalMovesResponse()
    if match is not None:
        require_own_actor(caller, match, actor)
    size = _page_size(request.page_size, DEFAULT_PAGE_MOVES, MAX_PAGE_MOVES)
    start = _page_start(request.page_token)
    legal = state.legal_moves(actor) if may_not_deal(header, actor) is None else iter(())
    found = list(islice(legal, start, start + size + 1))
    return pb.ListLegalMovesResponse(
        moves=[pb.LegalMove(text=state.write_move(each), data=each.data) for each in found[:size]],
        next_page_token=str(start + size) if len(found) > size else "",
        actor=actor_message(actor),
    )


def get_match(resources: Resources, caller: Caller, request: pb.GetMatchRequest) -> pb.GetMatchResponse:
    """A match and its current state."""
    match = match_id(request.match_id)
    require_own_match(caller, match)
    current = resources.ledger.current(match)
    first = next(iter(resources.ledger.read(match, 0, 1)))
    return pb.GetMatchResponse(match=match_message(match, current, first.recorded, resources.register))


async def list_matches(
    resources: Resources, caller: Caller, request: pb.ListMatchesRequest
) -> pb.ListMatchesResponse:
    """A page of the matches that pass the filters."""
    require_reader(caller)
    if request.state not in pb.MatchState.values():
        raise bad_field("state", f"{request.state} is not known")
    size = _page_size(request.page_size, DEFAULT_PAGE_MATCHES, MAX_PAGE_MATCHES)
    period = _time(request, "start_time"), _time(request, "end_time")
    response = pb.ListMatchesResponse()
    examined = after = _page_start(request.page_token)
    bytes_left = resources.max_response_bytes // 2
    for listing in list(resources.ledger.log.listing(after, _SCANNED_MATCHES)):
        if len(response.matches) == size or bytes_left < 0:
            break
        examined = listing.number
        if _passes(request, period, listing):
            match = _match(resources, request, listing)
            if match is not None:
                response.matches.append(match)
                bytes_left -= match.ByteSize()
            await asyncio.sleep(0)  # a match that is not in the cache is read from the disk
    if next(resources.ledger.log.listing(examined, 1), None) is not None:
        response.next_page_token = str(examined)
    return response


def get_state(resources: Resources, caller: Caller, request: pb.GetStateRequest) -> pb.GetStateResponse:
    """The state of a match after an entry, by default the last."""
    match = match_id(request.match_id)
    require_own_match(caller, match)
    current = resources.ledger.current(match)
    header = current.header
    viewer = viewer_of(request.viewer, header)
    require_may_see(caller, match, current, viewer)
    sequence = request.sequence if request.HasField("sequence") else current.sequence
    state = resources.ledger.state_at(match, sequence)
    visible = state.view(viewer) if conceals(state, viewer) else state
    outcome = state.outcome()
    return pb.GetStateResponse(
        match_id=match,
        sequence=sequence,
        position=visible.position(),
        awaiting=map(actor_message, state.awaiting()),
        outcome=None if outcome is None else outcome_message(header, outcome),
        turn=visible.display.turn(),
        state_digest=b"" if hides_hashes(header, state, viewer) else public_digest(header, state),
        drawing=visible.display.draw() if request.with_drawing else "",
        svg=svg(visible, Highlights(), f"{header.game}, after entry {sequence}") if request.with_svg else "",
    )


def _subject(
    resources: Resources, caller: Caller, request: pb.CheckMoveRequest | pb.ListLegalMovesRequest
) -> tuple[MatchHeader, GameState, MatchId | None]:
    """The header and state that the request is about, and the match if it is a stored one."""
    match request.WhichOneof("subject"):
        case "stored":
            match = match_id(request.stored.match_id)
            require_own_match(caller, match)
            sequence = request.stored.sequence if request.stored.HasField("sequence") else None
            state = resources.ledger.state_at(match, sequence)
            return resources.ledger.known(match).header, state, match
        case "transcript" | "position":
            state = state_in(request)
            return MatchHeader(state.game, state.setup), state, None
        case None:
            raise bad_field("subject", "give the id of a stored match, a transcript or a position")


def _passes(
    request: pb.ListMatchesRequest, period: tuple[int | None, int | None], listing: MatchListing
) -> bool:
    """Whether a match passes the filters that need only its header."""
    start, end = period
    return (
        (not request.game or listing.game == request.game)
        and (not request.seat or request.seat in listing.seats or listing.damaged)
        and (start is None or listing.started >= start)
        and (end is None or listing.started < end)
    )


def _match(resources: Resources, request: pb.ListMatchesRequest, listing: MatchListing) -> Match | None:
    """The match, if its state passes the filter; one that is damaged always does."""
    try:
        current = resources.ledger.current(listing.match)
    except (BadRecord, UnreadableEntry) as fault:
        return damaged_message(listing, str(fault))
    over = current.state.outcome() is not None
    if request.state not in {
        pb.MATCH_STATE_UNSPECIFIED,
        pb.MATCH_STATE_OVER if over else pb.MATCH_STATE_OPEN,
    }:
        return None
    return match_message(listing.match, current, listing.started, resources.register)


def _time(request: pb.ListMatchesRequest, name: Literal["start_time", "end_time"]) -> int | None:
    if not request.HasField(name):
        return None
    try:
        return (request.start_time if name == "start_time" else request.end_time).ToMicroseconds()
    except ValueError:
        raise bad_field(name, "must be a time between the years 1 and 9999") from None


def _page_size(requested: int, default: int, maximum: int) -> int:
    if requested < 0:
        raise bad_field("page_size", "must not be negative")
    return min(requested or default, maximum)


def _page_start(token: str) -> int:
    if not token:
        return 0
    if not (token.isascii() and token.isdigit() and len(token) <= _MAX_PAGE_TOKEN_DIGITS):
        raise CallError(Reason.BAD_PAGE_TOKEN, "page_token: it did not come from this server")
    return int(token)
