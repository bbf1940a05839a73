"""The rulings that a rule cites, with the reading that a match uses."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from rules.kernel.edition import Reading, Ruling
from rules.kernel.game import About
from rules.kernel.rule import Rule

_AMBIGUITY: Final = re.compile(r"[A-Z-]*AMB-[0-9]+")

_LETTERS: Final = re.compile(r"\b(S[0-9]+|[A-Z]{2})\b")
"""What a rulebook is called in sources: S0, DE."""

_LINES: Final = "L"
"""What the only rulebook of a game is called, of which sources give lines: L12-15."""

_LINE: Final = re.compile(r"\bL([0-9]+)(?:-L?([0-9]+))?\b")


@dataclass(frozen=True, slots=True)
class InForce:
    """A ruling, and the reading that a match has chosen or left at the default."""

    ruling: Ruling
    reading: Reading

    def __str__(self) -> str:
        return f"{self.ruling.name}={self.reading.value} ({self.ruling.ambiguity}): {self.reading.text}"


def source_words(about: About, edition: str, source: str) -> str:
    """Where a rule stands, with the names of the rulebooks in the place of their letters."""
    sources = next((each.sources for each in about.editions if each.key == edition), ())
    names = {key: title.split(",")[0] for key, _, title in (each.partition(": ") for each in sources)}
    text = _LETTERS.sub(lambda found: names.get(found[0], found[0]), source)
    if _LINES in names and _LINE.search(text):
        text = f"{names[_LINES]}, {text}"
    return _LINE.sub(lambda found: f"lines {found[1]}-{found[2]}" if found[2] else f"line {found[1]}", text)


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
