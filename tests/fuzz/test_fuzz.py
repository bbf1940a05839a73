"""Whatever is sent or read, Shiji answers or refuses: no internal error, no traceback, nothing takes long.

`make fuzz` tries a million calls and a hundred thousand files of each kind.
"""

from collections.abc import Callable
from random import Random

import pytest

from tests.fuzz.campaign import UNREACHABLE
from tests.fuzz.damage import Damage
from tests.fuzz.files import KINDS
from tests.fuzz.parts import CALLS, run_part

PARTS = 4
"""Tests per kind, so that workers share them."""
SIZE = 250
"""Calls or files per test: a thousand of each kind."""
SAMPLE = 2


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", [CALLS, *KINDS])
def test_nothing_breaks_it(kind: str, part: int, record_property: Callable[[str, int], None]) -> None:
    found = run_part(kind, 0, part, SIZE, SAMPLE)

    record_property(kind, found.done)
    assert found.crashes == []
    assert found.slow == []
    assert found.done == SIZE
    if kind == CALLS:
        assert found.verified
        assert found.rendered == SAMPLE
        assert not {key.split(" ", 1)[1] for key in found.reasons} & (UNREACHABLE - {"TOO_MANY_CALLS"})


def test_a_request_without_a_word_is_changed_like_any_other() -> None:
    empty = Damage([b"{}"], structured=True)

    assert len({empty.damaged(Random(seed)) for seed in range(2000)}) > 100  # noqa: S311 - repeatable
