"""Methods that store something: StartMatch, AppendMove, AppendMoves, Play, Retract, ImportRecord."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias, TypeVar

from msgspec import structs
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from records.codec.header import Retraction
from records.entry import SERVICE, MatchId, Personal
from records.games.candidate import Candidate
from records.games.state import GameState
from records.ledger.builder import PreparedAppend
from records.ledger.results import Appended, IllegalAmong, NoSuchEntry, NoSuchMatch, NotAllowed
from records.ledger.transfer import (
    Imported,
    ImportResult,
    RejectedRecord,
    VerifiedImport,
    import_result,
    missing,
)
from records.log.contract import Append, AppendRejected, AppendResult, SequenceTaken
from records.replay.fold import BadRecord
from records.verdict import AuditReport, word
from rules.kernel.actors import ARBITER, SPECTATOR, Seat
from rules.kernel.rule import Illegal
from service.authorization import Caller, require_own_actor, require_own_match, require_recorder
from service.door import Reject
from service.error_mapping import broken_rules, not_allowed, refusal_of
from service.errors import CallError, Reason, bad_field
from service.messages import fill_appended, match_message, report_message, viewer_for
from service.requests import LONGEST_REASON, MOST_MOVES, actor_of, facts_of, header_of, match_id, move_of
from service.resources import Resources
from service.rounds import Storing

Response = TypeVar("Response", pb.AppendMoveResponse, pb.AppendMovesResponse, pb.PlayResponse)
Soon: TypeAlias = Response | Storing[Response]
"""An answer at once, or as soon as something is stored."""


async def start_match(
    resources: Resources, caller: Caller, request: pb.StartMatchRequest
) -> pb.StartMatchResponse:
    """Begin a match, and deal where the service deals."""
    require_recorder(caller)
    header = header_of(request)
    if request.people:
        facts = facts_of(request)
        resources.ledger.judge_start(header, request.request_id)  # of whoever cannot begin, nothing is kept
        kept = await asyncio.to_thread(resources.register.remember, facts)
        told_of = zip(request.people, kept, strict=True)
        people = tuple(Personal(each.seat, each.field, commitment) for each, commitment in told_of)
        header = replace(header, people=people)
    appended = await store_ready(resources, resources.ledger.judge_start(header, request.request_id))
    first, last = appended[0], appended[-1]
    match = first.entry.match
    known = resources.ledger.known(match)
    header = known.header
    told = pb.Appended()
    fill_appended(told, header, first.state, appended, SPECTATOR)
    current = structs.replace(known, sequence=last.entry.sequence, hash=last.entry.hash, state=last.state)
    tokens = (
        []
        if resources.seat_token is None
        else [resources.seat_token(match, Seat(seat)) for seat in range(len(header.setup.seats))]
    )
    return pb.StartMatchResponse(
        match=match_message(match, current, first.entry.recorded, resources.register),
        entries=told.entries,
        position=told.position,
        seat_tokens=tokens,
    )


def append_move(
    resources: Resources, caller: Caller, request: pb.AppendMoveRequest
) -> Soon[pb.AppendMoveResponse]:
    """Judge a move and store it."""
    response = pb.AppendMoveResponse()
    return _append(resources, caller, request, (request.move,), response)


def append_moves(
    resources: Resources, caller: Caller, request: pb.AppendMovesRequest
) -> Soon[pb.AppendMovesResponse]:
    """Judge several moves and store them together."""
    if not 0 < len(request.moves) <= MOST_MOVES:
        raise bad_field("moves", f"1 to {MOST_MOVES} moves are stored together, not {len(request.moves)}")
    response = pb.AppendMovesResponse()
    return _append(resources, caller, request, request.moves, response)


def play(
    resources: Resources, caller: Caller, reject: Reject, request: pb.PlayRequest
) -> Soon[pb.PlayResponse]:
    """As AppendMove; a refusal is an answer like any other, and the stream goes on."""
    asked = request.append
    response = pb.PlayResponse(request_id=asked.request_id)

    def refused(fault: Exception) -> pb.PlayResponse:
        refusal = refusal_of(fault)
        if refusal is None:
            raise fault
        reject(asked, refusal)
        return pb.PlayResponse(request_id=asked.request_id, refused=refusal.refusal())

    try:
        answer = _append(resources, caller, asked, (asked.move,), response)
    except Exception as fault:  # noqa: BLE001 - a fault of ours is raised again
        return refused(fault)
    if not isinstance(answer, Storing):
        return answer
    then = answer.then

    def told(stored: AppendResult | Exception) -> pb.PlayResponse:
        try:
            return then(stored)
        except Exception as fault:  # noqa: BLE001 - as above
            return refused(fault)

    return Storing(answer.append, told)


async def retract(resources: Resources, caller: Caller, request: pb.RetractRequest) -> pb.RetractResponse:
    """Go back to an earlier entry."""
    match = match_id(request.match_id)
    actor = actor_of(request.actor, "actor") if request.HasField("actor") else ARBITER
    require_own_actor(caller, match, actor)
    if len(request.reason) > LONGEST_REASON:
        raise bad_field("reason", f"a reason has at most {LONGEST_REASON} characters")
    retraction = Retraction(request.to_sequence, request.reason)
    before = resources.ledger.known(match)
    try:
        judged = resources.ledger.judge_retract(
            match,
            request.expected_sequence,
            request.request_id,
            actor,
            retraction,
            signature=request.signature,
        )
    except NotAllowed as fault:
        raise not_allowed(before.header, fault) from fault
    appended = await store_ready(resources, judged) if isinstance(judged, PreparedAppend) else judged
    response = pb.RetractResponse()
    fill_appended(response.appended, before.header, before.state, appended, viewer_for(actor))
    return response


async def import_record(
    resources: Resources, caller: Caller, request: pb.ImportRecordRequest
) -> pb.ImportRecordResponse:
    """Verify a record and store it whole."""
    require_recorder(caller)
    incoming = await resources.import_workers.judge(request.content)
    if isinstance(incoming, RejectedRecord):
        raise _not_verified(incoming)
    outcome = (
        _missing(resources, incoming)
        if incoming.new
        else await asyncio.to_thread(_missing, resources, incoming)
    )
    if isinstance(outcome, Append):
        outcome = import_result(incoming, outcome, await resources.committer.commit(outcome))
    if not isinstance(outcome, Imported):
        raise CallError(Reason.RECORD_EXISTS, outcome.why, {"match_id": outcome.match})
    return pb.ImportRecordResponse(match_id=outcome.match, entries=outcome.entries, added=outcome.added)


def _missing(resources: Resources, incoming: VerifiedImport) -> Append | ImportResult:
    header = incoming.entries[0]
    if len(header.move) > resources.largest // 4:
        raise CallError(Reason.TOO_LARGE, f"what the record says of its match has {len(header.move)} bytes")
    if not incoming.new:
        _refuse_guesses(resources, header.match)
    return missing(resources.ledger.log, incoming)


def _refuse_guesses(resources: Resources, match: MatchId) -> None:
    """Whether a record is the stored one tells its hidden tiles to whoever sends enough of them."""
    try:
        current = resources.ledger.current(match)
    except (NoSuchMatch, BadRecord):
        return
    if current.header.dealer is SERVICE and current.state.outcome() is None:
        raise CallError(
            Reason.MATCH_NOT_OVER,
            f"match {match} goes on here, and the service deals in it: nothing is imported until it is over",
            {"match_id": match},
        )


def _not_verified(bad: RejectedRecord) -> CallError:
    good = max(bad.verdict.sequence - 1, 0)
    report = report_message(AuditReport(MatchId(""), bad.verdict, bad.entries, good, bad.header))
    message = f"the record is {word(bad.verdict)} at entry {bad.verdict.sequence}; nothing of it is stored"
    told = {"verdict": word(bad.verdict), "sequence": str(bad.verdict.sequence)}
    return CallError(Reason.RECORD_NOT_VERIFIED, message, told, report=report)


def _append(
    resources: Resources,
    caller: Caller,
    request: pb.AppendMoveRequest | pb.AppendMovesRequest,
    moves: Iterable[entries.Move],
    response: Response,
) -> Soon[Response]:
    """The response, in which it is told what became of the moves once they are stored."""
    match, expected = match_id(request.match_id), request.expected_sequence
    require_own_match(caller, match)
    known = resources.ledger.known(match)
    header = known.header
    before = known.state if known.sequence == expected else _state(resources, match, expected)
    asked = _read(resources, caller, match, before, moves)
    judged = resources.ledger.judge_append(match, expected, request.request_id, asked, request.signature)
    if isinstance(judged, IllegalAmong):
        raise broken_rules(header, judged)

    def told(stored: tuple[Appended, ...]) -> Response:
        viewer = viewer_for(asked[-1].actor)
        fill_appended(response.appended, header, before, stored, viewer, brief=request.brief, asked=asked)
        return response

    if not isinstance(judged, PreparedAppend):
        return told(judged)
    return Storing(judged.append, lambda answer: told(_settled(resources, judged, answer)))


def _settled(
    resources: Resources, ready: PreparedAppend, answer: AppendResult | Exception
) -> tuple[Appended, ...]:
    if isinstance(answer, Exception) and not isinstance(answer, AppendRejected):
        raise answer
    return resources.ledger.settle(ready, answer)


async def store_ready(resources: Resources, ready: PreparedAppend) -> tuple[Appended, ...]:
    """Store what was judged, and answer once it is durable."""
    return resources.ledger.settle(ready, await resources.committer.commit(ready.append))


def _state(resources: Resources, match: MatchId, sequence: int) -> GameState:
    """How the match stood after an earlier entry, which the caller takes for the last."""
    try:
        return resources.ledger.state_at(match, sequence)
    except NoSuchEntry as fault:
        raise SequenceTaken(match, resources.ledger.current(match).sequence) from fault


def _read(
    resources: Resources, caller: Caller, match: MatchId, state: GameState, moves: Iterable[entries.Move]
) -> list[Candidate]:
    """The moves, all of them read before any is judged, except for texts that depend on the turn.

    Where a move before such a text is illegal, the list ends before the text.
    """
    asked: list[Candidate] = []
    made = 0
    several = not isinstance(moves, tuple)
    for index, move in enumerate(moves):
        if index and move.WhichOneof("form") == "text" and state.depends_on_turn(move.text):
            for each in asked[made:]:
                verdict = state.judge(each)
                if isinstance(verdict, Illegal):
                    return asked  # the ledger judges it once more, and says so
                state = resources.ledger.dealt(match, verdict.after)
            made = index
        candidate = move_of(move, state, f"moves[{index}]" if several else "move")
        require_own_actor(caller, match, candidate.actor)
        asked.append(candidate)
    return asked
