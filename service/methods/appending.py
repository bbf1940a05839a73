"""Methods that store something: StartMatch, AppendMove, AppendMoves, Play, Retract, ImportRecord."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias, TypeVar

from msgspec import structs
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from records.answers import Appended, IllegalAmong, NoSuchEntry, NoSuchMatch, NotAllowed
from records.arbiter import Standing
from records.candidate import Candidate
from records.codec.header import Retraction
from records.entry import SERVICE, MatchId, Personal
from records.exchange import Bad, Imported, Incoming, Outcome, became, missing
from records.log import Answer, Append, Refusal, SequenceTaken
from records.replay import BadRecord
from records.run import Ready
from records.verdict import MatchReport, word
from rules.kernel.actors import ARBITER, SPECTATOR, Seat
from rules.kernel.rule import Illegal
from service.access import Caller, refuse_other_actor, refuse_other_match, refuse_unless_keeper
from service.desk import Desk
from service.door import Reject
from service.errors import Reason, Refused, bad_field
from service.faults import broken_rules, not_allowed, refusal_of
from service.messages import match_message, report_message, seen_by, tell_appended
from service.requests import LONGEST_REASON, MOST_MOVES, actor_of, facts_of, header_of, match_id, move_of
from service.rounds import Storing

Response = TypeVar("Response", pb.AppendMoveResponse, pb.AppendMovesResponse, pb.PlayResponse)
Soon: TypeAlias = Response | Storing[Response]
"""An answer at once, or as soon as something is stored."""


async def start_match(desk: Desk, caller: Caller, request: pb.StartMatchRequest) -> pb.StartMatchResponse:
    """Begin a match, and deal where the service deals."""
    refuse_unless_keeper(caller)
    header = header_of(request)
    if request.people:
        facts = facts_of(request)
        desk.ledger.judge_start(header, request.request_id)  # of whoever cannot begin, nothing is kept
        kept = await asyncio.to_thread(desk.register.remember, facts)
        told_of = zip(request.people, kept, strict=True)
        people = tuple(Personal(each.seat, each.field, commitment) for each, commitment in told_of)
        header = replace(header, people=people)
    appended = await store_ready(desk, desk.ledger.judge_start(header, request.request_id))
    first, last = appended[0], appended[-1]
    match = first.entry.match
    known = desk.ledger.known(match)
    header = known.header
    told = pb.Appended()
    tell_appended(told, header, first.standing, appended, SPECTATOR)
    current = structs.replace(
        known, sequence=last.entry.sequence, hash=last.entry.hash, standing=last.standing
    )
    tokens = (
        []
        if desk.seat_token is None
        else [desk.seat_token(match, Seat(seat)) for seat in range(len(header.setup.seats))]
    )
    return pb.StartMatchResponse(
        match=match_message(match, current, first.entry.recorded, desk.register),
        entries=told.entries,
        position=told.position,
        seat_tokens=tokens,
    )


def append_move(desk: Desk, caller: Caller, request: pb.AppendMoveRequest) -> Soon[pb.AppendMoveResponse]:
    """Judge a move and store it."""
    response = pb.AppendMoveResponse()
    return _append(desk, caller, request, (request.move,), response)


def append_moves(desk: Desk, caller: Caller, request: pb.AppendMovesRequest) -> Soon[pb.AppendMovesResponse]:
    """Judge several moves and store them together."""
    if not 0 < len(request.moves) <= MOST_MOVES:
        raise bad_field("moves", f"1 to {MOST_MOVES} moves are stored together, not {len(request.moves)}")
    response = pb.AppendMovesResponse()
    return _append(desk, caller, request, request.moves, response)


def play(desk: Desk, caller: Caller, reject: Reject, request: pb.PlayRequest) -> Soon[pb.PlayResponse]:
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
        answer = _append(desk, caller, asked, (asked.move,), response)
    except Exception as fault:  # noqa: BLE001 - a fault of ours is raised again
        return refused(fault)
    if not isinstance(answer, Storing):
        return answer
    then = answer.then

    def told(stored: Answer | Exception) -> pb.PlayResponse:
        try:
            return then(stored)
        except Exception as fault:  # noqa: BLE001 - as above
            return refused(fault)

    return Storing(answer.append, told)


async def retract(desk: Desk, caller: Caller, request: pb.RetractRequest) -> pb.RetractResponse:
    """Go back to an earlier entry."""
    match = match_id(request.match_id)
    actor = actor_of(request.actor, "actor") if request.HasField("actor") else ARBITER
    refuse_other_actor(caller, match, actor)
    if len(request.reason) > LONGEST_REASON:
        raise bad_field("reason", f"a reason has at most {LONGEST_REASON} characters")
    retraction = Retraction(request.to_sequence, request.reason)
    before = desk.ledger.known(match)
    try:
        judged = desk.ledger.judge_retract(
            match,
            request.expected_sequence,
            request.request_id,
            actor,
            retraction,
            signature=request.signature,
        )
    except NotAllowed as fault:
        raise not_allowed(before.header, fault) from fault
    appended = await store_ready(desk, judged) if isinstance(judged, Ready) else judged
    response = pb.RetractResponse()
    tell_appended(response.appended, before.header, before.standing, appended, seen_by(actor))
    return response


async def import_record(
    desk: Desk, caller: Caller, request: pb.ImportRecordRequest
) -> pb.ImportRecordResponse:
    """Verify a record and store it whole."""
    refuse_unless_keeper(caller)
    incoming = await desk.judges.judge(request.content)
    if isinstance(incoming, Bad):
        raise _not_verified(incoming)
    outcome = _missing(desk, incoming) if incoming.new else await asyncio.to_thread(_missing, desk, incoming)
    if isinstance(outcome, Append):
        outcome = became(incoming, outcome, await desk.committer.commit(outcome))
    if not isinstance(outcome, Imported):
        raise Refused(Reason.RECORD_EXISTS, outcome.why, {"match_id": outcome.match})
    return pb.ImportRecordResponse(match_id=outcome.match, entries=outcome.entries, added=outcome.added)


def _missing(desk: Desk, incoming: Incoming) -> Append | Outcome:
    header = incoming.entries[0]
    if len(header.move) > desk.largest // 4:
        raise Refused(Reason.TOO_LARGE, f"what the record says of its match has {len(header.move)} bytes")
    if not incoming.new:
        _refuse_guesses(desk, header.match)
    return missing(desk.ledger.log, incoming)


def _refuse_guesses(desk: Desk, match: MatchId) -> None:
    """Whether a record is the stored one tells its hidden tiles to whoever sends enough of them."""
    try:
        current = desk.ledger.current(match)
    except (NoSuchMatch, BadRecord):
        return
    if current.header.dealer is SERVICE and current.standing.outcome() is None:
        raise Refused(
            Reason.MATCH_NOT_OVER,
            f"match {match} goes on here, and the service deals in it: nothing is imported until it is over",
            {"match_id": match},
        )


def _not_verified(bad: Bad) -> Refused:
    good = max(bad.verdict.sequence - 1, 0)
    report = report_message(MatchReport(MatchId(""), bad.verdict, bad.entries, good, bad.header))
    message = f"the record is {word(bad.verdict)} at entry {bad.verdict.sequence}; nothing of it is stored"
    told = {"verdict": word(bad.verdict), "sequence": str(bad.verdict.sequence)}
    return Refused(Reason.RECORD_NOT_VERIFIED, message, told, report=report)


def _append(
    desk: Desk,
    caller: Caller,
    request: pb.AppendMoveRequest | pb.AppendMovesRequest,
    moves: Iterable[entries.Move],
    response: Response,
) -> Soon[Response]:
    """The response, in which it is told what became of the moves once they are stored."""
    match, expected = match_id(request.match_id), request.expected_sequence
    refuse_other_match(caller, match)
    known = desk.ledger.known(match)
    header = known.header
    before = known.standing if known.sequence == expected else _standing(desk, match, expected)
    asked = _read(desk, caller, match, before, moves)
    judged = desk.ledger.judge_append(match, expected, request.request_id, asked, request.signature)
    if isinstance(judged, IllegalAmong):
        raise broken_rules(header, judged)

    def told(stored: tuple[Appended, ...]) -> Response:
        viewer = seen_by(asked[-1].actor)
        tell_appended(response.appended, header, before, stored, viewer, brief=request.brief, asked=asked)
        return response

    if not isinstance(judged, Ready):
        return told(judged)
    return Storing(judged.append, lambda answer: told(_settled(desk, judged, answer)))


def _settled(desk: Desk, ready: Ready, answer: Answer | Exception) -> tuple[Appended, ...]:
    if isinstance(answer, Exception) and not isinstance(answer, Refusal):
        raise answer
    return desk.ledger.settle(ready, answer)


async def store_ready(desk: Desk, ready: Ready) -> tuple[Appended, ...]:
    """Store what was judged, and answer once it is durable."""
    return desk.ledger.settle(ready, await desk.committer.commit(ready.append))


def _standing(desk: Desk, match: MatchId, sequence: int) -> Standing:
    """How the match stood after an earlier entry, which the caller takes for the last."""
    try:
        return desk.ledger.standing_at(match, sequence)
    except NoSuchEntry as fault:
        raise SequenceTaken(match, desk.ledger.current(match).sequence) from fault


def _read(
    desk: Desk, caller: Caller, match: MatchId, standing: Standing, moves: Iterable[entries.Move]
) -> list[Candidate]:
    """The moves, all of them read before any is judged, except for texts that depend on the turn.

    Where a move before such a text is illegal, the list ends before the text.
    """
    asked: list[Candidate] = []
    made = 0
    several = not isinstance(moves, tuple)
    for index, move in enumerate(moves):
        if index and move.WhichOneof("form") == "text" and standing.depends_on_turn(move.text):
            for each in asked[made:]:
                verdict = standing.judge(each)
                if isinstance(verdict, Illegal):
                    return asked  # the ledger judges it once more, and says so
                standing = desk.ledger.dealt(match, verdict.after)
            made = index
        candidate = move_of(move, standing, f"moves[{index}]" if several else "move")
        refuse_other_actor(caller, match, candidate.actor)
        asked.append(candidate)
    return asked
