"""Bundles to judge and to tamper with."""

from dataclasses import replace

from records.audit.bundle import CosignedCheckpoint, Judgement, judge_bundle, read_bundle, write_bundle
from records.entry import EntryKind, MatchId, actor_number
from records.evidence.ed25519 import SecretKey
from records.evidence.note import Note, SignatureType, SignerKey, VerifierKey, cosign
from records.evidence.signing import Claim
from records.ledger.builder import PreparedAppend
from records.ledger.ledger import Ledger
from records.ledger.transfer import VerifiedImport, judge, store
from records.log.contract import Log
from records.log.memory import MemoryLog
from records.log.tree import Tree
from tests.records.log.making import RecordWriter
from tests.records.matches import MOVES, header, ledger_in_memory
from tools.dev.version_1 import Version1Ledger

LOG = SignerKey("example.com/shiji", SignatureType.ED25519, SecretKey(b"l" * 32))
WITNESS = SignerKey("witness.example", SignatureType.COSIGNATURE, SecretKey(b"w" * 32))
SEATS = (SecretKey(b"g" * 32), SecretKey(b"v" * 32))
NOW = 1_800_000_000


def play_signed(ledger: Ledger, *moves: str, request: str = "start") -> MatchId:
    """A match in which both seats sign."""
    keys = tuple((seat, key.public.raw) for seat, key in enumerate(SEATS))
    match = ledger.start(replace(header(), keys=keys), request).entry.match
    for move in moves:
        current = ledger.current(match)
        asked = current.state.parse_text(move)
        seat = actor_number(asked.actor)
        sequence, version = current.sequence + 1, current.header.entry_version
        claim = Claim(match, sequence, EntryKind.MOVE, seat, current.hash, asked.data, version)
        signature = SEATS[seat].sign(claim.digest)
        ready = ledger.judge_append(match, current.sequence, f"r{claim.sequence}", (asked,), signature)
        assert isinstance(ready, PreparedAppend), ready
        ledger.settle(ready, ledger.log.write([ready.append])[0])
    return match


def archive(*moves: str) -> tuple[Log, MatchId]:
    """An archive with a signed match among others."""
    log = MemoryLog()
    RecordWriter("before").write(log, 300)
    match = play_signed(ledger_in_memory(log, Version1Ledger), *moves)
    RecordWriter("behind").write(log, 300)
    return log, match


def cosigned(tree: Tree, size: int | None = None) -> CosignedCheckpoint:
    """A checkpoint that the log and a witness have signed."""
    note = tree.checkpoint(LOG, size)
    cosigned = Note(note.text, (*note.signatures, cosign(note.text, WITNESS, NOW)))
    return CosignedCheckpoint(cosigned, (LOG.verifier, WITNESS.verifier))


def bundled(*moves: str) -> bytes:
    """The bundle of a signed match."""
    log, match = archive(*(moves or MOVES))
    tree = Tree(log)
    return write_bundle(list(log.read(match)), cosigned(tree), tree.together)


def judged(data: bytes, *trusted: VerifierKey) -> Judgement:
    """The verdict on a bundle that can be read."""
    return judge_bundle(read_bundle(data), trusted)


def bundle_of(content: str) -> bytes:
    """The bundle of a transcript that verifies, without a checkpoint."""
    record = judge(content.encode())
    assert isinstance(record, VerifiedImport)
    log = MemoryLog()
    store(log, [record])
    return write_bundle(list(log.read(record.entries[0].match)), None, Tree(log).together)
