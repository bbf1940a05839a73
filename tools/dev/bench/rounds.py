"""Contenders measured in turn, so that what else the machine does falls on all of them alike."""

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

Contender: TypeAlias = Callable[[], int]
"""Does its work once and says how many things it did."""


@dataclass(frozen=True, slots=True)
class Figures:
    """How many things a second each contender did, round by round."""

    rates: Mapping[str, tuple[float, ...]]

    def rate(self, name: str) -> float:
        """Things a second, the median of the rounds."""
        return statistics.median(self.rates[name])

    def ratio(self, name: str, to: str) -> float:
        """How many times as fast as another, the median of the rounds' own ratios."""
        pairs = zip(self.rates[name], self.rates[to], strict=True)
        return statistics.median(one / other for one, other in pairs)


def measure(contenders: Mapping[str, Contender], rounds: int) -> Figures:
    """Every contender once a round, after one round to warm up."""
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    for number in range(rounds + 1):
        for name, work in contenders.items():
            gc.collect()
            begun = time.perf_counter()
            done = work()
            spent = time.perf_counter() - begun
            if number:
                rates[name].append(done / spent)
    return Figures({name: tuple(found) for name, found in rates.items()})
