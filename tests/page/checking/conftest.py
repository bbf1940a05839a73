"""A server whose pages check records in the browser, with the judge that `make web` makes."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from records.browser.files import JudgeFiles, judge_files
from tests.page.opening import Opened
from tests.service.servers import Running, serving
from tools.dev.web import NO_NPM


@pytest.fixture(scope="session")
def judge() -> JudgeFiles:
    """The files of the judge."""
    found = judge_files()
    if found is None:
        why = "`make web` makes it, or says why it cannot" if shutil.which("npm") else NO_NPM
        missing = f"there is no judge for browsers: {why}"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    return found


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("checking") / "shiji.db", "--web", "127.0.0.1:0") as running:
        yield running


@pytest.fixture
def opened(browser: Browser, server: Running) -> Iterator[Opened]:
    with Opened(browser, server.web) as found:
        yield found
