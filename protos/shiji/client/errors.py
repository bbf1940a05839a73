"""The errors that the client raises, one class per reason, and how they are read from a failed call."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final, TypeVar, cast

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2 as details
from google.rpc.status_pb2 import Status
from grpc import StatusCode

from shiji.client import responses
from shiji.client.values import AuditReport, Illegal
from shiji.record.v1 import record_service_pb2 as pb
from shiji.verdict.v1 import verdict_pb2 as verdicts

Detail = TypeVar("Detail", bound=Message)

_DETAILS: Final = "grpc-status-details-bin"
# The codes that gRPC itself sets when the server is gone: CANCELLED for a stream that outlasts the shutdown,
# INTERNAL for one that breaks off while asyncio writes to it. Errors of the server come with a reason.
_LOST: Final = frozenset({StatusCode.UNAVAILABLE, StatusCode.CANCELLED, StatusCode.INTERNAL})


@dataclass(frozen=True, slots=True)
class FieldFault:
    """An invalid field of a request."""

    path: str
    why: str


@dataclass(eq=False)
class Refused(Exception):
    """A failed call; its class is the reason."""

    hint: ClassVar[str] = "See the message; a newer client may know this reason."
    """What the caller can do, whatever the call was."""
    retryable: ClassVar[bool] = False
    """Whether the cause is temporary; the client has then already retried until its timeout."""
    repeatable: ClassVar[bool] = False
    """Whether the same call may succeed later."""

    reason: str
    """The permanent name of the reason, as in docs/errors.md."""
    message: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    """Further facts, such as the actual sequence."""
    fields: tuple[FieldFault, ...] = ()
    """The invalid fields of the request, if there are any."""
    verdict: Illegal | None = None
    """The broken rules, if a move is illegal."""
    report: AuditReport | None = None
    """The findings, if a record does not verify."""
    retry_after: float | None = None
    """Seconds to wait before a retry, if the server said so."""
    request_id: str = ""
    """Of the write that failed, whether you or the client chose it; empty for a read."""

    def __post_init__(self) -> None:
        self.add_note(self.advice)  # a traceback shows it below the message

    @property
    def advice(self) -> str:
        """What the caller can do."""
        if not self.repeatable:
            return self.hint
        again = f"repeat the call with request_id={self.request_id!r}: it is stored only once"
        return f"{self.hint} Then {again if self.request_id else 'call again'}."

    def __str__(self) -> str:
        return f"{self.reason}: {self.message}"


class BadRequest(Refused):
    """The request is invalid, whenever it is sent."""


class BadField(BadRequest):
    """An argument is missing or invalid."""

    hint = "The message names the argument and the values that it accepts."


class UnreadableRequest(BadRequest):
    """The bytes that arrived are not a request message of this method."""

    hint = "Use a client and a server of the same release, and check that no proxy changes the bytes."


class UnreadableMove(BadRequest):
    """The text or the bytes are not a move of this game."""

    hint = "The message says what was expected and at which column; legal_moves() shows the notation."


class UnreadableRecord(BadRequest):
    """The content is not a transcript, record file or position."""

    hint = "Correct the line and column given in the metadata."


class BadSetup(BadRequest):
    """A match cannot be set up like this."""

    hint = "The message names the argument: correct it."


class BadPageToken(BadRequest):
    """The page token does not come from this server."""

    hint = "Start the listing again."


class NotPermitted(Refused):
    """The caller lacks the permission."""


class NoCredentials(NotPermitted):
    """The server requires a token, and got none that it knows."""

    hint = "Pass a token: Client(target, token=...). The operator issues it."


class NotSigned(NotPermitted):
    """The match has a key for this actor, and the request is not signed with it; nothing is stored."""

    hint = "Pass the key and the previous entry: append(match_id, move, after=entry, key=key)."


class NotYourRole(NotPermitted):
    """The role of the token does not permit this."""

    hint = "Use a token with the role that the message names."


class NotYourSeat(NotPermitted):
    """The token is for another seat or another match."""

    hint = "Use the token that start_match() returned for this seat."


class NotYourMatch(NotPermitted):
    """The match belongs to another owner than the token."""

    hint = "Use a token of the owner that started or imported the match."


class NoSuchMatch(Refused):
    """There is no match with this id."""

    hint = "Check the id; matches() lists all matches."


class NoSuchEntry(Refused):
    """The record has no entry with this sequence."""

    hint = "match() returns the last sequence."


class OutsideLog(Refused):
    """The log is smaller than the requested size, or the entry is not in the log of that size."""

    hint = "checkpoint() returns the current size."


class RuleBroken(Refused):
    """The move is illegal; the client returns the verdict instead of raising this."""

    hint = "The verdict lists every broken rule; legal_moves() lists what can be played."


class RecordNotVerified(Refused):
    """The record in the request does not verify."""

    hint = "The report or the verdict has the first bad entry and the reason."


class NothingToRetract(Refused):
    """No entry follows the one to return to."""

    hint = "Give an earlier sequence."


class MatchNotOver(Refused):
    """The answer would reveal hidden hands of a match in progress."""

    hint = "Ask again when the match is over, or as a seat or a spectator."


class NotVouched(Refused):
    """A share, a choice, a dispute or a takeback is not allowed now, or a move follows the end of a match."""

    hint = "The message says what was expected; docs/evidence.md explains seals and disputes."


class MatchFrozen(Refused):
    """A dispute is open, and the match header stops play until it is settled."""

    hint = "Wait for the arbiter; follow() returns the decision as an entry."


class RecordIsCopy(Refused):
    """The match was imported with parts left out, and is only read."""

    hint = "Play on where the match was started; import_record(as_shown=True) takes a longer record of it."


class RecordFull(Refused):
    """The record has the maximum number of entries; the last 500 of 20,000 are for the arbiter only."""

    hint = "Start a new match. The arbiter can still settle disputes, take back and close."


class TooManyNotices(Refused):
    """The actor has made all the disputes, takebacks, requests and changes of keys that a match takes."""

    hint = "Play on: moves, and what the arbiter decides, still have room."


class NoDealer(Refused):
    """The server deals in this match, but was started without the secret that this needs."""

    hint = "Ask the operator to start the server with the secret that the match was started with."


class NoLogKey(Refused):
    """The server was started without a log key, so it has no checkpoints and no proofs."""

    hint = "Ask the operator to start the server with --log-key."


class SequenceTaken(Refused):
    """Another entry already has the sequence of this one."""

    hint = "Read the entries after the last sequence that you know, then decide again."

    @property
    def actual(self) -> int:
        """The last sequence of the match at that time."""
        return int(self.metadata["actual_sequence"])


class RequestReused(Refused):
    """The request id was used before, with other content."""

    hint = "Use a new id for a new request, or leave it to the client."


class RecordExists(Refused):
    """The archive has a different record of this match."""

    hint = "Compare the two: export_record(), then `shiji diff`."


class NotKnownHere(Refused):
    """The request or the record names something that this server does not know."""


class UnknownGame(NotKnownHere):
    """The server does not know the game."""

    hint = "`shiji games` on the server's machine lists what it knows."


class UnknownEdition(NotKnownHere):
    """The server does not know the edition."""

    hint = "`shiji games` on the server's machine lists what it knows."


class UnknownRuling(NotKnownHere):
    """The server does not know the ruling, or this value of it."""

    hint = "`shiji rules GAME` lists them."


class UnknownOption(NotKnownHere):
    """The server does not know the option, or this value of it."""

    hint = "`shiji rules GAME` lists them."


class UnknownEntry(NotKnownHere):
    """The record holds something that the server does not know."""

    hint = "Use the build that wrote the record, or a newer one."


class TooLarge(Refused):
    """The answer exceeds the maximum size of a message."""

    hint = "Use read(), or run `shiji export` on the server's machine."


class TooManyCalls(Refused):
    """This client has too many calls in progress, or calls too often."""

    hint = "Call less often, or raise the timeout: the client has already waited that long."
    retryable = True


class QuotaReached(Refused):
    """The owner of the token has as many matches in the archive as the operator allows."""

    hint = "Ask the operator for more (max-matches-per-owner); matches that were started go on."


class SlowConsumer(Refused):
    """The client did not read what the server sent for too long."""

    hint = "Read entries faster than they arrive; follow() resumes after the last one by itself."
    retryable = True


class StreamEnded(Refused):
    """The stream was idle, and was ended to make room for another owner's."""

    hint = "Open it again: follow() resumes after the last entry by itself."
    retryable = True


class WorkerLost(Refused):
    """The processes that worked on the request were lost, twice."""

    hint = "Wait a little; if it fails again, report it to the operator."
    retryable = True
    repeatable = True


class StorageFull(Refused):
    """The disk of the archive is full; nothing is stored."""

    hint = "Ask the operator to free space."
    repeatable = True


class StorageForbidden(Refused):
    """The database refuses the server what the call needs; nothing is stored."""

    hint = "Ask the operator to grant the server its roles."


class Unavailable(Refused):
    """No answer came in time; a write may or may not be stored."""

    hint = "Wait a little."
    retryable = True
    repeatable = True


class StorageUnavailable(Unavailable):
    """The storage of the server did not respond."""


class Draining(Unavailable):
    """The server is shutting down."""


class Unreachable(Unavailable):
    """The server could not be reached, or the connection was lost."""

    hint = "Check the address and that the server runs."


class TimeUp(Unavailable):
    """The call exceeded its timeout."""

    hint = "Raise the timeout if the server needs longer."
    retryable = False


class CorruptRecord(Refused):
    """The stored record is damaged."""

    hint = "audit_match() reports what is intact; ask the operator to restore a backup."


class Internal(Refused):
    """A bug in the server."""

    hint = "Report the id to the operator: the server's log has the details under it."


_NO_REASONS: Final = frozenset({BadRequest, NotPermitted, NotKnownHere, Unavailable, Unreachable, TimeUp})
"""Classes without a reason of the server: groups of reasons, and errors that the client detects itself."""


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
"""The error class of every reason that the server gives."""


def error_from_call(fault: grpc.RpcError, request_id: str = "") -> Refused:
    """The error of a failed call, with the gRPC error as its cause; only writes have a request id."""
    error = _from_call(fault, request_id)
    error.__cause__ = fault
    return error


def stream_ended(request_id: str) -> Refused:
    """The error of a stream that the server has closed though it should stay open."""
    reason = StatusCode.UNAVAILABLE.name
    return Unreachable(reason, "the server ended the stream", request_id=request_id)


def error_from_message(message: pb.Refusal, request_id: str) -> Refused:
    """The error of one move in a stream that continues."""
    return REASONS.get(message.reason, Refused)(
        reason=message.reason,
        message=message.message,
        metadata=dict(message.metadata),
        verdict=responses.illegal(message.violations) if message.violations else None,
        request_id=request_id,
    )


def _from_call(fault: grpc.RpcError, request_id: str) -> Refused:
    # The type stubs describe a pair by its attributes, which the metadata of asyncio lacks.
    metadata = cast("Iterable[tuple[str, str | bytes]]", fault.trailing_metadata() or ())
    for key, value in metadata:
        if key == _DETAILS and isinstance(value, bytes):
            return _from_status(Status.FromString(value), request_id)
    code, message = fault.code(), fault.details() or "the server gave no reason"
    if code in _LOST:
        return Unreachable(code.name, message, request_id=request_id)
    if code is StatusCode.DEADLINE_EXCEEDED:
        return TimeUp(code.name, "the server did not answer in time", request_id=request_id)
    return Refused(code.name, message, request_id=request_id)


def _from_status(status: Status, request_id: str) -> Refused:
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
        request_id=request_id,
    )


def _detail(status: Status, kind: type[Detail]) -> Detail | None:
    """The first detail of this type, if there is one."""
    for packed in status.details:
        detail = kind()
        if packed.Unpack(detail):
            return detail
    return None
