"""TLS, with certificates that are renewed while the server runs, and certificates of callers."""

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
from tests.service.reloading import until
from tests.service.servers import PATIENCE, Running, connected, not_serving, refusal_of, serving
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


def _shown(server: Running) -> bytes:
    """The certificate that the server shows to whoever connects now."""
    host, port = server.address.split(":")
    return ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate((host, int(port)), timeout=PATIENCE))


def test_whoever_trusts_its_certificate_is_answered(server: Running) -> None:
    assert server.check() == HealthCheckResponse.SERVING


def test_nobody_is_answered_in_the_clear(server: Running) -> None:
    assert _code(server, None) is StatusCode.UNAVAILABLE


def test_a_renewed_certificate_is_shown_without_a_restart(server: Running) -> None:
    renewed = AUTHORITY.sign("server, renewed")
    renewed.save(server.db.parent)

    until(lambda: _shown(server) == renewed.der)
    assert server.check() == HealthCheckResponse.SERVING


def test_a_certificate_that_does_not_go_with_its_key_is_not_taken(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with (
        log.open("w") as stream,
        serving(tmp_path / "shiji.db", *_flags(tmp_path), credentials=TRUST, log=stream) as running,
    ):
        (tmp_path / "cert.pem").write_bytes(AUTHORITY.sign("another").pem)

        until(lambda: _shown(running) == SERVER.der and "no certificate" in log.read_text())


def test_callers_need_a_certificate_where_one_is_asked_for(tmp_path: Path) -> None:
    own = Certificate.authority("callers")
    (tmp_path / "ca.pem").write_bytes(own.pem)
    flags = (*_flags(tmp_path), "--tls-client-ca", tmp_path / "ca.pem")

    with serving(tmp_path / "shiji.db", *flags, listen="0.0.0.0:0") as running:
        assert _code(running, _credentials(own.sign("app"))) is StatusCode.OK
        assert _code(running, _credentials(AUTHORITY.sign("stranger"))) is StatusCode.UNAVAILABLE
        assert _code(running, TRUST) is StatusCode.UNAVAILABLE


def test_who_has_a_certificate_is_known_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_bytes(AUTHORITY.pem)
    flags = (*_flags(tmp_path), "--tls-client-ca", tmp_path / "ca.pem", "--calls-per-second", "0.001")
    first, second = _credentials(AUTHORITY.sign("first")), _credentials(AUTHORITY.sign("second"))

    with serving(tmp_path / "shiji.db", *flags, "--calls-burst", "1") as running:
        codes = [_code(running, credentials) for credentials in (first, second, first)]

    assert codes == [StatusCode.OK, StatusCode.OK, StatusCode.RESOURCE_EXHAUSTED]


def test_a_token_is_needed_beside_a_certificate_where_both_are_asked_for(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_bytes(AUTHORITY.pem)
    new_token(tmp_path / "tokens", "admin", "admin")
    flags = (*_flags(tmp_path), "--tls-client-ca", tmp_path / "ca.pem", "--tokens", tmp_path / "tokens")

    with serving(tmp_path / "shiji.db", *flags) as running:
        assert _code(running, _credentials(AUTHORITY.sign("app"))) is StatusCode.UNAUTHENTICATED


@pytest.mark.parametrize(
    ("spoilt", "told"),
    [
        ("cert.pem", "are no certificate and its key, in PEM"),
        ("key.pem", "are no certificate and its key, in PEM"),
        ("ca.pem", "ca.pem has no certificates, in PEM"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_before_anybody_connects(
    tmp_path: Path, spoilt: str, told: str
) -> None:
    (tmp_path / "ca.pem").write_bytes(AUTHORITY.pem)
    flags = (*_flags(tmp_path), "--tls-client-ca", tmp_path / "ca.pem")
    (tmp_path / spoilt).write_text("spoilt")

    done = not_serving(tmp_path / "shiji.db", *flags)

    assert done.returncode == 2
    assert told in done.stderr


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    flags = _flags(tmp_path)
    (tmp_path / "key.pem").unlink()

    done = not_serving(tmp_path / "shiji.db", *flags)

    assert done.returncode == 2
    assert f"cannot read {tmp_path / 'key.pem'}: No such file or directory" in done.stderr


def _credentials(caller: Certificate) -> grpc.ChannelCredentials:
    return grpc.ssl_channel_credentials(AUTHORITY.pem, caller.key_pem, caller.pem)


def _code(server: Running, credentials: grpc.ChannelCredentials | None) -> StatusCode:
    """How a call ends, over a connection of its own."""
    with connected(server.address, credentials) as channel:
        try:
            RecordServiceStub(channel).ListMatches(pb.ListMatchesRequest(), timeout=PATIENCE)
        except grpc.RpcError as fault:
            return refusal_of(fault).code
    return StatusCode.OK
