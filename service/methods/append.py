"""Methods that append to a record: StartMatch, AppendMove, AppendMoves, Play, Retract."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias, TypeVar

from google.protobuf.message import Message
from msgspec import structs
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from records.codec.header import Retraction
from records.entry import MatchHeader, MatchId, Personal
from records.games.candidate import Candidate
from records.games.state import GameState
from records.ledger.builder import PreparedAppend
from records.ledger.ledger import Ledger, require_no_draw, require_request_id
from records.ledger.notices import judge_retract
from records.ledger.results import Appended, IllegalAmong, NoSuchEntry, NotAllowed
from records.log.contract import Append, AppendRejected, AppendResult, SequenceTaken
from records.replay.fold import MatchSnapshot
from records.text import MAX_REQUEST_ID
from rules.kernel.actors import ARBITER, SPECTATOR, Actor, Seat
from rules.kernel.rule import Illegal
from service.access import Sight, require_own_match
from service.authorization import Caller, Role, require_recorder
from service.bounds import MAX_MOVES_PER_REQUEST
from service.error_mapping import broken_rules, error_for, not_allowed
from service.errors import CallError, bad_field
from service.feed import KnownStates
from service.intake import Pending
from service.messages import actor_of_message, fill_appended, match_message
from service.requests import facts_of, header_of, match_id
from service.resources import Resources

_SEAT: Final = Role.SEAT
"""Bound once, as looking up a member of an Enum is slow, and every call does it."""

Response = TypeVar("Response", pb.AppendMoveResponse, pb.AppendMovesResponse, pb.PlayResponse)
Reject: TypeAlias = Callable[[Message, CallError], None]
"""Reports that one request of a stream was refused."""


async def start_match(
    resources: Resources, caller: Caller, request: pb.StartMatchRequest
) -> pb.StartMatchResponse:
    """Start a match, and deal where the service deals."""
    require_recorder(caller)
    request_id = _start_request(resources, caller, request.request_id)
    header = header_of(request)
    if request.people:
        facts = facts_of(request)
        # Raises where the match cannot start, before any personal data is stored.
        resources.ledger.judge_start(header, request_id)
        commitments = await asyncio.to_thread(resources.register.remember, facts)
        pairs = zip(request.people, commitments, strict=True)
        people = tuple(Personal(each.seat, each.field, commitment) for each, commitment in pairs)
        header = replace(header, people=people)
    appended = await store_prepared(resources, resources.ledger.judge_start(header, request_id))
    first, last = appended[0], appended[-1]
    match = first.entry.match
    # Not before it is stored, so that a repeated request claims no second match. The request id is this
    # owner's, so the match is, too; and a match that nobody has claimed yet is nobody's.
    await asyncio.to_thread(resources.access.claim, caller, match)
    known = resources.ledger.known(match)
    header = known.header
    message = pb.Appended()
    sight = resources.access.looking(caller, match, known, SPECTATOR)
    fill_appended(message, sight, first.state, appended)
    current = structs.replace(known, sequence=last.entry.sequence, hash=last.entry.hash, state=last.state)
    tokens = (
        []
        if resources.seat_token is None
        else [resources.seat_token(match, Seat(seat)) for seat in range(len(header.setup.seats))]
    )
    return pb.StartMatchResponse(
        match=match_message(match, current, first.entry.recorded, resources.register),
        entries=message.entries,
        position=message.position,
        seat_tokens=tokens,
    )


def _start_request(resources: Resources, caller: Caller, request: str) -> str:
    """The id under which the archive keeps the request; raises BadRequestId."""
    require_request_id(request)
    if caller.owner is None:
        return request
    stored = resources.start_request(caller.owner, request)
    if len(stored) > MAX_REQUEST_ID:
        most = MAX_REQUEST_ID - len(stored) + len(request)
        raise bad_field("request_id", f"has {len(request)} characters, and may have at most {most}")
    return stored


def append_move(
    resources: Resources, caller: Caller, request: pb.AppendMoveRequest
) -> pb.AppendMoveResponse | Pending[pb.AppendMoveResponse]:
    """Judge a move and store it."""
    return _append(resources, caller, request, (request.move,), pb.AppendMoveResponse())


def append_moves(
    resources: Resources, caller: Caller, request: pb.AppendMovesRequest
) -> pb.AppendMovesResponse | Pending[pb.AppendMovesResponse]:
    """Judge several moves and store them together."""
    if not request.moves:
        raise bad_field("moves", f"must have 1 to {MAX_MOVES_PER_REQUEST} moves, not 0")
    return _append(resources, caller, request, request.moves, pb.AppendMovesResponse())


def play(
    resources: Resources, caller: Caller, request: pb.PlayRequest, reject: Reject
) -> pb.PlayResponse | Pending[pb.PlayResponse]:
    """As AppendMove, but a refusal is a response like any other, and the stream continues."""
    response = pb.PlayResponse(request_id=request.append.request_id)
    try:
        judged = _append(resources, caller, request.append, (request.append.move,), response)
    except Exception as fault:  # noqa: BLE001 - what error_for does not know is raised again
        return _rejected(request.append, fault, reject)
    return _Playing(judged, request.append, reject) if isinstance(judged, _Appending) else judged


class _Appending(Pending[Response]):
    """Moves that were judged; once they are stored, the response has what they caused."""

    __slots__ = ("_before", "_brief", "_candidates", "_ledger", "_prepared", "_response", "_sight")

    def __init__(  # noqa: PLR0913, PLR0917 - what was asked, and where the answer goes
        self,
        ledger: Ledger,
        prepared: PreparedAppend,
        sight: Sight,
        before: GameState,
        candidates: Sequence[Candidate],
        response: Response,
        *,
        brief: bool,
    ) -> None:
        self._ledger: Final = ledger
        self._prepared: Final = prepared
        self._sight: Final = sight
        self._before: Final = before
        self._candidates: Final = candidates
        self._response: Response = response
        self._brief: Final = brief

    @property
    def append(self) -> Append:
        return self._prepared.append

    def respond(self, result: AppendResult | Exception) -> Response:
        if isinstance(result, Exception) and not isinstance(result, AppendRejected):
            raise result
        appended = self._ledger.settle(self._prepared, result)
        sight, before, candidates = self._sight, self._before, self._candidates
        if appended[-1].state.awaiting():
            return _respond(self._response, sight, before, appended, candidates, brief=self._brief)
        current = self._ledger.known(self._prepared.append.match)
        return _respond(self._response, sight, before, appended, candidates, current, brief=self._brief)

    @property
    def known_states(self) -> KnownStates:
        states: list[GameState] = self._prepared.states
        return KnownStates(self._prepared.header, [self._before, *states[:-1]], states[-1])


class _Playing(Pending[pb.PlayResponse]):
    """As _Appending, for a stream that continues after a refusal."""

    __slots__ = ("_appending", "_reject", "_request")

    def __init__(
        self, appending: _Appending[pb.PlayResponse], request: pb.AppendMoveRequest, reject: Reject
    ) -> None:
        self._appending: Final = appending
        self._request: Final = request
        self._reject: Final = reject

    @property
    def append(self) -> Append:
        return self._appending.append

    @property
    def known_states(self) -> KnownStates:
        return self._appending.known_states

    def respond(self, result: AppendResult | Exception) -> pb.PlayResponse:
        try:
            return self._appending.respond(result)
        except Exception as fault:  # noqa: BLE001 - what error_for does not know is raised again
            return _rejected(self._request, fault, self._reject)


def _rejected(request: pb.AppendMoveRequest, fault: Exception, reject: Reject) -> pb.PlayResponse:
    error = error_for(fault)
    if error is None:
        raise fault
    reject(request, error)
    return pb.PlayResponse(request_id=request.request_id, refused=error.refusal())


async def retract(resources: Resources, caller: Caller, request: pb.RetractRequest) -> pb.RetractResponse:
    """Go back to an earlier entry."""
    match = match_id(request.match_id)
    actor = actor_of_message(request.actor, "actor") if request.HasField("actor") else ARBITER
    require_own_match(caller, match)
    retraction = Retraction(request.to_sequence, request.reason)
    before = resources.ledger.known(match)
    sight = resources.access.acting(caller, match, before, actor)
    try:
        judged = judge_retract(
            resources.ledger,
            match,
            request.expected_sequence,
            request.request_id,
            actor,
            retraction,
            signature=request.signature,
        )
    except NotAllowed as fault:
        raise not_allowed(before.header, fault) from fault
    appended = await store_prepared(resources, judged) if isinstance(judged, PreparedAppend) else judged
    response = pb.RetractResponse()
    fill_appended(response.appended, sight, before.state, appended)
    return response


def _append(
    resources: Resources,
    caller: Caller,
    request: pb.AppendMoveRequest | pb.AppendMovesRequest,
    moves: Iterable[entries.Move],
    response: Response,
) -> Response | _Appending[Response]:
    """Judge the moves; the response at once only for a request that was answered before."""
    ledger, expected = resources.ledger, request.expected_sequence
    match = MatchId(request.match_id)
    if caller.role is _SEAT:
        require_own_match(caller, match)
    known = ledger.cached(match) or ledger.known(match_id(request.match_id))
    if caller.role is not _SEAT:
        resources.access.require_at_table(caller, match, known)
    before = known.state if known.sequence == expected else _state(resources, match, expected)
    acting = partial(resources.access.acting, caller, match, known)
    candidates, sight = _read(known.header, before, moves, acting)
    judged = ledger.judge_append(match, expected, request.request_id, candidates, request.signature)
    if isinstance(judged, PreparedAppend):
        return _Appending(ledger, judged, sight, before, candidates, response, brief=request.brief)
    if isinstance(judged, IllegalAmong):
        raise broken_rules(known.header, judged)
    return _respond(response, sight, before, judged, candidates, brief=request.brief)


def _respond(  # noqa: PLR0913, PLR0917 - what was asked and what it caused
    response: Response,
    sight: Sight,
    before: GameState,
    appended: tuple[Appended, ...],
    candidates: Sequence[Candidate],
    current: MatchSnapshot | None = None,
    *,
    brief: bool,
) -> Response:
    fill_appended(response.appended, sight, before, appended, current, brief=brief, asked=candidates)
    return response


def candidate_of(message: entries.Move, state: GameState, path: str = "move") -> Candidate:
    """The move that a message asks for, and by whom; raises Unreadable or CorruptMove."""
    match message.WhichOneof("form"):
        case "text":
            return state.parse_text(message.text)
        case "encoded":
            actor = actor_of_message(message.encoded.actor, f"{path}.encoded.actor")
            return state.parse_bytes(actor, message.encoded.data)
        case None:
            raise bad_field(path, "give the move, as text or encoded")


async def store_prepared(resources: Resources, prepared: PreparedAppend) -> tuple[Appended, ...]:
    """Store what was judged; returns once it is durable."""
    return resources.ledger.settle(prepared, await resources.intake.commit(prepared.append))


def _state(resources: Resources, match: MatchId, sequence: int) -> GameState:
    """The state after an earlier entry, which the caller takes for the last."""
    try:
        return resources.ledger.state_at(match, sequence)
    except NoSuchEntry as fault:
        raise SequenceTaken(match, resources.ledger.current(match).sequence) from fault


def _read(
    header: MatchHeader,
    state: GameState,
    moves: Iterable[entries.Move],
    acting: Callable[[Actor], Sight],
) -> tuple[list[Candidate], Sight]:
    """The moves, by actors that the caller may act as, and the sight of the last of these.

    All are parsed before any is judged, except for texts that depend on whose turn it is.
    Where a move before such a text is illegal, the list ends before the text. Raises BatchCrossesDraw where
    the service would have to deal before it.
    """
    candidates: list[Candidate] = []
    sights: list[Sight] = []
    played = 0
    several = not isinstance(moves, tuple)
    for index, move in enumerate(moves):
        if index and move.WhichOneof("form") == "text" and state.depends_on_turn(move.text):
            for each in candidates[played:]:
                verdict = state.judge(each)
                if isinstance(verdict, Illegal):
                    return candidates, sights[-1]  # the ledger judges it again and reports it
                state = verdict.after
                require_no_draw(header, state, index)
            played = index
        candidate = candidate_of(move, state, f"moves[{index}]" if several else "move")
        sights.append(acting(candidate.actor))
        candidates.append(candidate)
    return candidates, sights[-1]
