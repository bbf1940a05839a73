"""Sealed matches: the order of what is drawn stands fast before the first move.

The entries themselves tell what a spectator sees, and so do their digests and hashes: whoever may not see all
of a record checks its chain all the same. What is hidden lies beside them (Entry.secret), under the seal.
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
"""So many numbers each shuffle of a game has: one for every order that the rules do not take."""

_ORDERS: Final = 512
"""So many orders are kept: sealing one takes longer than judging a draw."""

_COMMITMENT: Final = 32

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
"""What cannot follow when all lies open."""

sealed_order: Final = lru_cache(maxsize=_ORDERS)(sealing.seal)
"""As sealing.seal, kept."""


@dataclass(frozen=True, slots=True)
class Sealing:
    """What is sealed at one point of a record."""

    match: MatchId
    pledge: bytes
    sharers: tuple[int, ...]
    committed: tuple[tuple[int, bytes], ...] = ()
    """Seat and commitment."""
    shares: tuple[tuple[int, bytes], ...] = ()
    """Seat and what it revealed."""
    seals: tuple[Sealed, ...] = ()
    secret: bytes = b""
    """What the service has revealed in the end; empty until then."""

    @property
    def shared(self) -> bool:
        """Whether all shares are in, so that there can be an order."""
        return len(self.shares) == len(self.sharers)

    def seed(self, secret: bytes) -> bytes:
        """What all orders follow from; WrongReveal where this is not the secret that was committed to."""
        return mix(Pledge(self.match, self.pledge, self.committed), secret, dict(self.shares))

    def newest(self, shuffle: int) -> Sealed | None:
        """The order in force of a shuffle that the game asks for."""
        return next((each for each in reversed(self.seals) if each.number // STRIDE == shuffle), None)

    def after(self, entry: Entry) -> "Sealing":
        """What is sealed after the entry; SealBroken or CorruptEvidence where it must not be there."""
        if self.secret and entry.kind in _PLAYED:
            raise SealBroken("everything that was sealed lies open, and nothing is played after that")
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
            raise SealBroken("only a seat that the header names commits to a share, and once")
        if len(commitment) != _COMMITMENT:
            raise SealBroken(f"a commitment has {_COMMITMENT} bytes")
        return replace(self, committed=(*self.committed, (entry.actor, commitment)))

    def _revealed(self, entry: Entry) -> "Sealing":
        if len(self.committed) != len(self.sharers):
            raise SealBroken("a share is revealed when all have committed to theirs")
        if entry.actor not in self.sharers or entry.actor in dict(self.shares):
            raise SealBroken("only a seat that has committed reveals a share, and once")
        share = decode_share(entry.move)
        if sealing.commit_share(self.match, entry.actor, share) != dict(self.committed)[entry.actor]:
            raise SealBroken("this is another share than the seat committed to")
        return replace(self, shares=(*self.shares, (entry.actor, share)))

    def _sealed(self, sealed: Sealed) -> "Sealing":
        if sealed.deck:
            raise SealBroken("a match of version 1 has one deck, and it has no name")
        if not self.shared:
            raise SealBroken("an order is sealed when all shares are in")
        if self.seals and sealed.number <= max(each.number for each in self.seals):
            raise SealBroken("each order that is sealed has a number of its own, higher than those before")
        return replace(self, seals=(*self.seals, sealed))

    def _unsealed(self, secret: bytes) -> "Sealing":
        seed = self.seed(secret)
        for each in self.seals:
            rederive(seal_of(self.match, each), each.stock, seed)
        return replace(self, secret=secret)


@dataclass(frozen=True, slots=True)
class Dealt:
    """What chance brings from a sealed order."""

    seal: Sealed | None
    """The order, where it is a new one that must be sealed first."""
    move: Candidate
    order: SealedOrder
    places: range


def unopenable(sealing_now: Sealing, seat: int, commitment: bytes) -> str | None:
    """Why everybody can see that no share of the seat ever opens the commitment; None where one may.

    A seat can still commit to bytes that it made up: it stops the match then, as one that never reveals does.
    """
    others = {each for sharer, each in sealing_now.committed if sharer != seat}
    if commitment in {sealing_now.pledge, *others, bytes(_COMMITMENT)}:
        return "this commitment is empty or somebody else's: no share of this seat opens it"
    return None


def sealing_of(header: MatchHeader, match: MatchId) -> Sealing | None:
    """What is sealed when a match begins; None where nothing is."""
    return Sealing(match, header.pledge, header.sharers) if header.pledge else None


def seal_of(match: MatchId, sealed: Sealed) -> Seal:
    """What everybody knows of a sealed order."""
    return Seal(match, sealed.number, len(sealed.stock), sealed.root)


def deal(state: GameState, sealing_now: Sealing, seed: bytes) -> Dealt | None:
    """What chance brings now; None where it is not awaited."""
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
    """The first order, from this number on, that the match can go on with."""
    stock = chance.stock()
    while True:
        order = sealed_order(match, number, stock, seed)
        if chance.fits(order.tokens):
            return Sealed(number, stock, order.seal.root)
        number += 1


def public_digest(header: MatchHeader, state: GameState) -> bytes:
    """The digest that an entry has: of a sealed match it is that of what a spectator sees."""
    return (state.view(SPECTATOR) if header.pledge else state).digest()


def in_full(entry: Entry) -> tuple[bytes, bytes]:
    """The move and the events of an entry as far as it tells them; raises CorruptEvidence."""
    if not entry.secret:
        return entry.move, entry.events
    concealed = decode_concealed(entry.secret)
    return concealed.move, concealed.events


def for_viewer(before: GameState, actor: Actor, entry: Entry, viewer: Viewer) -> Entry:
    """The entry without what the viewer may not see of it."""
    if not entry.secret:
        return entry
    move, _ = in_full(entry)
    seen = before.seen_move(before.parse_bytes(actor, move), viewer)
    return entry if seen.data == move else structs.replace(entry, secret=b"")


def draw_fault(before: GameState, sealing_now: Sealing, entry: Entry) -> str | None:
    """What is wrong with the secret of an entry of chance; None where it is what was sealed and due."""
    concealed = decode_concealed(entry.secret)
    sealed = sealing_now.newest(before.chance.shuffle())
    if sealed is None:
        return "it was drawn before an order was sealed"
    places = before.chance.places(len(sealed.stock))
    if tuple(opening.index for opening in concealed.openings) != tuple(places):
        return f"places {places.start} to {places.stop - 1} were due, and others are opened"
    seal = seal_of(sealing_now.match, sealed)
    try:
        for opening in concealed.openings:
            check_opening(seal, opening)
        due = before.chance.bring(tuple(opening.token for opening in concealed.openings))
    except ValueError as fault:
        return str(fault)
    if concealed.move != due.data:
        return "it tells other components than its places hold"
    if entry.move != before.seen_move(due, SPECTATOR).data:
        return "what a spectator sees is not what was drawn"
    if entry.events != before.seen_events(concealed.events, SPECTATOR):
        return "what a spectator sees is not what came of it"
    return None


def conceal(before: GameState, events: bytes, dealt: Dealt) -> tuple[bytes, bytes, Concealed]:
    """What a spectator sees of the draw, and what not everybody may see."""
    openings = tuple(dealt.order.open(place) for place in dealt.places)
    seen = before.seen_move(dealt.move, SPECTATOR).data, before.seen_events(events, SPECTATOR)
    return *seen, Concealed(dealt.move.data, events, openings)


def skipped_valid_order(before: GameState, sealing_now: Sealing, sealed: Sealed, seed: bytes) -> bool:
    """Whether an order before the sealed one could have stood, so that somebody has chosen."""
    first = sealed.number // STRIDE * STRIDE
    taken = [each.number for each in sealing_now.seals if first <= each.number < sealed.number]
    begin = max(taken, default=first - 1) + 1
    return any(
        before.chance.fits(sealed_order(sealing_now.match, number, sealed.stock, seed).tokens)
        for number in range(begin, sealed.number)
    )
