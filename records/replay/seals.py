"""What is sealed at one point of a record: commitments, shares, and the orders of the decks."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple

from records.codec.evidence import Sealed, decode_commitment, decode_seal, decode_secret, decode_share
from records.codec.header import decode_retraction
from records.entry import ENTRY_VERSION_1, Entry, EntryKind, MatchHeader, MatchId
from records.evidence import sealing
from records.evidence.sealing import (
    Pledge,
    Seal,
    SealBroken,
    SealedOrder,
    mix,
    order_number,
    rederive,
    round_and_attempt,
)
from records.games.chance import StateChance
from rules.kernel.chance import Take

_CACHED_ORDERS: Final = 256
"""Sealed orders that are kept, some per match being played: sealing one takes longer than judging."""

_COMMITMENT_BYTES: Final = 32
"""The size of a commitment to a share, in bytes (SHA-256)."""

_MOVED: Final = frozenset({EntryKind.MOVE, EntryKind.CHOOSE, EntryKind.REVEAL_CHOICES})
"""The kinds of entries whose concealed parts have salts that follow from the seed."""

_PLAYED: Final = _MOVED | {
    EntryKind.RETRACT,
    EntryKind.COMMIT_SHARE,
    EntryKind.REVEAL_SHARE,
    EntryKind.SEAL,
    EntryKind.UNSEAL,
    EntryKind.OPEN_CHOICE,
    EntryKind.ANSWER_FOR,
    EntryKind.CLOSE,
}
"""The kinds of entries that cannot follow once everything is revealed."""

_seal: Final = lru_cache(maxsize=_CACHED_ORDERS)(sealing.seal)


@lru_cache(maxsize=_CACHED_ORDERS)
def _mixed(pledge: Pledge, secret: bytes, shares: tuple[tuple[int, bytes], ...]) -> bytes:
    """The seed, which every draw of a match asks for."""
    return mix(pledge, secret, dict(shares))


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
    version: int = ENTRY_VERSION_1
    """Of the match's entries. In version 1 decks have no names, and a retraction leaves seals in force."""
    history: tuple[tuple[int, tuple[Sealed, ...]], ...] = ()
    """Of version 2: the seals that are in force from a sequence on, ordered by sequence."""

    @property
    def shared(self) -> bool:
        """Whether all shares are revealed, so that orders can be derived."""
        return len(self.shares) == len(self.sharers)

    def seed(self, secret: bytes) -> bytes:
        """The seed of all orders; raises WrongReveal if this is not the secret that was committed to."""
        return _mixed(Pledge(self.match, self.pledge, self.committed), secret, self.shares)

    @property
    def in_force(self) -> tuple[Sealed, ...]:
        """The seals that draws may come from now: in version 2 a retraction returns to those of its state."""
        if self.version == ENTRY_VERSION_1:
            return self.seals
        return self.history[-1][1] if self.history else ()

    def series(self, chance: StateChance, take: Take) -> "Series":
        """Where the orders are counted that a take is drawn from."""
        if self.version == ENTRY_VERSION_1:
            return Series("", chance.decks.index(take.deck) + take.round)
        return Series(take.deck, take.round)

    def newest(self, series: "Series") -> Sealed | None:
        """The order of a series that was sealed last and is in force; None if none is."""
        return next((each for each in reversed(self.in_force) if series.has(each)), None)

    def order(self, sealed: Sealed, seed: bytes) -> SealedOrder:
        """A sealed order, from the seed; cached."""
        return _seal(self.match, sealed.number, sealed.stock, seed, sealed.deck)

    def try_order(self, series: "Series", number: int, stock: tuple[str, ...], seed: bytes) -> SealedOrder:
        """The order with this number, whether or not it is sealed; cached."""
        return _seal(self.match, number, stock, seed, series.deck)

    def after(self, entry: Entry) -> "Sealing":
        """The seals after the entry; raises SealBroken or CorruptEvidence if it is not allowed here."""
        if self.secret and entry.kind in _PLAYED:
            raise SealBroken("everything that was sealed is revealed, and nothing can be played after that")
        if entry.kind in _MOVED:
            if self.version != ENTRY_VERSION_1 and not self.shared:
                raise SealBroken("nothing is played before all shares are revealed")
            return self
        match entry.kind:
            case EntryKind.COMMIT_SHARE:
                return self._committed(entry)
            case EntryKind.REVEAL_SHARE:
                return self._revealed(entry)
            case EntryKind.SEAL:
                return self._sealed(entry.sequence, decode_seal(entry.move))
            case EntryKind.RETRACT if self.history:
                return self._went_back(entry.sequence, decode_retraction(entry.move).to_sequence)
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

    def _sealed(self, sequence: int, sealed: Sealed) -> "Sealing":
        if not self.shared:
            raise SealBroken("an order is sealed after all shares are revealed")
        seals = (*self.seals, sealed)
        if self.version == ENTRY_VERSION_1:
            if sealed.deck:
                raise SealBroken("a match of version 1 has one deck, and it has no name")
            if self.seals and sealed.number <= max(each.number for each in self.seals):
                raise SealBroken("the number of each sealed order must be higher than those before")
            return replace(self, seals=seals)
        if not sealed.deck:
            raise SealBroken("in a match of version 2 a seal names its deck")
        series = Series.of(sealed)
        # After a retraction the same components may be due again: they come in the same order.
        if sealed not in self.seals and sealed.number <= series.last(self.seals):
            raise SealBroken("a new order has a higher number than those sealed before of its deck and round")
        return replace(self, seals=seals, history=(*self.history, (sequence, (*self.in_force, sealed))))

    def _went_back(self, sequence: int, to_sequence: int) -> "Sealing":
        """A retraction returns to the seals that were in force after the entry that it returns to."""
        then = next((seals for at, seals in reversed(self.history) if at <= to_sequence), ())
        return replace(self, history=(*self.history, (sequence, then)))

    def _unsealed(self, secret: bytes) -> "Sealing":
        seed = self.seed(secret)
        for each in self.seals:
            rederive(seal_of(self.match, each), each.stock, seed)
        return replace(self, secret=secret)


class Series(NamedTuple):
    """The orders of one shuffle: the first that the rules accept, or a later one for other components."""

    deck: str
    """Empty in a match of version 1."""
    round: int
    """The round of the deck; in version 1 the number of the shuffle in the match."""

    @classmethod
    def of(cls, sealed: Sealed) -> "Series":
        """The shuffle that an order is of."""
        return cls(sealed.deck, round_and_attempt(sealed.number)[0])

    def has(self, sealed: Sealed) -> bool:
        """Whether the order is of this shuffle."""
        return Series.of(sealed) == self

    def last(self, seals: tuple[Sealed, ...]) -> int:
        """The highest number that an order of this shuffle has; one below the first where there is none."""
        numbers = [each.number for each in seals if self.has(each)]
        return max(numbers, default=order_number(self.round, 0) - 1)


def sealing_of(header: MatchHeader, match: MatchId) -> Sealing | None:
    """The sealing at the start of a match; None if nothing is sealed in it."""
    if not header.pledge:
        return None
    return Sealing(match, header.pledge, header.sharers, version=header.entry_version)


def seal_of(match: MatchId, sealed: Sealed) -> Seal:
    """The public part of a sealed order."""
    return Seal(match, sealed.number, len(sealed.stock), sealed.root, sealed.deck)


def unopenable(sealing_now: Sealing, seat: int, commitment: bytes) -> str | None:
    """Why everybody can see that no share of the seat ever opens the commitment; None where one may.

    A seat can still commit to bytes that it made up: it stops the match then, as one that never reveals does.
    """
    others = {each for sharer, each in sealing_now.committed if sharer != seat}
    if commitment in {sealing_now.pledge, *others, bytes(_COMMITMENT_BYTES)}:
        return "this commitment is empty or somebody else's: no share of this seat opens it"
    return None
