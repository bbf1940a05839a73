"""The fuzzer finds what it looks for: faults that are put into Shiji are reported, no address is left out."""

import asyncio
import time
from pathlib import Path

import pytest

from records.browser.files import judge_files
from records.entry import MatchId
from service.http.events import EVENTS_PATH
from service.http.pages.site import PATHS
from service.requests import match_id
from tests.fuzz.findings import SLOW_SECONDS, Findings
from tests.fuzz.parts import CALLS, run_part
from tests.fuzz.sending import OPENING_TABLES, start, visit
from tests.fuzz.visits import next_visit
from tests.fuzz.world import running

ENOUGH_CALLS = 120
"""Calls among which are some to every kind of method."""

MIN_VISITS, MAX_VISITS = 400, 8_000
"""Requests for pages: at least the first number; more until one has succeeded at every address."""

SENT = ("POST /compare HTTP 200", "POST /compare.json HTTP 200", "POST /preview HTTP 200")
"""Visits with something to compare or to draw that succeeded."""


def test_an_exception_in_a_method_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: str) -> MatchId:
        raise KeyError("put in")

    monkeypatch.setattr("service.methods.query.match_id", broken)

    found = run_part(CALLS, 0, 0, ENOUGH_CALLS, 0)

    assert any("INTERNAL INTERNAL" in crash for crash in found.crashes)
    assert any("KeyError: 'put in'" in crash for crash in found.crashes)


def test_a_slow_answer_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = list[str]()

    def slow_for_one(text: str) -> MatchId:
        slow.append(text)
        if text == slow[0]:
            time.sleep(SLOW_SECONDS * 2)
        return match_id(text)

    monkeypatch.setattr("service.methods.query.match_id", slow_for_one)

    found = run_part(CALLS, 0, 0, ENOUGH_CALLS, 0)

    assert found.slow
    assert found.slowest > SLOW_SECONDS


def test_a_stored_record_that_does_not_verify_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("records.ledger.builder.public_digest", lambda *_: bytes(32))

    found = run_part(CALLS, 0, 0, ENOUGH_CALLS, 0)

    assert any(crash.startswith("the stored record") for crash in found.crashes)


@pytest.mark.parametrize("fault", [RecursionError, KeyError])
def test_a_file_that_breaks_its_reader_is_found_and_kept(
    monkeypatch: pytest.MonkeyPatch, fault: type[Exception]
) -> None:
    def broken(*_: object) -> None:
        raise fault

    monkeypatch.setattr("records.audit.judged_file.read_header", broken)

    found = run_part("transcripts", 0, 0, 50, 0)

    assert len(found.crashes) == len(found.data) > 0
    assert fault.__name__ in found.crashes[0]


def test_pages_are_requested_at_every_address_and_records_are_sent_to_be_compared(tmp_path: Path) -> None:
    found, reached = asyncio.run(visit_pages(tmp_path))

    assert found.crashes == []
    assert all(reached.values()), reached
    assert all(found.visits[each] for each in SENT), found.visits


async def visit_pages(folder: Path) -> tuple[Findings, dict[str, bool]]:
    """What was found, and for every address whether a page there was sent."""
    found = Findings()
    async with running(folder, "pages") as world:
        while len(world.tables) < OPENING_TABLES:
            await start(world)
        sent, reached = set[str](), dict[str, bool]()
        installed = judge_files() is not None
        patterns = [
            pattern
            for pattern in (EVENTS_PATH, *PATHS.values())
            if installed or not pattern.pattern.startswith("/judge")
        ]
        for number in range(MAX_VISITS):
            asked = next_visit(world)
            if (await visit(world, asked, found)).endswith("200"):
                sent.add(asked.path.partition("?")[0])
            reached = {pattern.pattern: any(map(pattern.fullmatch, sent)) for pattern in patterns}
            if number >= MIN_VISITS and all(reached.values()) and all(found.visits[each] for each in SENT):
                break
        found.crashes += world.faults.texts
    return found, reached
