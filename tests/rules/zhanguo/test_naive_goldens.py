"""The golden transcripts of Zhanguo, played by the plain model, which reads them for itself."""

import json
import re
from pathlib import Path

import pytest

from tests.rules.zhanguo.naive import Naive
from tests.rules.zhanguo.naive_score import winners

GOLDEN = Path(__file__).parents[2] / "records" / "golden" / "zhanguo"
ILLEGAL = [path for path in sorted(GOLDEN.glob("bad/*.json")) if '"illegal"' in path.read_text()]


def tags_and_entries(path: Path) -> tuple[dict[str, str], list[str]]:
    lines = path.read_text().splitlines()
    tags = [(found[1], found[2]) for line in lines if (found := re.fullmatch(r'\[(\w+) "(.*)"\]', line))]
    entries = [line.partition(". ")[2] for line in lines if re.match(r"\d+\. ", line)]
    return dict(tags), entries


def laid_out(tags: dict[str, str]) -> Naive:
    chosen = f"{tags.get('Options', '')} {tags.get('Rulings', '')}".split()
    settings = dict(word.split("=") for word in chosen)
    return Naive(tags["Seats"].split(), settings, recorded=tags["Draws"] == "recorded")


def actor_and_move(match: Naive, entry: str) -> tuple[int | None, str]:
    names = [player.name for player in match.players]
    first, _, rest = entry.partition(" ")
    return (names.index(first), rest) if first in names else (None, entry)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.shiji")), ids=lambda path: path.stem)
def test_a_golden_transcript_is_legal_and_has_its_result(path: Path) -> None:
    tags, entries = tags_and_entries(path)
    match = laid_out(tags)
    for entry in entries:
        match.play(*actor_and_move(match, entry))

    won = " ".join(match.players[seat].name for seat in winners(match))
    assert (won or "*") == tags["Result"]


@pytest.mark.parametrize("path", ILLEGAL, ids=lambda path: path.stem)
def test_an_illegal_transcript_breaks_its_rules_where_its_report_says(path: Path) -> None:
    report = json.loads(path.read_text())
    tags, entries = tags_and_entries(path.with_suffix(".shiji"))
    match = laid_out(tags)
    for entry in entries[: report["entry"] - 1]:
        match.play(*actor_and_move(match, entry))
    broken = match.judge(*actor_and_move(match, entries[report["entry"] - 1]))

    assert broken == report["rules"]
