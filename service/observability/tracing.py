"""A span a call, for OpenTelemetry; needs the extra `tracing`, so only `observing.tracer` imports it."""

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
from service.observability.observer import match_named
from service.rpc import DESCRIPTOR

_OURS: Final = frozenset(
    {
        StatusCode.UNKNOWN,
        StatusCode.DEADLINE_EXCEEDED,
        StatusCode.UNIMPLEMENTED,
        StatusCode.INTERNAL,
        StatusCode.UNAVAILABLE,
        StatusCode.DATA_LOSS,
    }
)
"""What counts as a fault of the server, by OpenTelemetry's conventions for gRPC."""


class Tracer(Observer):
    """Tells a collector of every call that has ended."""

    def __init__(self, provider: TracerProvider) -> None:
        self._tracer: Final = provider.get_tracer("shiji", version("shiji"))
        self._parents: Final = TraceContextTextMapPropagator()

    @classmethod
    @contextmanager
    def sending_to(cls, endpoint: str) -> Iterator[Self]:
        """Sends to a collector, from a thread of its own; what is left goes at the end."""
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
        """A span, with the reason of a refusal; its words stay with the caller: they may tell of a hand."""
        match outcome:
            case Answered(caller):
                self._span(call, caller, StatusCode.OK)
            case Rejected(caller, error) | Failed(caller, error):
                self._span(call, caller, error.reason.value.code, error.reason.name)
            case RejectedRequest():
                pass  # the span is the stream's, which goes on
            case Cancelled(caller):
                self._span(call, caller, StatusCode.CANCELLED)
            case _:
                assert_never(outcome)

    def _span(self, call: Call, caller: Caller | None, code: StatusCode, reason: str | None = None) -> None:
        number: int = code.value[0]
        told: dict[str, str | int | None] = {
            "rpc.system": "grpc",
            "rpc.service": DESCRIPTOR.full_name,
            "rpc.method": call.method,
            "rpc.grpc.status_code": number,
            "shiji.call_id": call.id,
            "shiji.match_id": match_named(call.request),
            "shiji.reason": reason,
            "shiji.role": None if caller is None else caller.role.value,
        }
        span = self._tracer.start_span(
            f"{DESCRIPTOR.full_name}/{call.method}",
            context=self._parents.extract(dict(call.metadata)),
            kind=SpanKind.SERVER,
            attributes={name: value for name, value in told.items() if value is not None},
            start_time=time.time_ns() - round(call.seconds * 1e9),
        )
        if code in _OURS:
            span.set_status(Status(SpanStatus.ERROR))
        span.end()
