"""Every reason for which a call can fail, and the form of an error on the wire."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum
from typing import Final

import grpc
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from grpc import StatusCode
from grpc_status import rpc_status
from shiji.record.v1.record_service_pb2 import Refusal
from shiji.verdict.v1.verdict_pb2 import AuditReport, RuleViolation, RuleViolations

DOMAIN: Final = "shiji"
"""The domain of ErrorInfo, which distinguishes our reasons from those of other services."""

MAX_TEXT_CHARS: Final = 500
"""Maximum characters of a message or a metadata value: some quote the request, which can be large."""

STREAM_RETRY_SECONDS: Final = 5.0
"""When a stream that was refused or ended should be opened again: streams stay."""

_MAX_STATUS_BYTES: Final = 4_000
"""Maximum bytes of a status with its details: clients refuse trailers of more than 8 KB, and base64 adds a
third."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a reason means, with the text of its row in docs/errors.md."""

    code: StatusCode
    when: str
    advice: str
    metadata: tuple[str, ...] = ()
    """The keys that ErrorInfo.metadata may have."""


class Reason(Enum):
    """Why a call failed. Names and codes never change."""

    BAD_FIELD = Meaning(
        StatusCode.INVALID_ARGUMENT,
        "A field of the request is missing or has a value that is not allowed.",
        "BadRequest names the field and what it takes: correct the request.",
        ("field",),
    )
    UNREADABLE_REQUEST = Meaning(
        StatusCode.INVALID_ARGUMENT,
        "The bytes are not a request message of this method.",
        "The message says what is wrong with JSON; for bytes, generate the client again. Text must be UTF-8.",
    )
    UNREADABLE_MOVE = Meaning(
        StatusCode.INVALID_ARGUMENT,
        "The text or the bytes are not a move of this game.",
        "The message says what was expected, and for text at which column; docs/ describes the notation.",
        ("column",),
    )
    UNREADABLE_RECORD = Meaning(
        StatusCode.INVALID_ARGUMENT,
        "The content is not a transcript, record file or position.",
        "The message and the metadata name line and column: correct that place.",
        ("line", "column"),
    )
    BAD_SETUP = Meaning(
        StatusCode.INVALID_ARGUMENT,
        "A match cannot be set up like this: its seats, board, tags or dealer.",
        "BadRequest names the field: correct it.",
        ("field",),
    )
    BAD_PAGE_TOKEN = Meaning(
        StatusCode.INVALID_ARGUMENT,
        "The page token did not come from this server, or the export that it is of has changed.",
        "Send the next_page_token of the previous page, or none for the first page.",
    )
    NO_CREDENTIALS = Meaning(
        StatusCode.UNAUTHENTICATED,
        "The server requires a bearer token, and the call has none that it knows.",
        "Send `authorization: Bearer TOKEN` as metadata; `shiji token new` makes a token.",
    )
    NOT_SIGNED = Meaning(
        StatusCode.UNAUTHENTICATED,
        "The match has a key for this actor, and the request is not signed with it. Nothing is stored.",
        "Sign the entry as described in docs/evidence.md; our client signs if it is given the key.",
    )
    NOT_YOUR_ROLE = Meaning(
        StatusCode.PERMISSION_DENIED,
        "The role of the token does not allow this.",
        "Use a token with the role that the message names.",
        ("role",),
    )
    NOT_YOUR_SEAT = Meaning(
        StatusCode.PERMISSION_DENIED,
        "The token is for another seat or another match.",
        "Use the token that StartMatch returned for this seat.",
    )
    NOT_YOUR_MATCH = Meaning(
        StatusCode.PERMISSION_DENIED,
        "The match belongs to another owner than the token.",
        "Use a token of the owner that started or imported the match; `shiji token new --owner` makes one.",
        ("match_id",),
    )
    NO_SUCH_MATCH = Meaning(
        StatusCode.NOT_FOUND,
        "There is no match with this id.",
        "Check the id; ListMatches lists all matches.",
        ("match_id",),
    )
    NO_SUCH_ENTRY = Meaning(
        StatusCode.OUT_OF_RANGE,
        "The record has no entry with this sequence.",
        "GetMatch returns the last sequence.",
        ("match_id", "sequence"),
    )
    OUTSIDE_LOG = Meaning(
        StatusCode.OUT_OF_RANGE,
        "The log never had that many entries, or the entry is not among them.",
        "GetCheckpoint returns the size of the log.",
    )
    RULE_BROKEN = Meaning(
        StatusCode.FAILED_PRECONDITION,
        "The move is illegal. Nothing is stored.",
        "RuleViolations lists every broken rule with its cells, its source, our paraphrase and the rulings "
        "in force; ListLegalMoves lists the legal moves.",
        ("rules", "index"),
    )
    RECORD_NOT_VERIFIED = Meaning(
        StatusCode.FAILED_PRECONDITION,
        "An imported record does not verify. Nothing of it is stored.",
        "AuditReport names the first bad entry and the reason.",
        ("verdict", "sequence"),
    )
    NOTHING_TO_RETRACT = Meaning(
        StatusCode.FAILED_PRECONDITION,
        "There is no entry after the one to go back to.",
        "Go back to an earlier sequence.",
    )
    MATCH_NOT_OVER = Meaning(
        StatusCode.FAILED_PRECONDITION,
        "An auditor's view, an export or an audit would show hidden hands of a match in progress.",
        "Ask again when the match is over, or ask as a seat or a spectator.",
        ("match_id",),
    )
    NOT_VOUCHED = Meaning(
        StatusCode.FAILED_PRECONDITION,
        "A share, a choice, a dispute, a takeback, or a move after the end of a match is not allowed now.",
        "The message says what was expected; docs/evidence.md describes seals and disputes.",
    )
    MATCH_FROZEN = Meaning(
        StatusCode.FAILED_PRECONDITION,
        "A dispute is open, and the header says that the match waits until it is settled.",
        "Wait for the arbiter's ResolveDispute; FollowRecord shows it.",
    )
    RECORD_IS_COPY = Meaning(
        StatusCode.FAILED_PRECONDITION,
        "The match was imported with parts left out, as a copy that is only read. Nothing is stored.",
        "Play on where the match was started; `shiji import --as-shown` takes a longer record of it.",
        ("match_id",),
    )
    RECORD_FULL = Meaning(
        StatusCode.FAILED_PRECONDITION,
        "The record has the maximum number of entries; the last 500 of 20,000 are for the arbiter only.",
        "Start a new match. The arbiter can still settle disputes, take back and close.",
        ("match_id",),
    )
    TOO_MANY_NOTICES = Meaning(
        StatusCode.FAILED_PRECONDITION,
        "The actor has made as many disputes, takebacks, requests, grants and changes of keys as one match "
        "takes from it: 500, or 4,000 divided by the number of seats if that is less.",
        "Play on: moves, and what the arbiter decides, still have room.",
        ("match_id",),
    )
    NO_DEALER = Meaning(
        StatusCode.FAILED_PRECONDITION,
        "The service deals in this match, but the server does not have the secret of its deal.",
        "The operator starts it with the secret that the match was started with (docs/operating.md).",
        ("match_id",),
    )
    NO_LOG_KEY = Meaning(
        StatusCode.FAILED_PRECONDITION,
        "Neither the server nor another one of its archive has a log key, so there are no checkpoints and "
        "proofs; or a checkpoint was asked of a size that no server has published.",
        "The operator makes a key with `shiji keygen --kind log` and starts the server with --log-key.",
    )
    SEQUENCE_TAKEN = Meaning(
        StatusCode.ABORTED,
        "The record already has an entry with this sequence, by another request.",
        "Read the entries after your last sequence, then decide again; the metadata has the actual sequence.",
        ("match_id", "actual_sequence"),
    )
    REQUEST_REUSED = Meaning(
        StatusCode.ALREADY_EXISTS,
        "The request id was used for a different request.",
        "Use a new id for a new request; repeat an id only to repeat the same request.",
        ("match_id", "sequence"),
    )
    RECORD_EXISTS = Meaning(
        StatusCode.ALREADY_EXISTS,
        "The archive has a different record of this match.",
        "Compare the two: ExportRecord, then `shiji diff`.",
        ("match_id",),
    )
    UNKNOWN_GAME = Meaning(
        StatusCode.UNIMPLEMENTED,
        "This build does not know the game.",
        "`shiji games` lists what it knows.",
        ("game",),
    )
    UNKNOWN_EDITION = Meaning(
        StatusCode.UNIMPLEMENTED,
        "This build does not know the edition.",
        "`shiji games` lists what it knows.",
    )
    UNKNOWN_RULING = Meaning(
        StatusCode.UNIMPLEMENTED,
        "This build does not know the ruling, or not this value of it.",
        "`shiji rules GAME` lists them.",
        ("ruling",),
    )
    UNKNOWN_OPTION = Meaning(
        StatusCode.UNIMPLEMENTED,
        "This build does not know the option, or not this value of it.",
        "`shiji rules GAME` lists them.",
        ("option",),
    )
    UNKNOWN_ENTRY = Meaning(
        StatusCode.UNIMPLEMENTED,
        "The record has an entry of a kind that this build does not know.",
        "Use the build that wrote it, or a newer one.",
        ("match_id", "sequence"),
    )
    TOO_LARGE = Meaning(
        StatusCode.RESOURCE_EXHAUSTED,
        "The response would exceed the maximum size of a message.",
        "Use ReadRecord, or `shiji export` on the server's machine.",
    )
    TOO_MANY_CALLS = Meaning(
        StatusCode.RESOURCE_EXHAUSTED,
        "This client has too many calls in progress, or calls too often.",
        "Wait as long as RetryInfo says, then send the request again with the same request id.",
        ("limit",),
    )
    QUOTA_REACHED = Meaning(
        StatusCode.RESOURCE_EXHAUSTED,
        "The owner of the token has as many matches in the archive as the operator allows.",
        "Waiting does not help: ask the operator for more (max-matches-per-owner). Matches that were started "
        "go on.",
        ("limit", "owner"),
    )
    SLOW_CONSUMER = Meaning(
        StatusCode.RESOURCE_EXHAUSTED,
        "A follower did not take the responses that were sent to it in time.",
        "Follow again from the sequence or position after the last one received.",
    )
    STREAM_ENDED = Meaning(
        StatusCode.RESOURCE_EXHAUSTED,
        "All streams are taken, and this one was idle: it was ended to make room for another owner.",
        "Open it again from resume_from, after the time that RetryInfo says; Play has answered all it took.",
        ("limit", "resume_from"),
    )
    WORKER_LOST = Meaning(
        StatusCode.RESOURCE_EXHAUSTED,
        "The processes that worked on the request were lost, twice: they may have run out of memory.",
        "Send the request again once, as RetryInfo says; then report it to the operator.",
    )
    STORAGE_FULL = Meaning(
        StatusCode.RESOURCE_EXHAUSTED,
        "The disk of the archive is full. Nothing is stored.",
        "Send the request again later with the same request id; the operator must free space.",
    )
    STORAGE_UNAVAILABLE = Meaning(
        StatusCode.UNAVAILABLE,
        "The archive is not available now. The request may or may not have been stored.",
        "Send the request again with the same request id: it is stored once in any case.",
    )
    STORAGE_FORBIDDEN = Meaning(
        StatusCode.FAILED_PRECONDITION,
        "The database refuses the server what the request needs: a role is missing. Nothing is stored.",
        "Sending it again does not help: the operator grants the roles of docs/fleet.md.",
    )
    DRAINING = Meaning(
        StatusCode.UNAVAILABLE,
        "The server is stopping.",
        "Connect again and repeat the request with its request id; a follower resumes after the last entry.",
        ("resume_from",),
    )
    CORRUPT_RECORD = Meaning(
        StatusCode.DATA_LOSS,
        "The stored record is damaged.",
        "AuditMatch reports how much of it is good; the operator restores a backup.",
        ("match_id", "sequence"),
    )
    INTERNAL = Meaning(
        StatusCode.INTERNAL,
        "A bug in the server.",
        "Report the id to the operator: the server's log has the details under it.",
        ("call_id",),
    )


@dataclass(frozen=True, slots=True)
class BadField:
    """A field of a request that has a bad value."""

    path: str
    """Such as `move.encoded.data` or `seats[1]`."""
    why: str


@dataclass(eq=False)
class CallError(Exception):
    """Ends a call, with everything that the caller gets to know about it."""

    reason: Reason
    message: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    fields: tuple[BadField, ...] = ()
    violations: tuple[RuleViolation, ...] = ()
    report: AuditReport | None = None
    retry: float | None = None
    """Seconds after which the caller may try again."""

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> "tuple[type[CallError], tuple[object, ...]]":
        """For pickling: an exception would be made again from only those arguments that had no name."""
        state = self.reason, self.message, dict(self.metadata), self.fields, self.violations
        return type(self), (*state, self.report, self.retry)

    def status(self) -> grpc.Status:
        """The status with which a call ends; details that would make it too large are omitted."""
        info = ErrorInfo(reason=self.reason.name, domain=DOMAIN, metadata=self._clipped_metadata())
        status = Status(code=_number(self.reason), message=_clipped(self.message), details=[_packed(info)])
        for detail in self._details():
            packed = _packed(detail)
            if status.ByteSize() + packed.ByteSize() <= _MAX_STATUS_BYTES:
                status.details.append(packed)
        return rpc_status.to_status(status)

    def refusal(self) -> Refusal:
        """The response to one request of a stream, which continues."""
        return Refusal(
            code=_number(self.reason),
            reason=self.reason.name,
            message=_clipped(self.message),
            metadata=self._clipped_metadata(),
            violations=self.violations,
        )

    def _clipped_metadata(self) -> dict[str, str]:
        return {name: _clipped(value) for name, value in self.metadata.items()}

    def _details(self) -> list[Message]:
        details: list[Message] = []
        if self.fields:
            faults = [
                BadRequest.FieldViolation(field=bad.path, description=_clipped(bad.why))
                for bad in self.fields
            ]
            details.append(BadRequest(field_violations=faults))
        if self.violations:
            index = int(self.metadata.get("index", "0"))
            details.append(RuleViolations(violations=self.violations, index=index))
        if self.report is not None:
            is_short = self.report.ByteSize() < _MAX_STATUS_BYTES // 2
            details.append(self.report if is_short else _shortened(self.report))
        if self.retry is not None:
            details.append(RetryInfo(retry_delay=timedelta(seconds=self.retry)))
        return details


def bad_field(path: str, why: str) -> CallError:
    """The error for one bad field."""
    return CallError(Reason.BAD_FIELD, f"{path}: {why}", {"field": path}, (BadField(path, why),))


def _clipped(text: str) -> str:
    return text if len(text) <= MAX_TEXT_CHARS else f"{text[: MAX_TEXT_CHARS - 1]}…"


def _shortened(report: AuditReport) -> AuditReport:
    """The report without its long fields; for a stored record AuditMatch returns them."""
    short = AuditReport()
    short.CopyFrom(report)
    for name in ("recorded_events", "ruled_events", "position"):
        short.ClearField(name)
    short.why = _clipped(short.why)
    return short


def stopping() -> CallError:
    """The error for requests that arrive while the server drains."""
    return CallError(Reason.DRAINING, "the server is stopping; connect again and send the request again")


def made_room(resume_from: int | None = None) -> CallError:
    """The error for an idle stream that is ended to make room."""
    resume = {} if resume_from is None else {"resume_from": str(resume_from)}
    message = "this stream was idle, and others needed its place (max-followers); open it again later"
    return CallError(
        Reason.STREAM_ENDED, message, {"limit": "max-followers", **resume}, retry=STREAM_RETRY_SECONDS
    )


def slow_consumer() -> CallError:
    """The error for a response that its client does not take in time."""
    message = "the client did not take a response in time; resume after the last one"
    return CallError(Reason.SLOW_CONSUMER, message)


def _number(reason: Reason) -> int:
    number: int = reason.value.code.value[0]
    return number


def _packed(message: Message) -> Packed:
    packed = Packed()
    packed.Pack(message)
    return packed
