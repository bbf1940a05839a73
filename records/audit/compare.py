"""Two records of one match: what they have in common, and where they part."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Final

from msgspec import structs

from records.entry import Entry as Stored
from records.files.transcript import TranscriptLine
from records.games.state import GameState
from records.replay.fold import moves_that_stand
from records.replay.wording import describe_entries
from records.verdict import AuditReport
from rules.kernel.rule import Illegal

_UNKNOWN: Final = "?"
"""Stands for an entry that cannot be put into words."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A record to compare, and its audit."""

    report: AuditReport
    stored: tuple[Stored, ...] = ()
    """Its entries, the header first; none of a transcript."""
    texts: tuple[str, ...] = ()
    """The entries of a transcript, each in the one way that the game writes it."""


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
    """Where the headers differ in what the rules go by; none where one cannot be read."""
    identical: int
    """How many entries, from the header on, have the same hash; 0 where one is a transcript."""
    common: int
    """How many entries after the header are the same in words."""
    one: str | None
    """The entry after these in the first record; None where it has no more."""
    other: str | None
    compared: tuple[tuple[int, ...], tuple[int, ...]]
    """The sequences of the entries that were compared in words, by record."""

    @property
    def same(self) -> bool:
        """Whether they tell the same match to the same point."""
        return not self.settings and self.one is None and self.other is None

    @property
    def contradict(self) -> bool:
        """Whether they cannot both be right; going on where the other ends contradicts nothing."""
        return bool(self.settings) or (self.one is not None and self.other is not None)


def compare(one: Branch, other: Branch) -> Comparison:
    """Where two records part, if they do.

    Stored records are compared entry by entry. A transcript has no takebacks and no notices, so a stored
    record is compared with it by the moves that stand.
    """
    by_entry = bool(one.stored and other.stored)
    here, there = _worded(one, by_entry=by_entry), _worded(other, by_entry=by_entry)
    common = _count(text == said for text, said in zip(here.values(), there.values(), strict=False))
    return Comparison(
        tuple(_settings(one.report, other.report)),
        _count(entry.hash == same.hash for entry, same in zip(one.stored, other.stored, strict=False)),
        common,
        next(islice(here.values(), common, None), None),
        next(islice(there.values(), common, None), None),
        (tuple(here), tuple(there)),
    )


def written(start: GameState, entries: Sequence[TranscriptLine]) -> tuple[str, ...]:
    """The entries of a transcript as the game writes them; after the first illegal one, as they stand."""
    texts = []
    state: GameState | None = start
    for entry in entries:
        if state is None:
            texts.append(entry.text)
            continue
        candidate = state.parse_text(entry.text)
        texts.append(state.write_move(candidate))
        verdict = state.judge(candidate)
        state = None if isinstance(verdict, Illegal) else verdict.after
    return tuple(texts)


def _worded(branch: Branch, *, by_entry: bool) -> dict[int, str]:
    """The entries to compare, by sequence."""
    if not branch.stored:
        return dict(enumerate(branch.texts, start=1))
    # A draw that only one record shows is no contradiction.
    entries = [structs.replace(entry, secret=b"") for entry in branch.stored] if by_entry else branch.stored
    words = {
        sequence: text or _UNKNOWN for sequence, (text, _) in enumerate(describe_entries(entries)) if sequence
    }
    if by_entry:
        return words
    # Of a damaged record, as far as it is good.
    state = moves_that_stand(branch.stored[: branch.report.good + 1])
    return {entry.sequence: words[entry.sequence] for entry in state}


def _count(same: Iterable[bool]) -> int:
    """How many are the same before the first that are not."""
    return sum(takewhile(bool, same))


def _settings(one: AuditReport, other: AuditReport) -> list[Setting]:
    if one.state is None or other.state is None:
        return []
    pairs = zip(_settled(one, one.state), _settled(other, other.state), strict=True)
    return [Setting(name, here, there) for (name, here), (_, there) in pairs if here != there]


def _settled(report: AuditReport, state: GameState) -> Iterator[tuple[str, str]]:
    setup = state.setup
    yield "game", report.game or ""
    yield "edition", setup.edition
    yield "seats", " ".join(setup.seats)
    yield "components", setup.components
    yield "draws", setup.draws.value
    yield "rulings", " ".join(f"{name}={value}" for name, value in setup.rulings)
