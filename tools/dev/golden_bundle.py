"""Writes a golden bundle with every kind of entry.

An existing file is never written again: every later build must verify it.
"""

from itertools import count
from pathlib import Path
from typing import Final

import click
from typing_extensions import override

from records.audit.bundle import CosignedCheckpoint, write_bundle
from records.audit.envelope import FORMATS
from records.codec.evidence import TakebackRequest, encode_request
from records.codec.header import Retraction, encode_retraction
from records.entry import ENTRY_VERSION_1, Dealer, EntryKind, MatchHeader, MatchId
from records.evidence.ed25519 import SecretKey
from records.evidence.note import Note, SignatureType, SignerKey, cosign
from records.ledger.builder import Notice
from records.log.contract import Log
from records.log.memory import MemoryLog
from records.log.tree import Tree
from rules.kernel.actors import ARBITER, Actor, Seat
from rules.kernel.setup import Draws, Setup
from rules.qin.game import QIN
from rules.qin.rulebook import QIN_1
from tools.dev.staged import StagedMatch
from tools.dev.version_1 import Version1Ledger

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


class _FirstVersion(StagedMatch):
    """A match as earlier builds recorded it, in which seats take back past a draw."""

    @override
    def agree_on_takeback(self, asking: Seat, others: tuple[Seat, ...], to_sequence: int) -> None:
        """The ledger refuses such a request today."""
        kind, wanted = EntryKind.REQUEST_TAKEBACK, encode_request(TakebackRequest(to_sequence, "a slip"))
        builder = self.builder()
        builder.note(Notice(kind, asking, wanted, self.sign(kind, asking, wanted)))
        self.store(builder.ready())
        self.grant_takeback(others, self.last)

    @override
    def go_back(self, actor: Actor, to_sequence: int) -> None:
        """The ledger refuses it to seats today."""
        move = encode_retraction(Retraction(to_sequence, "a slip"))
        builder = self.builder()
        signature = self.sign(EntryKind.RETRACT, actor, move)
        builder.go_back(actor, move, self.ledger.state_at(self.match, to_sequence), signature)
        builder.deal()
        self.store(builder.ready())


def _staged_match(log: Log) -> StagedMatch:
    """A sealed match in which both seats and the arbiter sign, and both seats contribute to the seed."""
    times = count(_START_SECONDS * 1_000_000)
    ledger = Version1Ledger(
        log, clock=lambda: next(times), new_id=lambda: _MATCH, secrets=lambda _: b"S" * 32
    )
    header = MatchHeader(
        QIN.about.key,
        Setup(QIN_1, ("green", "violet"), _BOARD, draws=Draws.RECORDED),
        dealer=Dealer.SERVICE,
        sharers=(_GREEN, _VIOLET),
    )
    keys: dict[Actor, SecretKey] = {
        _GREEN: SecretKey(b"G" * 32),
        _VIOLET: SecretKey(b"V" * 32),
        ARBITER: SecretKey(b"A" * 32),
    }
    return _FirstVersion(ledger, header, keys)


def make() -> bytes:
    """The bundle of a whole match with a dispute, a takeback and a key rotation."""
    log = MemoryLog()
    table = _staged_match(log)
    table.share({_GREEN: b"g" * 32, _VIOLET: b"v" * 32})
    table.play()
    kept = table.last
    table.play()
    table.dispute(_GREEN, kept + 1, "that was my cell", "it was free")
    table.agree_on_takeback(_VIOLET, (_GREEN,), kept)
    table.go_back(_VIOLET, kept)
    table.rotate(_GREEN, SecretKey(b"N" * 32))
    while table.play(lambda legal: legal[len(legal) // 2]):
        pass
    tree = Tree(log)
    note = tree.checkpoint(LOG)
    signed = Note(note.text, (*note.signatures, cosign(note.text, WITNESS, _START_SECONDS)))
    cosigned = CosignedCheckpoint(signed, (LOG.verifier, WITNESS.verifier))
    return write_bundle(table.entries, cosigned, tree.together)


@click.command()
def main() -> None:
    """Write the bundle."""
    if PATH.exists():
        raise click.ClickException(f"{PATH} exists already and is never written again")
    PATH.write_bytes(make())


if __name__ == "__main__":
    main()
