"""Compares two records of one match: what they have in common, and where they first differ."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Final, TypeAlias

from msgspec import structs

from records.codec.concealment import Hidden, decode_hidden
from records.codec.evidence import CorruptEvidence
from records.entry import ENTRY_VERSION_1, entry_version
from records.entry import Entry as Stored
from records.files.transcript import TranscriptLine
from records.games.state import GameState
from records.replay.fold import moves_that_stand
from records.replay.wording import describe_entries
from records.verdict import AuditReport
from rules.kernel.rule import Illegal

_FACTS: Final = ("sequence", "kind", "actor", "move", "events")
"""The fields of an entry that say what happened."""

_BYTES: Final = tuple(name for name in Stored.__struct_fields__ if name not in {"position", "secret"})
"""All fields that the hash covers, and the hash."""

_Place: TypeAlias = tuple[str, int]
"""A deck, or nothing for a concealed part, and a place."""

_UNKNOWN: Final = "?"
"""The text of an entry that cannot be described."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A record to compare, and its audit."""

    report: AuditReport
    stored: tuple[Stored, ...] = ()
    """Its entries, the header first; empty for a transcript."""
    texts: tuple[str, ...] = ()
    """The entries of a transcript, each in the game's canonical notation."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A difference between the headers of two records."""

    name: str
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two records have in common, and where they differ."""

    settings: tuple[Setting, ...]
    """The differences between the headers that matter to the rules; empty if one cannot be read."""
    identical: int
    """The number of entries, from the header on, that are the same in every byte; 0 for a transcript."""
    common: int
    """The number of entries after the header that both have."""
    one: str | None
    """The next entry of the first record after these; None if it has no more."""
    other: str | None
    compared: tuple[tuple[int, ...], tuple[int, ...]]
    """The sequences of the entries that were compared, for each record."""
    header: tuple[str, ...] = ()
    """The fields in which the headers of two records of the same match differ."""
    fields: tuple[str, ...] = ()
    """The fields in which the first entries that differ do so; empty for a transcript."""

    @property
    def same(self) -> bool:
        """Whether they record the same match up to the same entry."""
        return not self.settings and not self.header and self.one is None and self.other is None

    @property
    def contradict(self) -> bool:
        """Whether they cannot both be right; a record that continues the other does not contradict it."""
        return bool(self.settings or self.header) or (self.one is not None and self.other is not None)


def compare(one: Branch, other: Branch) -> Comparison:
    """Compare two records.

    Stored records are compared entry by entry: two of the same match in every byte, two of different matches
    by who made which move and what it caused. A transcript has no takebacks and no notices, so a stored
    record is compared with it only by the moves that were not taken back. The words are for people.
    """
    by_entry = bool(one.stored and other.stored)
    here, there = _texts(one, by_entry=by_entry), _texts(other, by_entry=by_entry)
    pairs = list(zip(one.stored, other.stored, strict=False))
    identical = _count(not _differing(*pair, _BYTES) for pair in pairs)
    header: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    if by_entry:
        same_match = one.report.match == other.report.match
        header = _differing(*pairs[0], _BYTES) if same_match else ()
        compared = _BYTES if same_match and not header else _FACTS
        common = _count(not _differing(*pair, compared) for pair in pairs[1:])
        fields = next((found for pair in pairs[1:] if (found := _differing(*pair, compared))), ())
    else:
        common = _count(text == said for text, said in zip(here.values(), there.values(), strict=False))
    return Comparison(
        tuple(_settings(one.report, other.report)),
        identical,
        common,
        next(islice(here.values(), common, None), None),
        next(islice(there.values(), common, None), None),
        (tuple(here), tuple(there)),
        header,
        fields,
    )


def _differing(one: Stored, other: Stored, fields: Sequence[str]) -> tuple[str, ...]:
    """The fields in which two entries differ.

    What only one of them shows is not a difference: the hash leaves it out, so that it can be.
    """
    names = [name for name in fields if getattr(one, name) != getattr(other, name)]
    if one.secret and other.secret and one.secret != other.secret:
        names += _differing_secrets(one, other, salted="hash" in fields)
    return tuple(names)


def _differing_secrets(one: Stored, other: Stored, *, salted: bool) -> Iterator[str]:
    """What differs in the secrets of two entries, without salts if they are of different matches."""
    if ENTRY_VERSION_1 in {entry_version(one), entry_version(other)}:
        yield "secret"
        return
    try:
        here, there = decode_hidden(one.secret), decode_hidden(other.secret)
    except CorruptEvidence:
        yield "secret"
        return
    if _contradict(_contents(here, salted=salted), _contents(there, salted=salted)):
        yield "parts"
    if _contradict(_tokens(here, salted=salted), _tokens(there, salted=salted)):
        yield "openings"


def _contradict(here: Mapping[_Place, object], there: Mapping[_Place, object]) -> bool:
    return any(here[place] != there[place] for place in here.keys() & there.keys())


def _contents(hidden: Hidden, *, salted: bool) -> dict[_Place, object]:
    """The concealed parts by their places."""
    return {("", part.place): (part.content, part.salt if salted else None) for part in hidden.parts}


def _tokens(hidden: Hidden, *, salted: bool) -> dict[_Place, object]:
    """The opened places of sealed orders, by deck and place."""
    return {(each.deck, each.index): each if salted else each.token for each in hidden.openings}


def written(start: GameState, entries: Sequence[TranscriptLine]) -> tuple[str, ...]:
    """The entries of a transcript in canonical notation; after the first illegal one, unchanged."""
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


def _texts(branch: Branch, *, by_entry: bool) -> dict[int, str]:
    """The texts of the entries to compare, by sequence."""
    if not branch.stored:
        return dict(enumerate(branch.texts, start=1))
    # A draw that only one record shows is not a contradiction.
    entries = [structs.replace(entry, secret=b"") for entry in branch.stored] if by_entry else branch.stored
    words = {
        sequence: text or _UNKNOWN for sequence, (text, _) in enumerate(describe_entries(entries)) if sequence
    }
    if by_entry:
        return words
    # Of a damaged record, only the good part.
    moves = moves_that_stand(branch.stored[: branch.report.good + 1])
    return {entry.sequence: words[entry.sequence] for entry in moves}


def _count(same: Iterable[bool]) -> int:
    """The number of leading items that are true."""
    return sum(takewhile(bool, same))


def _settings(one: AuditReport, other: AuditReport) -> list[Setting]:
    if one.state is None or other.state is None:
        return []
    pairs = zip(_settings_of(one, one.state), _settings_of(other, other.state), strict=True)
    return [Setting(name, here, there) for (name, here), (_, there) in pairs if here != there]


def _settings_of(report: AuditReport, state: GameState) -> Iterator[tuple[str, str]]:
    setup = state.setup
    yield "game", report.game or ""
    yield "edition", setup.edition
    yield "seats", " ".join(setup.seats)
    yield "components", setup.components
    yield "draws", setup.draws.value
    yield "options", " ".join(f"{name}={value}" for name, value in setup.options)
    yield "rulings", " ".join(f"{name}={value}" for name, value in setup.rulings)
