"""docs/records.md agrees with the code."""

import json
import re

from records.audit.archive import Summary
from records.entry import Entry, EntryKind, RetractPolicy
from records.files.record_file import FORMATS, MAX_RECORD_FILE_BYTES
from records.replay.fold import MOST_ENTRIES
from records.replay.policies import TAKEBACK_1
from tests.project.places import ROOT
from tools.dev.golden_version_2 import FOLDER

PAGE = (ROOT / "docs/records.md").read_text()
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))


def rows(section: str) -> set[str]:
    """Every name in the first column of the tables of a section."""
    cells = re.findall(r"^\| ([^|]+) \|", SECTIONS[section], re.MULTILINE)
    return {name.strip("` ") for cell in cells for name in cell.split(",")}


def test_every_field_of_an_entry_is_described() -> None:
    assert set(Entry.__struct_fields__) <= rows("Entries")
    assert all(f"{kind.value} " in SECTIONS["Entries"] for kind in EntryKind)


def test_every_policy_and_the_rule_are_named() -> None:
    assert {policy.value for policy in RetractPolicy} <= rows("Corrections")
    assert TAKEBACK_1.id in SECTIONS["Corrections"]
    assert f"after {MOST_ENTRIES:,} entries" in SECTIONS["Corrections"]


def test_every_key_of_a_record_file_is_described() -> None:
    files = [(FOLDER / f"{name}.jsonl").read_text() for name in ("v1-unsealed", "unsealed", "sealed")]
    keys = {key for file in files for line in file.splitlines() for key in json.loads(line)}

    assert keys == rows("The record file") - {"key"}
    assert all(f"`{name}`" in SECTIONS["The record file"] for name in FORMATS.values())
    assert f"at most {MAX_RECORD_FILE_BYTES // 1024**2} MiB" in SECTIONS["The record file"]


def test_the_summary_has_the_keys_that_are_named() -> None:
    named = re.search(r'\{"summary": \{(.*?)\}\}', SECTIONS["Large archives"])
    assert named is not None

    fields = set(re.findall(r'"(\w+)"', named[1]))
    assert {"since", "position", "matches", "entries", "verdicts", "rules", "flaws", "not_checked"} <= fields
    assert fields - {"games"} <= set(Summary.__dataclass_fields__)


def test_the_page_links_only_to_existing_files() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", PAGE)

    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []
