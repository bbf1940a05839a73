"""Measures the cost of evidence: signatures, the Merkle tree of an archive, proofs and bundles.

SHIJI_BENCH_ENTRIES sets the number of entries in the archive, by default 200,000.
"""

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
from tools.dev.bench.qin_records import ARCHIVE_ENTRIES, START_MICROSECONDS, ActorMove, archive, games
from tools.dev.bench.report import Figure
from tools.dev.bench.rounds import measure

PROOFS: Final = 500
"""Proofs made in a round."""

SIGNED_GAMES: Final = 8
"""Number of games that are played with signatures."""

_LOG_KEY: Final = SignerKey("example.com/shiji", SignatureType.ED25519, SecretKey(b"l" * 32))
"""Key of the log."""

_SEAT_KEYS: Final = [SecretKey(bytes([seat + 1]) * 32) for seat in range(4)]
"""Keys of the seats."""

Sign: TypeAlias = Callable[[Ledger, MatchId, int, ActorMove], bytes]
"""Signs a move, given its match and the sequence of the entry before it."""


def lines(rounds: int) -> list[Figure]:
    """Measure evidence."""
    with tempfile.TemporaryDirectory() as folder:
        return [*_signing(rounds), *_proving(Path(folder) / "archive.db", rounds)]


def _signing(rounds: int) -> list[Figure]:
    claims: list[Claim] = []

    def claimed(ledger: Ledger, match: MatchId, last: int, encoded: ActorMove) -> bytes:
        actor, move = encoded
        current = ledger.current(match)
        number, version = actor_number(actor), current.header.entry_version
        claims.append(Claim(match, last + 1, EntryKind.MOVE, number, current.hash, move, version))
        return _signature(claims[-1])

    _play(claimed)
    signed = [(claim, _SEAT_KEYS[claim.actor].public, _signature(claim)) for claim in claims]

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
        Figure("append in memory, unsigned", found.rate("plain"), "moves/s"),
        Figure("append in memory, every move signed", found.rate("signed"), "moves/s"),
        Figure("share of signatures in such an append", 100 * (1 - found.ratio("signed", "plain")), "%"),
        Figure("signatures made", found.rate("sign"), "1/s"),
        Figure("signatures verified", found.rate("verify"), "1/s"),
    ]


def _play(sign: Sign | None) -> int:
    """Play some games, always with the same ids and times, and therefore with the same hashes."""
    times, numbers = count(START_MICROSECONDS), count(1)
    ledger = Ledger(MemoryLog(), clock=lambda: next(times), new_id=lambda: MatchId(f"m{next(numbers)}"))
    done = 0
    for number, game in enumerate(games()[:SIGNED_GAMES]):
        seats = range(len(game.header.setup.seats))
        keys = () if sign is None else tuple((seat, _SEAT_KEYS[seat].public.raw) for seat in seats)
        match = ledger.start(replace(game.header, keys=keys), f"start {number}").entry.match
        for last, encoded in enumerate(game.moves):
            signature = b"" if sign is None else sign(ledger, match, last, encoded)
            candidates = (ledger.known(match).state.parse_bytes(*encoded),)
            ready = ledger.judge_append(match, last, f"request {last}", candidates, signature)
            if not isinstance(ready, PreparedAppend):
                raise TypeError(ready)
            ledger.settle(ready, ledger.log.write([ready.append])[0])
            done += 1
    return done


def _signature(claim: Claim) -> bytes:
    return _SEAT_KEYS[claim.actor].sign(claim.digest)


def _proving(path: Path, rounds: int) -> list[Figure]:
    entries = archive(path, ARCHIVE_ENTRIES)
    with SqliteLog.open(path, read_only=True) as log:
        start = time.perf_counter()
        tree = Tree(log)
        cosigned = CosignedCheckpoint(tree.checkpoint(_LOG_KEY), (_LOG_KEY.verifier,))
        first = time.perf_counter() - start
        size, root = tree.size, tree.root(tree.size)
        positions = [1 + number * (size // PROOFS) for number in range(PROOFS)]
        proofs = [(position, tree.inclusion(position, size)) for position in positions]
        leaves = {each: leaf_hash(next(log.hashes(each - 1, 1))) for each in positions}
        records = [list(log.read(match)) for match in islice(log.matches(), 8)]
        bundles = [read_bundle(write_bundle(record, cosigned, tree.together)) for record in records]
        in_bundles = sum(map(len, records))

        def checkpoint() -> int:
            tree.checkpoint(_LOG_KEY)
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
                write_bundle(record, cosigned, tree.together)
            return in_bundles

        def judge() -> int:
            for each in bundles:
                judge_bundle(each, (_LOG_KEY.verifier,))
            return in_bundles

        found = measure(
            {"checkpoint": checkpoint, "prove": prove, "check": check, "bundle": bundle, "judge": judge},
            rounds,
        )
    return [
        Figure(f"the first checkpoint of {entries} entries", entries / first, "entries/s"),
        Figure("a checkpoint without new entries", found.rate("checkpoint"), "1/s"),
        Figure("inclusion proofs made, across the archive", found.rate("prove"), "1/s"),
        Figure("inclusion proofs checked", found.rate("check"), "1/s"),
        Figure("bundles written", found.rate("bundle"), "entries/s"),
        Figure("bundles judged", found.rate("judge"), "entries/s"),
    ]
