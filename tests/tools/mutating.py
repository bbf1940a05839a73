"""Records of every form, and their mutants: changed as a forger would who recomputes every hash."""

import json
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import count

import msgspec
from msgspec import structs

from records.audit.bundle import write_bundle
from records.codec.concealment import Hidden, decode_hidden, encode_hidden
from records.codec.shape import CorruptEvents
from records.entry import (
    ENTRY_VERSION_1,
    ENTRY_VERSION_2,
    Dealer,
    Entry,
    EntryKind,
    MatchHeader,
    MatchId,
    TakebackPolicy,
    with_hash,
)
from records.evidence.concealment import (
    Commitment,
    Part,
    PartHasher,
    Slot,
    format_concealed,
    parse_concealed,
)
from records.evidence.ed25519 import SecretKey
from records.evidence.sealing import OpenedPlace
from records.files.record_file import write_record
from records.games.candidate import Candidate
from records.games.registry import find_game
from records.ledger.ledger import Ledger
from records.ledger.redaction import redacted
from records.log.memory import MemoryLog
from records.log.tree import Tree
from records.replay.disclosure import in_full, public_digest
from records.replay.fold import CHANGES, BadRecord, open_record
from rules.kernel.actors import ARBITER, AUDITOR, SPECTATOR, Actor, Seat, Viewer
from rules.kernel.setup import Draws, GameKey, Setup
from tests.records.bundles import promised
from tests.records.log.making import Scribe
from tests.records.replay.test_policies import secrets
from tests.tools.forging import forged
from tools.dev.staged import StagedMatch
from tools.dev.version_1 import Version1Ledger

MOVES = {None: 8, Dealer.SERVICE: 8, Dealer.RECORDER: 24}
"""Moves of a match by who deals: where a recorder does, deals are moves too."""
KEPT_PLAYS = 100
"""Matches that are kept at a time: as many as there are forms of all games, and some more."""
SMALL = "map:R....R/..aa../Y....Y/..b.../B....B"
"""A board of Qin on which a match is soon over."""

GREEN, VIOLET = Seat(0), Seat(1)
FIELDS = [name for name in Entry.__struct_fields__ if name not in {"position", "previous", "hash"}]
Path = tuple[str | int, ...]
"""The way to a value in a JSON document."""
DONATED_PARTS = 2
"""The mutation that takes the parts of another entry."""
HIGHEST = {"kind": max(EntryKind).value}
"""Higher kinds have no meaning in any build."""


@dataclass(frozen=True, slots=True)
class Form:
    """What a record is like: who deals and signs, how far it goes, and what is left out of it."""

    name: str
    version: int = ENTRY_VERSION_2
    dealer: Dealer | None = Dealer.SERVICE
    """None if draws are not recorded."""
    signed: bool = False
    """Seats and arbiter sign, seats share in the shuffle, change a key and take back."""
    ended: bool = False
    viewer: Viewer = AUDITOR
    bundled: bool = False

    @property
    def shows_all(self) -> bool:
        return self.viewer is AUDITOR or self.ended


FORMS = (
    Form("version 1, draws unrecorded", ENTRY_VERSION_1, None),
    Form("version 1, sealed", ENTRY_VERSION_1),
    Form("version 1, sealed, for a spectator", ENTRY_VERSION_1, viewer=SPECTATOR),
    Form("version 1, signed", ENTRY_VERSION_1, signed=True),
    Form("version 1, signed, for a seat", ENTRY_VERSION_1, signed=True, viewer=GREEN),
    Form("version 1, bundled", ENTRY_VERSION_1, signed=True, bundled=True),
    Form("draws unrecorded", dealer=None),
    Form("recorder deals", dealer=Dealer.RECORDER),
    Form("recorder deals, for a seat", dealer=Dealer.RECORDER, viewer=GREEN),
    Form("sealed"),
    Form("sealed, for a spectator", viewer=SPECTATOR),
    Form("sealed, for a seat", viewer=VIOLET),
    Form("signed", signed=True),
    Form("signed, for a spectator", signed=True, viewer=SPECTATOR),
    Form("unsealed", ended=True),
    Form("unsealed, for a spectator", signed=True, ended=True, viewer=SPECTATOR),
    Form("bundled", signed=True, bundled=True),
    Form("unsealed and bundled", ended=True, bundled=True),
)


def header(game: GameKey, form: Form) -> MatchHeader:
    about = find_game(game).about
    small = form.ended and game == "qin"
    setup = Setup(about.editions[-1].key, ("green", "violet"), SMALL if small else about.components[0].name)
    if form.dealer is None:
        return MatchHeader(game, setup)
    return MatchHeader(
        game,
        replace(setup, draws=Draws.RECORDED),
        dealer=form.dealer,
        sharers=(GREEN, VIOLET) if form.signed else (),
        takebacks=TakebackPolicy.PAST_REVEALED
        if form.version == ENTRY_VERSION_2
        else TakebackPolicy.HIDDEN_ONLY,
    )


@lru_cache(KEPT_PLAYS)
def staged(game: GameKey, form: Form, play: int = 0) -> StagedMatch:
    """A match with every kind of entry that one of this form has, in a log among others.

    Each play of the same form is another match.
    """
    log = MemoryLog()
    Scribe("before").write(log, 20)
    salts = map(partial(int.to_bytes, length=32), count(1))
    ledger = (Version1Ledger if form.version == ENTRY_VERSION_1 else Ledger)(
        log,
        secrets=secrets,
        new_id=lambda: MatchId("mutant"),
        clock=lambda: 0,
        salts=lambda: next(salts),
    )
    names: tuple[Actor, ...] = (GREEN, VIOLET, ARBITER) if form.signed else ()
    keys = {name: SecretKey(bytes([65 + number]) * 32) for number, name in enumerate(names)}
    match = StagedMatch(ledger, header(game, form), keys)
    dice = random.Random(f"{form.name} {play}" if play else form.name)  # noqa: S311 - the same match again
    if form.signed:
        match.share({GREEN: b"g" * 32, VIOLET: b"v" * 32})
    for number in range(MOVES[form.dealer]):
        match.play(dice.choice)
        if number == MOVES[form.dealer] // 2:
            further(match, form)
    if form.ended:
        end(match, dice.choice)
    return match


def further(match: StagedMatch, form: Form) -> None:
    """A dispute, its settlement and a takeback, by agreement or by the arbiter."""
    kept = match.outside_questions(match.last)
    match.dispute(GREEN, min(2, match.last), "no", "it stays")
    if form.signed and form.version == ENTRY_VERSION_2:
        match.agree_on_takeback(VIOLET, (GREEN,), kept)
        match.go_back(VIOLET, kept)
    else:
        match.go_back(ARBITER, match.outside_questions(kept - 1))
    if form.signed:
        match.rotate(GREEN, SecretKey(b"N" * 32))


def end(match: StagedMatch, choose: Callable[[list[Candidate]], Candidate]) -> None:
    """Play to the end, which in Khan takes too long: there the arbiter closes the match."""
    if match.current.header.game != "qin":
        match.close("it is late")
        return
    while match.play(choose):
        pass


@lru_cache(KEPT_PLAYS)
def original(game: GameKey, form: Form, play: int = 0) -> tuple[Entry, ...]:
    """The record of such a match, as its viewer has it."""
    return tuple(redacted(staged(game, form, play).entries, form.viewer))


@lru_cache(KEPT_PLAYS)
def envelope(game: GameKey, form: Form, play: int = 0) -> bytes | None:
    """The first line of the bundle, which proves that a log holds the record; None if it is no bundle."""
    if not form.bundled:
        return None
    tree = Tree(staged(game, form, play).ledger.log)
    return write_bundle(original(game, form, play), promised(tree), tree.together).partition(b"\n")[0]


def file_of(entries: Sequence[Entry], first_line: bytes | None) -> bytes:
    """The record file, or the bundle with this envelope; raises UnwritableRecord."""
    data = b"".join(write_record(entries))
    return data if first_line is None else first_line + b"\n" + data


def mutated(entries: Sequence[Entry], dice: random.Random) -> list[Entry]:
    """The record with something changed, digests sometimes and hashes always recomputed."""
    if dice.random() < 0.5:
        return rechained(forged(entries, dice))
    sealed = bool(open_record(entries[0]).header.pledge)
    changed = list(entries)
    place = dice.randrange(len(changed))
    # Whole moves in another order, with fitting digests, are the record of another match that may be legal:
    # only signatures tell them apart.
    redigests = any(entry.signature for entry in entries)
    match dice.randrange(10):
        case 0:
            del changed[place:]
            changed = changed or list(entries[:1])
        case 1 if place:
            del changed[place]
        case 2:
            changed.insert(place, changed[dice.randrange(len(changed))])
        case 3:
            other = dice.randrange(len(changed))
            changed[place], changed[other] = changed[other], changed[place]
        case 4 | 5 | 6 if any(entry.secret for entry in entries) and entries[0].concealed:
            drawn = [number for number, entry in enumerate(entries) if len(entry.concealed) > 1]
            place = dice.choice(drawn)
            changed[place] = with_other_parts(
                changed[place], changed[dice.choice(drawn)], dice, sealed=sealed
            )
        case _:
            redigests = True
            field = dice.choice(FIELDS)
            value = getattr(dice.choice(entries) if dice.random() < 0.4 else changed[place], field)
            other_value = mutated_value(value, dice, HIGHEST.get(field, 500))
            changed[place] = structs.replace(changed[place], **{field: other_value})
    if dice.random() < 0.9:
        changed = [structs.replace(entry, sequence=number) for number, entry in enumerate(changed)]
    if redigests and dice.random() < 0.6:
        changed = redigested(changed)
    return rechained(changed)


def rechained(entries: Sequence[Entry]) -> list[Entry]:
    chain: list[Entry] = []
    for entry in entries:
        previous = chain[-1].hash if chain else bytes(32)
        chain.append(with_hash(structs.replace(entry, previous=previous)))
    return chain


def mutated_value(value: object, dice: random.Random, highest: int) -> object:
    match value:
        case int():
            return dice.choice((value, value + 1, max(value - 1, 0), 0, 1, highest))
        case str():
            return dice.choice((value, f"{value}~", "other"))
        case bytes():
            at = dice.randrange(len(value) + 1)
            middle = bytes([value[at] ^ 1 << dice.randrange(8)]) if at < len(value) else b"\0"
            return dice.choice((value, b"", value[:at] + middle + value[at + 1 :], value[:at], value[at:]))
        case _:
            raise TypeError(f"no field of an entry is {value!r}")


def with_other_parts(entry: Entry, donor: Entry, dice: random.Random, *, sealed: bool) -> Entry:
    """The entry with other concealed parts, openings or commitments; a forger can compute the digests.

    Where nothing is sealed or signed, a whole draw of another entry may make the record of another match.
    """
    parts, openings = list(hidden(entry).parts), list(hidden(entry).openings)
    theirs = hidden(donor)
    commitments = list(parse_concealed(entry.concealed))
    what = dice.randrange(9)
    match what:
        case 0:
            parts = parts[1:]
        case 1:
            openings = openings[1:]
        case 2:  # DONATED_PARTS
            parts = list(theirs.parts)
        case 3:
            openings = list(theirs.openings)
        case 4 if parts:
            at = dice.randrange(len(parts))
            name = dice.choice(("salt", "content"))
            other = mutated_value(getattr(parts[at], name), dice, 0)
            parts[at] = structs.replace(parts[at], **{name: other})
        case 5 if openings:
            at = dice.randrange(len(openings))
            openings[at] = with_other_token(openings[at], dice)
        case 6:
            at = dice.randrange(len(commitments))
            audience = dice.choice((0, 1, 2, 3, 4, commitments[at].audience))
            commitments[at] = structs.replace(commitments[at], audience=audience)
        case 7:
            del commitments[dice.randrange(len(commitments))]
        case _:
            commitments = list(parse_concealed(donor.concealed))
    if dice.random() < 0.6 and (sealed or what != DONATED_PARTS):
        commitments = recommitted(entry, commitments, parts)
    return structs.replace(
        entry,
        concealed=format_concealed(commitments),
        secret=encode_hidden(Hidden(tuple(parts), tuple(openings))),
    )


def hidden(entry: Entry) -> Hidden:
    return decode_hidden(entry.secret) if entry.secret else Hidden()


def with_other_token(opened: OpenedPlace, dice: random.Random) -> OpenedPlace:
    return dice.choice(
        (
            replace(opened, index=opened.index + 1),
            replace(opened, token=f"{opened.token}~"),
            replace(opened, salt=bytes(32)),
            replace(opened, proof=opened.proof[1:]),
            replace(opened, deck="other"),
        )
    )


def recommitted(entry: Entry, commitments: Sequence[Commitment], parts: Sequence[Part]) -> list[Commitment]:
    """The commitments with the digests of these parts."""
    hasher, found = PartHasher(entry.match), list(commitments)
    for part in parts:
        if part.place < len(found):
            committed = found[part.place]
            slot = Slot(entry.sequence, part.place, committed.kind, entry.actor, committed.audience)
            with suppress(ValueError):
                digest = hasher.digest(slot, part.salt, part.content)
                found[part.place] = structs.replace(committed, digest=digest)
    return found


def redigested(entries: list[Entry]) -> list[Entry]:
    """With the digests that the recorded events lead to, as far as they can be folded."""
    digested: list[Entry] = []
    with suppress(BadRecord, CorruptEvents, ValueError):
        opened = open_record(entries[0])
        state = opened.start
        for entry in entries:
            if entry.kind == EntryKind.RETRACT:
                break
            if entry.kind in CHANGES:
                state = state.fold(in_full(entry)[1])
            digested.append(structs.replace(entry, state=public_digest(opened.header, state)))
    return [*digested, *entries[len(digested) :]]


def mutated_envelope(line: bytes, dice: random.Random) -> bytes:
    """An envelope in canonical form of which one value is another."""
    fields: object = json.loads(line)
    path = dice.choice(paths(fields)[1:])
    return msgspec.json.encode(changed_at(fields, path, lambda value: other_json(value, dice)))


def paths(value: object) -> list[Path]:
    """Where each value of a JSON document is, the document itself first."""
    inner: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [(), *((key, *path) for key, each in inner for path in paths(each))]


def changed_at(value: object, path: Path, change: Callable[[object], object]) -> object:
    if not path:
        return change(value)
    key, *rest = path
    if isinstance(value, dict):
        return {**value, key: changed_at(value[key], tuple(rest), change)}
    assert isinstance(value, list)
    return [changed_at(each, tuple(rest), change) if at == key else each for at, each in enumerate(value)]


def other_json(value: object, dice: random.Random) -> object:
    match value:
        case bool() | None:
            return dice.choice((0, 1, "", None))
        case int():
            return dice.choice((value + 1, value - 1, 0, None))
        case str():
            at = dice.randrange(len(value) + 1)
            return dice.choice((value[:at], f"{value[:at]}0{value[at + 1 :]}", "", None))
        case list():
            return dice.choice((value[1:], [*value, *value[:1]], value[::-1], None))
        case _:
            return dice.choice((None, {}))
