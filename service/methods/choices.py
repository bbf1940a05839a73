"""Methods for choices in secret, and for the arbiter where one is missing: Choose, AnswerFor, CloseMatch."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from shiji.record.v1 import record_service_pb2 as pb

from records.codec.concealment import Close, encode_close
from records.entry import EntryKind, MatchId
from records.evidence.concealment import DIGEST_SIZE, SALT_SIZE
from records.games.candidate import Candidate
from records.ledger.builder import Notice
from records.ledger.choices import (
    At,
    JudgedChoice,
    judge_answer_for,
    judge_choose,
    judge_choose_sealed,
    judge_open_choice,
)
from records.ledger.results import IllegalAmong
from rules.kernel.actors import ARBITER, Actor, Seat
from rules.kernel.rule import Illegal
from service.authorization import Caller
from service.error_mapping import broken_rules
from service.errors import bad_field
from service.messages import hides_hands, match_not_over, require_own_match
from service.methods.append import JudgedAppend, candidate_of, store_judged
from service.methods.notices import append_notice
from service.requests import match_id, require_seat
from service.resources import Resources

MoveRequest: TypeAlias = pb.ChooseRequest | pb.OpenChoiceRequest | pb.AnswerForRequest
ChoiceRequest: TypeAlias = MoveRequest | pb.SealChoiceRequest


async def choose(resources: Resources, caller: Caller, request: pb.ChooseRequest) -> pb.ChooseResponse:
    """Make a sealed choice with the seat's own salt."""
    _require_size("salt", request.salt, SALT_SIZE)
    candidate = await resources.off_loop(partial(_candidate, resources, caller, request))
    judge = partial(judge_choose, resources.ledger, _at(request), candidate, request.salt)
    return pb.ChooseResponse(appended=await _append(resources, caller, request, candidate.actor, judge))


async def seal_choice(
    resources: Resources, caller: Caller, request: pb.SealChoiceRequest
) -> pb.SealChoiceResponse:
    """Make a sealed choice of which only the digest is known."""
    _require_size("digest", request.digest, DIGEST_SIZE)
    seat = Seat(request.seat)
    judge = partial(judge_choose_sealed, resources.ledger, _at(request), seat, request.digest)
    return pb.SealChoiceResponse(appended=await _append(resources, caller, request, seat, judge))


async def open_choice(
    resources: Resources, caller: Caller, request: pb.OpenChoiceRequest
) -> pb.OpenChoiceResponse:
    """Open a choice that the seat sealed itself."""
    _require_size("salt", request.salt, SALT_SIZE)
    candidate = await resources.off_loop(partial(_candidate, resources, caller, request))
    judge = partial(judge_open_choice, resources.ledger, _at(request), candidate, request.salt)
    return pb.OpenChoiceResponse(appended=await _append(resources, caller, request, candidate.actor, judge))


async def answer_for(
    resources: Resources, caller: Caller, request: pb.AnswerForRequest
) -> pb.AnswerForResponse:
    """Answer for a seat, as the arbiter.

    Where hands are hidden, only the recorder of the match may: what is legal depends on the hand.
    """
    candidate = await resources.off_loop(partial(_candidate, resources, caller, request))
    await resources.off_loop(partial(_require_may_answer, resources, caller, match_id(request.match_id)))
    judge = partial(judge_answer_for, resources.ledger, _at(request), candidate)
    return pb.AnswerForResponse(appended=await _append(resources, caller, request, ARBITER, judge))


async def close_match(
    resources: Resources, caller: Caller, request: pb.CloseMatchRequest
) -> pb.CloseMatchResponse:
    """End a match without a result, as the arbiter."""
    notice = Notice(EntryKind.CLOSE, ARBITER, encode_close(Close(request.reason)), request.signature)
    return pb.CloseMatchResponse(appended=await append_notice(resources, caller, request, notice))


def _require_may_answer(resources: Resources, caller: Caller, match: MatchId) -> None:
    if hides_hands(resources.ledger.known(match)) and not resources.access.trusts(caller, match):
        raise match_not_over(match)


def _at(request: ChoiceRequest) -> At:
    match = match_id(request.match_id)
    return At(match, request.expected_sequence, request.request_id, request.signature)


def _candidate(resources: Resources, caller: Caller, request: MoveRequest) -> Candidate:
    """The move of a request; raises CallError if the caller may not act as anybody in the match."""
    match = match_id(request.match_id)
    require_own_match(caller, match)
    current = resources.ledger.known(match)
    resources.access.require_at_table(caller, match, current)
    return candidate_of(request.move, current.state)


async def _append(
    resources: Resources,
    caller: Caller,
    request: ChoiceRequest,
    actor: Actor,
    judge: Callable[[], JudgedChoice],
) -> pb.Appended:
    match = match_id(request.match_id)
    require_own_match(caller, match)

    def judge_choice() -> JudgedAppend:
        before = resources.ledger.known(match)
        viewpoint = resources.access.acting(caller, match, before, actor)
        require_seat(before.header, actor, "seat")
        judged = judge()
        if isinstance(judged, Illegal):
            raise broken_rules(before.header, IllegalAmong(0, judged))
        return JudgedAppend(before.state, viewpoint, judged)

    return await store_judged(resources, match, judge_choice)


def _require_size(field: str, value: bytes, size: int) -> None:
    if len(value) != size:
        raise bad_field(field, f"has {len(value)} bytes, not {size}")
