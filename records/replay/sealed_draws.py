"""Sealed matches: the order of all draws is fixed before the first move.

Entries, their digests and their hashes contain only what a spectator may see, so that everybody can check the
hash chain. The hidden part of an entry is stored beside it (Entry.secret) and is proved by the seal.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from msgspec import structs

from records.codec.evidence import (
    Concealed,
    Sealed,
    decode_commitment,
    decode_concealed,
    decode_seal,
    decode_secret,
    decode_share,
)
from records.entry import Entry, EntryKind, MatchHeader, MatchId
from records.evidence import sealing
from records.evidence.sealing import Pledge, Seal, SealBroken, SealedOrder, check_opening, mix, rederive
from records.games.candidate import Candidate
from records.games.chance import StateChance
from records.games.state import GameState
from rules.kernel.actors import CHANCE, SPECTATOR, Actor, Viewer

STRIDE: Final = 2**16
"""Order numbers per shuffle of a match: each order that the rules do not accept uses one of them."""

_CACHED_ORDERS: Final = 512
"""Sealed orders that are kept, some per match being played: sealing one takes longer than judging."""

_COMMITMENT_BYTES: Final = 32
"""The size of a commitment to a share, in bytes (SHA-256)."""

_PLAYED: Final = frozenset(
    {
        EntryKind.MOVE,
        EntryKind.RETRACT,
        EntryKind.COMMIT_SHARE,
        EntryKind.REVEAL_SHARE,
        EntryKind.SEAL,
        EntryKind.UNSEAL,
    }
)
"""The kinds of entries that cannot follow once everything is revealed."""

sealed_order: Final = lru_cache(maxsize=_CACHED_ORDERS)(sealing.seal)
"""As sealing.seal, cached."""


@dataclass(frozen=True, slots=True)
class Sealing:
    """The commitments, shares and seals at one point of a record."""

    match: MatchId
    pledge: bytes
    sharers: tuple[int, ...]
    committed: tuple[tuple[int, bytes], ...] = ()
    """Seat and commitment."""
    shares: tuple[tuple[int, bytes], ...] = ()
    """Seat and revealed share."""
    seals: tuple[Sealed, ...] = ()
    secret: bytes = b""
    """The secret that the service revealed at the end; empty until then."""

    @property
    def shared(self) -> bool:
        """Whether all shares are revealed, so that orders can be derived."""
        return len(self.shares) == len(self.sharers)

    def seed(self, secret: bytes) -> bytes:
        """The seed of all orders; raises WrongReveal if this is not the secret that was committed to."""
        return mix(Pledge(self.match, self.pledge, self.committed), secret, dict(self.shares))

    def newest(self, shuffle: int) -> Sealed | None:
        """The latest sealed order of a shuffle; None if none is sealed."""
        return next((each for each in reversed(self.seals) if each.number // STRIDE == shuffle), None)

    def after(self, entry: Entry) -> "Sealing":
        """The seals after the entry; raises SealBroken or CorruptEvidence if it is not allowed here."""
        if self.secret and entry.kind in _PLAYED:
            raise SealBroken("everything that was sealed is revealed, and nothing can be played after that")
        match entry.kind:
            case EntryKind.COMMIT_SHARE:
                return self._committed(entry)
            case EntryKind.REVEAL_SHARE:
                return self._revealed(entry)
            case EntryKind.SEAL:
                return self._sealed(decode_seal(entry.move))
            case EntryKind.UNSEAL:
                return self._unsealed(decode_secret(entry.move))
            case _:
                return self

    def _committed(self, entry: Entry) -> "Sealing":
        commitment = decode_commitment(entry.move)
        if entry.actor not in self.sharers or entry.actor in dict(self.committed):
            raise SealBroken("only the seats that the header names commit to a share, once each")
        if len(commitment) != _COMMITMENT_BYTES:
            raise SealBroken(f"a commitment has {_COMMITMENT_BYTES} bytes")
        return replace(self, committed=(*self.committed, (entry.actor, commitment)))

    def _revealed(self, entry: Entry) -> "Sealing":
        if len(self.committed) != len(self.sharers):
            raise SealBroken("shares are revealed after all seats have committed to theirs")
        if entry.actor not in self.sharers or entry.actor in dict(self.shares):
            raise SealBroken("only the seats that have committed to a share reveal it, once each")
        share = decode_share(entry.move)
        if sealing.commit_share(self.match, entry.actor, share) != dict(self.committed)[entry.actor]:
            raise SealBroken("this is another share than the seat committed to")
        return replace(self, shares=(*self.shares, (entry.actor, share)))

    def _sealed(self, sealed: Sealed) -> "Sealing":
        if sealed.deck:
            raise SealBroken("a match of version 1 has one deck, and it has no name")
        if not self.shared:
            raise SealBroken("an order is sealed after all shares are revealed")
        if self.seals and sealed.number <= max(each.number for each in self.seals):
            raise SealBroken("the number of each sealed order must be higher than those before")
        return replace(self, seals=(*self.seals, sealed))

    def _unsealed(self, secret: bytes) -> "Sealing":
        seed = self.seed(secret)
        for each in self.seals:
            rederive(seal_of(self.match, each), each.stock, seed)
        return replace(self, secret=secret)


@dataclass(frozen=True, slots=True)
class Dealt:
    """A draw from a sealed order."""

    seal: Sealed | None
    """The order, if it is new and must be sealed first."""
    move: Candidate
    order: SealedOrder
    places: range


def unopenable(sealing_now: Sealing, seat: int, commitment: bytes) -> str | None:
    """Why everybody can see that no share of the seat ever opens the commitment; None where one may.

    A seat can still commit to bytes that it made up: it stops the match then, as one that never reveals does.
    """
    others = {each for sharer, each in sealing_now.committed if sharer != seat}
    if commitment in {sealing_now.pledge, *others, bytes(_COMMITMENT_BYTES)}:
        return "this commitment is empty or somebody else's: no share of this seat opens it"
    return None


def sealing_of(header: MatchHeader, match: MatchId) -> Sealing | None:
    """The sealing at the start of a match; None if nothing is sealed in it."""
    return Sealing(match, header.pledge, header.sharers) if header.pledge else None


def seal_of(match: MatchId, sealed: Sealed) -> Seal:
    """The public part of a sealed order."""
    return Seal(match, sealed.number, len(sealed.stock), sealed.root)


def deal(state: GameState, sealing_now: Sealing, seed: bytes) -> Dealt | None:
    """The draw that is due now; None if none is."""
    if CHANCE not in state.awaiting():
        return None
    chance = state.chance
    shuffle = chance.shuffle()
    sealed, new = sealing_now.newest(shuffle), None
    if sealed is None or (chance.places(len(sealed.stock)).start == 0 and sealed.stock != chance.stock()):
        number = shuffle * STRIDE if sealed is None else sealed.number + 1
        new = sealed = _fitting(chance, sealing_now.match, number, seed)
    order = sealed_order(sealing_now.match, sealed.number, sealed.stock, seed)
    places = chance.places(len(order.tokens))
    return Dealt(new, chance.bring(tuple(order.tokens[place] for place in places)), order, places)


def _fitting(chance: StateChance, match: MatchId, number: int, seed: bytes) -> Sealed:
    """The first order, from this number on, that the rules accept."""
    stock = chance.stock()
    while True:
        order = sealed_order(match, number, stock, seed)
        if chance.fits(order.tokens):
            return Sealed(number, stock, order.seal.root)
        number += 1


def public_digest(header: MatchHeader, state: GameState) -> bytes:
    """The digest in an entry; in a sealed match, that of the spectator's view."""
    return (state.view(SPECTATOR) if header.pledge else state).digest()


def in_full(entry: Entry) -> tuple[bytes, bytes]:
    """The move and the events of an entry, with the hidden part if it is there; raises CorruptEvidence."""
    if not entry.secret:
        return entry.move, entry.events
    concealed = decode_concealed(entry.secret)
    return concealed.move, concealed.events


def for_viewer(before: GameState, actor: Actor, entry: Entry, viewer: Viewer) -> Entry:
    """The entry without its secret, if the viewer may not see that."""
    if not entry.secret:
        return entry
    move, _ = in_full(entry)
    seen = before.seen_move(before.parse_bytes(actor, move), viewer)
    return entry if seen.data == move else structs.replace(entry, secret=b"")


def order_due(before: GameState, sealing_now: Sealing) -> Sealed:
    """The sealed order that the next draw comes from; raises SealBroken if the one that is due is not sealed.

    It follows from public facts, so that a spectator can check it.
    """
    chance = before.chance
    sealed = sealing_now.newest(chance.shuffle())
    if sealed is None:
        raise SealBroken("the draw was made before an order was sealed")
    if chance.places(len(sealed.stock)).start == 0 and sealed.stock != chance.stock():
        raise SealBroken("the sealed order is not of the components that are shuffled here")
    return sealed


def derive_draw(before: GameState, sealing_now: Sealing, seed: bytes) -> Candidate:
    """The draw that is due, by the seed of an unsealed match; raises ValueError if there is none."""
    sealed = order_due(before, sealing_now)
    order = sealed_order(sealing_now.match, sealed.number, sealed.stock, seed)
    places = before.chance.places(len(order.tokens))
    if not 0 <= places.start <= places.stop <= len(order.tokens):
        raise SealBroken("no components are left in the sealed order")
    return before.chance.bring(tuple(order.tokens[place] for place in places))


def draw_fault(before: GameState, sealing_now: Sealing, entry: Entry) -> str | None:
    """What is wrong with the secret of a draw; None if it is what was sealed and due."""
    concealed = decode_concealed(entry.secret)
    try:
        sealed = order_due(before, sealing_now)
    except SealBroken as fault:
        return str(fault)
    places = before.chance.places(len(sealed.stock))
    if tuple(opening.index for opening in concealed.openings) != tuple(places):
        return f"places {places.start} to {places.stop - 1} were due, but others are opened"
    seal = seal_of(sealing_now.match, sealed)
    try:
        for opening in concealed.openings:
            check_opening(seal, opening)
        due = before.chance.bring(tuple(opening.token for opening in concealed.openings))
    except ValueError as fault:
        return str(fault)
    if concealed.move != due.data:
        return "the draw has other components than were sealed at its places"
    if entry.move != before.seen_move(due, SPECTATOR).data:
        return "the move that a spectator sees is not the one that was drawn"
    if entry.events != before.seen_events(concealed.events, SPECTATOR):
        return "the events that a spectator sees are not those of the draw"
    return None


def conceal(before: GameState, events: bytes, dealt: Dealt) -> tuple[bytes, bytes, Concealed]:
    """The move and events of a draw as a spectator sees them, and the concealed part."""
    openings = tuple(dealt.order.open(place) for place in dealt.places)
    public = before.seen_move(dealt.move, SPECTATOR).data, before.seen_events(events, SPECTATOR)
    return *public, Concealed(dealt.move.data, events, openings)


def skipped_valid_order(before: GameState, sealing_now: Sealing, sealed: Sealed, seed: bytes) -> bool:
    """Whether the rules accept an earlier order than the sealed one, so that the service has chosen."""
    first = sealed.number // STRIDE * STRIDE
    taken = [each.number for each in sealing_now.seals if first <= each.number < sealed.number]
    begin = max(taken, default=first - 1) + 1
    return any(
        before.chance.fits(sealed_order(sealing_now.match, number, sealed.stock, seed).tokens)
        for number in range(begin, sealed.number)
    )
