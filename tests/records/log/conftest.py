"""The engines that every test of the contract runs on."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from records.log.contract import Log
from records.log.memory import MemoryLog
from records.log.postgres.connection import Session, Target, connect
from records.log.sqlite import SqliteLog
from tests.postgres import shared_cluster

Engine: TypeAlias = Callable[[Path], Log]

ENGINES: dict[str, Engine] = {
    "memory": lambda _: MemoryLog(),
    "sqlite": lambda folder: SqliteLog.open(folder / "archive.db"),
    "postgres": lambda _: shared_cluster().log(),
}


@pytest.fixture(params=ENGINES)
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    """An empty log, once for each engine."""
    engine = ENGINES[str(request.param)]
    with engine(tmp_path) as opened:
        yield opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where an archive file may be made."""
    return tmp_path / "archive.db"


@pytest.fixture
def target() -> Target:
    """An empty archive in PostgreSQL."""
    return shared_cluster().target()


@pytest.fixture
def owner(target: Target) -> Iterator[Session]:
    """A session of the owner of its tables."""
    with connect(target, purpose="test") as session:
        yield session
