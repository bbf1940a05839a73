"""What is wrong with a request before it reaches a method, and errors of methods, as JSON.

The form is that of the Connect protocol, with three readable additions: reason, advice, and the details as
JSON beside their bytes.
"""

import base64
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from http import HTTPStatus
from typing import Final

import grpc
import msgspec
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from grpc import StatusCode
from shiji.verdict.v1.verdict_pb2 import AuditReport, RuleViolations

from service.errors import Reason

Headers = list[tuple[bytes, bytes]]

_CANCELLED_STATUS: Final = 499
"""The status of a request that its client gave up, which http.HTTPStatus does not know."""

_STATUSES: Final = {
    StatusCode.CANCELLED: _CANCELLED_STATUS,
    StatusCode.UNKNOWN: 500,
    StatusCode.INVALID_ARGUMENT: 400,
    StatusCode.DEADLINE_EXCEEDED: 504,
    StatusCode.NOT_FOUND: 404,
    StatusCode.ALREADY_EXISTS: 409,
    StatusCode.PERMISSION_DENIED: 403,
    StatusCode.RESOURCE_EXHAUSTED: 429,
    StatusCode.FAILED_PRECONDITION: 400,
    StatusCode.ABORTED: 409,
    StatusCode.OUT_OF_RANGE: 400,
    StatusCode.UNIMPLEMENTED: 501,
    StatusCode.INTERNAL: 500,
    StatusCode.UNAVAILABLE: 503,
    StatusCode.DATA_LOSS: 500,
    StatusCode.UNAUTHENTICATED: 401,
}
"""The HTTP status of each gRPC code, as the Connect protocol has it."""

_BY_NUMBER: Final = {code.value[0]: code for code in StatusCode}

_DETAILS: Final[Mapping[str, type[Message]]] = {
    kind.DESCRIPTOR.full_name: kind
    for kind in (ErrorInfo, BadRequest, RetryInfo, RuleViolations, AuditReport)
}
"""Every kind of detail that an error of this service may have, by its name."""

_STATUS_DETAILS: Final = "grpc-status-details-bin"
"""Where gRPC's form of an error has its details."""


@dataclass(frozen=True, slots=True)
class HttpMeaning:
    """What a fault of an HTTP request means, with the text of its row in docs/http.md."""

    status: HTTPStatus
    code: StatusCode
    when: str
    advice: str


class HttpReason(Enum):
    """Why a request was refused before any method saw it."""

    FOREIGN_HOST = HttpMeaning(
        HTTPStatus.MISDIRECTED_REQUEST,
        StatusCode.PERMISSION_DENIED,
        "The Host header names another server than this one.",
        "Use the address that the server printed; for another name of it, start it with --web-hosts NAME.",
    )
    FOREIGN_ORIGIN = HttpMeaning(
        HTTPStatus.FORBIDDEN,
        StatusCode.PERMISSION_DENIED,
        "A page of another site sent the request.",
        "Only this server's own pages may call it from a browser. Other programs send no Origin header.",
    )
    NO_SUCH_PAGE = HttpMeaning(
        HTTPStatus.NOT_FOUND,
        StatusCode.UNIMPLEMENTED,
        "Nothing is served at this path.",
        "Methods are at /shiji.record.v1.RecordService/METHOD, a match's events at /matches/ID/events.",
    )
    ONLY_READ = HttpMeaning(
        HTTPStatus.FORBIDDEN,
        StatusCode.PERMISSION_DENIED,
        "The pages are served over an archive that is only read.",
        "Start a server that writes, by `shiji serve`, and use its pages.",
    )
    WRONG_VERB = HttpMeaning(
        HTTPStatus.METHOD_NOT_ALLOWED,
        StatusCode.UNIMPLEMENTED,
        "The path takes another HTTP method.",
        "The Allow header says which; methods of the service take POST.",
    )
    WRONG_TYPE = HttpMeaning(
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        StatusCode.INVALID_ARGUMENT,
        "The Content-Type is not one that the path takes.",
        "Send `Content-Type: application/json` or application/proto, and nothing compressed.",
    )
    TOO_LONG = HttpMeaning(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        StatusCode.RESOURCE_EXHAUSTED,
        "The body is longer than a message may be.",
        "Send less; the operator can raise --max-message-bytes.",
    )
    BAD_PARAMETER = HttpMeaning(
        HTTPStatus.BAD_REQUEST,
        StatusCode.INVALID_ARGUMENT,
        "A header or a parameter of the address has a value that is not allowed.",
        "The message says what it takes: correct it.",
    )
    TIMED_OUT = HttpMeaning(
        HTTPStatus.GATEWAY_TIMEOUT,
        StatusCode.DEADLINE_EXCEEDED,
        "The time that the caller gave in Connect-Timeout-Ms has passed.",
        "Allow more time. What was sent may be stored: repeat it with the same request id.",
    )
    NEEDS_GRPC = HttpMeaning(
        HTTPStatus.NOT_IMPLEMENTED,
        StatusCode.UNIMPLEMENTED,
        "Play is a stream in both directions, which HTTP does not have here.",
        "Use AppendMove for each move, or gRPC for Play.",
    )


class HttpRefusal(Exception):
    """Ends a request that no method saw."""

    def __init__(self, reason: HttpReason, message: str, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
        super().__init__(message)
        self.error = HttpError(
            reason.value.status,
            {
                "code": _name(reason.value.code),
                "message": message,
                "reason": reason.name,
                "advice": reason.value.advice,
            },
            list(headers),
        )


class AbortedCall(Exception):
    """A method ended its call with an error."""

    def __init__(self, status: grpc.Status) -> None:
        super().__init__(status.details)
        self.error = _error_of(_status_message(status))


@dataclass(frozen=True, slots=True)
class HttpError:
    """An error, ready to be sent."""

    status: int
    body: Mapping[str, object]
    headers: Headers

    def encoded(self) -> bytes:
        """The body as JSON."""
        return msgspec.json.encode(self.body)


def _status_message(status: grpc.Status) -> Status:
    packed = next((value for key, value in status.trailing_metadata or () if key == _STATUS_DETAILS), b"")
    return Status.FromString(packed if isinstance(packed, bytes) else packed.encode())


def _error_of(status: Status) -> HttpError:
    code = _BY_NUMBER[status.code]
    body: dict[str, object] = {"code": _name(code), "message": status.message}
    headers: Headers = []
    details: list[object] = []
    for packed in status.details:
        name = packed.TypeName()
        detail = _DETAILS[name].FromString(packed.value)
        details.append({"type": name, "value": _unpadded(packed), "debug": MessageToDict(detail)})
        if isinstance(detail, ErrorInfo):
            body["reason"] = detail.reason
            body["advice"] = Reason[detail.reason].value.advice
        elif isinstance(detail, RetryInfo):
            seconds = max(math.ceil(detail.retry_delay.seconds + detail.retry_delay.nanos / 1e9), 1)
            headers.append((b"retry-after", str(seconds).encode()))
    body["details"] = details
    if code is StatusCode.UNAUTHENTICATED:
        headers.append((b"www-authenticate", b"Bearer"))
    return HttpError(_STATUSES[code], body, headers)


def _unpadded(packed: Packed) -> str:
    return base64.b64encode(packed.value).decode().rstrip("=")


def _name(code: StatusCode) -> str:
    """A code as the Connect protocol writes it, such as not_found; `canceled` it writes in its own way."""
    return "canceled" if code is StatusCode.CANCELLED else code.name.lower()
