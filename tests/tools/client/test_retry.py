"""When a client asks again, and when it gives up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.client.errors import REASONS, Refused, SequenceTaken, TimeUp, TooManyCalls, Unreachable
from tools.client.retry import LONGEST, SHORTEST, STEADY, Patience

GONE = Unreachable("UNAVAILABLE", "nobody is there")
PASSING = {
    "TOO_MANY_CALLS",
    "SLOW_CONSUMER",
    "STORAGE_UNAVAILABLE",
    "DRAINING",
}


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def _patience(
    clock: Clock, seconds: float = 10.0, chance: float = 1.0, later: float | None = None
) -> Patience:
    return Patience(seconds, later, clock, lambda: chance)


@given(st.floats(0.01, 100), st.floats(0, 1, exclude_max=True))
def test_every_attempt_begins_before_the_time_is_up(seconds: float, chance: float) -> None:
    clock = Clock()
    patience = _patience(clock, seconds, chance)

    def attempts() -> None:
        while True:
            clock.now += patience.pause(GONE)
            assert clock.now < 100 + seconds
            clock.now += 0.001

    with pytest.raises(Unreachable):
        attempts()


def test_pauses_double_up_to_a_bound() -> None:
    patience = _patience(Clock(), 1000)

    pauses = [patience.pause(GONE) for _ in range(9)]

    assert pauses == [min(LONGEST, SHORTEST * 2**step) for step in range(9)]
    assert pauses[-1] == LONGEST


def test_a_server_that_says_how_long_to_wait_is_obeyed() -> None:
    busy = TooManyCalls("TOO_MANY_CALLS", "slow down", retry_after=3.0)

    assert _patience(Clock()).pause(busy) == 3.0
    with pytest.raises(TooManyCalls):
        _patience(Clock(), 2.0).pause(busy)


def test_what_does_not_pass_is_not_asked_again() -> None:
    with pytest.raises(SequenceTaken):
        _patience(Clock()).pause(SequenceTaken("SEQUENCE_TAKEN", "somebody was first"))

    assert {reason for reason, kind in REASONS.items() if kind.passing} == PASSING
    assert not Refused.passing


def test_a_last_attempt_that_takes_too_long_is_told_by_what_went_before() -> None:
    late = TimeUp("DEADLINE_EXCEEDED", "too late")
    patience = _patience(Clock())
    patience.pause(GONE)

    with pytest.raises(Unreachable):
        patience.pause(late)
    with pytest.raises(TimeUp):
        _patience(Clock()).pause(late)


def test_the_time_begins_anew_with_whatever_is_received() -> None:
    clock = Clock()
    patience = _patience(clock, 1.0, later=60.0)
    patience.pause(GONE)
    clock.now += 0.9
    patience.progressed()
    clock.now += 59.0

    assert patience.pause(GONE) == SHORTEST


def test_a_stream_that_was_quiet_for_long_has_not_used_up_the_time() -> None:
    clock = Clock()
    patience = _patience(clock)
    patience.connected()
    clock.now += 3600.0

    assert patience.pause(GONE) == SHORTEST


def test_a_stream_that_breaks_off_at_once_uses_up_the_time() -> None:
    clock = Clock()
    patience = _patience(clock)

    def attempts() -> None:
        for _ in range(100):
            patience.connected()
            clock.now += STEADY / 2 + patience.pause(GONE)

    with pytest.raises(Unreachable):
        attempts()
