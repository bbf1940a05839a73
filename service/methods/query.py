"""Methods that store nothing: CheckMove, ListLegalMoves, GetMatch, GetState."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Final

from shiji.record.v1 import record_service_pb2 as pb

from records.entry import MatchHeader
from records.games.state import GameState
from records.replay.choices import answers_in_secret
from records.replay.policies import may_not_deal
from rules.kernel.actors import Actor, Office
from rules.kernel.rule import Illegal
from service.access import Sight, open_sight, require_own_match
from service.authorization import Caller
from service.bounds import MAX_PAGE_TOKEN_CHARS
from service.errors import CallError, Reason, bad_field
from service.messages import (
    actor_message,
    actor_of_message,
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
    size = page_size(request.page_size, DEFAULT_PAGE_MOVES, MAX_PAGE_MOVES)
    start = page_start(request.page_token)
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
