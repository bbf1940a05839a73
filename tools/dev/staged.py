"""A match that is staged for goldens and mutants: it signs, shares, disputes, takes back and closes."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from records.codec.concealment import Choose, Close, encode_choose, encode_close
from records.codec.evidence import (
    Dispute,
    Resolution,
    TakebackGrant,
    TakebackRequest,
    encode_commitment,
    encode_dispute,
    encode_grant,
    encode_request,
    encode_resolution,
    encode_share,
)
from records.codec.header import KeyRotation, Retraction, encode_retraction, encode_rotation
from records.entry import ENTRY_VERSION_1, Entry, EntryKind, MatchHeader, actor_number
from records.evidence.concealment import CHOICE, SALT_SIZE, Commitment, choice_lines, format_concealed
from records.evidence.ed25519 import SecretKey
from records.evidence.sealing import commit_share
from records.evidence.signing import Claim, RotationClaim
from records.games.candidate import Candidate
from records.ledger.builder import EntryBuilder, Notice, PreparedAppend
from records.ledger.choices import At, judge_choose
from records.ledger.ledger import Ledger
from records.ledger.notices import add_notice, judge_retract
from records.replay.choices import OpenedChoice, choose_fault, digest_of
from records.replay.fold import MatchSnapshot
from rules.kernel.actors import ARBITER, CHANCE, SPECTATOR, Actor, Seat


class StagedEntryRefused(Exception):
    """The ledger refused an entry of a staged match."""


def first_of(legal: list[Candidate]) -> Candidate:
    """Choose the first legal move."""
    return legal[0]


def closing_notice(actor: Actor, reason: str) -> Notice:
    """An end without a result, which nobody has signed."""
    return Notice(EntryKind.CLOSE, actor, encode_close(Close(reason)))


class StagedMatch:
    """A match in a ledger, in which everybody who has a key signs."""

    def __init__(
        self,
        ledger: Ledger,
        header: MatchHeader,
        keys: Mapping[Actor, SecretKey],
        request: str = "start",
    ) -> None:
        public = tuple((actor_number(actor), key.public.raw) for actor, key in keys.items())
        self.ledger: Final = ledger
        self.keys: Final = dict(keys)
        self.match: Final = ledger.start(replace(header, keys=public), request).entry.match

    @property
    def entries(self) -> list[Entry]:
        """The record so far."""
        return list(self.ledger.log.read(self.match))

    @property
    def current(self) -> MatchSnapshot:
        """The match after its last entry."""
        return self.ledger.current(self.match)

    @property
    def last(self) -> int:
        """The sequence of the last entry."""
        return self.current.sequence

    def outside_questions(self, sequence: int) -> int:
        """The entry itself, or the last before it to which a takeback may return."""
        choices = self.current.guards.choices
        asked = [*choices.questions, *([(choices.first, self.last + 1)] if choices.answers else [])]
        return next((first - 1 for first, end in asked if first <= sequence < end), sequence)

    def note(self, kind: EntryKind, actor: Actor, content: bytes) -> int:
        """Append a notice; returns its sequence."""
        notice = Notice(kind, actor, content, self.sign(kind, actor, content))
        added = add_notice(self.ledger, self.match, self.last, self._request, notice)
        return added.entry.sequence

    def share(self, shares: Mapping[Seat, bytes]) -> None:
        """All sharers commit to their shares, then reveal them."""
        for seat, share in shares.items():
            committed = encode_commitment(commit_share(self.match, seat, share))
            self.note(EntryKind.COMMIT_SHARE, seat, committed)
        for seat, share in shares.items():
            self.note(EntryKind.REVEAL_SHARE, seat, encode_share(share))

    def play(self, choose: Callable[[list[Candidate]], Candidate] = first_of) -> bool:
        """Play one of the legal moves; returns False if the match is over."""
        current = self.current
        awaited = current.state.awaiting()
        if not awaited:
            return False
        actor = awaited[0]
        move = choose(list(current.state.legal_moves(actor)))
        if isinstance(actor, int) and choose_fault(current.header, current.state, actor) is None:
            self._choose(actor, move)
            return True
        signed = move.data
        if current.header.entry_version != ENTRY_VERSION_1:
            signed = current.state.seen_move(move, SPECTATOR).data
        signature = b"" if actor is CHANCE else self.sign(EntryKind.MOVE, actor, signed)
        self.store(self.ledger.judge_append(self.match, current.sequence, self._request, [move], signature))
        return True

    def _choose(self, seat: Seat, move: Candidate) -> None:
        """Answer a sealed question, with a salt that the seat brings."""
        sequence = self.last + 1
        salt = sequence.to_bytes(SALT_SIZE)
        digest = digest_of(self.match, seat, sequence, OpenedChoice(salt, move.data))
        lines = choice_lines(format_concealed([Commitment(CHOICE, 1 << seat, digest)]))
        signature = self.sign(EntryKind.CHOOSE, seat, encode_choose(Choose(held=True)), lines)
        at = At(self.match, self.last, self._request, signature)
        self.store(judge_choose(self.ledger, at, move, salt))

    def dispute(self, claimant: Seat, at_sequence: int, claim: str, decision: str) -> None:
        """A seat disputes an entry, and the arbiter decides."""
        opened = self.note(EntryKind.OPEN_DISPUTE, claimant, encode_dispute(Dispute(at_sequence, claim)))
        self.note(EntryKind.RESOLVE_DISPUTE, ARBITER, encode_resolution(Resolution(opened, decision)))

    def agree_on_takeback(self, asking: Seat, others: tuple[Seat, ...], to_sequence: int) -> None:
        """A seat asks to take entries back, and the others grant it."""
        wanted = encode_request(TakebackRequest(to_sequence, "a slip"))
        self.grant_takeback(others, self.note(EntryKind.REQUEST_TAKEBACK, asking, wanted))

    def grant_takeback(self, others: tuple[Seat, ...], request: int) -> None:
        """The other seats agree to a request."""
        for seat in others:
            self.note(EntryKind.GRANT_TAKEBACK, seat, encode_grant(TakebackGrant(request)))

    def go_back(self, actor: Actor, to_sequence: int) -> None:
        """Take entries back, as far as the header allows it to the actor."""
        retraction = Retraction(to_sequence, "a slip")
        signature = self.sign(EntryKind.RETRACT, actor, encode_retraction(retraction))
        self.store(
            judge_retract(
                self.ledger, self.match, self.last, self._request, actor, retraction, signature=signature
            )
        )

    def rotate(self, seat: Seat, new: SecretKey) -> None:
        """The seat signs with another key from here on."""
        current = self.current
        claim = RotationClaim(self.match, current.sequence + 1, seat, current.hash, new.public).digest
        content = encode_rotation(KeyRotation(new.public.raw, new.sign(claim)))
        notice = Notice(EntryKind.ROTATE_KEY, seat, content, self.keys[seat].sign(claim))
        add_notice(self.ledger, self.match, current.sequence, self._request, notice)
        self.keys[seat] = new

    def close(self, reason: str) -> None:
        """The arbiter ends the match without a result."""
        notice = closing_notice(ARBITER, reason)
        self.note(notice.kind, notice.actor, notice.content)

    def sign(self, kind: EntryKind, actor: Actor, content: bytes, choices: bytes = b"") -> bytes:
        """The signature of an actor under its next entry; none if it has no key."""
        key, current = self.keys.get(actor), self.current
        if key is None:
            return b""
        number, version = actor_number(actor), current.header.entry_version
        claim = Claim(self.match, current.sequence + 1, kind, number, current.hash, content, version, choices)
        return key.sign(claim.digest)

    @property
    def _request(self) -> str:
        return f"request {self.last + 1}"

    def builder(self) -> EntryBuilder:
        """Builds the next entries without asking what the ledger allows today."""
        return self.ledger.builder(self.match, self.current, self._request)

    def store(self, judged: object) -> None:
        """Store what the ledger has prepared."""
        if not isinstance(judged, PreparedAppend):
            raise StagedEntryRefused(f"a staged entry was refused: {judged}")
        self.ledger.settle(judged, self.ledger.log.write([judged.append])[0])
