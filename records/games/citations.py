"""The rulings that a rule cites, with the reading that a match uses."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from rules.kernel.edition import Reading, Ruling
from rules.kernel.game import About
from rules.kernel.rule import Rule

_AMBIGUITY: Final = re.compile(r"[A-Z-]*AMB-[0-9]+")


@dataclass(frozen=True, slots=True)
class InForce:
    """A ruling, and the reading that a match has chosen or left at the default."""

    ruling: Ruling
    reading: Reading

    def __str__(self) -> str:
        return f"{self.ruling.name}={self.reading.value} ({self.ruling.ambiguity}): {self.reading.text}"


def ambiguities_of(ruling: Ruling) -> set[str]:
    """The numbers of a ruling in the digest; a ruling may settle several questions."""
    return set(_AMBIGUITY.findall(ruling.ambiguity))


def rulings_for(about: About, rule: Rule, given: Iterable[tuple[str, str]] = ()) -> Iterator[InForce]:
    """The rulings named in the source of a rule, with the readings of a match that chose the given ones."""
    values = dict(given)
    named = set(_AMBIGUITY.findall(rule.source))
    for ruling in about.rulings:
        if named & ambiguities_of(ruling):
            value = values.get(ruling.name, ruling.default)
            yield InForce(ruling, next(reading for reading in ruling.readings if reading.value == value))
