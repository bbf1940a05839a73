"""Methods that store nothing: CheckMove, ListLegalMoves, GetMatch, GetState."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Final

from shiji.record.v1 import record_service_pb2 as pb

from records.entry import MatchHeader
from records.games.state import GameState
from records.ledger.ledger import Ledger
from records.replay.choices import answers_in_secret
from records.replay.policies import may_not_deal
from rules.kernel.actors import Actor, Office
from rules.kernel.rule import Illegal
from service.access import open_viewpoint
from service.authorization import Caller
from service.bounds import MAX_PAGE_TOKEN_CHARS
from service.errors import CallError, Reason, bad_field
from service.messages import Viewpoint, actor_message, actor_of_message, require_own_match, state_for
from service.methods.append import candidate_of
from service.methods.move_filter import filtered_moves
from service.requests import match_id, state_in, viewer_of
from service.resources import Resources
from service.state_messages import (
    drawing_of,
    legal_message,
    legal_move_messages,
    match_message,
    state_message,
    svg_of,
)
from service.verdict_messages import violations_of
from service.work_queue import WorkLane, lane_for, lane_for_bytes

DEFAULT_PAGE_MOVES: Final = 1_000
MAX_PAGE_MOVES: Final = 10_000
"""Legal moves per page of ListLegalMoves; even the largest page is far below the size limit of messages."""


def check_move(resources: Resources, caller: Caller, request: pb.CheckMoveRequest) -> pb.CheckMoveResponse:
    """The verdict on a move in a stored match."""
    return _check(stored_subject(resources, caller, request.stored), request)


def check_sent_move(
    resources: Resources, caller: Caller, request: pb.CheckMoveRequest
) -> Awaitable[pb.CheckMoveResponse] | None:
    """The verdict on a move in a transcript or position that is sent along; None for a stored match."""
    if request.WhichOneof("subject") == "stored":
        return None
    return resources.workers.run(caller.account, partial(_check_sent, request=request), _lane_of(request))


def _check_sent(_: Ledger, *, request: pb.CheckMoveRequest) -> pb.CheckMoveResponse:
    return _check(_sent_subject(request), request)


def _check(subject: "MoveSubject", request: pb.CheckMoveRequest) -> pb.CheckMoveResponse:
    candidate = candidate_of(request.move, subject.state)
    viewpoint, state = subject.judged_as(candidate.actor)
    violation = may_not_deal(subject.header, candidate.actor)
    if violation is None and answers_in_secret(subject.header, state, candidate.actor):
        illegal = state.judge_answer(candidate)
        if illegal is None:
            return pb.CheckMoveResponse(legal=True)  # what it causes depends on what the others choose
        return pb.CheckMoveResponse(violations=violations_of(subject.header, illegal.violations))
    verdict = state.judge(candidate) if violation is None else Illegal((violation,))
    if isinstance(verdict, Illegal):
        return pb.CheckMoveResponse(violations=violations_of(subject.header, verdict.violations))
    return pb.CheckMoveResponse(legal=True) if request.brief else legal_message(viewpoint, state, verdict)


async def list_legal_moves(
    resources: Resources, caller: Caller, request: pb.ListLegalMovesRequest
) -> pb.ListLegalMovesResponse:
    """The legal moves of an actor."""
    if request.WhichOneof("subject") != "stored":
        work = partial(_list_sent, request=request)
        return await resources.workers.run(caller.account, work, _lane_of(request))

    def actor_and_viewpoint() -> tuple[MoveSubject, tuple[Actor, Viewpoint] | None]:
        subject = stored_subject(resources, caller, request.stored)
        actor = _actor_of(request, subject.state)
        return subject, None if actor is None else (actor, subject.viewpoint(actor))

    subject, found = await resources.off_loop(actor_and_viewpoint)
    if found is None:
        return pb.ListLegalMovesResponse()
    actor, viewpoint = found
    stored = partial(
        _list_stored, request=request, sequence=subject.sequence, actor=actor, viewpoint=viewpoint
    )
    # The process may have to read the record up to there first.
    return await resources.workers.run(caller.account, stored, lane_for(subject.sequence))


def _actor_of(request: pb.ListLegalMovesRequest, state: GameState) -> Actor | None:
    if request.HasField("actor"):
        return actor_of_message(request.actor, "actor")
    return next(iter(state.awaiting()), None)


def _list_sent(_: Ledger, *, request: pb.ListLegalMovesRequest) -> pb.ListLegalMovesResponse:
    subject = _sent_subject(request)
    actor = _actor_of(request, subject.state)
    if actor is None:
        return pb.ListLegalMovesResponse()
    return _list(request, subject.header, subject.judged_as(actor)[1], actor)


def _list_stored(
    ledger: Ledger, *, request: pb.ListLegalMovesRequest, sequence: int, actor: Actor, viewpoint: Viewpoint
) -> pb.ListLegalMovesResponse:
    state = ledger.state_at(match_id(request.stored.match_id), sequence)
    state = judged_by(viewpoint, state, actor)
    return _list(request, viewpoint.header, state, actor)


def _list(
    request: pb.ListLegalMovesRequest, header: MatchHeader, state: GameState, actor: Actor
) -> pb.ListLegalMovesResponse:
    size = page_size(request.page_size, DEFAULT_PAGE_MOVES, MAX_PAGE_MOVES)
    start = page_start(request.page_token)
    legal = state.legal_moves(actor) if may_not_deal(header, actor) is None else iter(())
    if request.HasField("filter"):
        return filtered_moves(state, actor, legal, request.filter, range(start, start + size))
    found = list(islice(legal, start, start + size + 1))
    return pb.ListLegalMovesResponse(
        moves=legal_move_messages(state, found[:size]),
        next_page_token=str(start + size) if len(found) > size else "",
        actor=actor_message(actor, header.setup.seats),
    )


def get_match(resources: Resources, caller: Caller, request: pb.GetMatchRequest) -> pb.GetMatchResponse:
    """A match and its current state."""
    match = match_id(request.match_id)
    require_own_match(caller, match)
    current = resources.ledger.current(match)
    first = next(iter(resources.ledger.read(match, 0, 1)))
    return pb.GetMatchResponse(match=match_message(match, current, first.recorded, resources.register))


def get_state(resources: Resources, caller: Caller, request: pb.GetStateRequest) -> pb.GetStateResponse:
    """The state of a match after an entry, by default the last, without pictures."""
    return _state(resources, caller, request)[0]


def get_state_with_pictures(
    resources: Resources, caller: Caller, request: pb.GetStateRequest
) -> Awaitable[pb.GetStateResponse] | None:
    """As get_state, with the pictures that are asked for; None if there are none."""
    return (
        _state_with_pictures(resources, caller, request) if request.with_drawing or request.with_svg else None
    )


async def _state_with_pictures(
    resources: Resources, caller: Caller, request: pb.GetStateRequest
) -> pb.GetStateResponse:
    await resources.intake.turn(caller.account)
    message, viewpoint = await resources.off_loop(partial(_state, resources, caller, request))
    work = partial(_pictures, request=request, sequence=message.sequence, viewpoint=viewpoint)
    lane = lane_for(message.sequence)
    message.drawing, message.svg = await resources.workers.run(caller.account, work, lane)
    return message


def _state(
    resources: Resources, caller: Caller, request: pb.GetStateRequest
) -> tuple[pb.GetStateResponse, Viewpoint]:
    """The state, and the viewpoint that it is seen with."""
    match = match_id(request.match_id)
    require_own_match(caller, match)
    current = resources.ledger.current(match)
    viewer = viewer_of(request.viewer, current.header)
    viewpoint = resources.access.looking(caller, match, current, viewer)
    sequence = request.sequence if request.HasField("sequence") else current.sequence
    state = resources.ledger.state_at(match, sequence)
    return state_message(viewpoint, match, current, sequence, state), viewpoint


def _pictures(
    ledger: Ledger, *, request: pb.GetStateRequest, sequence: int, viewpoint: Viewpoint
) -> tuple[str, str]:
    """The pictures of a state that a request asks for; empty where it does not."""
    state = ledger.state_at(match_id(request.match_id), sequence)
    return (
        drawing_of(viewpoint, state) if request.with_drawing else "",
        svg_of(viewpoint, state, sequence) if request.with_svg else "",
    )


@dataclass(frozen=True, slots=True)
class MoveSubject:
    """The state that a question about moves is about."""

    header: MatchHeader
    sequence: int
    """Of the last entry that the state is after, in a stored match."""
    state: GameState
    viewpoint: Callable[[Actor], Viewpoint]
    """The viewpoint of an actor that the caller may act as; raises CallError."""

    def judged_as(self, actor: Actor) -> tuple[Viewpoint, GameState]:
        """The viewpoint of the actor, and the state that its moves are judged by; raises CallError.

        A seat's moves are judged by what it sees: its hand and what is public. Draws are judged in full.
        """
        viewpoint = self.viewpoint(actor)
        return viewpoint, judged_by(viewpoint, self.state, actor)


def judged_by(viewpoint: Viewpoint, state: GameState, actor: Actor) -> GameState:
    """The state that moves of an actor are judged by."""
    return state if isinstance(actor, Office) else state_for(viewpoint, state)


def stored_subject(resources: Resources, caller: Caller, stored: pb.MatchAt) -> MoveSubject:
    """The state of a stored match at which the caller may ask about moves; raises CallError."""
    match = match_id(stored.match_id)
    require_own_match(caller, match)
    current = resources.ledger.known(match)
    resources.access.require_at_table(caller, match, current)
    if not stored.HasField("sequence"):
        current = resources.ledger.current(match)
    sequence = stored.sequence if stored.HasField("sequence") else current.sequence
    state = resources.ledger.state_at(match, sequence)
    viewpoint = partial(resources.access.acting, caller, match, current)
    return MoveSubject(current.header, sequence, state, viewpoint)


def _sent_subject(request: pb.CheckMoveRequest | pb.ListLegalMovesRequest) -> MoveSubject:
    """What a request brings along; there is nothing in it to hide."""
    if request.WhichOneof("subject") is None:
        raise bad_field("subject", "give the id of a stored match, a transcript or a position")
    state = state_in(request)
    header = MatchHeader(state.game, state.setup)
    return MoveSubject(header, 0, state, lambda _: open_viewpoint(header))


def _lane_of(request: pb.CheckMoveRequest | pb.ListLegalMovesRequest) -> WorkLane:
    return lane_for_bytes(len(request.transcript) + len(request.position.line))


def page_size(requested: int, default: int, maximum: int) -> int:
    """The number of items on a page; raises CallError."""
    if requested < 0:
        raise bad_field("page_size", "must not be negative")
    return min(requested or default, maximum)


def page_start(token: str) -> int:
    """The number in a page token, 0 for the first page; raises CallError."""
    if not token:
        return 0
    if not (token.isascii() and token.isdigit() and len(token) <= MAX_PAGE_TOKEN_CHARS):
        raise CallError(Reason.BAD_PAGE_TOKEN, "page_token: it did not come from this server")
    return int(token)
