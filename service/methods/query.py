"""Methods that store nothing: CheckMove, ListLegalMoves, GetMatch, ListMatches, GetState."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Final, Literal

from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.entry_pb2 import Match

from records.entry import MatchHeader
from records.games.state import GameState
from records.log.contract import UnreadableEntry
from records.log.listing import MatchListing
from records.replay.choices import answers_in_secret
from records.replay.fold import BadRecord
from records.replay.policies import may_not_deal
from rules.kernel.actors import Actor, Office
from rules.kernel.rule import Illegal
from service.access import Sight, is_over, open_sight, require_own_match
from service.authorization import Caller, require_reader
from service.bounds import MAX_PAGE_TOKEN_CHARS
from service.errors import CallError, Reason, bad_field
from service.messages import (
    actor_message,
    actor_of_message,
    damaged_message,
    legal_message,
    legal_move_messages,
    match_message,
    state_for,
    state_message,
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


def check_move(resources: Resources, caller: Caller, request: pb.CheckMoveRequest) -> pb.CheckMoveResponse:
    """The verdict on a move."""
    subject = _subject(resources, caller, request)
    candidate = candidate_of(request.move, subject.state)
    sight, state = subject.judged_as(candidate.actor)
    violation = may_not_deal(subject.header, candidate.actor)
    if violation is None and answers_in_secret(subject.header, state, candidate.actor):
        illegal = state.judge_answer(candidate)
        if illegal is None:
            return pb.CheckMoveResponse(legal=True)  # what it causes depends on what the others choose
        return pb.CheckMoveResponse(violations=violations_of(subject.header, illegal.violations))
    verdict = state.judge(candidate) if violation is None else Illegal((violation,))
    if isinstance(verdict, Illegal):
        return pb.CheckMoveResponse(violations=violations_of(subject.header, verdict.violations))
    return pb.CheckMoveResponse(legal=True) if request.brief else legal_message(sight, state, verdict)


def list_legal_moves(
    resources: Resources, caller: Caller, request: pb.ListLegalMovesRequest
) -> pb.ListLegalMovesResponse:
    """The legal moves of an actor."""
    subject = _subject(resources, caller, request)
    awaited = subject.state.awaiting()
    actor: Actor | None = (
        actor_of_message(request.actor, "actor") if request.HasField("actor") else next(iter(awaited), None)
    )
    if actor is None:
        return pb.ListLegalMovesResponse()
    _, state = subject.judged_as(actor)
    size = _page_size(request.page_size, DEFAULT_PAGE_MOVES, MAX_PAGE_MOVES)
    start = _page_start(request.page_token)
    legal = state.legal_moves(actor) if may_not_deal(subject.header, actor) is None else iter(())
    found = list(islice(legal, start, start + size + 1))
    return pb.ListLegalMovesResponse(
        moves=legal_move_messages(state, found[:size]),
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
    viewer = viewer_of(request.viewer, current.header)
    sight = resources.access.looking(caller, match, current, viewer)
    sequence = request.sequence if request.HasField("sequence") else current.sequence
    state = resources.ledger.state_at(match, sequence)
    return state_message(
        sight, match, current, sequence, state, with_drawing=request.with_drawing, with_svg=request.with_svg
    )


@dataclass(frozen=True, slots=True)
class _Subject:
    """The state that a question about moves is about."""

    header: MatchHeader
    state: GameState
    sight: Callable[[Actor], Sight]
    """The sight of an actor that the caller may act as; raises CallError."""

    def judged_as(self, actor: Actor) -> tuple[Sight, GameState]:
        """The sight of the actor, and the state that its moves are judged by; raises CallError.

        A seat's moves are judged by what it sees: its hand and what is public. Draws are judged in full.
        """
        sight = self.sight(actor)
        return sight, self.state if isinstance(actor, Office) else state_for(sight, self.state)


def _subject(
    resources: Resources, caller: Caller, request: pb.CheckMoveRequest | pb.ListLegalMovesRequest
) -> _Subject:
    match request.WhichOneof("subject"):
        case "stored":
            match = match_id(request.stored.match_id)
            require_own_match(caller, match)
            current = resources.ledger.known(match)
            resources.access.require_at_table(caller, match, current)
            sequence = request.stored.sequence if request.stored.HasField("sequence") else None
            state = resources.ledger.state_at(match, sequence)
            return _Subject(current.header, state, partial(resources.access.acting, caller, match, current))
        case "transcript" | "position":
            state = state_in(request)
            header = MatchHeader(state.game, state.setup)
            return _Subject(header, state, lambda _: open_sight(header))
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
    over = is_over(current)
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
    if not (token.isascii() and token.isdigit() and len(token) <= MAX_PAGE_TOKEN_CHARS):
        raise CallError(Reason.BAD_PAGE_TOKEN, "page_token: it did not come from this server")
    return int(token)
