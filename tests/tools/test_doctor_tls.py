"""`shiji doctor`: certificates and TLS."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import grpc
import pytest

from tests.service.certificates import HOUR, Certificate
from tests.service.servers import serving
from tests.tools.running import run
from tools.doctor.certificate import RENEWAL_DUE, RENEWAL_OVERDUE, expiry
from tools.doctor.finding import Health

AUTHORITY = Certificate.authority("authority")


@pytest.mark.parametrize(
    ("left", "health"),
    [
        (RENEWAL_DUE + HOUR, Health.WELL),
        (RENEWAL_DUE - HOUR, Health.HINT),
        (RENEWAL_OVERDUE - HOUR, Health.WRONG),
        (-HOUR / 2, Health.WRONG),
    ],
)
def test_a_certificate_becomes_a_hint_and_then_a_problem_before_it_expires(
    left: timedelta, health: Health
) -> None:
    assert expiry("certificate", AUTHORITY.sign("server", left).pem).health is health


def test_a_certificate_that_is_not_yet_valid_is_wrong() -> None:
    early = datetime.now(UTC) - 2 * HOUR

    assert expiry("certificate", AUTHORITY.sign("server", 2 * RENEWAL_DUE).pem, early).health is Health.WRONG


def test_a_file_that_is_not_a_certificate_cannot_be_checked() -> None:
    assert expiry("certificate", b"-----BEGIN nothing").health is Health.UNKNOWN


def test_a_server_with_tls_is_checked_over_tls_together_with_its_certificate(tmp_path: Path) -> None:
    cert, key = AUTHORITY.sign("server", 2 * RENEWAL_DUE).save(tmp_path)
    ca = tmp_path / "ca.pem"
    ca.write_bytes(AUTHORITY.pem)
    trust = grpc.ssl_channel_credentials(AUTHORITY.pem)
    with serving(tmp_path / "a.db", "--tls-cert", cert, "--tls-key", key, credentials=trust) as server:
        result = run("doctor", "--server", server.address, "--ca", ca, "--json")
        unencrypted = run("doctor", "--server", server.address, "--json")

    findings = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 0, result.stdout
    assert [finding["about"] for finding in findings] == ["certificate", "health", "reflection", "round trip"]
    assert "in 41 days" in findings[0]["found"]
    assert unencrypted.exit_code == 2
    assert "--tls" in unencrypted.stdout


def test_a_certificate_and_a_key_that_do_not_go_together_are_found(tmp_path: Path) -> None:
    cert, _ = AUTHORITY.sign("server").save(tmp_path)
    key = tmp_path / "other.pem"
    key.write_bytes(AUTHORITY.key_pem)
    file = tmp_path / "shiji.toml"
    file.write_text(f'db = "new.db"\ntls-cert = "{cert.name}"\ntls-key = "{key.name}"\n')

    result = run("doctor", "--config", file, "--json")

    assert result.exit_code == 1
    assert '"about": "TLS", "health": "wrong"' in result.stdout
