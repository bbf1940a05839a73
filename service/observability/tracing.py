"""OpenTelemetry spans, one per call; needs the extra `tracing`, so only `observer.tracer` imports it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import Final, Self, assert_never

from grpc import StatusCode
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, Status
from opentelemetry.trace import StatusCode as SpanStatus
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from service.authorization import Caller
from service.call import (
    Answered,
    Call,
    CallOutcome,
    Cancelled,
    Failed,
    Observer,
    Rejected,
    RejectedRequest,
)
from service.observability.observer import match_id_in
from service.rpc import DESCRIPTOR

_SERVER_ERROR_CODES: Final = frozenset(
    {
        StatusCode.UNKNOWN,
        StatusCode.DEADLINE_EXCEEDED,
        StatusCode.UNIMPLEMENTED,
        StatusCode.INTERNAL,
        StatusCode.UNAVAILABLE,
        StatusCode.DATA_LOSS,
    }
)
"""Codes that count as errors of the server, by OpenTelemetry's conventions for gRPC."""


class Tracer(Observer):
    """Sends a span to a collector for every call that has ended."""

    def __init__(self, provider: TracerProvider) -> None:
        self._tracer: Final = provider.get_tracer("shiji", version("shiji"))
        self._propagator: Final = TraceContextTextMapPropagator()

    @classmethod
    @contextmanager
    def sending_to(cls, endpoint: str) -> Iterator[Self]:
        """A tracer that sends from a thread of its own; on exit it sends what is left."""
        provider = TracerProvider(
            resource=Resource.create({"service.name": "shiji", "service.version": version("shiji")}),
            shutdown_on_exit=False,
        )
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint)))
        try:
            yield cls(provider)
        finally:
            provider.shutdown()

    def ended(self, call: Call, outcome: CallOutcome) -> None:
        """Record a span with the reason of a refusal, but not its message, which may reveal a hand."""
        match outcome:
            case Answered(caller):
                self._span(call, caller, StatusCode.OK)
            case Rejected(caller, error) | Failed(caller, error):
                self._span(call, caller, error.reason.value.code, error.reason.name)
            case RejectedRequest():
                pass  # the span is that of the stream, which continues
            case Cancelled(caller):
                self._span(call, caller, StatusCode.CANCELLED)
            case _:
                assert_never(outcome)

    def _span(self, call: Call, caller: Caller | None, code: StatusCode, reason: str | None = None) -> None:
        number: int = code.value[0]
        attributes: dict[str, str | int | None] = {
            "rpc.system": "grpc",
            "rpc.service": DESCRIPTOR.full_name,
            "rpc.method": call.method,
            "rpc.grpc.status_code": number,
            "shiji.call_id": call.id,
            "shiji.match_id": match_id_in(call.request),
            "shiji.reason": reason,
            "shiji.role": None if caller is None else caller.role.value,
        }
        span = self._tracer.start_span(
            f"{DESCRIPTOR.full_name}/{call.method}",
            context=self._propagator.extract(dict(call.metadata)),
            kind=SpanKind.SERVER,
            attributes={name: value for name, value in attributes.items() if value is not None},
            start_time=time.time_ns() - round(call.seconds * 1e9),
        )
        if code in _SERVER_ERROR_CODES:
            span.set_status(Status(SpanStatus.ERROR))
        span.end()
