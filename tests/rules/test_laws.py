"""Every game keeps the laws. A further game is a further line in each of LAWS and DIGESTS."""

import pytest

from tests.rules.laws import Law, answer_under_hash_seed, digest, laws
from tests.rules.qin.strategies import QIN_TRIAL

LAWS = [
    *laws(QIN_TRIAL),
]


def digests() -> list[str]:
    """What is said under one PYTHONHASHSEED, by game."""
    return [
        digest(QIN_TRIAL),
    ]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_the_law_holds(law: Law) -> None:
    law.holds()


def test_law_8_the_results_are_the_same_under_two_hash_seeds() -> None:
    one, other = (answer_under_hash_seed(__name__, seed) for seed in (1, 2))

    assert one == other
    assert len(one) > 64


if __name__ == "__main__":
    print(*digests())  # noqa: T201 - for law 8, which compares two processes
