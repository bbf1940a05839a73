"""An archive in PostgreSQL with two servers, shared by the tests of a file."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from records.log.postgres.connection import Target
from tests.postgres import as_role, shared_cluster
from tests.service.servers import Running, serving


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fleet") / "secret"
    path.write_text(secrets.token_hex(32))
    return path


@pytest.fixture(scope="module")
def target() -> Target:
    """An archive, as servers that number entries reach it."""
    return shared_cluster().target_of("server")


@pytest.fixture(scope="module")
def fleet(target: Target, secret: Path) -> Iterator[tuple[Running, Running]]:
    front = as_role(target, "front").url
    with (
        serving(target.url, "--secret-file", secret) as one,
        serving(front, "--secret-file", secret, "--sequencer", "off") as other,
    ):
        yield one, other
