"""Editions of a rulebook, the options that it offers, and rulings on the questions that it leaves open."""

from collections.abc import Callable, Iterable, Mapping
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
    seats: tuple[int, ...] = ()
    """The numbers of seats that it is played with, in ascending order; empty if they are not stated."""


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


@dataclass(frozen=True, slots=True)
class OptionValue:
    """One variant that an option chooses."""

    value: str
    text: str


@dataclass(frozen=True, slots=True)
class Option:
    """A variant that the rulebook offers, and that the players of a match agree on before it."""

    name: str
    """As written in a match header: 'mausoleum'. No ruling of the game has the same name."""
    text: str
    """What the option is about."""
    values: tuple[OptionValue, ...]
    """The default comes first; at least two."""
    source: str
    """Where the rulebook offers it."""

    @property
    def default(self) -> str:
        """The value in force if the header does not give one."""
        return self.values[0].value

    @property
    def offered(self) -> tuple[str, ...]:
        """The values that a match header may choose."""
        return tuple(each.value for each in self.values)


class UnknownEdition(ValueError):
    """This build does not know the edition."""


class UnknownRuling(ValueError):
    """This build does not know the ruling, or does not know this value of it."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(why)
        self.name = name


class UnknownOption(ValueError):
    """This build does not know the option, or does not know this value of it."""

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
    """The rulings or the options of a match."""

    in_force: Mapping[str, str]
    """The value of each that a match can choose."""
    given: tuple[tuple[str, str], ...]
    """Those that differ from the default, sorted by name."""


def chosen(known: Iterable[Ruling], given: Iterable[tuple[str, str]]) -> Chosen:
    """The rulings of a match header; raises UnknownRuling for unknown names and values and repeated names."""
    rulings = {ruling.name: ruling for ruling in known if ruling.switchable}
    return _chosen("ruling", rulings, given, UnknownRuling)


def chosen_options(known: Iterable[Option], given: Iterable[tuple[str, str]]) -> Chosen:
    """The options of a match header; raises UnknownOption for unknown names and values and repeated names."""
    return _chosen("option", {option.name: option for option in known}, given, UnknownOption)


def _chosen(
    what: str,
    known: Mapping[str, Ruling] | Mapping[str, Option],
    given: Iterable[tuple[str, str]],
    unknown: Callable[[str, str], Exception],
) -> Chosen:
    named: dict[str, str] = {}
    for name, value in given:
        if name in named:
            raise unknown(name, f"{what} {name} is given twice")
        if name not in known:
            names = f"; known: {', '.join(known)}" if known else f": the game has no {what}s"
            raise unknown(name, f"no {what} is called {quoted(name)}{names}")
        if value not in known[name].offered:
            offered = " or ".join(known[name].offered)
            raise unknown(name, f"{what} {name} has no value {quoted(value)}; it takes {offered}")
        named[name] = value
    in_force = {name: named.get(name, each.default) for name, each in known.items()}
    differing = sorted((name, value) for name, value in named.items() if value != known[name].default)
    return Chosen(in_force, tuple(differing))
