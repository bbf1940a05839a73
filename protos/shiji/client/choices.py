"""Describes the calls for sealed choices, and seals a choice on the machine of the seat; no I/O."""

import secrets

from shiji.client.actors import ARBITER, Office, Seat
from shiji.client.calls import Call, appended, rule_verdict
from shiji.client.digests import SALT_SIZE, choice_digest, choice_line
from shiji.client.evidence import EncodedMove, SealedChoice
from shiji.client.kinds import EntryKind
from shiji.client.requests import WriteOptions, move_message, new_request_id
from shiji.client.signing import After, sequence_of, sign_entry
from shiji.client.values import Accepted, Illegal
from shiji.record.v1 import evidence_pb2 as evidence
from shiji.record.v1 import record_service_pb2 as pb


def sealed(match_id: str, move: EncodedMove, after: After) -> SealedChoice:
    """Seal a choice for the entry that follows `after`, with a new salt."""
    salt, sequence = secrets.token_bytes(SALT_SIZE), sequence_of(after) + 1
    digest = choice_digest(match_id, _seat(move), sequence, salt, move.data)
    return SealedChoice(move, salt, sequence, digest)


def choose(
    match_id: str, choice: SealedChoice, after: After, options: WriteOptions
) -> Call[pb.ChooseRequest, pb.ChooseResponse, Accepted | Illegal]:
    """Choose: the server learns the choice."""
    request = pb.ChooseRequest(
        match_id=match_id,
        expected_sequence=sequence_of(after),
        request_id=options.get("request_id") or new_request_id(),
        move=move_message(choice.move),
        salt=choice.salt,
        signature=_signature(choice, after, options, held=True),
    )
    return Call("Choose", request, pb.ChooseResponse.FromString, appended, rule_verdict)


def seal_choice(
    match_id: str, choice: SealedChoice, after: After, options: WriteOptions
) -> Call[pb.SealChoiceRequest, pb.SealChoiceResponse, Accepted]:
    """SealChoice: the server learns only the digest."""
    request = pb.SealChoiceRequest(
        match_id=match_id,
        expected_sequence=sequence_of(after),
        request_id=options.get("request_id") or new_request_id(),
        seat=_seat(choice.move),
        digest=choice.digest,
        signature=_signature(choice, after, options, held=False),
    )
    return Call("SealChoice", request, pb.SealChoiceResponse.FromString, appended)


def open_choice(
    match_id: str, choice: SealedChoice, after: After, options: WriteOptions
) -> Call[pb.OpenChoiceRequest, pb.OpenChoiceResponse, Accepted | Illegal]:
    """OpenChoice."""
    content, seat = evidence.OpenChoice(choice=choice.sequence), _seat(choice.move)
    request = pb.OpenChoiceRequest(
        match_id=match_id,
        expected_sequence=sequence_of(after),
        request_id=options.get("request_id") or new_request_id(),
        move=move_message(choice.move),
        salt=choice.salt,
        signature=sign_entry(options.get("key"), after, EntryKind.OPEN_CHOICE, seat, content),
    )
    return Call("OpenChoice", request, pb.OpenChoiceResponse.FromString, appended, rule_verdict)


def answer_for(
    match_id: str, move: EncodedMove, after: After, options: WriteOptions
) -> Call[pb.AnswerForRequest, pb.AnswerForResponse, Accepted | Illegal]:
    """AnswerFor, as the arbiter."""
    content = evidence.AnswerFor(seat=_seat(move), move=move.data)
    request = pb.AnswerForRequest(
        match_id=match_id,
        expected_sequence=sequence_of(after),
        request_id=options.get("request_id") or new_request_id(),
        move=move_message(move),
        signature=sign_entry(options.get("key"), after, EntryKind.ANSWER_FOR, ARBITER, content),
    )
    return Call("AnswerFor", request, pb.AnswerForResponse.FromString, appended, rule_verdict)


def close_match(
    match_id: str, reason: str, after: After, options: WriteOptions
) -> Call[pb.CloseMatchRequest, pb.CloseMatchResponse, Accepted]:
    """CloseMatch, as the arbiter."""
    content = evidence.Close(reason=reason)
    request = pb.CloseMatchRequest(
        match_id=match_id,
        expected_sequence=sequence_of(after),
        request_id=options.get("request_id") or new_request_id(),
        reason=reason,
        signature=sign_entry(options.get("key"), after, EntryKind.CLOSE, ARBITER, content),
    )
    return Call("CloseMatch", request, pb.CloseMatchResponse.FromString, appended)


def _signature(choice: SealedChoice, after: After, options: WriteOptions, *, held: bool) -> bytes:
    """The signature covers the digest of the choice and not the choice itself."""
    seat = _seat(choice.move)
    line, content = choice_line(seat, choice.digest), evidence.Choose(held=held)
    return sign_entry(options.get("key"), after, EntryKind.CHOOSE, seat, content, line)


def _seat(move: EncodedMove) -> Seat:
    if isinstance(move.actor, Office):
        raise TypeError("only a seat makes a sealed choice")
    return move.actor
