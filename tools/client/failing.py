"""How a call failed, from the status that it ended with."""

from collections.abc import Iterable
from typing import Final, TypeVar, cast

import grpc
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from grpc import StatusCode
from shiji.record.v1 import record_service_pb2 as pb
from shiji.verdict.v1.verdict_pb2 import AuditReport, RuleViolations

from tools.client import responses
from tools.client.errors import REASONS, FieldFault, Refused, TimeUp, Unreachable

Detail = TypeVar("Detail", bound=Message)

_DETAILS: Final = "grpc-status-details-bin"
# What gRPC itself says of a server that is gone: CANCELLED ends a stream that outlived the server's grace,
# INTERNAL one that breaks off while asyncio writes to it. The server's own words come with a reason.
_LOST: Final = frozenset({StatusCode.UNAVAILABLE, StatusCode.CANCELLED, StatusCode.INTERNAL})


def refusal_of(fault: grpc.RpcError) -> Refused:
    """The refusal that a failed call means, caused by it."""
    refusal = _refusal(fault)
    refusal.__cause__ = fault
    return refusal


def ended() -> Refused:
    """The refusal that it means when a server ends a stream that has no end."""
    return Unreachable(StatusCode.UNAVAILABLE.name, "the server ended the stream")


def refusal_in_stream(message: pb.Refusal) -> Refused:
    """The refusal of one move of a stream that goes on."""
    return REASONS.get(message.reason, Refused)(
        reason=message.reason,
        message=message.message,
        metadata=dict(message.metadata),
        verdict=responses.illegal(message.violations) if message.violations else None,
    )


def _refusal(fault: grpc.RpcError) -> Refused:
    # The stubs of gRPC know a pair only by its attributes, which asyncio's metadata does not have.
    told = cast("Iterable[tuple[str, str | bytes]]", fault.trailing_metadata() or ())
    for key, value in told:
        if key == _DETAILS and isinstance(value, bytes):
            return _told(Status.FromString(value))
    code, message = fault.code(), fault.details() or "the server gave no reason"
    if code in _LOST:
        return Unreachable(code.name, message)
    if code is StatusCode.DEADLINE_EXCEEDED:
        return TimeUp(code.name, "the server did not answer in time")
    return Refused(code.name, message)


def _told(status: Status) -> Refused:
    info = _detail(status, ErrorInfo) or ErrorInfo()
    bad = _detail(status, BadRequest) or BadRequest()
    broken = _detail(status, RuleViolations)
    report = _detail(status, AuditReport)
    retry = _detail(status, RetryInfo)
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
