"""What everybody is shown of a damaged record names nothing that is hidden in it."""

import pytest

from records.codec.shape import CorruptEvents
from records.entry import MOVE
from records.games.registry import GAMES
from records.games.state import GameState
from records.replay.disclosure import in_full
from records.replay.fold import open_record
from rules.kernel.setup import GameKey
from tests.tools.forms import form_named, original


def faults(game: GameKey) -> list[CorruptEvents]:
    """What is wrong with each entry of a match if it stands in its record twice."""
    entries = original(game, form_named("recorder deals"))
    state, found = open_record(entries[0]).start, list[CorruptEvents]()

    def after(before: GameState, events: bytes) -> GameState | None:
        try:
            return before.fold(events)
        except CorruptEvents as fault:
            found.append(fault)
            return None

    for entry in entries:
        if entry.kind == MOVE:
            events = in_full(entry)[1]
            state = after(state, events) or state
            after(state, events)
    return found


@pytest.mark.parametrize("game", GAMES.keys)
def test_events_that_do_not_fit_are_called_so_without_a_word_about_the_cards(game: GameKey) -> None:
    found = faults(game)

    assert {str(fault) for fault in found} <= {"the events do not fit the match"}
    assert all(fault.__cause__ is not None and str(fault.__cause__) for fault in found)


def test_there_are_such_events() -> None:
    assert any(faults(game) for game in GAMES.keys)
