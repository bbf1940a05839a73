"""Pages name only files and modules that exist."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.project.places import ROOT

PAGES = [*sorted(ROOT.glob("docs/*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
FOLDERS = "docs|examples|packaging|protos|records|rules|service|tests|tools"
PATH = re.compile(rf"(?<![\w./-])(?:{FOLDERS})/[\w./<>*-]*")
"""A path from the root of the repository; `<game>` and `*` stand for any name."""
MODULE = re.compile(r"(?<![\w./-])(?:records|rules|service|tests|tools)(?:\.(?!md\b)[a-z_0-9]+)+(?![\w/])")
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")


def missing(page: str, folder: Path) -> list[str]:
    """Paths, modules and linked files that a page in this folder names and that do not exist."""
    paths = [path.rstrip(".") for path in PATH.findall(page)]
    absent = [path for path in paths if not any(ROOT.glob(re.sub(r"<[^>]*>\*?", "*", path.rstrip("/"))))]
    absent += [name for name in MODULE.findall(page) if not is_module(name)]
    return absent + [link for link in LINK.findall(page) if not (folder / link).exists()]


def is_module(name: str) -> bool:
    """Whether it can be imported."""
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_only_what_exists(page: Path) -> None:
    assert missing(page.read_text("utf-8"), page.parent) == []


def test_a_path_a_module_and_a_link_that_do_not_exist_are_found() -> None:
    page = "`records/gone.py`, tools.client, `tools.gone`, `protos/shiji/<game>/v1`, docs/, [a](gone.md)"

    assert missing(page, ROOT / "docs") == ["records/gone.py", "tools.gone", "gone.md"]
