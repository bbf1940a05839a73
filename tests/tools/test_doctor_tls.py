"""`shiji doctor` and certificates."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import grpc
import pytest

from tests.service.certificates import HOUR, Certificate
from tests.service.servers import serving
from tests.tools.running import run
from tools.doctor.certificate import LATER, SOON, expiry
from tools.doctor.finding import Health

AUTHORITY = Certificate.authority("authority")


@pytest.mark.parametrize(
    ("left", "health"),
    [
        (LATER + HOUR, Health.WELL),
        (LATER - HOUR, Health.HINT),
        (SOON - HOUR, Health.WRONG),
        (-HOUR / 2, Health.WRONG),
    ],
)
def test_a_certificate_is_the_worse_the_sooner_it_ends(left: timedelta, health: Health) -> None:
    assert expiry("certificate", AUTHORITY.sign("server", left).pem).health is health


def test_a_certificate_that_has_not_begun_is_wrong() -> None:
    early = datetime.now(UTC) - 2 * HOUR

    assert expiry("certificate", AUTHORITY.sign("server", 2 * LATER).pem, early).health is Health.WRONG


def test_what_is_no_certificate_is_told() -> None:
    assert expiry("certificate", b"-----BEGIN nothing").health is Health.UNKNOWN


def test_a_server_with_tls_is_asked_in_private_and_shows_when_its_certificate_ends(tmp_path: Path) -> None:
    cert, key = AUTHORITY.sign("server", 2 * LATER).save(tmp_path)
    ca = tmp_path / "ca.pem"
    ca.write_bytes(AUTHORITY.pem)
    trust = grpc.ssl_channel_credentials(AUTHORITY.pem)
    with serving(tmp_path / "a.db", "--tls-cert", cert, "--tls-key", key, credentials=trust) as server:
        told = run("doctor", "--server", server.address, "--ca", ca, "--json")
        in_the_clear = run("doctor", "--server", server.address, "--json")

    findings = [json.loads(line) for line in told.stdout.splitlines()]
    assert told.exit_code == 0, told.stdout
    assert [finding["about"] for finding in findings] == ["certificate", "health", "reflection", "round trip"]
    assert "in 41 days" in findings[0]["found"]
    assert in_the_clear.exit_code == 2
    assert "--tls" in in_the_clear.stdout


def test_a_certificate_and_a_key_that_do_not_go_together_are_found(tmp_path: Path) -> None:
    cert, _ = AUTHORITY.sign("server").save(tmp_path)
    key = tmp_path / "other.pem"
    key.write_bytes(AUTHORITY.key_pem)
    file = tmp_path / "shiji.toml"
    file.write_text(f'db = "new.db"\ntls-cert = "{cert.name}"\ntls-key = "{key.name}"\n')

    told = run("doctor", "--config", file, "--json")

    assert told.exit_code == 1
    assert '"about": "TLS", "health": "wrong"' in told.stdout
