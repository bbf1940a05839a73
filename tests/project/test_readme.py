"""README.md and other pages for users show what the commands print."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from shiji import LOCAL

from records.files.transcript import MAX_TRANSCRIPT_BYTES, MAX_TRANSCRIPT_ENTRIES, read_transcript
from records.games.registry import find_game
from records.verdict import Verified
from tests.project.pages import HERE, printed_by
from tests.project.places import ROOT, SHIJI
from tests.records.transcripts import verify_transcript
from tests.service.servers import serving
from tests.tools.running import run
from tools.cli import SUBCOMMANDS

README = (ROOT / "README.md").read_text()
COMMANDS = (ROOT / "docs/commands.md").read_text()


def examples() -> Iterator[tuple[str, str]]:
    """Every command in a console block, with its expected output."""
    for block in re.findall(r"^```console\n(.*?)^```$", README + COMMANDS, re.DOTALL | re.MULTILINE):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            yield command, printed


EXAMPLES = dict(examples())


@pytest.mark.parametrize("command", EXAMPLES)
def test_a_command_prints_what_the_pages_show(command: str) -> None:
    path = f"{SHIJI.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-c", command],  # noqa: S607 - sh is found by PATH
        cwd=ROOT,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )

    assert done.stdout == EXAMPLES[command]


def test_the_first_call_of_the_readme_prints_what_it_shows(tmp_path: Path) -> None:
    (shown,) = re.findall(r"^```text\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    with serving(tmp_path / "archive.db") as server:
        assert printed_by(README, server.address) == shown.splitlines()


def test_the_first_call_of_the_readme_uses_the_address_of_make_run() -> None:
    assert README.count(HERE) == 2
    assert HERE == LOCAL


def test_the_pages_have_examples_of_a_good_and_a_bad_record() -> None:
    assert {"shiji verify docs/examples/first.shiji", "shiji verify docs/examples/refused.shiji"} <= set(
        EXAMPLES
    )


def test_the_page_of_commands_names_every_subcommand() -> None:
    assert [name for name in SUBCOMMANDS if f"`shiji {name}" not in COMMANDS] == []


PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_links_only_to_what_is_there(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", page.read_text())

    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_readme_opens_with_a_picture_drawn_by_the_command() -> None:
    (picture,) = re.findall(r'<img [^>]*src="([^"]+)"', README)
    drawn = run("show", ROOT / "docs/examples/first.shiji", "--svg", "-")

    assert README.index(picture) < README.index("## ")
    assert (ROOT / picture).read_text(encoding="utf-8") == drawn.stdout


def test_the_page_on_replaying_names_every_key_and_links_only_to_existing_files() -> None:
    page = (ROOT / "docs/replay.md").read_text()
    links = re.findall(r"\]\(([^)#]+)\)", page)

    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []
    for key in ("→", "space", "←", "b", "Home", "End", "Enter", "v", "↑", "↓", "q"):
        assert re.search(rf"^\|[^|]*{key}[^|]*\|", page, re.MULTILINE)


def test_the_example_of_the_transcript_page_verifies_and_its_limits_are_true() -> None:
    page = (ROOT / "docs/transcript.md").read_text()
    example = re.search(r"^```\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert example is not None

    assert verify_transcript(read_transcript(example[1])).verdict == Verified()
    assert f"at most {MAX_TRANSCRIPT_BYTES // 1024**2} MiB and {MAX_TRANSCRIPT_ENTRIES:,} entries" in page
    assert f"({find_game('qin').max_entries} for Qin)" in page
