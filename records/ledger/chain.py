"""Chains the entries of one request to the last entry of a match: numbers, parts, digests, hashes, guards."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from records.codec.concealment import Hidden, encode_hidden
from records.entry import (
    ENTRY_VERSION_1,
    MOVE,
    RETRACT,
    Entry,
    MatchId,
    actor_number,
    with_hash,
)
from records.evidence.sealing import OpenedPlace
from records.games.state import Applied, GameState, Shown
from records.ledger.opening import new_salt
from records.log.contract import NEW
from records.replay.choices import OpenedChoice
from records.replay.concealing import (
    NOTHING_CONCEALED,
    ConcealedParts,
    Place,
    conceal_views,
    derived_salts,
)
from records.replay.disclosure import conceals, public_digest
from records.replay.fold import MatchSnapshot
from records.replay.guards import Guards
from records.replay.seals import Sealing
from rules.kernel.actors import Actor

_UNSIGNED: Final = frozenset({MOVE, RETRACT})
"""Kinds of entries that need no guards in a match without keys, seals, disputes and choices."""


@dataclass(frozen=True, slots=True)
class EntrySource:
    """What the entries of one request have from outside: id, time, chance, and choices made before."""

    request: str
    recorded: int
    """In microseconds since 1970, UTC."""
    secret: bytes | None = None
    """What the service shuffles by, where it deals."""
    salts: Callable[[], bytes] = new_salt
    """Makes a new salt, where none is derived."""
    opened: dict[int, OpenedChoice] = field(default_factory=dict)
    """By seat: the answers to the open sealed question that the service knows."""


class EntryChain:
    """The entries of one request so far, and the match after them."""

    def __init__(self, match: MatchId, current: MatchSnapshot, source: EntrySource) -> None:
        self._match: Final = match
        self.header: Final = current.header
        self._source: Final = source
        self._expected = current.sequence
        self._last = current.hash
        self._state = current.state
        self._guards = current.guards
        self._asked = current.asked
        self._notices: Final = current.notices
        self._conceals: Final = conceals(current.header, current.state)
        self._seed: bytes | None = None
        self._entries: list[Entry] = []
        self._states: list[GameState] = []

    def _open(self, first: Entry, start: GameState) -> None:
        """The header of a new match."""
        self._expected = NEW
        self._entries.append(first)
        self._states.append(start)

    @property
    def state(self) -> GameState:
        """The state after the last entry."""
        return self._state

    @property
    def guards(self) -> Guards:
        """The guards after the last entry."""
        return self._guards

    def _place(self, actor: Actor) -> Place:
        """Where the next entry stands."""
        sequence = self._expected + len(self._entries) + 1
        return Place(self._match, sequence, actor_number(actor), self._last)

    def _seed_now(self, secret: bytes, sealing: Sealing) -> bytes:
        """The seed, which stays the same once all shares are revealed."""
        if self._seed is None:
            self._seed = sealing.seed(secret)
        return self._seed

    def _add_shown(  # noqa: PLR0913 - an entry has many parts
        self,
        kind: int,
        actor: Actor,
        applied: Applied,
        shown: Shown,
        signature: bytes = b"",
        *,
        openings: tuple[OpenedPlace, ...] = (),
    ) -> None:
        """Add an entry with the parts that some seats see of it."""
        hidden = self._concealed(actor, shown)
        public = Applied(shown.events, applied.after)
        self._add_hidden(kind, actor, shown.move, public, hidden, signature=signature, openings=openings)

    def _add_hidden(  # noqa: PLR0913 - an entry has many parts
        self,
        kind: int,
        actor: Actor,
        move: bytes,
        accepted: Applied,
        hidden: ConcealedParts,
        *,
        signature: bytes = b"",
        openings: tuple[OpenedPlace, ...] = (),
    ) -> None:
        """Add an entry with these concealed parts."""
        secret = encode_hidden(Hidden(hidden.parts, openings)) if hidden.parts or openings else b""
        self._add(kind, actor, move, accepted, signature, secret=secret, concealed=hidden.field)

    def _concealed(self, actor: Actor, shown: Shown) -> ConcealedParts:
        """The concealed parts of the next entry."""
        if not shown.views:
            return ConcealedParts(NOTHING_CONCEALED, ())
        place = self._place(actor)
        secret, sealing = self._source.secret, self._guards.sealing
        if secret is not None and sealing is not None:
            return conceal_views(place, shown.views, derived_salts(place, self._seed_now(secret, sealing)))
        return conceal_views(place, shown.views, lambda _, __: self._source.salts())

    def _add(  # noqa: PLR0913 - an entry has many parts
        self,
        kind: int,
        actor: Actor,
        move: bytes,
        accepted: Applied,
        signature: bytes = b"",
        *,
        secret: bytes = b"",
        concealed: bytes = b"",
        digest: bytes | None = None,
    ) -> None:
        self._state = accepted.after
        place = len(self._entries) + 1
        request = self._source.request
        if not concealed and self.header.entry_version != ENTRY_VERSION_1:
            concealed = NOTHING_CONCEALED
        entry = with_hash(
            Entry(
                self._match,
                self._expected + place,
                kind,
                actor_number(actor),
                move,
                accepted.events,
                digest or public_digest(self.header, accepted.after),
                request if place == 1 else f"{request}/{place}",
                self._source.recorded,
                self._last,
                signature=signature,
                secret=secret,
                concealed=concealed,
            )
        )
        if not self._guards.idle or signature or kind not in _UNSIGNED:
            self._guards = self._guards.after(entry)
        self._last = entry.hash
        self._entries.append(entry)
        self._states.append(accepted.after)
