"""Every package says what is in it and where to start."""

import ast
from pathlib import Path

import pytest

from tests.project.places import ROOT

FOLDERS = ("records", "rules", "service", "tools")
PACKAGES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("__init__.py"))
NOTHING_TO_START_AT = {"tools/client"}
"""Names of the past, which lead elsewhere."""


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: path.parent.relative_to(ROOT).as_posix())
def test_a_package_says_what_is_in_it_and_where_to_start(path: Path) -> None:
    text = " ".join((ast.get_docstring(ast.parse(path.read_bytes())) or "").split())
    words = [word.strip(",.;") for word in text.partition("Start at ")[2].split()]
    named = [path.parent / word for word in words if word.endswith(".py") and "*" not in word]

    assert named or path.parent.relative_to(ROOT).as_posix() in NOTHING_TO_START_AT
    assert [each for each in named if not each.exists()] == []
