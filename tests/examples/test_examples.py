"""The examples do what they say, in both languages, against a real server."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project.places import ROOT
from tests.service.servers import Running, serving

NODE = ROOT / "examples/node"
FOLLOWED = ["1. green Be5Re6", "2. violet Rg8Rg9", "3. green Rd7Yd8", "4. violet Re8Rf8"]
REFUSED = [
    "green Re8Rf8 is illegal:",
    "  QIN-ABSORB-4 No join on a tie: the red provinces would be joined at a tie: green 2, violet 2 (e6, g8)",
    "  rule    A tile cannot join provinces if two or more players would tie for the most cells.",
    "  source  S0 L173-188, S1 L146, L160 (AMB-08)",
    "  ruling  join-tie=lead: Only a tie for the most cells forbids it.",
]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with serving(tmp_path / "archive.db") as running:
        yield running


@pytest.fixture(scope="session")
def node() -> str:
    """Node, with what the example needs; fetched once and kept beside it, where git does not look."""
    found, npm = shutil.which("node"), shutil.which("npm")
    if found is None or npm is None:
        if os.environ.get("CI"):
            pytest.fail("CI is set, and there is no node or no npm: install Debian's packages nodejs and npm")
        pytest.skip("there is no node or no npm: Debian's packages nodejs and npm have them")
    wanted, there = NODE / "package-lock.json", NODE / "node_modules/.package-lock.json"
    if not there.exists() or there.stat().st_mtime < wanted.stat().st_mtime:
        fetch = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"]
        subprocess.run(fetch, cwd=NODE, check=True)
    return found


def _shown(command: list[str | Path]) -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def _is_right(lines: list[str]) -> None:
    """What is followed may come between any two other lines."""
    followed = [line.removeprefix("followed: ") for line in lines if line.startswith("followed: ")]
    others = [line for line in lines if not line.startswith("followed: ")]

    assert followed == FOLLOWED
    assert others[: len(REFUSED)] == REFUSED
    assert any("R1+" in line for line in others)
    assert others[-1] == "audit: verified, 4 of 4 entries"


def test_the_example_in_python_plays_explains_follows_and_audits(server: Running) -> None:
    _is_right(_shown([sys.executable, ROOT / "examples/python/match.py", server.address]))


def test_the_example_in_javascript_does_the_same(server: Running, node: str) -> None:
    _is_right(_shown([node, NODE / "match.js", server.address]))


def test_what_javascript_needs_is_bounded_and_pinned_and_names_no_place_to_fetch_from() -> None:
    asked = json.loads((NODE / "package.json").read_text())["dependencies"]
    lock = (NODE / "package-lock.json").read_text()

    assert [name for name, versions in asked.items() if "<" not in versions] == []
    assert json.loads(lock)["packages"][""]["dependencies"] == asked
    assert "://" not in lock
