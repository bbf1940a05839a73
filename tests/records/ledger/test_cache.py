"""The cache of current match states."""

from records.entry import MatchId
from records.ledger.ledger import SnapshotCache
from records.replay.fold import MatchSnapshot, rebuild
from tests.records.matches import MOVES, played

RECORD = played(*MOVES)
ONE, TWO, THREE = MatchId("one"), MatchId("two"), MatchId("three")


def after(sequence: int) -> MatchSnapshot:
    return rebuild(RECORD[: sequence + 1])


def test_the_match_that_was_not_used_for_longest_goes_first() -> None:
    cache = SnapshotCache(2)
    cache.put(ONE, after(0))
    cache.put(TWO, after(0))
    cache.get(ONE)
    cache.put(THREE, after(0))

    assert (cache.get(TWO), len(cache)) == (None, 2)
    assert cache.get(ONE) == cache.get(THREE) == after(0)


def test_an_answer_that_comes_late_does_not_undo_a_later_one() -> None:
    cache = SnapshotCache(2)
    cache.put(ONE, after(3))
    cache.put(ONE, after(2))

    assert cache.get(ONE) == after(3)


def test_a_match_that_goes_on_is_used() -> None:
    cache = SnapshotCache(2)
    cache.put(ONE, after(0))
    cache.put(TWO, after(0))
    cache.put(ONE, after(1))
    cache.put(THREE, after(0))

    assert cache.get(TWO) is None
    assert cache.get(ONE) == after(1)


def test_a_cache_without_room_keeps_nothing() -> None:
    cache = SnapshotCache(0)
    cache.put(ONE, after(0))

    assert (cache.get(ONE), len(cache)) == (None, 0)


def test_it_counts_what_it_had_and_what_it_had_not() -> None:
    cache = SnapshotCache(1)
    cache.get(ONE)
    cache.put(ONE, after(0))
    for _ in range(3):
        cache.get(ONE)

    assert (cache.hits, cache.misses) == (3, 1)
