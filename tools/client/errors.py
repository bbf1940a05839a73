"""Why a call failed, a class for each reason, each with what to do."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final, TypeVar, cast

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2 as details
from google.rpc.status_pb2 import Status
from grpc import StatusCode
from shiji.record.v1 import record_service_pb2 as pb
from shiji.verdict.v1 import verdict_pb2 as verdicts

from tools.client import responses
from tools.client.values import AuditReport, Illegal

Detail = TypeVar("Detail", bound=Message)

_DETAILS: Final = "grpc-status-details-bin"
# What gRPC itself says of a server that is gone: CANCELLED ends a stream that outlived the server's grace,
# INTERNAL one that breaks off while asyncio writes to it. The server's own words come with a reason.
_LOST: Final = frozenset({StatusCode.UNAVAILABLE, StatusCode.CANCELLED, StatusCode.INTERNAL})


@dataclass(frozen=True, slots=True)
class FieldFault:
    """A field of a request that is at fault."""

    path: str
    why: str


@dataclass(eq=False)
class Refused(Exception):
    """A call that failed; its class tells the reason."""

    advice: ClassVar[str] = "The message tells more; a newer client may know the reason."
    """What to do."""
    retryable: ClassVar[bool] = False
    """Whether it passes by itself: the client asked again until its time was up."""

    reason: str
    """The permanent name of the reason, as docs/errors.md has it."""
    message: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    """What else there is to know, such as the actual sequence."""
    fields: tuple[FieldFault, ...] = ()
    """The fields of the request that are at fault, where it is for them."""
    verdict: Illegal | None = None
    """The broken rules, where it is for a move."""
    report: AuditReport | None = None
    """The findings, where it is for a record."""
    retry_after: float | None = None
    """In so many seconds it may be asked again, where the server said so."""

    def __str__(self) -> str:
        return f"{self.reason}: {self.message}. {self.advice}"


class BadRequest(Refused):
    """The request itself is at fault, and would be whenever it was sent."""


class BadField(BadRequest):
    """An argument is missing or has a value that it cannot have."""

    advice = "The message names it and what it takes."


class UnreadableRequest(BadRequest):
    """What arrived is no message of this method."""

    advice = "Use a client and a server of the same release; something on the way may have changed the bytes."


class UnreadableMove(BadRequest):
    """The text or the bytes are no move of this game."""

    advice = "The message tells what was expected, and at which column; legal_moves() shows how moves look."


class UnreadableRecord(BadRequest):
    """What was sent along is no transcript, record file or position."""

    advice = "Mend the line and column that the metadata names."


class BadSetup(BadRequest):
    """A match cannot be laid out like this."""

    advice = "The message names the argument: mend it."


class BadPageToken(BadRequest):
    """The page token is none that this server gave."""

    advice = "Begin the listing anew."


class NotPermitted(Refused):
    """The caller may not do that."""


class NoCredentials(NotPermitted):
    """The server asks for a token, and this one it does not know."""

    advice = "Give the client a token: Client(target, token=...). The operator makes one."


class NotSigned(NotPermitted):
    """The match has a key for whoever asks, and the request is not signed with it; nothing is stored."""

    advice = "Give the key, and the entry before: append(match_id, move, after=entry, key=key)."


class NotYourRole(NotPermitted):
    """The token's role does not reach so far."""

    advice = "Use a token with the role that the message names."


class NotYourSeat(NotPermitted):
    """The token is for another seat or another match."""

    advice = "Use the token that start_match() gave for this seat."


class NoSuchMatch(Refused):
    """There is no match of this id."""

    advice = "See to the id; matches() lists all of them."


class NoSuchEntry(Refused):
    """The record does not go so far."""

    advice = "match() tells the last sequence."


class OutsideLog(Refused):
    """The log never had that many entries, or the entry is not among the first ones of that size."""

    advice = "checkpoint() tells how many there are."


class RuleBroken(Refused):
    """The move is illegal; a client returns its verdict rather than raise this."""

    advice = "The verdict lists every broken rule; legal_moves() tells what can be played."


class RecordNotVerified(Refused):
    """The record that was sent along breaks the rules."""

    advice = "The report or the verdict tells the first bad entry and why."


class NothingToRetract(Refused):
    """No entry lies between the last one and the one to go back to."""

    advice = "Go back to an earlier sequence."


class MatchNotOver(Refused):
    """It would show hidden hands of a match that goes on."""

    advice = "Ask again when the match is over, or look as a seat or a spectator."


class NotVouched(Refused):
    """A share, a dispute, a takeback, or a move after the end of a sealed match is not allowed here."""

    advice = "The message says what was expected; docs/evidence.md tells of seals and disputes."


class MatchFrozen(Refused):
    """A dispute is open, and by its header the match waits until it is settled."""

    advice = "Wait for the arbiter; follow() tells of it."


class RecordFull(Refused):
    """The record has as many entries as any can have."""

    advice = "Begin a new match."


class NoDealer(Refused):
    """The server deals in this match, but was started without its secret."""

    advice = "The operator starts it with the secret that the match began with."


class NoLogKey(Refused):
    """The server was started without the key of a log, so it promises and proves nothing."""

    advice = "The operator starts it with --log-key."


class SequenceTaken(Refused):
    """Somebody else's entry stands where this one was to go."""

    advice = "Read on after the last sequence that you know, and decide anew."

    @property
    def actual(self) -> int:
        """The last sequence of the match when it was refused."""
        return int(self.metadata["actual_sequence"])


class RequestReused(Refused):
    """The request id was used for something else."""

    advice = "Choose a new id for a new request, or leave it to the client."


class RecordExists(Refused):
    """The archive has another record of this match."""

    advice = "Compare the two: export_record(), then `shiji diff`."


class NotKnownHere(Refused):
    """The server's build does not know what the request or the record names."""


class UnknownGame(NotKnownHere):
    """The server does not know the game."""

    advice = "`shiji games` lists what its build knows."


class UnknownEdition(NotKnownHere):
    """The server does not know the edition."""

    advice = "`shiji games` lists what its build knows."


class UnknownRuling(NotKnownHere):
    """The server does not know the ruling, or not this value of it."""

    advice = "`shiji rules GAME` lists them."


class UnknownEntry(NotKnownHere):
    """The record has something that the server does not know."""

    advice = "Ask a server of the build that wrote it, or of a newer one."


class TooLarge(Refused):
    """The answer would be larger than a message may be."""

    advice = "Use read(), or `shiji export` beside the server."


class TooManyCalls(Refused):
    """This client has too many calls under way, or calls too often."""

    advice = "Call less often, or allow more time: the client has waited as long as it may."
    retryable = True


class SlowConsumer(Refused):
    """What the server sent was not taken for too long."""

    advice = "Take entries faster than they come; follow() goes on after the last one by itself."
    retryable = True


class StorageFull(Refused):
    """There is no room left for the archive; nothing is stored."""

    advice = "Send it again later with the same request id; the operator makes room."


class Unavailable(Refused):
    """Nobody answered in time; whether it is stored is not known."""

    advice = "Send it again with the same request id: it is stored once, whatever happened."
    retryable = True


class StorageUnavailable(Unavailable):
    """The archive did not answer."""


class Draining(Unavailable):
    """The server is stopping."""


class Unreachable(Unavailable):
    """No server could be reached, or the connection was lost."""


class TimeUp(Unavailable):
    """The call took longer than it may."""

    retryable = False


class CorruptRecord(Refused):
    """The stored record is damaged."""

    advice = "audit_match() tells what is left of it; the operator goes back to a backup copy."


class Internal(Refused):
    """A fault of the server."""

    advice = "Tell the operator the id: the server's log has the rest under it."


_NO_REASONS: Final = frozenset({BadRequest, NotPermitted, NotKnownHere, Unavailable, Unreachable, TimeUp})
"""Classes that no reason of the server has: groups of reasons, and what the client finds by itself."""


def _kinds(base: type[Refused]) -> Iterator[type[Refused]]:
    for kind in base.__subclasses__():
        yield kind
        yield from _kinds(kind)


def _reason(kind: type[Refused]) -> str:
    """NO_SUCH_MATCH for NoSuchMatch."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).upper()


REASONS: Final[Mapping[str, type[Refused]]] = {
    _reason(kind): kind for kind in _kinds(Refused) if kind not in _NO_REASONS
}
"""The class of every reason that a server gives."""


def error_from_call(fault: grpc.RpcError) -> Refused:
    """The refusal that a failed call means, caused by it."""
    error = _from_call(fault)
    error.__cause__ = fault
    return error


def stream_ended() -> Refused:
    """The refusal that it means when a server ends a stream that has no end."""
    return Unreachable(StatusCode.UNAVAILABLE.name, "the server ended the stream")


def error_from_message(message: pb.Refusal) -> Refused:
    """The refusal of one move of a stream that goes on."""
    return REASONS.get(message.reason, Refused)(
        reason=message.reason,
        message=message.message,
        metadata=dict(message.metadata),
        verdict=responses.illegal(message.violations) if message.violations else None,
    )


def _from_call(fault: grpc.RpcError) -> Refused:
    # The stubs of gRPC know a pair only by its attributes, which asyncio's metadata does not have.
    metadata = cast("Iterable[tuple[str, str | bytes]]", fault.trailing_metadata() or ())
    for key, value in metadata:
        if key == _DETAILS and isinstance(value, bytes):
            return _from_status(Status.FromString(value))
    code, message = fault.code(), fault.details() or "the server gave no reason"
    if code in _LOST:
        return Unreachable(code.name, message)
    if code is StatusCode.DEADLINE_EXCEEDED:
        return TimeUp(code.name, "the server did not answer in time")
    return Refused(code.name, message)


def _from_status(status: Status) -> Refused:
    info = _detail(status, details.ErrorInfo) or details.ErrorInfo()
    bad = _detail(status, details.BadRequest) or details.BadRequest()
    broken = _detail(status, verdicts.RuleViolations)
    report = _detail(status, verdicts.AuditReport)
    retry = _detail(status, details.RetryInfo)
    return REASONS.get(info.reason, Refused)(
        reason=info.reason,
        message=status.message,
        metadata=dict(info.metadata),
        fields=tuple(FieldFault(each.field, each.description) for each in bad.field_violations),
        verdict=None if broken is None else responses.illegal(broken.violations, broken.index),
        report=None if report is None else responses.report(report),
        retry_after=None if retry is None else retry.retry_delay.ToTimedelta().total_seconds(),
    )


def _detail(status: Status, kind: type[Detail]) -> Detail | None:
    """The detail of this kind, where there is one."""
    for packed in status.details:
        detail = kind()
        if packed.Unpack(detail):
            return detail
    return None
