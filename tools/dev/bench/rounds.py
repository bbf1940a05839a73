"""Measures contenders in alternation, so that other load on the machine affects all of them alike."""

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

Contender: TypeAlias = Callable[[], int]
"""Does its work once, and returns how many operations that was."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Operations per second of each contender in each round."""

    rates: Mapping[str, tuple[float, ...]]

    def rate(self, name: str) -> float:
        """Operations per second, the median of all rounds."""
        return statistics.median(self.rates[name])

    def ratio(self, name: str, to: str) -> float:
        """How many times as fast as another contender, the median of the ratios within each round."""
        pairs = zip(self.rates[name], self.rates[to], strict=True)
        return statistics.median(one / other for one, other in pairs)


def measure(contenders: Mapping[str, Contender], rounds: int) -> Rates:
    """Measure every contender once per round, after one round to warm up.

    Garbage is not looked for in what exists before, as in the server: what other sections have imported would
    slow down the contenders of this one.
    """
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    gc.freeze()
    for number in range(rounds + 1):
        for name, work in contenders.items():
            gc.collect()
            start = time.perf_counter()
            operations = work()
            seconds = time.perf_counter() - start
            if number:
                rates[name].append(operations / seconds)
    gc.unfreeze()
    return Rates({name: tuple(found) for name, found in rates.items()})
