"""Looks at a running server, through its own port and the one of its metrics."""

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

SERVICE: Final = "shiji.record.v1.RecordService"
PATIENCE: Final = 5.0
SLOW: Final = 0.2
"""A round trip of more seconds than this is worth knowing of."""

SKEW: Final = 5.0
"""So many seconds two clocks may differ; a page tells only whole ones."""

_ROUNDS: Final = 5


@dataclass(frozen=True, slots=True)
class Tls:
    """How a connection is secured."""

    ca: Path | None = None
    """Roots to trust, as PEM; those of this machine by default."""
    cert: Path | None = None
    """What to prove oneself with, as PEM, where the server asks for it."""
    key: Path | None = None

    def credentials(self) -> grpc.ChannelCredentials:
        """As gRPC has them; raises OSError."""
        ca, key, cert = (
            None if path is None else path.read_bytes() for path in (self.ca, self.key, self.cert)
        )
        return grpc.ssl_channel_credentials(ca, key, cert)


def examine(address: Address, tls: Tls | None) -> Iterator[Finding]:
    """Everything about a server that anybody may ask it."""
    if tls is None:
        with grpc.insecure_channel(str(address)) as channel:
            yield from _asked(address, channel)
        return
    yield _certificate(address)
    try:
        credentials = tls.credentials()
    except OSError as fault:
        yield unknown(
            "TLS", f"{fault.filename} cannot be read: {fault.strerror}", "see to the path and its rights"
        )
        return
    with grpc.secure_channel(str(address), credentials) as channel:
        yield from _asked(address, channel)


def _asked(address: Address, channel: grpc.Channel) -> Iterator[Finding]:
    try:
        whole = _status(channel, "")
        service = _status(channel, SERVICE)
    except grpc.RpcError as fault:
        yield _unreachable(address, fault)
        return
    serving = HealthCheckResponse.SERVING
    if whole == service == serving:
        yield well("health", f"{address} serves")
    else:
        yield wrong(
            "health", f"{address} answers, but says that it does not serve", "it is stopping: start it again"
        )
    yield _reflection(channel)
    yield _round_trip(channel)


def _status(channel: grpc.Channel, service: str) -> int:
    check = channel.unary_unary(
        "/grpc.health.v1.Health/Check",
        request_serializer=HealthCheckRequest.SerializeToString,
        response_deserializer=HealthCheckResponse.FromString,
    )
    return check(HealthCheckRequest(service=service), timeout=PATIENCE).status


def _unreachable(address: Address, fault: object) -> Finding:
    code, told = (fault.code(), fault.details()) if isinstance(fault, grpc.Call) else (None, str(fault))
    if code is grpc.StatusCode.NOT_FOUND or code is grpc.StatusCode.UNIMPLEMENTED:
        return wrong("health", f"{address} is a gRPC server, but not Shiji", "see to the address")
    advice = "see whether it runs, whether the address is right, and whether it has TLS (--tls, --ca FILE)"
    return unknown("server", f"{address} does not answer: {told}", advice)


def _reflection(channel: grpc.Channel) -> Finding:
    ask = channel.stream_stream(
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
        request_serializer=ServerReflectionRequest.SerializeToString,
        response_deserializer=ServerReflectionResponse.FromString,
    )
    try:
        (answer,) = ask(iter([ServerReflectionRequest(list_services="")]), timeout=PATIENCE)
    except grpc.RpcError:
        advice = "give tools such as grpcurl the .proto files"
        return hint("reflection", "the server does not describe itself", advice)
    names = [service.name for service in answer.list_services_response.service]
    if SERVICE not in names:
        return wrong("reflection", f"it serves {', '.join(names)}, but not {SERVICE}", "see to the address")
    return well("reflection", f"it describes {SERVICE}")


def _round_trip(channel: grpc.Channel) -> Finding:
    took: list[float] = []
    try:
        for _ in range(_ROUNDS):
            begun = time.perf_counter()
            _status(channel, SERVICE)
            took.append(time.perf_counter() - begun)
    except grpc.RpcError as fault:
        return wrong("round trip", f"it stopped answering: {fault}", "look at its log")
    median = statistics.median(took)
    told = f"{median * 1000:.1f} ms"
    if median > SLOW:
        return hint("round trip", told, "look at the load of the server and at the network between")
    return well("round trip", told)


def _certificate(address: Address) -> Finding:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # only its dates are wanted
    context.set_alpn_protocols(["h2"])
    try:
        with (
            socket.create_connection((address.host, address.port), PATIENCE) as plain,
            context.wrap_socket(plain, server_hostname=address.host) as wrapped,
        ):
            shown = wrapped.getpeercert(binary_form=True)
    except OSError as fault:
        return unknown("certificate", f"{address} shows none: {fault}", "see whether it has TLS at all")
    return expiry("certificate", shown or b"")


def clock(address: Address, now: datetime | None = None) -> Finding:
    """How far the server's clock is from this machine's, by the page of its metrics."""
    try:
        with urlopen(f"http://{address}/", timeout=PATIENCE) as page:
            told: str = page.headers["Date"]
    except OSError as fault:
        return unknown("clock", f"no metrics on {address}: {fault}", "give --metrics-listen to the server")
    skew = abs((parsedate_to_datetime(told) - (now or datetime.now(UTC))).total_seconds())
    if skew > SKEW:
        return wrong(
            "clock", f"the clocks differ by {skew:.0f} seconds", "set both by NTP: entries tell the time"
        )
    return well("clock", "the server's clock agrees with this one")
