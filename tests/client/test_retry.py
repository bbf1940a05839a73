"""When a client retries, and when it gives up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shiji.client.errors import REASONS, Refused, SequenceTaken, TimeUp, TooManyCalls, Unreachable
from shiji.client.retry import FIRST_DELAY_SECONDS, MAX_DELAY_SECONDS, STEADY_SECONDS, Backoff

GONE = Unreachable("UNAVAILABLE", "nobody is there")
RETRYABLE = {
    "TOO_MANY_CALLS",
    "SLOW_CONSUMER",
    "STREAM_ENDED",
    "WORKER_LOST",
    "STORAGE_UNAVAILABLE",
    "DRAINING",
}


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def _backoff(clock: Clock, seconds: float = 10.0, chance: float = 1.0, later: float | None = None) -> Backoff:
    return Backoff(seconds, later, clock, lambda: chance)


@given(st.floats(0.01, 100), st.floats(0, 1, exclude_max=True))
def test_every_attempt_starts_before_the_deadline(seconds: float, chance: float) -> None:
    clock = Clock()
    backoff = _backoff(clock, seconds, chance)

    def attempts() -> None:
        while True:
            clock.now += backoff.delay(GONE)
            assert clock.now < 100 + seconds
            clock.now += 0.001

    with pytest.raises(Unreachable):
        attempts()


def test_delays_double_up_to_a_maximum() -> None:
    backoff = _backoff(Clock(), 1000)

    delays = [backoff.delay(GONE) for _ in range(9)]

    assert delays == [min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2**step) for step in range(9)]
    assert delays[-1] == MAX_DELAY_SECONDS


def test_a_server_that_says_how_long_to_wait_is_obeyed() -> None:
    busy = TooManyCalls("TOO_MANY_CALLS", "slow down", retry_after=3.0)

    assert _backoff(Clock()).delay(busy) == 3.0
    with pytest.raises(TooManyCalls):
        _backoff(Clock(), 2.0).delay(busy)


def test_a_permanent_error_is_not_retried() -> None:
    with pytest.raises(SequenceTaken):
        _backoff(Clock()).delay(SequenceTaken("SEQUENCE_TAKEN", "somebody was first"))

    assert {reason for reason, kind in REASONS.items() if kind.retryable} == RETRYABLE
    assert not Refused.retryable


def test_a_timeout_after_an_earlier_error_raises_the_earlier_error() -> None:
    late = TimeUp("DEADLINE_EXCEEDED", "too late")
    backoff = _backoff(Clock())
    backoff.delay(GONE)

    with pytest.raises(Unreachable):
        backoff.delay(late)
    with pytest.raises(TimeUp):
        _backoff(Clock()).delay(late)


def test_every_response_moves_the_deadline() -> None:
    clock = Clock()
    backoff = _backoff(clock, 1.0, later=60.0)
    backoff.delay(GONE)
    clock.now += 0.9
    backoff.reset()
    clock.now += 59.0

    assert backoff.delay(GONE) == FIRST_DELAY_SECONDS


def test_a_stream_that_was_quiet_for_long_has_not_used_up_the_time() -> None:
    clock = Clock()
    backoff = _backoff(clock)
    backoff.connected()
    clock.now += 3600.0

    assert backoff.delay(GONE) == FIRST_DELAY_SECONDS


def test_a_stream_that_breaks_off_at_once_uses_up_the_time() -> None:
    clock = Clock()
    backoff = _backoff(clock)

    def attempts() -> None:
        for _ in range(100):
            backoff.connected()
            clock.now += STEADY_SECONDS / 2 + backoff.delay(GONE)

    with pytest.raises(Unreachable):
        attempts()
