"""Builds the entries of one request: its moves, judged one after the other, and the draws between them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from msgspec import Struct

from records.codec.concealment import Hidden, encode_hidden
from records.codec.evidence import encode_concealed, encode_seal, encode_secret
from records.codec.shape import CorruptMove
from records.entry import (
    ENTRY_VERSION_1,
    MOVE,
    RETRACT,
    SERVICE,
    Entry,
    EntryKind,
    MatchHeader,
    MatchId,
    actor_number,
    with_hash,
)
from records.evidence.sealing import OpenedPlace
from records.games.candidate import Candidate
from records.games.state import Applied, GameState, Shown
from records.ledger.opening import new_salt
from records.ledger.results import BatchCrossesDraw, IllegalAmong
from records.log.contract import NEW, Append
from records.replay import sealed_draws as sealed
from records.replay.choices import OpenedChoice
from records.replay.concealing import (
    NOTHING_CONCEALED,
    ConcealedParts,
    Place,
    conceal_views,
    derived_salts,
)
from records.replay.disclosure import conceal_draw, conceals, public_digest
from records.replay.fold import MatchSnapshot
from records.replay.guards import Guards, guards_of
from records.replay.notice_counts import NoticeCounts, counted
from records.replay.policies import may_not_deal
from records.replay.sealed_draws import Dealt
from records.replay.seals import Sealing
from rules.kernel.actors import CHANCE, Actor
from rules.kernel.rule import Illegal

_NOT_CANONICAL: Final = "these are not the bytes that the edition writes for the move: encode it again"

_UNSIGNED: Final = frozenset({MOVE, RETRACT})
"""Kinds of entries that need no guards in a match without keys, seals, disputes and choices."""


class EntrySource(Struct, frozen=True):
    """What the entries of one request have from outside: id, time, chance, and choices made before."""

    request: str
    recorded: int
    """In microseconds since 1970, UTC."""
    secret: bytes | None = None
    """What the service shuffles by, where it deals."""
    salts: Callable[[], bytes] = new_salt
    """Makes a new salt, where none is derived."""
    opened: dict[int, OpenedChoice] = {}
    """By seat: the answers to the open sealed question that the service knows."""


LegalVerdict = TypeVar("LegalVerdict", Applied, tuple[Applied, Shown])


class PreparedAppend(Struct, frozen=True):
    """A judged append, ready to be stored."""

    header: MatchHeader
    append: Append
    states: list[GameState]
    """The state after each entry."""
    guards: Guards
    """The guards after the last entry."""
    asked: GameState | None = None
    """The state in which the sealed question was asked that seats are answering after the last entry."""
    notices: NoticeCounts = ()
    """The notices of each actor up to the last entry."""


@dataclass(frozen=True, slots=True)
class Notice:
    """An entry that does not change the state of the match, such as a dispute."""

    kind: EntryKind
    actor: Actor
    content: bytes
    """The encoded protobuf message of its kind."""
    signature: bytes = b""


class EntryBuilder:
    """Builds the entries of one request, after the last entry that the caller knows."""

    def __init__(self, match: MatchId, current: MatchSnapshot, source: EntrySource) -> None:
        self._match: Final = match
        self.header: Final = current.header
        self._source: Final = source
        self._expected = current.sequence
        self._last = current.hash
        self._state = current.state
        self._guards = current.guards
        self._asked = current.asked
        self._notices = current.notices
        is_old = current.header.entry_version == ENTRY_VERSION_1
        has_secrets = current.state.has_secrets()
        self._conceals: Final = has_secrets and conceals(current.header, current.state)
        self._shows_all: Final = not has_secrets and not current.header.pledge
        """Whether everybody sees the whole state, so that its digest is the public one."""
        self._nothing_concealed: Final = b"" if is_old else NOTHING_CONCEALED
        """The field `concealed` of an entry without parts."""
        self._seed: bytes | None = None
        self._entries: list[Entry] = []
        self._states: list[GameState] = []

    @classmethod
    def of_new(
        cls, header: MatchHeader, start: GameState, first: Entry, source: EntrySource
    ) -> "EntryBuilder":
        """A builder for a new match, which has only its header; raises BadSetup if the keys are invalid."""
        guards = guards_of(header, first.match, start)
        current = MatchSnapshot(header, first.sequence, first.hash, start, guards)
        run = cls(first.match, current, source)
        run._open(first, start)
        return run

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

    def play(self, candidate: Candidate, signature: bytes = b"") -> Illegal | None:
        """Add a move, or return the rules that it breaks; raises GuardRejected.

        Of version 2, raises CorruptMove for bytes that the edition's encoder would not write.
        """
        self.require_canonical(candidate)
        if self._conceals:
            judged = self._state.judge_shown(candidate)
            if isinstance(judged, Illegal):
                return judged
            self._add_shown(MOVE, candidate.actor, *judged, signature)
            return None
        verdict = self._state.judge(candidate)
        if isinstance(verdict, Illegal):
            return verdict
        self._add(MOVE, candidate.actor, candidate.data, verdict, signature)
        return None

    def play_all(
        self, candidates: Sequence[Candidate], signature: bytes = b"", first: int = 0
    ) -> IllegalAmong | None:
        """Entries for moves that follow each other, or the first that breaks a rule; raises GuardRejected.

        The signature is for the first move. Nothing is dealt between the moves. `first` moves of the
        same request were played before.
        """
        if len(candidates) > 1 and not signature and self._may_play_at_once():
            return self._play_at_once(candidates, first)
        for index, candidate in enumerate(candidates, first):
            if index:
                self.require_no_choice(index)
            illegal = self.play(candidate, b"" if index else signature)
            if illegal is not None:
                return IllegalAmong(index, illegal)
        return None

    def play_part(self, moves: Sequence[Candidate], signature: bytes, first: int = 0) -> IllegalAmong | None:
        """As play_all; raises BatchCrossesDraw where the service would have to deal between the moves."""
        if self.header.dealer is not SERVICE:
            return self.play_all(moves, signature, first)
        for index, candidate in enumerate(moves, first):
            if index:
                require_no_draw(self.header, self._state, index)
                self.require_no_choice(index)
            foul = may_not_deal(self.header, candidate.actor)
            illegal = self.play(candidate, b"" if index else signature) if foul is None else Illegal((foul,))
            if illegal is not None:
                return IllegalAmong(index, illegal)
        return None

    def require_no_choice(self, index: int) -> None:
        """Raises BatchCrossesDraw if the entry before the move at this index of a batch is a choice."""

    def require_canonical(self, candidate: Candidate) -> None:
        """Of version 2, raises CorruptMove for bytes that the edition's encoder would not write."""
        if self._nothing_concealed and not self._state.is_canonical(candidate):
            raise CorruptMove(_NOT_CANONICAL)

    def _may_play_at_once(self) -> bool:
        """Whether nothing has to be looked at between two moves."""
        concealed = self.header.pledge or self._conceals
        return self._guards.idle and not concealed and not self._state.has_choices()

    def _play_at_once(self, candidates: Sequence[Candidate], first: int) -> IllegalAmong | None:
        verdict = self._state.judge_all(candidates)
        if verdict.wrong is not None:
            return IllegalAmong(first + len(verdict.events), verdict.wrong)
        for candidate in candidates:
            self.require_canonical(candidate)
        digests = verdict.digests() if self._shows_all else [None] * len(candidates)
        judged = zip(candidates, verdict.events, digests, strict=True)
        for index, (candidate, events, digest) in enumerate(judged):
            applied = Applied(events, verdict.state(index))
            self._add(MOVE, candidate.actor, candidate.data, applied, digest=digest)
        return None

    def go_back(self, actor: Actor, retraction: bytes, state: GameState, signature: bytes = b"") -> None:
        """Add a retraction to an earlier state; raises GuardRejected. It ends a question that is open."""
        self._add(RETRACT, actor, retraction, Applied(b"", state), signature)
        self._asked = None
        self._count_notice()

    def note(self, notice: Notice) -> None:
        """Add a notice; raises GuardRejected."""
        unchanged = Applied(b"", self._state)
        self._add(notice.kind.value, notice.actor, notice.content, unchanged, notice.signature)
        self._count_notice()

    def _count_notice(self) -> None:
        self._notices = counted(self._notices, self._entries[-1:])

    def deal(self) -> None:
        """Add all draws that are due before a seat acts again, and at the end of the match its secret.

        Adds nothing while shares are missing, or if nothing is sealed.
        """
        secret, sealing = self._source.secret, self._guards.sealing
        if secret is None or sealing is None or not sealing.shared:
            return
        seed = self._seed_now(secret, sealing)
        if not self._guards.closed:
            while (dealt := sealed.deal(self._state, self._sealing(), seed)) is not None:
                for each in dealt.seals:
                    self.note(Notice(EntryKind.SEAL, CHANCE, encode_seal(each)))
                self._draw(dealt)
        over = self._guards.closed or self._state.outcome() is not None
        if over and not self._sealing().secret:
            self.note(Notice(EntryKind.UNSEAL, CHANCE, encode_secret(secret)))

    def _sealing(self) -> Sealing:
        if self._guards.sealing is None:
            raise TypeError("nothing is sealed")
        return self._guards.sealing

    def _draw(self, dealt: Dealt) -> None:
        before = self._state
        if self.header.entry_version == ENTRY_VERSION_1:
            applied = _accepted(before.judge(dealt.move))
            move, events, concealed = conceal_draw(before, dealt.move, applied.events, dealt.openings)
            self._add(MOVE, CHANCE, move, Applied(events, applied.after), secret=encode_concealed(concealed))
            return
        applied, shown = _accepted(before.judge_shown(dealt.move))
        self._add_shown(MOVE, CHANCE, applied, shown, openings=dealt.openings)

    def ready(self) -> PreparedAppend:
        """The append of all entries so far."""
        append = Append(self._match, self._expected, tuple(self._entries))
        return PreparedAppend(self.header, append, self._states, self._guards, self._asked, self._notices)

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
        if digest is None:
            after = accepted.after
            digest = after.digest() if self._shows_all else public_digest(self.header, after)
        entry = with_hash(
            Entry(
                self._match,
                self._expected + place,
                kind,
                actor_number(actor),
                move,
                accepted.events,
                digest,
                request if place == 1 else f"{request}/{place}",
                self._source.recorded,
                self._last,
                signature=signature,
                secret=secret,
                concealed=concealed or self._nothing_concealed,
            )
        )
        if not self._guards.idle or signature or kind not in _UNSIGNED:
            self._guards = self._guards.after(entry)
        self._last = entry.hash
        self._entries.append(entry)
        self._states.append(accepted.after)


def require_no_draw(header: MatchHeader, state: GameState, index: int) -> None:
    """Raises BatchCrossesDraw if the service must deal before the move at this index of a batch."""
    if header.dealer is SERVICE and CHANCE in state.awaiting():
        raise BatchCrossesDraw(index)


def _accepted(verdict: LegalVerdict | Illegal) -> LegalVerdict:
    """The verdict on a draw from an order that the rules accepted."""
    if isinstance(verdict, Illegal):
        raise RuntimeError(f"chance broke {verdict.violations[0].rule.id}")  # noqa: TRY004 - a fault of ours
    return verdict
