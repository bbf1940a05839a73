"""docs/khan.md agrees with the code."""

import re
from typing import get_args

from records.files.transcript import read_transcript
from records.verdict import Verified
from rules.khan.component_checks import check_file
from rules.khan.components import SETS
from rules.khan.game import KHAN
from rules.khan.moves import Move
from tests.project.places import ROOT
from tests.records.transcripts import verify_transcript

PAGE = (ROOT / "docs/khan.md").read_text()


def test_the_match_on_the_page_verifies() -> None:
    match = re.search(r"^```\n(\[Format.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert match is not None

    report = verify_transcript(read_transcript(match[1]))

    assert report.verdict == Verified()


def test_every_move_is_on_the_page() -> None:
    named = set(
        re.findall(r"[A-Z][A-Za-z]+", " ".join(re.findall(r"\| ([A-Z][A-Za-z, ]+) \|$", PAGE, re.MULTILINE)))
    )

    assert {kind.__name__ for kind in get_args(Move)} <= named


def test_every_rule_that_a_move_can_break_is_on_the_page() -> None:
    shortened = PAGE.replace("-P and -S", "-P KHAN-SPEC-S")

    assert [rule.id for rule in KHAN.about.rules if not rule.unchecked and rule.id not in shortened] == []


def test_every_ruling_that_a_match_may_choose_is_on_the_page() -> None:
    for ruling in KHAN.about.rulings:
        if ruling.switchable:
            assert f"`{ruling.name}` ({ruling.ambiguity})" in PAGE
            assert all(f"`{value}`" in PAGE for value in ruling.offered)


def test_every_check_is_on_the_page() -> None:
    assert [f"CHK-{number}" for number in range(1, 15) if f"| CHK-{number} |" not in PAGE] == []


def test_the_shipped_set_is_on_the_page_and_has_no_faults() -> None:
    assert [known.name for known in SETS if known.name not in PAGE] == []
    assert all(check_file(known.data).faults == () for known in SETS)
