"""What evidence costs: signatures as a share of an append, the tree over an archive, proofs and bundles.

SHIJI_BENCH_ENTRIES sets how many entries the archive has: 200,000 unless told otherwise.
"""

import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from typing import Final, TypeAlias

from records.audit.bundle import CosignedCheckpoint, judge_bundle, read_bundle, write_bundle
from records.entry import EntryKind, MatchId, actor_number
from records.evidence.ed25519 import SecretKey
from records.evidence.merkle import check_inclusion, leaf_hash
from records.evidence.note import SignatureType, SignerKey
from records.evidence.signing import Claim
from records.ledger.builder import PreparedAppend
from records.ledger.ledger import Ledger
from records.log.memory import MemoryLog
from records.log.sqlite import SqliteLog
from records.log.tree import Tree
from tools.dev.bench.qin_records import NOON, Asked, archive, games
from tools.dev.bench.report import Line
from tools.dev.bench.rounds import measure

ENTRIES: Final = int(os.environ.get("SHIJI_BENCH_ENTRIES", "200000"))
PROOFS: Final = 500
"""So many proofs are made in a round."""

SIGNED: Final = 8
"""So many of the games are played with signatures."""

_LOG: Final = SignerKey("example.com/shiji", SignatureType.ED25519, SecretKey(b"l" * 32))
_KEYS: Final = [SecretKey(bytes([seat + 1]) * 32) for seat in range(4)]
_PUBLIC: Final = [key.public.raw for key in _KEYS]

Sign: TypeAlias = Callable[[Ledger, MatchId, int, Asked], bytes]
"""The signature of a move after an entry of a match."""


def lines(rounds: int) -> list[Line]:
    """Everything measured of evidence."""
    with tempfile.TemporaryDirectory() as folder:
        return [*_signing(rounds), *_proving(Path(folder) / "archive.db", rounds)]


def _signing(rounds: int) -> list[Line]:
    claims: list[Claim] = []

    def claimed(ledger: Ledger, match: MatchId, last: int, asked: Asked) -> bytes:
        actor, move = asked
        claims.append(
            Claim(match, last + 1, EntryKind.MOVE, actor_number(actor), ledger.current(match).hash, move)
        )
        return _signature(claims[-1])

    _play(claimed)
    signed = [(claim, _KEYS[claim.actor].public, _signature(claim)) for claim in claims]

    def as_before() -> int:
        signatures = iter(signed)
        return _play(lambda *_: next(signatures)[2])

    def sign() -> int:
        return len([_signature(claim) for claim in claims])

    def verify() -> int:
        for claim, key, signature in signed:
            key.verify(claim.digest, signature)
        return len(signed)

    found = measure(
        {"plain": lambda: _play(None), "signed": as_before, "sign": sign, "verify": verify}, rounds
    )
    return [
        Line("append in memory, nobody signs", found.rate("plain"), "moves/s"),
        Line("append in memory, every move signed", found.rate("signed"), "moves/s"),
        Line("what signatures take of such an append", 100 * (1 - found.ratio("signed", "plain")), "%"),
        Line("signatures made", found.rate("sign"), "1/s"),
        Line("signatures verified", found.rate("verify"), "1/s"),
    ]


def _play(sign: Sign | None) -> int:
    """Some games, always with the same ids and times, and so with the same hashes."""
    times, numbers = count(NOON), count(1)
    ledger = Ledger(MemoryLog(), clock=lambda: next(times), new_id=lambda: MatchId(f"m{next(numbers)}"))
    done = 0
    for number, game in enumerate(games()[:SIGNED]):
        seats = range(len(game.header.setup.seats))
        keys = () if sign is None else tuple((seat, _PUBLIC[seat]) for seat in seats)
        match = ledger.start(replace(game.header, keys=keys), f"start {number}").entry.match
        for last, asked in enumerate(game.moves):
            signature = b"" if sign is None else sign(ledger, match, last, asked)
            candidates = (ledger.known(match).state.parse_bytes(*asked),)
            ready = ledger.judge_append(match, last, f"request {last}", candidates, signature)
            if not isinstance(ready, PreparedAppend):
                raise TypeError(ready)
            ledger.settle(ready, ledger.log.write([ready.append])[0])
            done += 1
    return done


def _signature(claim: Claim) -> bytes:
    return _KEYS[claim.actor].sign(claim.digest)


def _proving(path: Path, rounds: int) -> list[Line]:
    entries = archive(path, ENTRIES)
    with SqliteLog.open(path, read_only=True) as log:
        begun = time.perf_counter()
        tree = Tree(log)
        promise = CosignedCheckpoint(tree.checkpoint(_LOG), (_LOG.verifier,))
        first = time.perf_counter() - begun
        size, root = tree.size, tree.root(tree.size)
        positions = [1 + number * (size // PROOFS) for number in range(PROOFS)]
        proofs = [(position, tree.inclusion(position, size)) for position in positions]
        leaves = {each: leaf_hash(next(log.hashes(each - 1, 1))) for each in positions}
        records = [list(log.read(match)) for match in islice(log.matches(), 8)]
        bundles = [read_bundle(write_bundle(record, promise, tree.together)) for record in records]
        in_bundles = sum(map(len, records))

        def checkpoint() -> int:
            tree.checkpoint(_LOG)
            return 1

        def prove() -> int:
            for position in positions:
                tree.inclusion(position, size)
            return PROOFS

        def check() -> int:
            for position, proof in proofs:
                check_inclusion(leaves[position], position - 1, size, proof, root)
            return PROOFS

        def bundle() -> int:
            for record in records:
                write_bundle(record, promise, tree.together)
            return in_bundles

        def judge() -> int:
            for each in bundles:
                judge_bundle(each, (_LOG.verifier,))
            return in_bundles

        found = measure(
            {"checkpoint": checkpoint, "prove": prove, "check": check, "bundle": bundle, "judge": judge},
            rounds,
        )
    return [
        Line(f"the first checkpoint of {entries} entries", entries / first, "entries/s"),
        Line("a checkpoint when nothing is new", found.rate("checkpoint"), "1/s"),
        Line("inclusion proofs made, all over the archive", found.rate("prove"), "1/s"),
        Line("inclusion proofs checked", found.rate("check"), "1/s"),
        Line("bundles written", found.rate("bundle"), "entries/s"),
        Line("bundles judged", found.rate("judge"), "entries/s"),
    ]
