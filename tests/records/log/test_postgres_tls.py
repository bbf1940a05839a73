"""A PostgreSQL archive over TLS, with a certificate that is checked."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from records.log.contract import LogUnavailable
from records.log.opening import open_log
from tests.postgres import Cluster, running
from tests.records.log.making import RecordWriter
from tests.service.certificates import Certificate

ENCRYPTED = (
    "SELECT bool_and(ssl)::integer FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) "
    "WHERE application_name LIKE 'shiji %'"
)


@pytest.fixture(scope="module")
def authority() -> Certificate:
    return Certificate.authority("authority")


@pytest.fixture(scope="module")
def cluster(authority: Certificate) -> Iterator[Cluster]:
    """A server that takes connections with TLS only."""
    with running() as cluster:
        certificate = authority.sign("database")
        for name, data in (("server.crt", certificate.pem), ("server.key", certificate.key_pem)):
            path = cluster.folder / name
            path.write_bytes(data)
            path.chmod(0o600)
            shutil.chown(path, cluster.folder.owner(), cluster.folder.group())
        try:
            cluster.set("ssl", "on")
        except psycopg.Error as fault:
            pytest.skip(f"not run: this PostgreSQL has no TLS: {fault}")
        yield cluster


def over_tls(cluster: Cluster, trusted: Certificate, folder: Path) -> str:
    root = folder / "root.pem"
    root.write_bytes(trusted.pem)
    return f"{cluster.target().url}?sslmode=verify-full&sslrootcert={root}"


def test_an_archive_is_used_over_tls(cluster: Cluster, authority: Certificate, tmp_path: Path) -> None:
    with open_log(over_tls(cluster, authority, tmp_path)) as log:
        RecordWriter("m").write(log)

        assert log.wait(0, 20) == 1
        assert cluster.ask(ENCRYPTED) == 1


def test_a_database_with_the_certificate_of_somebody_else_is_not_used(
    cluster: Cluster, tmp_path: Path
) -> None:
    url = over_tls(cluster, Certificate.authority("somebody else"), tmp_path)

    with pytest.raises(LogUnavailable, match="certificate verify failed"):
        open_log(url)
