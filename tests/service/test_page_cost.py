"""What a page costs: no more than what it lists, and nothing long in the event loop."""

import threading
from collections.abc import Iterator

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup
from msgspec import structs

from records.codec.header import Retraction, encode_retraction
from records.entry import Entry, EntryKind, MatchId
from records.ledger.ledger import Ledger
from records.log.memory import MemoryLog
from service.http.pages.board import BoardDrawing
from service.http.pages.match_view import MatchView, taken_back
from service.http.pages.rendering import rendered, rendering
from tests.records.matches import MOVES, played
from tests.service.calls import begin
from tests.service.http_calls import ask
from tests.service.running import serving_in_process

ENTRY = played(MOVES[0])[1]


def entries(first: int, back_to: dict[int, int], last: int) -> list[Entry]:
    """Consecutive entries, of which some go back to an earlier one."""
    return [
        structs.replace(ENTRY, sequence=sequence)
        if sequence not in back_to
        else structs.replace(
            ENTRY,
            sequence=sequence,
            kind=EntryKind.RETRACT,
            move=encode_retraction(Retraction(back_to[sequence], "")),
        )
        for sequence in range(first, last + 1)
    ]


@given(st.integers(1, 30), st.dictionaries(st.integers(1, 60), st.integers(0, 59)))
def test_an_entry_is_taken_back_by_every_later_one_that_goes_back_beyond_it(
    first: int, drawn: dict[int, int]
) -> None:
    back_to = {sequence: to for sequence, to in drawn.items() if to < sequence}
    listed = {sequence: to for sequence, to in back_to.items() if sequence >= first}
    expected = {
        sequence
        for sequence in range(first, 61)
        if any(to < sequence < later for later, to in listed.items())
    }

    assert taken_back(entries(first, back_to, 60)) == expected


def test_takebacks_of_what_a_page_does_not_list_cost_it_nothing() -> None:
    listed = entries(100_000, dict.fromkeys(range(100_000, 102_000), 0), 102_000)

    assert len(taken_back(listed)) <= len(listed)


class ReadingThreads(MemoryLog):
    """A log that notes which thread reads more than one entry of a match."""

    def __init__(self) -> None:
        super().__init__()
        self.threads = set[str]()

    def read(self, match: MatchId, start: int = 0, limit: int | None = None) -> Iterator[Entry]:
        if limit != 1:
            self.threads.add(threading.current_thread().name)
        return super().read(match, start, limit)


def test_the_page_of_a_dispute_is_made_of_the_record_outside_of_the_event_loop() -> None:
    log = ReadingThreads()
    with serving_in_process(Ledger(log)) as running:
        table = begin(running.stub)
        table.play(*MOVES)
        log.threads.clear()
        reply = ask(running.web, f"/matches/{table.match}/dispute.json")

    assert reply.status == 200
    assert log.threads
    assert all(name.startswith("worker") for name in log.threads)


def test_a_page_is_rendered_in_more_steps_than_it_lists_entries() -> None:
    with serving_in_process(Ledger(MemoryLog())) as running:
        table = begin(running.stub)
        table.play(*MOVES)
        reply = ask(running.web, f"/matches/{table.match}.json")
    view = msgspec.json.decode(reply.body, type=MatchView)
    values = {"view": view, "drawing": BoardDrawing(Markup(), (), tuple(Markup() for _ in view.board.seats))}
    steps = sum(1 for _ in rendering("match.html", values))

    listed = view.turns * 100
    longer = {**values, "view": structs.replace(view, turns=listed)}
    further = sum(1 for _ in rendering("match.html", longer)) - steps
    assert further >= 99 * len(MOVES)
    assert rendered("match.html", values).plain.count(b"data-copy=") == len(MOVES)
