"""Texts of listed entries: kept for pages that are made again, per viewer, and never of another record."""

from records.entry import Entry, MatchId
from records.ledger.ledger import Ledger
from records.log.memory import MemoryLog
from rules.kernel.actors import AUDITOR, SPECTATOR, Seat, Viewer
from service.http.pages.entry_texts import MAX_KEPT_LISTS, EntryTexts
from service.messages import Viewpoint
from tests.records.matches import MOVES, begin, header


def moves(*texts: str, event: str = "") -> list[Entry]:
    """The entries of a match after its header."""
    ledger = Ledger(MemoryLog(), new_id=lambda: MatchId("m"))
    table = begin(ledger, header(tags=(("Event", event),) if event else ()))
    table.play(*texts)
    return table.entries[1:]


def viewpoint(viewer: Viewer, parts: Viewer | None = None) -> Viewpoint:
    return Viewpoint(header(), viewer, viewer if parts is None else parts)


def test_the_texts_of_a_match_that_goes_on_are_known() -> None:
    kept, entries = EntryTexts(), moves(*MOVES)
    kept.keep(viewpoint(SPECTATOR), entries[:2], MOVES[:2])

    assert kept.known(viewpoint(SPECTATOR), entries) == MOVES[:2]
    assert kept.known(viewpoint(SPECTATOR), entries[:1]) == ()


def test_nobody_gets_the_texts_that_another_viewer_may_see() -> None:
    kept, entries = EntryTexts(), moves(*MOVES)
    kept.keep(viewpoint(Seat(0)), entries, MOVES)

    assert kept.known(viewpoint(Seat(1)), entries) == ()
    assert kept.known(viewpoint(SPECTATOR), entries) == ()
    assert kept.known(viewpoint(Seat(0), parts=AUDITOR), entries) == ()


def test_entries_that_differ_from_those_that_were_read_are_read_again() -> None:
    kept = EntryTexts()
    kept.keep(viewpoint(SPECTATOR), moves(*MOVES[:2]), MOVES[:2])

    assert kept.known(viewpoint(SPECTATOR), moves(*MOVES, event="another")) == ()


def test_a_part_of_a_match_is_not_kept() -> None:
    kept, entries = EntryTexts(), moves(*MOVES)
    kept.keep(viewpoint(SPECTATOR), entries[2:], MOVES[2:])

    assert kept.known(viewpoint(SPECTATOR), entries[2:]) == ()


def test_the_texts_that_were_not_asked_for_longest_are_dropped() -> None:
    kept, entries = EntryTexts(), moves(*MOVES)
    for number in range(MAX_KEPT_LISTS):
        kept.keep(viewpoint(Seat(number)), entries, MOVES)
    kept.known(viewpoint(Seat(0)), entries)
    kept.keep(viewpoint(SPECTATOR), entries, MOVES)

    assert kept.known(viewpoint(Seat(0)), entries) == MOVES
    assert kept.known(viewpoint(Seat(1)), entries) == ()
