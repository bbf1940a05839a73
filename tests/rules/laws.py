"""The laws of tools/laws as tests try them: with chance that Hypothesis draws and shrinks."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from tools.laws.court import Law
from tools.laws.trial import Match, Step, Trial, accepted, cited, play, random_match, seeded, some

__all__ = [
    "Match",
    "Step",
    "Trial",
    "accepted",
    "chances",
    "cited",
    "play",
    "random_match",
    "require_holds",
    "seeded",
    "some",
]


def chances() -> st.SearchStrategy[random.Random]:
    """Chance by seed, which is quick; or drawn step by step, which shrinks well."""
    return st.one_of(st.randoms(use_true_random=False), st.integers(0, 2**32 - 1).map(seeded))


def require_holds(law: Law, *, share: float = 1.0) -> None:
    """Tries a law many times, or for this share of them."""

    @settings(max_examples=max(1, int(share * settings().max_examples)))
    @given(chances())
    def holds(chance: random.Random) -> None:
        law.holds(chance)

    holds()
