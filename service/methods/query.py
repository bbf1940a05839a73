"""Methods that ask without storing: CheckMove, ListLegalMoves, GetMatch, ListMatches, GetState."""

import asyncio
from itertools import islice
from typing import Final, Literal

from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.entry_pb2 import Match

from records.entry import MatchHeader, MatchId
from records.games.picture import svg
from records.games.state import GameState
from records.log.contract import MatchListing, UnreadableEntry
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
    actor_named,
    conceals,
    damaged_message,
    hides_hashes,
    match_message,
    outcome_message,
    viewer_for,
    violations_of,
)
from service.methods.append import candidate_of
from service.requests import match_id, sent_along, viewer_of
from service.resources import Resources

MOST_LEGAL: Final = 10_000
USUAL_LEGAL: Final = 1_000
MOST_MATCHES: Final = 500
USUAL_MATCHES: Final = 50
_SCANNED: Final = 2_000
"""So many matches a page looks at; if few of them pass the filters, the page is short and not the last."""
_LONGEST_TOKEN: Final = 18


def check_move(resources: Resources, caller: Caller, request: pb.CheckMoveRequest) -> pb.CheckMoveResponse:
    """The verdict on a move."""
    header, state, match = _subject(resources, caller, request)
    candidate = candidate_of(request.move, state)
    if match is not None:
        require_own_actor(caller, match, candidate.actor)
    foul = may_not_deal(header, candidate.actor)
    verdict = state.judge(candidate) if foul is None else Illegal((foul,))
    if isinstance(verdict, Illegal):
        return pb.CheckMoveResponse(violations=violations_of(header, verdict.violations))
    if request.brief:
        return pb.CheckMoveResponse(legal=True)
    after, viewer = verdict.after, viewer_for(candidate.actor)
    seen = after.view(viewer) if match is not None and conceals(after, viewer) else after
    outcome = after.outcome()
    return pb.CheckMoveResponse(
        legal=True,
        events=[told.text for told in state.display.tell(verdict.events)],
        position=seen.position(),
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
        actor_named(request.actor, "actor") if request.HasField("actor") else next(iter(awaited), None)
    )
    if actor is None:
        return pb.ListLegalMovesResponse()
    if match is not None:
        require_own_actor(caller, match, actor)
    size = _size(request.page_size, USUAL_LEGAL, MOST_LEGAL)
    start = _number(request.page_token)
    legal = state.legal_moves(actor) if may_not_deal(header, actor) is None else iter(())
    found = list(islice(legal, start, start + size + 1))
    return pb.ListLegalMovesResponse(
        moves=[pb.LegalMove(text=state.write_move(each), data=each.data) for each in found[:size]],
        next_page_token=str(start + size) if len(found) > size else "",
        actor=actor_message(actor),
    )


def get_match(resources: Resources, caller: Caller, request: pb.GetMatchRequest) -> pb.GetMatchResponse:
    """A match and how it stands."""
    match = match_id(request.match_id)
    require_own_match(caller, match)
    current = resources.ledger.current(match)
    first = next(iter(resources.ledger.read(match, 0, 1)))
    return pb.GetMatchResponse(match=match_message(match, current, first.recorded, resources.register))


async def list_matches(
    resources: Resources, caller: Caller, request: pb.ListMatchesRequest
) -> pb.ListMatchesResponse:
    """Matches, filtered."""
    require_reader(caller)
    if request.state not in pb.MatchState.values():
        raise bad_field("state", f"{request.state} is not known")
    size = _size(request.page_size, USUAL_MATCHES, MOST_MATCHES)
    begun = _time(request, "start_time"), _time(request, "end_time")
    response = pb.ListMatchesResponse()
    seen = after = _number(request.page_token)
    room = resources.largest // 2
    for listed in list(resources.ledger.log.listing(after, _SCANNED)):
        if len(response.matches) == size or room < 0:
            break
        seen = listed.number
        if _passes(request, begun, listed):
            match = _match(resources, request, listed)
            if match is not None:
                response.matches.append(match)
                room -= match.ByteSize()
            await asyncio.sleep(0)  # a match that nobody has asked for lately is read from the disk
    if next(resources.ledger.log.listing(seen, 1), None) is not None:
        response.next_page_token = str(seen)
    return response


def get_state(resources: Resources, caller: Caller, request: pb.GetStateRequest) -> pb.GetStateResponse:
    """How a match stood after an entry."""
    match = match_id(request.match_id)
    require_own_match(caller, match)
    current = resources.ledger.current(match)
    header = current.header
    viewer = viewer_of(request.viewer, header)
    require_may_see(caller, match, current, viewer)
    sequence = request.sequence if request.HasField("sequence") else current.sequence
    state = resources.ledger.state_at(match, sequence)
    seen = state.view(viewer) if conceals(state, viewer) else state
    outcome = state.outcome()
    return pb.GetStateResponse(
        match_id=match,
        sequence=sequence,
        position=seen.position(),
        awaiting=map(actor_message, state.awaiting()),
        outcome=None if outcome is None else outcome_message(header, outcome),
        turn=seen.display.turn(),
        state_digest=b"" if hides_hashes(header, state, viewer) else public_digest(header, state),
        drawing=seen.display.draw() if request.with_drawing else "",
        svg=svg(seen, Highlights(), f"{header.game}, after entry {sequence}") if request.with_svg else "",
    )


def _subject(
    resources: Resources, caller: Caller, request: pb.CheckMoveRequest | pb.ListLegalMovesRequest
) -> tuple[MatchHeader, GameState, MatchId | None]:
    """What is asked about; the match, where it is a stored one."""
    match request.WhichOneof("subject"):
        case "stored":
            match = match_id(request.stored.match_id)
            require_own_match(caller, match)
            sequence = request.stored.sequence if request.stored.HasField("sequence") else None
            state = resources.ledger.state_at(match, sequence)
            return resources.ledger.known(match).header, state, match
        case "transcript" | "position":
            state = sent_along(request)
            return MatchHeader(state.game, state.setup), state, None
        case None:
            raise bad_field("subject", "name a stored match, or send a transcript or a position along")


def _passes(
    request: pb.ListMatchesRequest, begun: tuple[int | None, int | None], listed: MatchListing
) -> bool:
    """Whether a match passes the filters that its header answers."""
    first, last = begun
    return (
        (not request.game or listed.game == request.game)
        and (not request.seat or request.seat in listed.seats or listed.damaged)
        and (first is None or listed.started >= first)
        and (last is None or listed.started < last)
    )


def _match(resources: Resources, request: pb.ListMatchesRequest, listed: MatchListing) -> Match | None:
    """The match, if its state passes the filter; one that is damaged always does."""
    try:
        current = resources.ledger.current(listed.match)
    except (BadRecord, UnreadableEntry) as fault:
        return damaged_message(listed, str(fault))
    over = current.state.outcome() is not None
    if request.state not in {
        pb.MATCH_STATE_UNSPECIFIED,
        pb.MATCH_STATE_OVER if over else pb.MATCH_STATE_OPEN,
    }:
        return None
    return match_message(listed.match, current, listed.started, resources.register)


def _time(request: pb.ListMatchesRequest, name: Literal["start_time", "end_time"]) -> int | None:
    if not request.HasField(name):
        return None
    try:
        return (request.start_time if name == "start_time" else request.end_time).ToMicroseconds()
    except ValueError:
        raise bad_field(name, "it is no time between the years 1 and 9999") from None


def _size(asked: int, usual: int, most: int) -> int:
    if asked < 0:
        raise bad_field("page_size", "a page has no negative size")
    return min(asked or usual, most)


def _number(token: str) -> int:
    if not token:
        return 0
    if not (token.isascii() and token.isdigit() and len(token) <= _LONGEST_TOKEN):
        raise CallError(Reason.BAD_PAGE_TOKEN, "page_token: it is none that this server gave")
    return int(token)
