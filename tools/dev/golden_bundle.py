"""Writes a golden bundle with every kind of entry.

An existing file is never written again: every later build must verify it.
"""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Final

import click

from records.audit.bundle import CosignedCheckpoint, write_bundle
from records.audit.envelope import FORMATS
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
from records.entry import ENTRY_VERSION_1, Dealer, EntryKind, MatchHeader, MatchId, actor_number
from records.evidence import signing
from records.evidence.ed25519 import SecretKey
from records.evidence.note import Note, SignatureType, SignerKey, cosign
from records.evidence.sealing import commit_share
from records.evidence.signing import Claim
from records.games.candidate import Candidate
from records.ledger.builder import EntryBuilder, Notice, PreparedAppend
from records.ledger.ledger import Ledger
from records.ledger.notices import add_notice
from records.log.memory import MemoryLog
from records.log.tree import Tree
from rules.kernel.actors import ARBITER, Actor, Seat
from rules.kernel.setup import Draws, Setup
from rules.qin.game import QIN
from rules.qin.rulebook import QIN_1

PATH: Final = (
    Path(__file__).resolve().parents[2]
    / "tests/records/golden/bundles"
    / f"{FORMATS[ENTRY_VERSION_1].replace('/', '-')}-every-kind.jsonl"
)
"""Path of the golden bundle of this format."""

LOG: Final = SignerKey("golden.example/log", SignatureType.ED25519, SecretKey(b"L" * 32))
"""Key of the log that signs the checkpoint."""

WITNESS: Final = SignerKey("golden.example/witness", SignatureType.COSIGNATURE, SecretKey(b"W" * 32))
"""Key of the witness that cosigns it."""

_MATCH: Final = MatchId("every-kind")
"""Id of the match."""

_BOARD: Final = "map:R....R/..aa../Y....Y/..b.../B....B"
"""A small board, so that the match is short."""

_GREEN, _VIOLET = Seat(0), Seat(1)
_START_SECONDS: Final = 1_700_000_000
"""Time of the start of the match and of the cosignature, in seconds since 1970."""


class _Table:
    """A sealed match in which both seats and the arbiter sign, and both seats contribute to the seed."""

    def __init__(self) -> None:
        self.log: Final = MemoryLog()
        self.keys: Final[dict[Actor, SecretKey]] = {
            _GREEN: SecretKey(b"G" * 32),
            _VIOLET: SecretKey(b"V" * 32),
            ARBITER: SecretKey(b"A" * 32),
        }
        times = count(_START_SECONDS * 1_000_000)
        self.ledger: Final = Ledger(
            self.log, clock=lambda: next(times), new_id=lambda: _MATCH, secrets=lambda _: b"S" * 32
        )
        self.ledger.start(
            MatchHeader(
                QIN.about.key,
                Setup(QIN_1, ("green", "violet"), _BOARD, draws=Draws.RECORDED),
                dealer=Dealer.SERVICE,
                keys=tuple((actor_number(actor), key.public.raw) for actor, key in self.keys.items()),
                sharers=(_GREEN, _VIOLET),
            ),
            "start",
        )

    @property
    def last(self) -> int:
        return self.ledger.current(_MATCH).sequence

    def sign(self, kind: EntryKind, actor: Actor, content: bytes) -> bytes:
        current = self.ledger.current(_MATCH)
        claim = Claim(_MATCH, current.sequence + 1, kind, actor_number(actor), current.hash, content)
        return self.keys[actor].sign(claim.digest)

    def note(self, kind: EntryKind, actor: Actor, content: bytes) -> int:
        """Append a signed notice; returns its sequence."""
        last = self.last
        notice = Notice(kind, actor, content, self.sign(kind, actor, content))
        return add_notice(self.ledger, _MATCH, last, f"request {last + 1}", notice).entry.sequence

    def rotate(self, seat: Seat, new: SecretKey) -> None:
        current = self.ledger.current(_MATCH)
        rotation = signing.RotationClaim(_MATCH, current.sequence + 1, seat, current.hash, new.public)
        content = encode_rotation(KeyRotation(new.public.raw, new.sign(rotation.digest)))
        notice = Notice(EntryKind.ROTATE_KEY, seat, content, self.keys[seat].sign(rotation.digest))
        add_notice(self.ledger, _MATCH, current.sequence, f"request {current.sequence + 1}", notice)
        self.keys[seat] = new

    def go_back(self, seat: Seat, to_sequence: int) -> None:
        """A takeback past a draw: the ledger refuses it to seats today, and earlier builds wrote it."""
        move = encode_retraction(Retraction(to_sequence, "a slip"))
        signature = self.sign(EntryKind.RETRACT, seat, move)
        current = self.ledger.current(_MATCH)
        builder = EntryBuilder(_MATCH, current, f"request {current.sequence + 1}", self.ledger.clock())
        builder.go_back(seat, move, self.ledger.state_at(_MATCH, to_sequence), signature)
        secret = self.ledger.secret(current.header, _MATCH)
        if secret is not None:
            builder.deal(secret)
        self._store(builder.ready())

    def play(self, choose: Callable[[list[Candidate]], Candidate] = lambda legal: legal[0]) -> bool:
        """Play one of the legal moves; returns False if the match is over."""
        state = self.ledger.current(_MATCH).state
        awaited = state.awaiting()
        if not awaited:
            return False
        last, actor = self.last, awaited[0]
        move = choose(list(state.legal_moves(actor)))
        signature = self.sign(EntryKind.MOVE, actor, move.data)
        self._store(self.ledger.judge_append(_MATCH, last, f"request {last + 1}", [move], signature))
        return True

    def _store(self, judged: object) -> None:
        if not isinstance(judged, PreparedAppend):
            raise click.ClickException(f"a golden entry was refused: {judged}")
        self.ledger.settle(judged, self.log.write([judged.append])[0])


def make() -> bytes:
    """The bundle of a whole match with a dispute, a takeback and a key rotation."""
    table = _Table()
    shares = {_GREEN: b"g" * 32, _VIOLET: b"v" * 32}
    for seat, share in shares.items():
        table.note(EntryKind.COMMIT_SHARE, seat, encode_commitment(commit_share(_MATCH, seat, share)))
    for seat, share in shares.items():
        table.note(EntryKind.REVEAL_SHARE, seat, encode_share(share))
    table.play()
    kept = table.last
    table.play()
    claim = encode_dispute(Dispute(kept + 1, "that was my cell"))
    dispute = table.note(EntryKind.OPEN_DISPUTE, _GREEN, claim)
    table.note(EntryKind.RESOLVE_DISPUTE, ARBITER, encode_resolution(Resolution(dispute, "it was free")))
    takeback = encode_request(TakebackRequest(kept, "a slip"))
    request = table.note(EntryKind.REQUEST_TAKEBACK, _VIOLET, takeback)
    table.note(EntryKind.GRANT_TAKEBACK, _GREEN, encode_grant(TakebackGrant(request)))
    table.go_back(_VIOLET, kept)
    table.rotate(_GREEN, SecretKey(b"N" * 32))
    while table.play(lambda legal: legal[len(legal) // 2]):
        pass
    tree = Tree(table.log)
    note = tree.checkpoint(LOG)
    signed = Note(note.text, (*note.signatures, cosign(note.text, WITNESS, _START_SECONDS)))
    cosigned = CosignedCheckpoint(signed, (LOG.verifier, WITNESS.verifier))
    return write_bundle(list(table.log.read(_MATCH)), cosigned, tree.together)


@click.command()
def main() -> None:
    """Write the bundle."""
    if PATH.exists():
        raise click.ClickException(f"{PATH} exists already and is never written again")
    PATH.write_bytes(make())


if __name__ == "__main__":
    main()
