"""Every reason for which a call fails, and how a failure reads on the wire."""

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

LONGEST_TOLD: Final = 500
"""So many characters a message and a value of the metadata have at most: some quote what was sent."""

_ROOM: Final = 4_000
"""So many bytes the details have at most: clients refuse trailers of more than 8 KB, in base64."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a reason stands for."""

    code: StatusCode
    when: str
    advice: str
    metadata: tuple[str, ...] = ()
    """What ErrorInfo tells beside the reason, by its keys."""


class Reason(Enum):
    """Why a call failed; the name is permanent."""

    BAD_FIELD = Meaning(
        StatusCode.INVALID_ARGUMENT,
        "A field of the request is missing or has a value that it cannot have.",
        "BadRequest names the field and what it takes: mend the request.",
        ("field",),
    )
    UNREADABLE_REQUEST = Meaning(
        StatusCode.INVALID_ARGUMENT,
        "What was sent is no message of this method.",
        "Generate the client anew from the .proto files; text is UTF-8.",
    )
    UNREADABLE_MOVE = Meaning(
        StatusCode.INVALID_ARGUMENT,
        "The text or the bytes are no move of this game.",
        "The message says what was expected, and in text at which column; docs/ tells how moves are written.",
        ("column",),
    )
    UNREADABLE_RECORD = Meaning(
        StatusCode.INVALID_ARGUMENT,
        "What was sent along is no transcript, record file or position.",
        "The message and the metadata name line and column: mend that place.",
        ("line", "column"),
    )
    BAD_SETUP = Meaning(
        StatusCode.INVALID_ARGUMENT,
        "A match cannot be laid out like this: its seats, its board, its tags or who deals.",
        "BadRequest names the field: mend it.",
        ("field",),
    )
    BAD_PAGE_TOKEN = Meaning(
        StatusCode.INVALID_ARGUMENT,
        "The page token is none that this server gave.",
        "Send the next_page_token of the page before, or none for the first page.",
    )
    NO_CREDENTIALS = Meaning(
        StatusCode.UNAUTHENTICATED,
        "The server asks for a bearer token, and the call has none that it knows.",
        "Send `authorization: Bearer TOKEN` as metadata; `shiji token new` makes one.",
    )
    NOT_SIGNED = Meaning(
        StatusCode.UNAUTHENTICATED,
        "The match has a key for whoever asks, and the request is not signed with it. Nothing is stored.",
        "Sign the entry as docs/evidence.md tells; the client does it by itself when it is given the key.",
    )
    NOT_YOUR_ROLE = Meaning(
        StatusCode.PERMISSION_DENIED,
        "The token's role does not reach so far.",
        "Use a token with the role that the message names.",
        ("role",),
    )
    NOT_YOUR_SEAT = Meaning(
        StatusCode.PERMISSION_DENIED,
        "The token is for another seat or another match.",
        "Use the token that StartMatch gave for this seat.",
    )
    NO_SUCH_MATCH = Meaning(
        StatusCode.NOT_FOUND,
        "There is no match of this id.",
        "See to the id; ListMatches knows all of them.",
        ("match_id",),
    )
    NO_SUCH_ENTRY = Meaning(
        StatusCode.OUT_OF_RANGE,
        "The record does not go so far.",
        "GetMatch tells the last sequence.",
        ("match_id", "sequence"),
    )
    OUTSIDE_LOG = Meaning(
        StatusCode.OUT_OF_RANGE,
        "The log never had that many entries, or the entry is not among the first ones of that size.",
        "GetCheckpoint tells how many there are.",
    )
    RULE_BROKEN = Meaning(
        StatusCode.FAILED_PRECONDITION,
        "The move is illegal. Nothing is stored.",
        "RuleViolations lists every broken rule with its cells, its source, our paraphrase and the rulings "
        "in force; ListLegalMoves tells what can be played.",
        ("rules", "index"),
    )
    RECORD_NOT_VERIFIED = Meaning(
        StatusCode.FAILED_PRECONDITION,
        "An imported record does not verify. Nothing of it is stored.",
        "AuditReport tells the first bad entry and why.",
        ("verdict", "sequence"),
    )
    NOTHING_TO_RETRACT = Meaning(
        StatusCode.FAILED_PRECONDITION,
        "No entry lies between the last one and the one to go back to.",
        "Go back to an earlier sequence.",
    )
    MATCH_NOT_OVER = Meaning(
        StatusCode.FAILED_PRECONDITION,
        "An auditor's view, an export or an audit would show hidden hands of a match that goes on.",
        "Ask again when the match is over, or look as a seat or a spectator.",
        ("match_id",),
    )
    NOT_VOUCHED = Meaning(
        StatusCode.FAILED_PRECONDITION,
        "A share, a dispute, a takeback, or a move after the end of a sealed match is not allowed here.",
        "The message says what was expected; docs/evidence.md tells of seals and disputes.",
    )
    MATCH_FROZEN = Meaning(
        StatusCode.FAILED_PRECONDITION,
        "A dispute is open, and by its header the match waits until it is settled.",
        "Wait for the arbiter's ResolveDispute; FollowRecord tells of it.",
    )
    RECORD_FULL = Meaning(
        StatusCode.FAILED_PRECONDITION,
        "The record has as many entries as any can have.",
        "Begin a new match.",
        ("match_id",),
    )
    NO_DEALER = Meaning(
        StatusCode.FAILED_PRECONDITION,
        "The service deals in this match, but this server was started without its secret.",
        "The operator starts it with the secret that the match began with (docs/operating.md).",
        ("match_id",),
    )
    NO_LOG_KEY = Meaning(
        StatusCode.FAILED_PRECONDITION,
        "The server was started without the key of a log, so it promises and proves nothing.",
        "The operator makes one with `shiji keygen --kind log` and starts the server with --log-key.",
    )
    SEQUENCE_TAKEN = Meaning(
        StatusCode.ABORTED,
        "Somebody else's entry stands where this one was to go.",
        "Read on from your last sequence, and decide anew; the metadata has the actual last sequence.",
        ("match_id", "actual_sequence"),
    )
    REQUEST_REUSED = Meaning(
        StatusCode.ALREADY_EXISTS,
        "The request id was used for something else.",
        "Choose a new id for a new request; repeat an id only to repeat the request.",
        ("match_id", "sequence"),
    )
    RECORD_EXISTS = Meaning(
        StatusCode.ALREADY_EXISTS,
        "The archive has another record of this match.",
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
    UNKNOWN_ENTRY = Meaning(
        StatusCode.UNIMPLEMENTED,
        "The record has something that this build does not know.",
        "Use the build that wrote it, or a newer one.",
        ("match_id", "sequence"),
    )
    TOO_LARGE = Meaning(
        StatusCode.RESOURCE_EXHAUSTED,
        "The answer would be larger than a message may be.",
        "Use ReadRecord, or `shiji export` beside the server.",
    )
    TOO_MANY_CALLS = Meaning(
        StatusCode.RESOURCE_EXHAUSTED,
        "This client has too many calls under way, or calls too often.",
        "Wait as long as RetryInfo says, then send again with the same request id.",
        ("limit",),
    )
    SLOW_CONSUMER = Meaning(
        StatusCode.RESOURCE_EXHAUSTED,
        "A follower did not take what was sent to it for too long.",
        "Follow again from the sequence or position after the last one received.",
    )
    STORAGE_FULL = Meaning(
        StatusCode.RESOURCE_EXHAUSTED,
        "There is no room left for the archive. Nothing is stored.",
        "Send again later with the same request id; the operator makes room.",
    )
    STORAGE_UNAVAILABLE = Meaning(
        StatusCode.UNAVAILABLE,
        "The archive does not answer now. It is not known to be stored.",
        "Send again with the same request id: it is stored once, whatever happened.",
    )
    DRAINING = Meaning(
        StatusCode.UNAVAILABLE,
        "The server is stopping.",
        "Connect again and send again with the same request id; a follower resumes after the last entry.",
        ("resume_from",),
    )
    CORRUPT_RECORD = Meaning(
        StatusCode.DATA_LOSS,
        "The stored record is damaged.",
        "AuditMatch tells what is left of it; the operator goes back to a backup copy.",
        ("match_id", "sequence"),
    )
    INTERNAL = Meaning(
        StatusCode.INTERNAL,
        "A fault of ours.",
        "Tell the operator the id: the server's log has the rest under it.",
        ("call_id",),
    )


@dataclass(frozen=True, slots=True)
class BadField:
    """A field of a request that is at fault."""

    path: str
    """As in `move.encoded.data` or `seats[1]`."""
    why: str


@dataclass(eq=False)
class CallError(Exception):
    """A call that fails, with everything that its caller is told."""

    reason: Reason
    message: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    fields: tuple[BadField, ...] = ()
    violations: tuple[RuleViolation, ...] = ()
    report: AuditReport | None = None
    retry: float | None = None
    """After so many seconds it may be asked again."""

    def __str__(self) -> str:
        return self.message

    def status(self) -> grpc.Status:
        """As a call of its own ends."""
        info = ErrorInfo(reason=self.reason.name, domain=DOMAIN, metadata=self._told())
        status = Status(code=_number(self.reason), message=_clipped(self.message), details=[_packed(info)])
        for detail in self._further():
            packed = _packed(detail)
            if status.ByteSize() + packed.ByteSize() <= _ROOM:
                status.details.append(packed)
        return rpc_status.to_status(status)

    def refusal(self) -> Refusal:
        """As an answer in a stream that goes on."""
        return Refusal(
            code=_number(self.reason),
            reason=self.reason.name,
            message=_clipped(self.message),
            metadata=self._told(),
            violations=self.violations,
        )

    def _told(self) -> dict[str, str]:
        return {name: _clipped(value) for name, value in self.metadata.items()}

    def _further(self) -> list[Message]:
        further: list[Message] = []
        if self.fields:
            faults = [
                BadRequest.FieldViolation(field=bad.path, description=_clipped(bad.why))
                for bad in self.fields
            ]
            further.append(BadRequest(field_violations=faults))
        if self.violations:
            index = int(self.metadata.get("index", "0"))
            further.append(RuleViolations(violations=self.violations, index=index))
        if self.report is not None:
            further.append(self.report if self.report.ByteSize() < _ROOM // 2 else _shortened(self.report))
        if self.retry is not None:
            further.append(RetryInfo(retry_delay=timedelta(seconds=self.retry)))
        return further


def bad_field(path: str, why: str) -> CallError:
    """A refusal for one field."""
    return CallError(Reason.BAD_FIELD, f"{path}: {why}", {"field": path}, (BadField(path, why),))


def _clipped(text: str) -> str:
    return text if len(text) <= LONGEST_TOLD else f"{text[: LONGEST_TOLD - 1]}…"


def _shortened(report: AuditReport) -> AuditReport:
    """The report without what can be long; AuditMatch tells it of a record that is stored."""
    short = AuditReport()
    short.CopyFrom(report)
    for name in ("recorded_events", "ruled_events", "position"):
        short.ClearField(name)
    short.why = _clipped(short.why)
    return short


def stopping() -> CallError:
    """A refusal of whatever comes while the server drains."""
    return CallError(Reason.DRAINING, "the server is stopping; connect again and send again")


def _number(reason: Reason) -> int:
    number: int = reason.value.code.value[0]
    return number


def _packed(message: Message) -> Packed:
    packed = Packed()
    packed.Pack(message)
    return packed
