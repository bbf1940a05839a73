"""Makes the draws and concealed parts of a sealed match again from the secret of its service."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msgspec import structs

from records.codec.concealment import Hidden, encode_hidden
from records.codec.evidence import Concealed, CorruptEvidence, encode_concealed
from records.codec.shape import CorruptEvents, CorruptMove
from records.entry import (
    CHANCE_NUMBER,
    ENTRY_VERSION_1,
    MOVE,
    RETRACT,
    Entry,
    actor_of,
    entry_version,
)
from records.games.candidate import Candidate
from records.games.state import Applied, GameState, Shown
from records.replay.concealing import ConcealedParts, Place, conceal_views, derived_salts
from records.replay.disclosure import in_full
from records.replay.fold import CHANGES, CorruptRecord, apply_entry, open_record, retracted_to
from records.replay.sealed_draws import derive_draw, open_places
from records.replay.seals import Sealing
from records.replay.steps import Steps
from rules.kernel.rule import Illegal


@dataclass(frozen=True, slots=True)
class DerivedMove:
    """A move of a sealed match as the seed, the rules and the public part of its entry determine it."""

    move: Candidate
    applied: Applied
    shown: Shown
    hidden: ConcealedParts
    """Of version 2."""


def derive_move(
    before: GameState, sealing: Sealing, seed: bytes, entry: Entry
) -> DerivedMove | tuple[Candidate, Illegal]:
    """Make a move again: a draw from the sealed orders, any other from what the entry shows of it.

    Raises ValueError if no draw is due, CorruptMove or CorruptEvidence if the entry cannot be read.
    """
    if entry.actor == CHANCE_NUMBER:
        move = derive_draw(before, sealing, seed)
    else:
        move = before.parse_bytes(actor_of(entry.actor), in_full(entry)[0])
    judged = before.judge_shown(move)
    if isinstance(judged, Illegal):
        return move, judged
    applied, shown = judged
    place = Place(entry.match, entry.sequence, entry.actor, entry.previous)
    return DerivedMove(move, applied, shown, conceal_views(place, shown.views, derived_salts(place, seed)))


def checking_derived(entries: Sequence[Entry], secret: bytes) -> Steps[None]:
    """Raises CorruptRecord at the first draw that is not kept as the secret yields it."""
    for entry, full in zip(entries, with_derived(entries, secret), strict=True):
        if in_full(entry) != in_full(full):
            raise CorruptRecord(
                entry.match, entry.sequence, "what was drawn here is not what was sealed, or it is lost"
            )
        yield


def with_derived(entries: Sequence[Entry], secret: bytes) -> Iterator[Entry]:
    """The entries of a sealed match with everything that its secret yields, also where it was left out.

    Raises BadRecord where an entry contradicts it. A secret that was revealed is in the Unseal entry.
    """
    opened = open_record(entries[0])
    sealing, states = opened.guards.sealing, [opened.start]
    yield entries[0]
    for entry in entries[1:]:
        if sealing is None:
            raise CorruptRecord(entry.match, entry.sequence, "nothing is sealed in this match")
        full = entry
        try:
            if entry.kind == MOVE and sealing.shared and (entry.actor == CHANCE_NUMBER or _has_parts(entry)):
                full = _completed(states[-1], sealing, sealing.seed(secret), entry)
            sealing = sealing.after(entry)
        except (CorruptMove, CorruptEvents, CorruptEvidence, ValueError) as fault:
            raise CorruptRecord(entry.match, entry.sequence, str(fault)) from fault
        if entry.kind in CHANGES:
            states.append(apply_entry(states[-1], full))
        else:
            states.append(states[retracted_to(entry)] if entry.kind == RETRACT else states[-1])
        yield full


def _has_parts(entry: Entry) -> bool:
    return len(entry.concealed) > 1


def _completed(before: GameState, sealing: Sealing, seed: bytes, entry: Entry) -> Entry:
    """The entry with its secret; raises ValueError if the entry is of something else."""
    derived = derive_move(before, sealing, seed, entry)
    if not isinstance(derived, DerivedMove):
        raise ValueError(f"the draw breaks {derived[1].violations[0].rule.id}")  # noqa: TRY004 - not a type
    openings = open_places(before, sealing, seed) if entry.actor == CHANCE_NUMBER else ()
    if entry_version(entry) == ENTRY_VERSION_1:
        concealed = Concealed(derived.move.data, derived.applied.events, openings)
        return structs.replace(entry, secret=encode_concealed(concealed))
    shown, hidden = derived.shown, derived.hidden
    if (entry.move, entry.events, entry.concealed) != (shown.move, shown.events, hidden.field):
        raise ValueError("the entry is not what was sealed: its secret yields another move or other parts")
    return structs.replace(entry, secret=encode_hidden(Hidden(hidden.parts, openings)))
