"""docs/client.md: its examples run, and it names every method."""

import re
from pathlib import Path

from shiji import Client, Play, errors

from tests.project.pages import printed_by
from tests.project.places import ROOT
from tests.service.servers import serving

PAGE = (ROOT / "docs/client.md").read_text()


def test_its_examples_run_against_a_server(tmp_path: Path) -> None:
    with serving(tmp_path / "archive.db") as server:
        printed = printed_by(PAGE, server.address)

    assert printed[1:] == [
        "QIN-PLACE-1: e6 already carries a tile, e7 is a starting territory",
        "1 green Be5Re6",
        "2 violet Rg8Rg9",
        "3 green Rd7Yd8",
        "Verdict.VERIFIED",
        "3 ['violet Rg8Rg9', 'green Rd7Yd8']",
        "0 ",
        "1 chance seals the order of what is drawn",
        "2 deal green ? ? ?",
        "3 deal violet ? ? ?",
    ]


def test_it_names_every_method() -> None:
    methods = [name for kind in (Client, Play) for name in vars(kind) if not name.startswith("_")]

    assert [
        name for name in methods if not re.search(rf"`{name}\b|client\.{name}\(|play\.{name}\(", PAGE)
    ] == []


def test_it_links_only_to_existing_files_and_names_only_existing_errors() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", PAGE)

    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []
    assert [name for name in re.findall(r"`errors\.(\w+)`", PAGE) if not hasattr(errors, name)] == []
