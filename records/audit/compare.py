"""Compares two records of one match: what they have in common, and where they first differ."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Final, TypeAlias

from msgspec import structs

from records.audit.bundle import Proven
from records.codec.concealment import Hidden, decode_hidden
from records.codec.evidence import CorruptEvidence
from records.entry import ENTRY_VERSION_1, MOVE, actor_of, entry_version
from records.entry import Entry as Stored
from records.files.transcript import TranscriptLine
from records.games.candidate import Candidate
from records.games.registry import find_game
from records.games.state import GameState
from records.replay.disclosure import in_full
from records.replay.fold import open_record, rebuild
from records.replay.played_moves import played_moves
from records.replay.wording import describe_entries
from records.verdict import AuditReport, IllegalAt
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
    proven: Proven | None = None
    """What a bundle proves; None for other records."""


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
    """The numbers of the entries that were compared, for each record in its own numbers.

    Sealed choices that were revealed together have the number of the entry that reveals them."""
    header: tuple[str, ...] = ()
    """The fields in which the headers of two records of the same match differ."""
    fields: tuple[str, ...] = ()
    """The fields in which the first entries that differ do so; empty for a transcript."""

    @property
    def agreed(self) -> tuple[int, int]:
        """The number of the last entry in which they agree, for each record; 0 if there is none."""
        one, other = (each[self.common - 1] if self.common else 0 for each in self.compared)
        return one, other

    @property
    def following(self) -> tuple[int | None, int | None]:
        """The number of the next entry, for each record; None if it has no more."""
        one, other = (next(islice(each, self.common, None), None) for each in self.compared)
        return one, other

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
        common = _count(text == other for (_, text), (_, other) in zip(here, there, strict=False))
    return Comparison(
        tuple(_settings(one.report, other.report)),
        identical,
        common,
        next((text for _, text in here[common:]), None),
        next((text for _, text in there[common:]), None),
        (tuple(number for number, _ in here), tuple(number for number, _ in there)),
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


def written(start: GameState, entries: Iterable[TranscriptLine]) -> tuple[str, ...]:
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


def after_entry(branch: Branch, number: int) -> tuple[GameState, Candidate | None]:
    """The state of a legal record after an entry, and the move of that entry if it is one.

    Raises BadRecord, CorruptMove or Unreadable.
    """
    if branch.stored:
        entry = branch.stored[number]
        after = rebuild(branch.stored[: number + 1]).state
        if entry.kind != MOVE:
            return after, None
        before = rebuild(branch.stored[:number]).state
        return after, before.parse_bytes(actor_of(entry.actor), in_full(entry)[0])
    header, move = branch.report.header, None
    if header is None:
        raise TypeError("a transcript that was judged has a header")
    state = find_game(header.game).start(header.setup)
    for text in branch.texts[:number]:
        move = state.parse_text(text)
        verdict = state.judge(move)
        if isinstance(verdict, Illegal):
            return state, None
        state = verdict.after
    return state, move


def _texts(branch: Branch, *, by_entry: bool) -> list[tuple[int, str]]:
    """The entries to compare, each with its number in its record."""
    if not branch.stored:
        return list(enumerate(branch.texts, start=1))
    if not by_entry:
        return list(_moves(branch)) if branch.report.header is not None else []
    # A draw that only one record shows is not a contradiction.
    entries = [structs.replace(entry, secret=b"") for entry in branch.stored]
    words = enumerate(text or _UNKNOWN for text, _ in describe_entries(entries))
    return list(islice(words, 1, None))


def _moves(branch: Branch) -> Iterator[tuple[int, str]]:
    """What a transcript of a stored record has: the moves of its good part, and one that breaks the rules."""
    state = open_record(branch.stored[0]).start
    for sequence, actor, move in played_moves(branch.stored[: branch.report.good + 1]):
        candidate = state.parse_bytes(actor, move)
        yield sequence, state.write_move(candidate)
        verdict = state.judge(candidate)
        if isinstance(verdict, Illegal):
            return
        state = verdict.after
    if isinstance(branch.report.verdict, IllegalAt):
        yield branch.report.verdict.sequence, branch.report.verdict.move


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
