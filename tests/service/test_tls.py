"""TLS: certificates that are renewed while the server runs, and client certificates."""

import ssl
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from grpc import StatusCode
from grpc_health.v1.health_pb2 import HealthCheckResponse
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from tests.service.certificates import Certificate
from tests.service.observed import wait_until
from tests.service.servers import TIMEOUT_SECONDS, Running, connected, not_serving, refusal_of, serving
from tests.service.tokens import new_token

AUTHORITY = Certificate.authority("authority")
SERVER = AUTHORITY.sign("server")
TRUST = grpc.ssl_channel_credentials(AUTHORITY.pem)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with serving(tmp_path / "shiji.db", *_flags(tmp_path), credentials=TRUST) as running:
        yield running


def _flags(folder: Path, certificate: Certificate = SERVER) -> tuple[str | Path, ...]:
    cert, key = certificate.save(folder)
    return "--tls-cert", cert, "--tls-key", key


def _certificate_of(server: Running) -> bytes:
    """The certificate that the server presents now."""
    host, port = server.address.split(":")
    return ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate((host, int(port)), timeout=TIMEOUT_SECONDS))


def test_a_client_that_trusts_the_certificate_is_answered(server: Running) -> None:
    assert server.check() == HealthCheckResponse.SERVING


def test_a_client_without_tls_is_not_answered(server: Running) -> None:
    assert _code(server, None) is StatusCode.UNAVAILABLE


def test_a_renewed_certificate_is_shown_without_a_restart(server: Running) -> None:
    renewed = AUTHORITY.sign("server, renewed")
    renewed.save(server.db.parent)

    wait_until(lambda: _certificate_of(server) == renewed.der)
    assert server.check() == HealthCheckResponse.SERVING


def test_a_certificate_that_does_not_match_its_key_is_not_used(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with (
        log.open("w") as stream,
        serving(tmp_path / "shiji.db", *_flags(tmp_path), credentials=TRUST, log=stream) as running,
    ):
        (tmp_path / "cert.pem").write_bytes(AUTHORITY.sign("another").pem)

        wait_until(
            lambda: _certificate_of(running) == SERVER.der and "not a PEM certificate" in log.read_text()
        )


def test_callers_need_a_certificate_where_one_is_required(tmp_path: Path) -> None:
    own = Certificate.authority("callers")
    (tmp_path / "ca.pem").write_bytes(own.pem)
    flags = (*_flags(tmp_path), "--tls-client-ca", tmp_path / "ca.pem")

    with serving(tmp_path / "shiji.db", *flags, listen="0.0.0.0:0") as running:
        assert _code(running, _credentials(own.sign("app"))) is StatusCode.OK
        assert _code(running, _credentials(AUTHORITY.sign("stranger"))) is StatusCode.UNAVAILABLE
        assert _code(running, TRUST) is StatusCode.UNAVAILABLE


def test_a_caller_is_identified_by_the_name_in_its_certificate(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_bytes(AUTHORITY.pem)
    flags = (*_flags(tmp_path), "--tls-client-ca", tmp_path / "ca.pem", "--calls-per-second", "0.001")
    first, second = _credentials(AUTHORITY.sign("first")), _credentials(AUTHORITY.sign("second"))

    with serving(tmp_path / "shiji.db", *flags, "--calls-burst", "1") as running:
        codes = [_code(running, credentials) for credentials in (first, second, first)]

    assert codes == [StatusCode.OK, StatusCode.OK, StatusCode.RESOURCE_EXHAUSTED]


def test_callers_need_a_token_and_a_certificate_where_both_are_required(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_bytes(AUTHORITY.pem)
    new_token(tmp_path / "tokens", "admin", "admin")
    flags = (*_flags(tmp_path), "--tls-client-ca", tmp_path / "ca.pem", "--tokens", tmp_path / "tokens")

    with serving(tmp_path / "shiji.db", *flags) as running:
        assert _code(running, _credentials(AUTHORITY.sign("app"))) is StatusCode.UNAUTHENTICATED


@pytest.mark.parametrize(
    ("damaged", "message"),
    [
        ("cert.pem", "are not a PEM certificate and its key"),
        ("key.pem", "are not a PEM certificate and its key"),
        ("ca.pem", "ca.pem has no PEM certificates"),
    ],
)
def test_a_server_does_not_start_with_a_damaged_certificate_file(
    tmp_path: Path, damaged: str, message: str
) -> None:
    (tmp_path / "ca.pem").write_bytes(AUTHORITY.pem)
    flags = (*_flags(tmp_path), "--tls-client-ca", tmp_path / "ca.pem")
    (tmp_path / damaged).write_text("damaged")

    done = not_serving(tmp_path / "shiji.db", *flags)

    assert done.returncode == 2
    assert message in done.stderr


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    flags = _flags(tmp_path)
    (tmp_path / "key.pem").unlink()

    done = not_serving(tmp_path / "shiji.db", *flags)

    assert done.returncode == 2
    assert f"cannot read {tmp_path / 'key.pem'}: No such file or directory" in done.stderr


def _credentials(caller: Certificate) -> grpc.ChannelCredentials:
    return grpc.ssl_channel_credentials(AUTHORITY.pem, caller.key_pem, caller.pem)


def _code(server: Running, credentials: grpc.ChannelCredentials | None) -> StatusCode:
    """The code of a call, over a connection of its own."""
    with connected(server.address, credentials) as channel:
        try:
            RecordServiceStub(channel).ListMatches(pb.ListMatchesRequest(), timeout=TIMEOUT_SECONDS)
        except grpc.RpcError as fault:
            return refusal_of(fault).code
    return StatusCode.OK
