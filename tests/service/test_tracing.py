"""OpenTelemetry traces, as a collector receives them."""

import os
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status
from shiji.record.v1 import record_service_pb2 as pb

from tests.service.servers import SERVE, refused, serving

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00f067aa0ba902b7"


class Collector:
    """Receives spans over OTLP."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self.requests: list[ExportTraceServiceRequest] = []

    def export(
        self, request: ExportTraceServiceRequest, context: grpc.ServicerContext
    ) -> ExportTraceServiceResponse:
        del context
        self.requests.append(request)
        return ExportTraceServiceResponse()

    def span(self, method: str) -> Span:
        """The only span of a method."""
        (span,) = (
            span
            for request in self.requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
            if span.name == f"shiji.record.v1.RecordService/{method}"
        )
        return span


@pytest.fixture
def collector() -> Iterator[Collector]:
    server = grpc.server(ThreadPoolExecutor(1))
    collector = Collector(f"http://127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}")
    export = grpc.unary_unary_rpc_method_handler(
        collector.export, ExportTraceServiceRequest.FromString, ExportTraceServiceResponse.SerializeToString
    )
    service = "opentelemetry.proto.collector.trace.v1.TraceService"
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, {"Export": export}),))
    server.start()
    yield collector
    server.stop(None).wait()


def attributes(span: Span) -> dict[str, str | int]:
    """The attributes of a span."""
    return {each.key: each.value.string_value or each.value.int_value for each in span.attributes}


def test_every_call_is_a_span_in_the_trace_of_its_caller(tmp_path: Path, collector: Collector) -> None:
    with serving(tmp_path / "a.db", "--otlp-endpoint", collector.endpoint) as server:
        begun = server.stub.StartMatch(
            pb.StartMatchRequest(request_id="1", game="qin", seats=("green", "violet")),
            metadata=(("traceparent", f"00-{TRACE}-{PARENT}-01"),),
        )
        server.stub.GetMatch(pb.GetMatchRequest(match_id=begun.match.match_id))
        with refused():
            server.stub.GetState(pb.GetStateRequest(match_id="nobody"))
        server.signal(signal.SIGTERM)
        code = server.exit_code()

    started, got, missed = map(collector.span, ("StartMatch", "GetMatch", "GetState"))
    assert code == 0
    assert (started.trace_id.hex(), started.parent_span_id.hex()) == (TRACE, PARENT)
    assert started.kind == Span.SPAN_KIND_SERVER
    assert started.start_time_unix_nano < started.end_time_unix_nano
    assert got.trace_id.hex() != TRACE
    assert attributes(got)["shiji.match_id"] == begun.match.match_id
    assert attributes(missed)["shiji.reason"] == "NO_SUCH_MATCH"
    assert attributes(missed)["rpc.grpc.status_code"] == grpc.StatusCode.NOT_FOUND.value[0]
    assert missed.status.code == Status.STATUS_CODE_UNSET


def test_without_the_extra_the_error_says_what_to_install(tmp_path: Path) -> None:
    absent = tmp_path / "opentelemetry"
    absent.mkdir()
    (absent / "__init__.py").write_text("raise ModuleNotFoundError(name='opentelemetry')")
    command: list[str | Path] = [*SERVE, "--db", tmp_path / "a.db", "--listen", "127.0.0.1:0"]

    done = subprocess.run(
        [*command, "--otlp-endpoint", "http://127.0.0.1:1"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )

    assert done.returncode == 2
    assert "pip install 'shiji[tracing]'" in done.stderr
    assert "Traceback" not in done.stderr
