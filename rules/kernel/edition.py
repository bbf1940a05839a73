"""Which rulebook a match is played by, and how its open questions are answered."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NewType

from rules.kernel.text import quoted

EditionKey = NewType("EditionKey", str)
"""'qin/1'"""


@dataclass(frozen=True, slots=True)
class Edition:
    """A published rulebook as this build reads it; its defaults never change."""

    key: EditionKey
    title: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """One answer to an open question."""

    value: str
    text: str
    offered: bool = True
    """Whether a match can choose it."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A question that the rulebook leaves open, its readings, and the one that holds by default."""

    name: str
    """As written in a match header: 'major-conflict'."""
    ambiguity: str
    """The digest's number for it: 'AMB-11'."""
    question: str
    readings: tuple[Reading, ...]
    """The default first."""
    why: str
    """Why the default is the default."""

    @property
    def default(self) -> str:
        """The value that holds where the header says nothing."""
        return self.readings[0].value

    @property
    def offered(self) -> tuple[str, ...]:
        """The values that a match header may give."""
        return tuple(reading.value for reading in self.readings if reading.offered)

    @property
    def switchable(self) -> bool:
        """Whether a match has a choice at all."""
        return len(self.offered) > 1


class UnknownEdition(ValueError):
    """This build does not know the edition."""


class UnknownRuling(ValueError):
    """This build does not know the ruling, or not this value of it."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(why)
        self.name = name


def find_edition(title: str, known: Iterable[Edition], key: EditionKey) -> EditionKey:
    """The key, if it is that of a known edition; raises UnknownEdition."""
    keys = [edition.key for edition in known]
    if key not in keys:
        raise UnknownEdition(f"no edition of {title} is called {quoted(key)}; known: {', '.join(keys)}")
    return key


@dataclass(frozen=True, slots=True)
class Chosen:
    """How the open questions are answered in a match."""

    in_force: Mapping[str, str]
    """The value of every switchable ruling."""
    given: tuple[tuple[str, str], ...]
    """Those that differ from the default, sorted by name."""


def chosen(known: Iterable[Ruling], given: Iterable[tuple[str, str]]) -> Chosen:
    """The rulings of a match header; an unknown name or value is refused, never skipped, and a name twice."""
    rulings = {ruling.name: ruling for ruling in known if ruling.switchable}
    named: dict[str, str] = {}
    for name, value in given:
        if name in named:
            raise UnknownRuling(name, f"ruling {name} is given twice")
        if name not in rulings:
            raise UnknownRuling(name, f"no ruling is called {quoted(name)}; known: {', '.join(rulings)}")
        if value not in rulings[name].offered:
            offered = " or ".join(rulings[name].offered)
            raise UnknownRuling(name, f"ruling {name} has no value {quoted(value)}; it takes {offered}")
        named[name] = value
    in_force = {name: named.get(name, ruling.default) for name, ruling in rulings.items()}
    differing = sorted((name, value) for name, value in named.items() if value != rulings[name].default)
    return Chosen(in_force, tuple(differing))
