"""Two records of one match: what they have in common, and where they part."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from records.arbiter import Standing
from records.header import Header
from records.transcript import Entry
from records.verdict import Report
from rules.kernel.rule import Illegal


@dataclass(frozen=True, slots=True)
class Branch:
    """A record, and what an audit says of it."""

    header: Header
    texts: tuple[str, ...]
    """Its entries, each in the one way that the game writes it."""
    report: Report


@dataclass(frozen=True, slots=True)
class Setting:
    """Something that two records settle otherwise before the first entry."""

    name: str
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two records go together."""

    settings: tuple[Setting, ...]
    """Where the headers differ in what the rules go by."""
    common: int
    """How many entries, from the first, are the same in both."""
    one: str | None
    """The entry after these in the first record; None where it has no more."""
    other: str | None

    @property
    def same(self) -> bool:
        """Whether they tell the same match to the same point."""
        return not self.settings and self.one is None and self.other is None

    @property
    def contradict(self) -> bool:
        """Whether they cannot both be right; going on where the other ends contradicts nothing."""
        return bool(self.settings) or (self.one is not None and self.other is not None)


def compare(one: Branch, other: Branch) -> Comparison:
    """Where two records part, if they do."""
    common = 0
    for here, there in zip(one.texts, other.texts, strict=False):
        if here != there:
            break
        common += 1
    return Comparison(
        tuple(_settings(one.header, other.header)), common, _at(one.texts, common), _at(other.texts, common)
    )


def written(start: Standing, entries: Sequence[Entry]) -> tuple[str, ...]:
    """The entries of a transcript as the game writes them; after the first illegal one, as they stand."""
    texts = []
    standing: Standing | None = start
    for entry in entries:
        if standing is None:
            texts.append(entry.text)
            continue
        candidate = standing.parse_text(entry.text)
        texts.append(standing.write_move(candidate))
        verdict = standing.judge(candidate)
        standing = None if isinstance(verdict, Illegal) else verdict.after
    return tuple(texts)


def _at(texts: Sequence[str], place: int) -> str | None:
    return texts[place] if place < len(texts) else None


def _settings(one: Header, other: Header) -> list[Setting]:
    pairs = zip(_told(one), _told(other), strict=True)
    return [Setting(name, here, there) for (name, here), (_, there) in pairs if here != there]


def _told(header: Header) -> Iterator[tuple[str, str]]:
    setup = header.start.setup
    yield "game", header.arbiter.about.key
    yield "edition", setup.edition
    yield "seats", " ".join(setup.seats)
    yield "components", setup.components
    yield "draws", setup.draws.value
    yield "rulings", " ".join(f"{name}={value}" for name, value in setup.rulings)
