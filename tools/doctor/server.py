"""Checks a running server through its gRPC port and its metrics port."""

import socket
import ssl
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Final
from urllib.request import urlopen

import grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest, ServerReflectionResponse

from service.address import Address
from tools.doctor.certificate import expiry
from tools.doctor.finding import Finding, hint, unknown, well, wrong

SERVICE_NAME: Final = "shiji.record.v1.RecordService"
"""Full name of the gRPC service."""

CALL_TIMEOUT_SECONDS: Final = 5.0
"""Timeout of each call: a server that needs longer for a health check does not work properly."""

SLOW_ROUND_TRIP_SECONDS: Final = 0.2
"""Median round trip above which there is a hint: about that of a connection across an ocean."""

MAX_CLOCK_SKEW_SECONDS: Final = 5.0
"""Accepted difference between two clocks; the HTTP Date header has whole seconds only."""

_ROUND_TRIPS: Final = 5
"""Number of calls whose median is reported."""


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """Files for a connection with TLS."""

    ca: Path | None = None
    """Certificate authorities to trust, as PEM; by default those of this machine."""
    cert: Path | None = None
    """Client certificate, as PEM, if the server asks for one."""
    key: Path | None = None
    """Private key of the client certificate, as PEM."""

    def credentials(self) -> grpc.ChannelCredentials:
        """The files as gRPC credentials; raises OSError."""
        ca, key, cert = (
            None if path is None else path.read_bytes() for path in (self.ca, self.key, self.cert)
        )
        return grpc.ssl_channel_credentials(ca, key, cert)


def examine(address: Address, tls: TlsFiles | None) -> Iterator[Finding]:
    """Check what a server answers to callers without a token."""
    if tls is None:
        with grpc.insecure_channel(str(address)) as channel:
            yield from _examine_channel(address, channel)
        return
    yield _certificate(address)
    try:
        credentials = tls.credentials()
    except OSError as fault:
        yield unknown(
            "TLS", f"{fault.filename} cannot be read: {fault.strerror}", "check the path and its permissions"
        )
        return
    with grpc.secure_channel(str(address), credentials) as channel:
        yield from _examine_channel(address, channel)


def _examine_channel(address: Address, channel: grpc.Channel) -> Iterator[Finding]:
    try:
        whole = _status(channel, "")
        service = _status(channel, SERVICE_NAME)
    except grpc.RpcError as fault:
        yield _unreachable(address, fault)
        return
    serving = HealthCheckResponse.SERVING
    if whole == service == serving:
        yield well("health", f"{address} serves")
    else:
        yield wrong(
            "health", f"{address} answers that it does not serve", "it is shutting down; start it again"
        )
    yield _reflection(channel)
    yield _round_trip(channel)


def _status(channel: grpc.Channel, service: str) -> int:
    check = channel.unary_unary(
        "/grpc.health.v1.Health/Check",
        request_serializer=HealthCheckRequest.SerializeToString,
        response_deserializer=HealthCheckResponse.FromString,
    )
    return check(HealthCheckRequest(service=service), timeout=CALL_TIMEOUT_SECONDS).status


def _unreachable(address: Address, fault: object) -> Finding:
    code, reason = (fault.code(), fault.details()) if isinstance(fault, grpc.Call) else (None, str(fault))
    if code is grpc.StatusCode.NOT_FOUND or code is grpc.StatusCode.UNIMPLEMENTED:
        return wrong("health", f"{address} is a gRPC server, but not Shiji", "check the address")
    advice = "check that it runs, that the address is right, and whether it uses TLS (--tls, --ca FILE)"
    return unknown("server", f"{address} does not answer: {reason}", advice)


def _reflection(channel: grpc.Channel) -> Finding:
    ask = channel.stream_stream(
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
        request_serializer=ServerReflectionRequest.SerializeToString,
        response_deserializer=ServerReflectionResponse.FromString,
    )
    try:
        (answer,) = ask(iter([ServerReflectionRequest(list_services="")]), timeout=CALL_TIMEOUT_SECONDS)
    except grpc.RpcError:
        advice = "give tools such as grpcurl the .proto files"
        return hint("reflection", "the server does not offer reflection", advice)
    names = [service.name for service in answer.list_services_response.service]
    if SERVICE_NAME not in names:
        return wrong(
            "reflection", f"it serves {', '.join(names)}, but not {SERVICE_NAME}", "check the address"
        )
    return well("reflection", f"it describes {SERVICE_NAME}")


def _round_trip(channel: grpc.Channel) -> Finding:
    seconds: list[float] = []
    try:
        for _ in range(_ROUND_TRIPS):
            start = time.perf_counter()
            _status(channel, SERVICE_NAME)
            seconds.append(time.perf_counter() - start)
    except grpc.RpcError as fault:
        return wrong("round trip", f"it stopped answering: {fault}", "read its log")
    median = statistics.median(seconds)
    found = f"{median * 1000:.1f} ms"
    if median > SLOW_ROUND_TRIP_SECONDS:
        return hint("round trip", found, "check the load of the server and the network connection")
    return well("round trip", found)


def _certificate(address: Address) -> Finding:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # only its dates are read
    context.set_alpn_protocols(["h2"])
    try:
        with (
            socket.create_connection((address.host, address.port), CALL_TIMEOUT_SECONDS) as plain,
            context.wrap_socket(plain, server_hostname=address.host) as wrapped,
        ):
            certificate = wrapped.getpeercert(binary_form=True)
    except OSError as fault:
        return unknown("certificate", f"{address} sends none: {fault}", "check that it uses TLS")
    return expiry("certificate", certificate or b"")


def clock(address: Address, now: datetime | None = None) -> Finding:
    """Compare the server's clock with this machine's, using the Date header of the metrics port."""
    try:
        with urlopen(f"http://{address}/", timeout=CALL_TIMEOUT_SECONDS) as page:
            date: str = page.headers["Date"]
    except OSError as fault:
        return unknown("clock", f"no metrics on {address}: {fault}", "start the server with --metrics-listen")
    skew = abs((parsedate_to_datetime(date) - (now or datetime.now(UTC))).total_seconds())
    if skew > MAX_CLOCK_SKEW_SECONDS:
        return wrong(
            "clock",
            f"the clocks differ by {skew:.0f} seconds",
            "synchronise both with NTP: entries record the time",
        )
    return well("clock", "the server's clock agrees with this one")
