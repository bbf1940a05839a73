"""Editions of a rulebook, and rulings on the questions that it leaves open."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NewType

from rules.kernel.text import quoted

EditionKey = NewType("EditionKey", str)
"""'qin/1'"""


@dataclass(frozen=True, slots=True)
class Edition:
    """A published rulebook as this build reads it; the default rulings of an edition never change."""

    key: EditionKey
    title: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """One possible answer to an open question."""

    value: str
    text: str
    offered: bool = True
    """Whether a match can choose it."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A question that the rulebook leaves open, with its possible readings."""

    name: str
    """As written in a match header: 'major-conflict'."""
    ambiguity: str
    """Its number in the digest of the rules: 'AMB-11'."""
    question: str
    readings: tuple[Reading, ...]
    """The default comes first."""
    why: str
    """Why the default was chosen."""

    @property
    def default(self) -> str:
        """The value in force if the header does not give one."""
        return self.readings[0].value

    @property
    def offered(self) -> tuple[str, ...]:
        """The values that a match header may choose."""
        return tuple(reading.value for reading in self.readings if reading.offered)

    @property
    def switchable(self) -> bool:
        """Whether a match header can choose between values."""
        return len(self.offered) > 1


class UnknownEdition(ValueError):
    """This build does not know the edition."""


class UnknownRuling(ValueError):
    """This build does not know the ruling, or does not know this value of it."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(why)
        self.name = name


def find_edition(title: str, known: Iterable[Edition], key: EditionKey) -> EditionKey:
    """Returns the key if the edition is known; raises UnknownEdition."""
    keys = [edition.key for edition in known]
    if key not in keys:
        raise UnknownEdition(f"no edition of {title} is called {quoted(key)}; known: {', '.join(keys)}")
    return key


@dataclass(frozen=True, slots=True)
class Chosen:
    """The rulings of a match."""

    in_force: Mapping[str, str]
    """The value of every switchable ruling."""
    given: tuple[tuple[str, str], ...]
    """The rulings that differ from the default, sorted by name."""


def chosen(known: Iterable[Ruling], given: Iterable[tuple[str, str]]) -> Chosen:
    """The rulings of a match header; raises UnknownRuling for unknown names and values and repeated names."""
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
