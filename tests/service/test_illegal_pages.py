"""Pages of stored matches in which something is wrong, as only a forger or a damaged disk makes them."""

import json
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from shiji.verdict.v1 import verdict_pb2 as verdicts

from records.audit.compare import Branch, compare
from records.audit.comparison_words import comparison_words
from records.audit.record import audit_record
from records.ledger.ledger import Ledger
from records.log.sqlite import SqliteLog
from records.replay.fold import open_record
from records.verdict import DivergedAt
from service.http.pages.archive_view import ArchiveView
from service.http.pages.dispute_view import sentence
from tests.records.archives import add
from tests.records.matches import MOVES, forged, played
from tests.records.texts import text
from tests.service.http_calls import Reply, ask
from tests.service.running import InProcessService, serving_in_process

BROWSER = "text/html,application/xhtml+xml"

CROSS = "M-3.5 -3.5L3.5 3.5M3.5 -3.5L-3.5 3.5"
"""What a refused move is crossed out with."""


def page(running: InProcessService, path: str) -> str:
    return ask(running.web, path, accept=BROWSER).body.decode()


def twin(running: InProcessService, path: str) -> Reply:
    return ask(running.web, path)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An archive with a match whose third move, on a village and beside nothing, was never legal."""
    entries = played(*MOVES)
    move = open_record(entries[0]).start.parse_text("green Ra13Rb13").data
    path = tmp_path / "shiji.db"
    add(path, forged(entries, 3, move=move))
    return path


@pytest.fixture
def illegal(archive: Path) -> Iterator[InProcessService]:
    """A service over the archive."""
    with SqliteLog.open(archive) as log, serving_in_process(Ledger(log)) as running:
        yield running


def match_of(running: InProcessService) -> str:
    return msgspec.json.decode(ask(running.web, "/index.json").body, type=ArchiveView).matches[0].match_id


def test_a_match_that_was_found_illegal_says_so_on_its_page(illegal: InProcessService) -> None:
    match = match_of(illegal)
    before = page(illegal, f"/matches/{match}")
    page(illegal, f"/matches/{match}/dispute")

    after = page(illegal, f"/matches/{match}")

    assert "The last audit found it" not in before
    assert "The last audit found it illegal at entry 3" in after
    assert f'<a href="/matches/{match}/dispute">see why</a>' in after
    rows = [line for line in after.splitlines() if 'class="fault"' in line]
    assert len(rows) == 1
    assert f'href="/matches/{match}?entry=3"' in rows[0]


def test_a_dispute_names_the_match_and_draws_the_move_that_was_refused(illegal: InProcessService) -> None:
    match = match_of(illegal)

    found = twin(illegal, f"/matches/{match}/dispute.json").json()
    shown = page(illegal, f"/matches/{match}/dispute")

    assert (found["title"], found["seats"]) == ("Qin", ["green", "violet"])
    assert found["bad_move"] == "green Ra13Rb13"
    assert "Entry 3: <strong><bdi>green Ra13Rb13</bdi></strong>" in shown
    assert 'aria-label="The position before entry 3"' in shown
    assert CROSS in shown


def test_a_comparison_draws_the_move_that_was_refused(illegal: InProcessService) -> None:
    match = match_of(illegal)
    body = {"one": {"matchId": match}, "other": {"content": b64encode(text(*MOVES).encode()).decode()}}

    shown = ask(illegal.web, "/compare", json.dumps(body), accept=BROWSER).body.decode()

    assert "entry 3 of A is illegal" in shown
    assert CROSS in shown


def report(verdict: verdicts.Verdict.ValueType, bad: int, good: int) -> verdicts.AuditReport:
    return verdicts.AuditReport(verdict=verdict, first_bad=bad, good=good, entries=5)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (report(verdicts.VERDICT_DIVERGED, 0, 0), "What the record says at its start is not"),
        (report(verdicts.VERDICT_CORRUPT, 0, 0), "The header of the record is damaged"),
        (
            report(verdicts.VERDICT_DIVERGED, 5, 5),
            "Every entry up to 5 is legal, but what the record says after",
        ),
        (
            report(verdicts.VERDICT_DIVERGED, 3, 2),
            "Entry 3 is not what the rules give; the record is good up to",
        ),
    ],
)
def test_no_sentence_calls_one_entry_both_good_and_bad(found: verdicts.AuditReport, words: str) -> None:
    assert sentence(found).startswith(words)
    assert "entry 0" not in sentence(found).lower()


def test_a_header_that_the_rules_refuse_is_not_called_legal_in_a_comparison() -> None:
    entries = played(*MOVES[:1])
    good = audit_record(entries[0].match, entries)
    bad = replace(good, verdict=DivergedAt(0, "the match cannot be set up"))
    found = compare(Branch(good, texts=("a",)), Branch(bad, texts=("b",)))

    assert comparison_words(found, good, bad) == (
        "the header of B is diverged; the records differ from the first entry"
    )
