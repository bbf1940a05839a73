"""Methods that append to a record: StartMatch, AppendMove, Play, Retract."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple, TypeAlias, TypeVar

from google.protobuf.message import Message
from msgspec import structs
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from records.codec.header import Retraction
from records.entry import MatchId, Personal
from records.games.candidate import Candidate
from records.games.state import GameState
from records.ledger.builder import PreparedAppend
from records.ledger.ledger import Ledger, require_request_id
from records.ledger.notices import judge_retract
from records.ledger.results import Appended, IllegalAmong, NoSuchEntry, NotAllowed
from records.log.contract import Append, AppendRejected, AppendResult, SequenceTaken
from records.replay.fold import MatchSnapshot
from records.text import MAX_REQUEST_ID_CHARS
from rules.kernel.actors import ARBITER, SPECTATOR, Seat
from service.authorization import Caller, Role, require_recorder
from service.error_mapping import broken_rules, error_for, not_allowed
from service.errors import CallError, bad_field
from service.feed import KnownStates
from service.messages import Viewpoint, actor_of_message, fill_appended, require_own_match
from service.pending import Pending
from service.requests import facts_of, header_of, match_id
from service.resources import Resources
from service.state_messages import match_message

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
    stored = await resources.off_loop(partial(resources.quota.stored, caller.owner))
    with resources.quota.new_match(caller.owner, request_id, stored):
        appended = await _start(resources, caller, request, request_id)
    return await resources.off_loop(partial(_start_response, resources, caller, appended))


async def _start(
    resources: Resources, caller: Caller, request: pb.StartMatchRequest, request_id: str
) -> tuple[Appended, ...]:
    """The first entries of a match, stored and claimed for the owner."""
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
    # Not before it is stored, so that a repeated request claims no second match. The request id is this
    # owner's, so the match is, too; and a match that nobody has claimed yet is nobody's.
    await asyncio.to_thread(resources.access.claim, caller, appended[0].entry.match)
    return appended


def _start_response(
    resources: Resources, caller: Caller, appended: tuple[Appended, ...]
) -> pb.StartMatchResponse:
    first, last = appended[0], appended[-1]
    match = first.entry.match
    known = resources.ledger.known(match)
    message = pb.Appended()
    viewpoint = resources.access.looking(caller, match, known, SPECTATOR)
    fill_appended(message, viewpoint, first.state, appended)
    current = structs.replace(known, sequence=last.entry.sequence, hash=last.entry.hash, state=last.state)
    tokens = (
        []
        if resources.seat_token is None
        else [resources.seat_token(match, Seat(seat)) for seat in range(len(known.header.setup.seats))]
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
    if len(stored) > MAX_REQUEST_ID_CHARS:
        most = MAX_REQUEST_ID_CHARS - len(stored) + len(request)
        raise bad_field("request_id", f"has {len(request)} characters, and may have at most {most}")
    return stored


def append_move(
    resources: Resources, caller: Caller, request: pb.AppendMoveRequest
) -> pb.AppendMoveResponse | Pending[pb.AppendMoveResponse]:
    """Judge a move and store it."""
    return _append(resources, caller, request, pb.AppendMoveResponse())


def play(
    resources: Resources, caller: Caller, request: pb.PlayRequest, reject: Reject
) -> pb.PlayResponse | Pending[pb.PlayResponse]:
    """As AppendMove, but a refusal is a response like any other, and the stream continues."""
    response = pb.PlayResponse(request_id=request.append.request_id)
    try:
        judged = _append(resources, caller, request.append, response)
    except Exception as fault:  # noqa: BLE001 - what error_for does not know is raised again
        return _rejected(request.append, fault, reject)
    return _Playing(judged, request.append, reject) if isinstance(judged, Appending) else judged


class Appending(Pending[Response]):
    """Moves that were judged; once they are stored, the response has what they caused."""

    __slots__ = ("_before", "_brief", "_candidates", "_ledger", "_prepared", "_response", "_viewpoint")

    def __init__(  # noqa: PLR0913, PLR0917 - what was asked, and where the answer goes
        self,
        ledger: Ledger,
        prepared: PreparedAppend,
        viewpoint: Viewpoint,
        before: GameState,
        candidates: Sequence[Candidate],
        response: Response,
        *,
        brief: bool,
    ) -> None:
        self._ledger: Final = ledger
        self._prepared: Final = prepared
        self._viewpoint: Final = viewpoint
        self._before: Final = before
        self._candidates: Final = candidates
        self._response: Response = response
        self._brief: Final = brief

    @property
    def append(self) -> Append:
        """The entries."""
        return self._prepared.append

    def respond(self, result: AppendResult | Exception) -> Response:
        """What the moves caused; raises what the log answered, if it is a refusal."""
        if isinstance(result, Exception) and not isinstance(result, AppendRejected):
            raise result
        appended = self._ledger.settle(self._prepared, result)
        viewpoint, before, candidates = self._viewpoint, self._before, self._candidates
        if appended[-1].state.awaiting():
            return _respond(self._response, viewpoint, before, appended, candidates, brief=self._brief)
        current = self._ledger.known(self._prepared.append.match)
        return _respond(self._response, viewpoint, before, appended, candidates, current, brief=self._brief)

    @property
    def known_states(self) -> KnownStates:
        """The states around the entries."""
        states: list[GameState] = self._prepared.states
        return KnownStates(self._prepared.header, [self._before, *states[:-1]], states[-1])


class _Playing(Pending[pb.PlayResponse]):
    """As Appending, for a stream that continues after a refusal."""

    __slots__ = ("_appending", "_reject", "_request")

    def __init__(
        self, appending: Appending[pb.PlayResponse], request: pb.AppendMoveRequest, reject: Reject
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

    def judge() -> JudgedAppend:
        before = resources.ledger.known(match)
        viewpoint = resources.access.acting(caller, match, before, actor)
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
        return JudgedAppend(before.state, viewpoint, judged)

    return pb.RetractResponse(appended=await store_judged(resources, match, judge))


def _append(
    resources: Resources,
    caller: Caller,
    request: pb.AppendMoveRequest,
    response: Response,
) -> Response | Appending[Response]:
    """Judge the move; the response at once only for a request that was answered before."""
    ledger, expected = resources.ledger, request.expected_sequence
    match = MatchId(request.match_id)
    known, before = subject(resources, caller, request)
    candidate = candidate_of(request.move, before)
    candidates = (candidate,)
    viewpoint = resources.access.acting(caller, match, known, candidate.actor)
    judged = ledger.judge_append(match, expected, request.request_id, candidates, request.signature)
    if isinstance(judged, PreparedAppend):
        return Appending(ledger, judged, viewpoint, before, candidates, response, brief=request.brief)
    if isinstance(judged, IllegalAmong):
        raise broken_rules(known.header, judged)
    return _respond(response, viewpoint, before, judged, candidates, brief=request.brief)


def subject(
    resources: Resources, caller: Caller, request: pb.AppendMoveRequest | pb.AppendMovesRequest
) -> tuple[MatchSnapshot, GameState]:
    """The match of a request whose caller may act in it, and the state that it takes for the last."""
    ledger, expected = resources.ledger, request.expected_sequence
    match = MatchId(request.match_id)
    if caller.role is _SEAT:
        require_own_match(caller, match)
    known = ledger.cached(match) or ledger.known(match_id(request.match_id))
    if caller.role is not _SEAT:
        resources.access.require_at_table(caller, match, known)
    return known, known.state if known.sequence == expected else _state(resources, match, expected)


def _respond(  # noqa: PLR0913, PLR0917 - what was asked and what it caused
    response: Response,
    viewpoint: Viewpoint,
    before: GameState,
    appended: tuple[Appended, ...],
    candidates: Sequence[Candidate],
    current: MatchSnapshot | None = None,
    *,
    brief: bool,
) -> Response:
    fill_appended(response.appended, viewpoint, before, appended, current, brief=brief, asked=candidates)
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
    result = await resources.intake.commit(prepared.append)
    return await resources.off_loop(partial(resources.ledger.settle, prepared, result))


class JudgedAppend(NamedTuple):
    """A request that was judged, with what its answer needs."""

    before: GameState
    viewpoint: Viewpoint
    judged: PreparedAppend | tuple[Appended, ...]
    """What is to be stored, or what a repeated request has stored before."""


async def store_judged(
    resources: Resources, match: MatchId, judge: Callable[[], JudgedAppend]
) -> pb.Appended:
    """Judge a request and store what it asks for; returns once it is durable."""
    before, viewpoint, judged = await resources.off_loop(judge)
    appended = await store_prepared(resources, judged) if isinstance(judged, PreparedAppend) else judged

    def message() -> pb.Appended:
        filled = pb.Appended()
        fill_appended(filled, viewpoint, before, appended, resources.ledger.known(match))
        return filled

    return await resources.off_loop(message)


def _state(resources: Resources, match: MatchId, sequence: int) -> GameState:
    """The state after an earlier entry, which the caller takes for the last."""
    try:
        return resources.ledger.state_at(match, sequence)
    except NoSuchEntry as fault:
        raise SequenceTaken(match, resources.ledger.current(match).sequence) from fault
