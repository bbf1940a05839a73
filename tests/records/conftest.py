"""The engines that the ledger is tested on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from records.ledger.ledger import Ledger
from records.log.contract import Log
from tests.records.log.conftest import ENGINES


@pytest.fixture(params=ENGINES)
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    """An empty log, once for each engine."""
    with ENGINES[str(request.param)](tmp_path) as opened:
        yield opened


@pytest.fixture
def ledger(log: Log) -> Ledger:
    return Ledger(log)
