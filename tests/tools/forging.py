"""Mutants that a forger makes who knows the rules: another legal move, or what another move would cause."""

import enum
import random
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice

from msgspec import structs

from records.codec.concealment import Hidden, encode_hidden
from records.codec.evidence import Concealed, decode_concealed, encode_concealed
from records.entry import ENTRY_VERSION_1, MOVE, Entry, MatchHeader, actor_number, actor_of
from records.evidence.concealment import Commitment, Part, PartHasher, Slot
from records.games.state import GameState, SeatView, Shown
from records.replay.concealing import Place, conceal_views
from records.replay.disclosure import conceals, hidden_of, in_full, public_digest
from records.replay.fold import open_record, states_before
from rules.kernel.actors import CHANCE
from rules.kernel.rule import Illegal

BY_CHANCE = actor_number(CHANCE)
LOOKED_AT = 40
"""Legal moves that a forger chooses from."""


TRIED = 10
"""Forgeries that are tried until one says something else: after some moves nothing else is legal."""

BARE_DRAWS = 0.3
"""How often a draw is forged of which nothing is opened, in a sealed match that has such draws."""


class Forgery(enum.Enum):
    """What of an entry is another move's."""

    MOVE = enum.auto()
    """All of it, with commitments that fit."""
    SECRET = enum.auto()
    """Only what is not in the hash."""
    EVENTS = enum.auto()
    """Only what it caused, with commitments that fit."""
    PUBLIC = enum.auto()
    """Only what everybody sees, which may then show what is concealed."""


def forged(entries: Sequence[Entry], dice: random.Random) -> list[Entry]:
    """The record with a move forged, a digest that fits, and perhaps without what follows; not chained.

    A whole move is forged only where a signature or a seal binds it: elsewhere that is the record of another
    match, which may be legal.
    """
    header = open_record(entries[0]).header
    moves = [entry for entry in entries if entry.kind == MOVE]
    bare = [entry for entry in moves if entry.actor == BY_CHANCE and not entry.secret]
    before = states_before(open_record(entries[0]).start, entries)

    def forge() -> tuple[Entry, Entry]:
        entry = dice.choice(bare if bare and header.pledge and dice.random() < BARE_DRAWS else moves)
        how = dice.choice([each for each in Forgery if is_bound(header, entry, each)])
        return entry, with_forgery(header, before[entry.sequence], entry, how, dice)

    tried = (forge() for _ in range(TRIED))
    entry, forgery = next((each for each in tried if each[0] != each[1]), (moves[-1], moves[-1]))
    changed = [*entries[: entry.sequence], forgery]
    if dice.random() < 0.4:
        changed += entries[entry.sequence + 1 :]
    return changed


def is_bound(header: MatchHeader, entry: Entry, how: Forgery) -> bool:
    """Whether the rest of the record contradicts such a forgery."""
    if how in {Forgery.SECRET, Forgery.EVENTS} or (how is Forgery.PUBLIC and entry.secret):
        return True
    return bool(header.pledge if entry.actor == BY_CHANCE else header.keys)


def with_forgery(
    header: MatchHeader, before: GameState, entry: Entry, how: Forgery, dice: random.Random
) -> Entry:
    """The entry with what another legal move says, and with the digest of the state that this leads to."""
    legal = list(islice(before.legal_moves(actor_of(entry.actor)), LOOKED_AT))
    judged = before.judge_shown(dice.choice(legal)) if legal else None
    if judged is None or isinstance(judged, Illegal):
        return entry
    applied, shown = judged
    other = as_recorded(header, before, shown)
    digest = public_digest(header, applied.after)
    match how:
        case Forgery.MOVE:
            return structs.replace(saying(header, entry, other), state=digest)
        case Forgery.SECRET:
            return structs.replace(entry, secret=saying(header, entry, other).secret)
        case Forgery.EVENTS:
            own = in_full(entry)[0]
            views = tuple(SeatView(view.audience, own, view.events) for view in other.views)
            return structs.replace(
                saying(header, entry, Shown(entry.move, other.events, views)), state=digest
            )
        case Forgery.PUBLIC:
            sources = ((other.move, other.events), in_full(entry), in_full_of(other))
            move, events = dice.choice(sources)
            return structs.replace(
                entry,
                move=dice.choice((move, entry.move)),
                events=dice.choice((events, entry.events)),
                state=dice.choice((digest, entry.state)),
            )


def as_recorded(header: MatchHeader, before: GameState, shown: Shown) -> Shown:
    """What an entry of the match shows of a move: everything, where nothing is concealed."""
    hides = header.pledge if header.entry_version == ENTRY_VERSION_1 else conceals(header, before)
    return shown if hides or not shown.views else Shown(*in_full_of(shown))


def in_full_of(shown: Shown) -> tuple[bytes, bytes]:
    last = shown.views[-1] if shown.views else shown
    return last.move, last.events


def saying(header: MatchHeader, entry: Entry, shown: Shown) -> Entry:
    """The entry with another move and other events, in all parts that it shows."""
    changed = structs.replace(entry, move=shown.move, events=shown.events)
    if header.entry_version == ENTRY_VERSION_1:
        if not entry.secret:
            return changed
        openings = decode_concealed(entry.secret).openings
        return structs.replace(changed, secret=encode_concealed(Concealed(*in_full_of(shown), openings)))
    place = Place(entry.match, entry.sequence, entry.actor, entry.previous)
    made = conceal_views(place, shown.views, lambda _, __: bytes(32))
    kept = hidden_of(entry)
    places = {part.place for part in kept.parts}
    parts = tuple(part for part in made.parts if part.place in places)
    secret = encode_hidden(Hidden(parts, kept.openings)) if parts or kept.openings else b""
    return structs.replace(changed, secret=secret, concealed=made.field)


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
