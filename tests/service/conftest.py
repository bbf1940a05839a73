"""Fixtures: a service per test module, over an archive in a file."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from tests.service.running import InProcessService, serving_file


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessService]:
    with serving_file(tmp_path_factory.mktemp("archive") / "archive.db") as service:
        yield service


@pytest.fixture
def stub(running: InProcessService) -> RecordServiceStub:
    return running.stub


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "archive.db"
