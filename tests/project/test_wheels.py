"""`make dist` builds wheels that work in a fresh environment without the repository, on old archives too."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from shiji import Client, Summary

from tests.project.places import ROOT
from tests.project.wheels import Environment
from tools.dev import web
from tools.dev.dist import PROJECTS, version_of

VERSION = version_of(ROOT)
OLD = ROOT / "tests/records/golden/archives/schema-1-qin-1.db"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheels."""
    try:
        if not web.is_current():
            web.build()
    except web.CannotBuild as fault:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(fault))
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "tools.dev.dist", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith(f"{len(PROJECTS)} wheels of version {VERSION} in ")
    return folder


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("fresh"), *sorted(built.glob("*.whl")))


def test_every_wheel_is_of_the_version_of_the_changes(built: Path) -> None:
    changes = (ROOT / "CHANGELOG.md").read_text()

    assert sorted(wheel.name for wheel in built.iterdir()) == [
        f"shiji-{VERSION}-py3-none-any.whl",
        f"shiji_client-{VERSION}-py3-none-any.whl",
        f"shiji_judge-{VERSION}-py3-none-any.whl",
    ]
    assert re.findall(r"^## (\S+?),? ", changes, re.MULTILINE)[0] == VERSION


def test_the_demo_runs_from_the_wheels(installed: Environment) -> None:
    shown, played = installed.shiji("--version"), installed.shiji("demo")

    assert shown.out == f"shiji {VERSION}\n"
    assert (played.code, played.err) == (0, "")
    assert "verified" in played.out


def test_records_and_pages_are_verified_and_written(installed: Environment) -> None:
    shutil.copy(ROOT / "docs/examples/first.shiji", installed.folder)

    page = installed.shiji("replay", "first.shiji", "--html", "page.html")
    verified = installed.shiji("verify", "first.shiji", "page.html")

    assert (page.code, page.err) == (0, "")
    assert (verified.code, verified.out.count("verified, 4 entries")) == (0, 2)


def test_a_page_can_carry_the_judge_where_it_is_installed(installed: Environment) -> None:
    shutil.copy(ROOT / "docs/examples/first.shiji", installed.folder)

    page = installed.shiji("replay", "first.shiji", "--html", "judge.html", "--judge")

    assert (page.code, page.err) == (0, "")
    assert 6_000_000 < (installed.folder / "judge.html").stat().st_size < 10_000_000
    assert installed.shiji("verify", "judge.html").out.count("verified, 4 entries") == 1
    licences = {path.name for path in installed.packages.glob("shiji_judge-*.dist-info/licenses/**/LICENSE*")}
    assert licences == {
        "LICENSE",
        "LICENSE.CPython-and-typing_extensions.txt",
        "LICENSE.Pyodide.txt",
        "LICENSE.msgspec.txt",
        "LICENSE.mypy_extensions.txt",
        "LICENSE.protobuf.txt",
    }


def test_an_archive_of_0_1_is_read_as_it_is_and_upgraded_by_the_server(
    installed: Environment,
) -> None:
    archive = installed.folder / "old.db"
    shutil.copy(OLD, archive)
    audited = installed.shiji("audit", archive)
    untouched = archive.read_bytes() == OLD.read_bytes()

    with installed.server(archive) as address, Client(address) as client:
        listed = list(client.matches())
        client.start_match("qin", ["green", "violet"])
        *_, summary = client.audit_archive()

    (backup,) = installed.folder.glob("old.db.v1-*.backup")
    assert untouched
    assert isinstance(summary, Summary)
    assert summary.matches == len(listed) + 1 > 1
    assert installed.shiji("audit", backup).code == audited.code
