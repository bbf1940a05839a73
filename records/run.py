"""Entries in the making: moves judged one after the other, and what chance brings between them."""

from dataclasses import dataclass
from typing import Final

from msgspec import Struct

from records import sealed
from records.arbiter import Accepted, Standing
from records.candidate import Candidate
from records.codec.evidence import encode_concealed, encode_seal, encode_secret
from records.entry import MOVE, RETRACT, Entry, EntryKind, MatchHeader, MatchId, actor_number, chained
from records.log import NEW, Append
from records.replay import Current
from records.sealed import Dealt, Sealing, conceal, public_digest
from records.vouching import Vouching, vouching_of
from rules.kernel.actors import CHANCE, Actor
from rules.kernel.rule import Illegal

_UNSIGNED: Final = frozenset({MOVE, RETRACT})
"""What nobody needs a key for, in a match without any."""


class Ready(Struct, frozen=True):
    """What was judged and can be stored."""

    header: MatchHeader
    append: Append
    standings: list[Standing]
    """After each entry."""
    vouching: Vouching
    """After the last."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What somebody says of a record; the match stays as it stands."""

    kind: EntryKind
    actor: Actor
    content: bytes
    """The protobuf message of its kind."""
    signature: bytes = b""


class Run:
    """The moves of one request, after the entry that the caller knows as the last."""

    def __init__(self, match: MatchId, current: Current, request: str, recorded: int) -> None:
        self._match: Final = match
        self._header: Final = current.header
        self._request: Final = request
        self._recorded: Final = recorded
        self._expected = current.sequence
        self._last = current.hash
        self._standing = current.standing
        self._vouching = current.vouching
        self._entries: list[Entry] = []
        self._standings: list[Standing] = []

    @classmethod
    def of_new(cls, header: MatchHeader, start: Standing, first: Entry) -> "Run":
        """The beginning of a match, of which only the header is written; BadSetup where its keys are none."""
        vouching = vouching_of(header, first.match, start)
        current = Current(header, first.sequence, first.hash, start, vouching)
        run = cls(first.match, current, first.request, first.recorded)
        run._expected = NEW
        run._entries.append(first)
        run._standings.append(start)
        return run

    def play(self, candidate: Candidate, signature: bytes = b"") -> Illegal | None:
        """One more entry, or the rules that the move breaks; raises NotVouched."""
        verdict = self._standing.judge(candidate)
        if isinstance(verdict, Illegal):
            return verdict
        self._add(MOVE, candidate.actor, candidate.data, verdict, signature)
        return None

    def go_back(self, actor: Actor, retraction: bytes, standing: Standing, signature: bytes = b"") -> None:
        """One more entry, which goes back to how the match stood then; raises NotVouched."""
        self._add(RETRACT, actor, retraction, Accepted(b"", standing), signature)

    def note(self, notice: Notice) -> None:
        """One more entry, which leaves the match as it stands; raises NotVouched."""
        unchanged = Accepted(b"", self._standing)
        self._add(notice.kind.value, notice.actor, notice.content, unchanged, notice.signature)

    def deal(self, secret: bytes) -> None:
        """Everything that chance brings before a seat acts again; and in the end, what it was drawn from.

        Nothing while shares are missing, or where nothing is sealed.
        """
        if self._vouching.sealing is None or not self._vouching.sealing.shared:
            return
        seed = self._vouching.sealing.seed(secret)
        while (dealt := sealed.deal(self._standing, self._sealing(), seed)) is not None:
            if dealt.seal is not None:
                self.note(Notice(EntryKind.SEAL, CHANCE, encode_seal(dealt.seal)))
            self._draw(dealt)
        if self._standing.outcome() is not None and not self._sealing().secret:
            self.note(Notice(EntryKind.UNSEAL, CHANCE, encode_secret(secret)))

    def _sealing(self) -> Sealing:
        if self._vouching.sealing is None:
            raise TypeError("nothing is sealed")
        return self._vouching.sealing

    def _draw(self, dealt: Dealt) -> None:
        before = self._standing
        verdict = before.judge(dealt.move)
        if isinstance(verdict, Illegal):
            raise RuntimeError(f"chance broke {verdict.violations[0].rule.id}")  # noqa: TRY004 - a fault of ours
        move, events, concealed = conceal(before, verdict.events, dealt)
        self._add(MOVE, CHANCE, move, Accepted(events, verdict.after), secret=encode_concealed(concealed))

    def _add(  # noqa: PLR0913 - an entry has many parts
        self,
        kind: int,
        actor: Actor,
        move: bytes,
        accepted: Accepted,
        signature: bytes = b"",
        *,
        secret: bytes = b"",
    ) -> None:
        self._standing = accepted.after
        place = len(self._entries) + 1
        entry = chained(
            Entry(
                self._match,
                self._expected + place,
                kind,
                actor_number(actor),
                move,
                accepted.events,
                public_digest(self._header, accepted.after),
                self._request if place == 1 else f"{self._request}/{place}",
                self._recorded,
                self._last,
                signature=signature,
                secret=secret,
            )
        )
        if not self._vouching.idle or signature or kind not in _UNSIGNED:
            self._vouching = self._vouching.after(entry)
        self._last = entry.hash
        self._entries.append(entry)
        self._standings.append(accepted.after)

    @property
    def standing(self) -> Standing:
        """How the match stands after the last entry."""
        return self._standing

    def ready(self) -> Ready:
        """All of it, to be stored."""
        append = Append(self._match, self._expected, tuple(self._entries))
        return Ready(self._header, append, self._standings, self._vouching)
