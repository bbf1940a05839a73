"""States after any entry of a record, found without folding it from its start."""

import random
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs

from records.codec.evidence import Dispute, encode_dispute
from records.entry import (
    Dealer,
    Entry,
    EntryKind,
    MatchHeader,
    MatchId,
    RetractPolicy,
    TakebackPolicy,
    with_hash,
)
from records.games.registry import GAMES, find_game
from records.games.state import GameState
from records.ledger.cache import PastStatesCache
from records.ledger.ledger import Ledger
from records.ledger.results import NoSuchEntry, NoSuchMatch
from records.log.contract import NEW, Append
from records.log.memory import MemoryLog
from records.log.sqlite import SqliteLog
from records.replay import past_states
from records.replay.fold import CorruptRecord, rebuild
from records.replay.past_states import KEPT_EVERY_CHANGES, OtherRecord, PastStates
from rules.kernel.actors import ARBITER, Seat
from rules.kernel.setup import Draws, GameKey, Setup
from service.feed import StateTracker
from tests.records.archives import unguarded
from tests.records.matches import MOVES, Table, begin, header, ledger_in_memory
from tests.records.replay.test_policies import secrets
from tools.dev.staged import StagedMatch

FOLDS_AT_MOST = KEPT_EVERY_CHANGES * 3 // 2


class CountedFolds:
    """Counts the entries that are folded into states of matches."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        fold = GameState.fold

        def counted(state: GameState, events: bytes) -> GameState:
            self.count += 1
            return fold(state, events)

        monkeypatch.setattr(GameState, "fold", counted)

    def since(self, before: int) -> int:
        return self.count - before


@pytest.fixture
def folds(monkeypatch: pytest.MonkeyPatch) -> CountedFolds:
    return CountedFolds(monkeypatch)


def with_takebacks(ledger: Ledger, takebacks: int, back_to: int = 4) -> Table:
    """A match in which the same move is played and taken back again and again."""
    table = begin(ledger, header(retract=RetractPolicy.ANY_SEAT))
    table.play(*MOVES[:4])
    for _ in range(takebacks):
        table.play(MOVES[4])
        table.go_back(back_to)
        if back_to < 4:
            table.play(*MOVES[back_to:4])
    return table


def plain(entries: Sequence[Entry], sequence: int) -> GameState:
    return rebuild(entries[: sequence + 1]).state


class TestCost:
    def test_a_late_state_costs_as_much_as_an_early_one(self, folds: CountedFolds) -> None:
        table = with_takebacks(ledger_in_memory(), 600, back_to=3)
        table.ledger.state_at(table.match, table.last - 1)
        costs = []
        for sequence in (20, 200, table.last - 7, table.last - 1):
            before = folds.count
            table.ledger.state_at(table.match, sequence)
            costs.append(folds.since(before))

        assert max(costs) <= FOLDS_AT_MOST

    @pytest.mark.parametrize("takebacks", [100, 200])
    def test_following_a_record_folds_few_entries_per_takeback(
        self, folds: CountedFolds, takebacks: int
    ) -> None:
        table = with_takebacks(ledger_in_memory(), takebacks)
        tracker, entries, before = StateTracker(table.ledger), table.entries, folds.count
        for entry in entries:
            tracker.track(entry)

        assert folds.since(before) <= 6 * len(entries)

    @pytest.mark.parametrize("takebacks", [100, 200])
    def test_taking_back_folds_no_more_late_in_a_match(self, folds: CountedFolds, takebacks: int) -> None:
        table = with_takebacks(ledger_in_memory(), takebacks)
        table.play(MOVES[4])
        before = folds.count
        table.go_back(4)

        assert folds.since(before) <= FOLDS_AT_MOST

    def test_entries_of_another_program_are_followed_without_folding_the_record_again(
        self, folds: CountedFolds
    ) -> None:
        table = with_takebacks(ledger_in_memory(), 100)
        other = Ledger(table.ledger.log)
        other.current(table.match)
        other.state_at(table.match, 4)
        table.play(MOVES[4])
        table.go_back(4)
        before = folds.count

        assert other.current(table.match) == rebuild(table.entries)
        assert folds.since(before) <= FOLDS_AT_MOST + 5  # the last five are those of the comparison

    def test_few_states_of_a_long_record_are_kept(self) -> None:
        table = with_takebacks(ledger_in_memory(), 300, back_to=0)
        entries = table.entries
        past = PastStates(entries[0])
        past.extend(entries)
        for sequence in range(len(entries)):
            past.after(sequence, lambda start, limit: entries[start : start + limit])

        assert past.states_kept <= 1 + 2 * len(entries) // KEPT_EVERY_CHANGES


class TestFinding:
    def test_what_does_not_exist_is_not_found(self) -> None:
        table = with_takebacks(ledger_in_memory(), 1)

        for sequence in (-1, 7):
            with pytest.raises(NoSuchEntry):
                table.ledger.state_at(table.match, sequence)
        with pytest.raises(NoSuchMatch):
            table.ledger.state_at(MatchId("nowhere"), 3)

    def test_damage_is_noticed_although_the_record_was_read_before(self, tmp_path: Path) -> None:
        with SqliteLog.open(tmp_path / "a.db") as log:
            table = begin(Ledger(log))
            table.play(*MOVES)
            table.ledger.state_at(table.match, 3)
            with unguarded(tmp_path / "a.db") as raw:
                raw.execute("UPDATE entry SET recorded = recorded + 1 WHERE sequence = 2")

            with pytest.raises(CorruptRecord):
                table.ledger.state_at(table.match, 3)

    def test_another_record_of_the_match_is_folded_anew(self) -> None:
        one, other = with_takebacks(ledger_in_memory(), 1), begin(ledger_in_memory())
        other.play("green Re8Be9", *MOVES[1:4])
        past = PastStates(one.entries[0])
        past.extend(one.entries)
        mixed = [*one.entries[:1], *other.entries[1:]]

        with pytest.raises(OtherRecord):
            past.after(3, lambda start, limit: mixed[start : start + limit])

    def test_entries_that_do_not_continue_the_record_are_refused(self) -> None:
        entries = with_takebacks(ledger_in_memory(), 1).entries
        past = PastStates(entries[0])
        forged = with_hash(structs.replace(entries[2], previous=entries[0].hash))

        with pytest.raises(CorruptRecord):
            past.extend([entries[1], forged])

        assert len(past) == 1


class TestCache:
    def test_records_used_least_recently_make_room(self) -> None:
        cache = PastStatesCache(most=10, most_entries=14)
        for number in range(3):
            entries = begin(ledger_in_memory(), header()).entries
            past = PastStates(entries[0])
            cache.put(MatchId(str(number)), past)
        long = with_takebacks(ledger_in_memory(), 4).entries
        cache.get(MatchId("0"))
        past = PastStates(long[0])
        past.extend(long)
        cache.put(MatchId("long"), past)

        assert cache.entries == 14
        assert [cache.get(MatchId(name)) is not None for name in ("0", "1", "2", "long")] == [
            True,
            False,
            False,
            True,
        ]

    def test_a_record_longer_than_the_cache_is_kept_alone(self) -> None:
        cache = PastStatesCache(most_entries=5)
        long = with_takebacks(ledger_in_memory(), 4).entries
        past = PastStates(long[0])
        past.extend(long)
        cache.put(MatchId("long"), past)

        assert cache.get(MatchId("long")) is past


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32), every=st.sampled_from([2, 3, 5]))
@pytest.mark.parametrize("game", GAMES.keys)
def test_a_state_found_is_the_state_by_folding_all_entries(
    game: str, seed: int, every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For every game, with takebacks, takebacks of takebacks, disputes and choices."""
    monkeypatch.setattr(past_states, "KEPT_EVERY_CHANGES", every)
    dice = random.Random(seed)  # noqa: S311 - tests want the same match again
    match = random_match(game, dice, 20)
    entries, other = match.entries, Ledger(match.ledger.log)
    sequences = list(range(len(entries)))
    dice.shuffle(sequences)
    for sequence in sequences:
        expected = plain(entries, sequence)

        assert match.ledger.state_at(match.match, sequence) == expected
        assert other.state_at(match.match, sequence) == expected

    half, log = len(entries) // 2, MemoryLog()
    log.write([Append(match.match, NEW, tuple(entries[:half]))])
    early = Ledger(log)
    early.current(match.match)
    log.write([Append(match.match, half - 1, tuple(entries[half:]))])

    assert early.current(match.match) == rebuild(entries)


def random_match(game: str, dice: random.Random, steps: int) -> StagedMatch:
    """A match that the service deals, with moves, choices, disputes and takebacks in any order."""
    bound = find_game(GameKey(game))
    about, salts = bound.about, count(1)
    setup = Setup(about.editions[0].key, ("green", "violet"), about.components[0].name, draws=Draws.RECORDED)
    ledger = Ledger(MemoryLog(), secrets=secrets, clock=lambda: 0, salts=lambda: next(salts).to_bytes(32))
    opening = MatchHeader(
        GameKey(game),
        setup,
        RetractPolicy.ARBITER,
        dealer=Dealer.SERVICE,
        takebacks=TakebackPolicy.PAST_REVEALED,
    )
    match = StagedMatch(ledger, opening, {})
    for _ in range(steps):
        step = dice.random()
        if step < 0.2 and match.last > 1:
            match.go_back(ARBITER, match.outside_questions(dice.randrange(match.last)))
        elif step < 0.3:
            match.note(EntryKind.OPEN_DISPUTE, Seat(dice.randrange(2)), encode_dispute(Dispute(0, "why?")))
        else:
            match.play(dice.choice)
    return match
