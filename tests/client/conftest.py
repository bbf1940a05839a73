from collections.abc import Iterator

import pytest
from shiji import Client

from tests.service.servers import Running, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One server per module: its tests do not interfere with each other."""
    with serving(tmp_path_factory.mktemp("server") / "archive.db") as running:
        yield running


@pytest.fixture
def client(server: Running) -> Iterator[Client]:
    with Client(server.address) as connected:
        yield connected
