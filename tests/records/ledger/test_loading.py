"""Long records are read in steps, and then they are what they are when read at once."""

import random
import sys
from functools import partial
from itertools import pairwise
from operator import gt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from records.codec.header import Retraction
from records.entry import Dealer, MatchHeader, MatchId
from records.games.registry import find_game
from records.ledger.builder import PreparedAppend
from records.ledger.ledger import Ledger
from records.ledger.loading import MOST_ENTRIES_AT_ONCE, PAGE_ENTRIES, NotLoaded, loaded
from records.ledger.notices import judge_retract
from records.ledger.results import NoSuchEntry, NoSuchMatch
from records.log.contract import NEW, Append
from records.log.memory import MemoryLog
from records.replay import fold, past_states
from records.replay.fold import CorruptRecord
from records.replay.steps import at_once
from rules.kernel.actors import ARBITER
from rules.kernel.setup import Draws, GameKey, Setup

SECRET = bytes(32)


def secret_of(_: MatchId) -> bytes:
    return SECRET


def played(
    game: str, seed: int, length: int, *, sealed: bool = False, taken_back: float = 0.2
) -> tuple[MemoryLog, MatchId]:
    """A match of random moves, of which this share is taken back unless it is sealed."""
    dice, log = random.Random(seed), MemoryLog()  # noqa: S311 - the same moves in every run
    ledger = Ledger(log, secrets=secret_of)
    about = find_game(GameKey(game)).about
    draws, dealer = (Draws.RECORDED, Dealer.SERVICE) if sealed else (Draws.UNRECORDED, Dealer.RECORDER)
    setup = Setup(about.editions[-1].key, ("green", "violet"), about.components[0].name, draws)
    match = ledger.start(MatchHeader(GameKey(game), setup, dealer=dealer), "start").entry.match
    while (sequence := ledger.current(match).sequence) < length:
        state = ledger.state_at(match)
        awaited = state.awaiting()
        if not awaited or (sequence > 2 and not sealed and dice.random() < taken_back):
            back = Retraction(dice.randrange(sequence), "again")
            judged = judge_retract(ledger, match, sequence, f"r{sequence}", ARBITER, back)
            assert isinstance(judged, PreparedAppend)
            ledger.store(judged)
        else:
            move = dice.choice([*state.legal_moves(awaited[0])][:20])
            ledger.append(match, sequence, f"m{sequence}", move)
    return log, match


@pytest.mark.parametrize("game", ["qin", "khan", "zhanguo"])
def test_a_long_record_is_the_same_read_in_steps(game: str) -> None:
    log, match = played(game, 1, 3 * MOST_ENTRIES_AT_ONCE)
    whole, in_steps = Ledger(log), Ledger(log, in_steps=True)

    with pytest.raises(NotLoaded) as missing:
        in_steps.current(match)
    steps = sum(1 for _ in missing.value.steps())

    assert steps > 1
    assert in_steps.current(match) == whole.current(match)


def test_a_long_record_that_was_read_is_freed_in_steps_as_well() -> None:
    log, match = played("qin", 1, 5 * MOST_ENTRIES_AT_ONCE)
    stored = list(log.read(match))

    def held() -> int:
        """Entries that something else than the log has."""
        return sum(map(gt, map(sys.getrefcount, stored), counts))

    with pytest.raises(NotLoaded) as missing:
        Ledger(log, in_steps=True).current(match)
    counts = list(map(sys.getrefcount, stored))
    holding = [held() for _ in missing.value.steps()]

    assert max(holding) > len(stored) // 2
    freed = [before - after for before, after in pairwise([*holding, held()])]
    assert max(freed) <= 2 * PAGE_ENTRIES


@settings(max_examples=10)
@given(
    seed=st.integers(0, 1000),
    places=st.lists(st.integers(0, 5 * MOST_ENTRIES_AT_ONCE), min_size=1, max_size=8),
)
def test_states_after_any_entry_are_the_same_read_in_steps(seed: int, places: list[int]) -> None:
    log, match = played("qin", seed, 4 * MOST_ENTRIES_AT_ONCE)
    whole, in_steps = Ledger(log), Ledger(log, in_steps=True)
    last = whole.current(match).sequence
    for place in places:
        if place > last:
            with pytest.raises(NoSuchEntry):
                in_steps.state_at(match, place)
        else:
            assert loaded(partial(in_steps.state_at, match, place)) == whole.state_at(match, place)


def test_no_step_to_an_earlier_state_folds_many_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    log, match = played("zhanguo", 3, 2 * MOST_ENTRIES_AT_ONCE + 40, taken_back=0.0)
    in_steps = Ledger(log, in_steps=True)
    last = loaded(partial(in_steps.current, match)).sequence
    folded = 0

    def count(*given: object) -> object:
        nonlocal folded
        folded += 1
        return apply(*given)  # type: ignore[arg-type] # passed on as it came

    apply = fold.apply_entry
    monkeypatch.setattr(past_states, "apply_entry", count)
    try:
        in_steps.state_at(match, last - 1)
    except NotLoaded as missing:
        for _ in missing.steps():
            assert folded <= MOST_ENTRIES_AT_ONCE
            folded = 0
    in_steps.state_at(match, last - 1)

    assert folded <= MOST_ENTRIES_AT_ONCE


def test_an_entry_beyond_the_end_is_refused_without_reading_the_record() -> None:
    log, match = played("qin", 1, 2 * MOST_ENTRIES_AT_ONCE)
    ledger = Ledger(log, in_steps=True)

    with pytest.raises(NoSuchEntry):
        ledger.state_at(match, 1 << 62)
    with pytest.raises(NoSuchMatch):
        ledger.state_at(MatchId("none"), 1 << 62)


def test_damage_that_is_found_in_steps_is_raised_as_if_the_record_had_been_read_at_once() -> None:
    log, match = played("qin", 1, 2 * MOST_ENTRIES_AT_ONCE)
    entries = list(log.read(match))
    entries[MOST_ENTRIES_AT_ONCE] = structs.replace(entries[MOST_ENTRIES_AT_ONCE], events=b"\x00")
    bad = MemoryLog()
    bad.write([Append(match, NEW, tuple(entries))])
    ledger = Ledger(bad, in_steps=True)
    for _ in range(2):
        with pytest.raises(NotLoaded) as missing:
            ledger.current(match)
        at_once(missing.value.steps())
        with pytest.raises(CorruptRecord, match=f"entry {MOST_ENTRIES_AT_ONCE} "):
            ledger.current(match)


def test_a_sealed_match_is_compared_with_its_secret_in_steps_too() -> None:
    log, match = played("qin", 5, MOST_ENTRIES_AT_ONCE + 10, sealed=True)
    ledger = Ledger(log, in_steps=True, secrets=secret_of)

    assert loaded(partial(ledger.current, match)) == Ledger(log, secrets=secret_of).current(match)


def test_a_repeated_request_is_found_without_reading_the_rest_of_the_record(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log, match = played("qin", 1, 4 * MOST_ENTRIES_AT_ONCE)
    ledger = Ledger(log)
    ledger.current(match)
    stored = next(entry for entry in log.read(match) if entry.request == "m0")
    read: list[int] = []
    reading = log.read

    def counted(*given: object, **more: object) -> object:
        found = list(reading(*given, **more))  # type: ignore[arg-type] # passed on as it came
        read.append(len(found))
        return iter(found)

    monkeypatch.setattr(log, "read", counted)
    state = ledger.state_at(match, 0)
    read.clear()
    again = ledger.append(match, 0, "m0", state.parse_bytes(state.awaiting()[0], stored.move))

    assert again.entry == stored  # type: ignore[union-attr] # else the test fails
    assert sum(read) < 3 * MOST_ENTRIES_AT_ONCE
