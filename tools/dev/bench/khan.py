"""Measures Khan: listing legal moves mid-game, and auditing matches in comparison with Qin."""

import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from records.audit.record import audit_record
from records.entry import Entry
from records.ledger.transfer import VerifiedImport, judge
from records.verdict import Verified
from rules.kernel.rule import Illegal
from rules.khan.game import KHAN
from rules.khan.state import Acting, State
from tools.dev.bench.qin_records import games
from tools.dev.bench.report import Figure
from tools.dev.bench.rounds import measure
from tools.dev.golden_khan import CASES, play

GOLDEN_KHAN: Final = Path(__file__).resolve().parents[3] / "tests/records/golden/khan"
"""Folder of the golden transcripts of Khan."""

MID_GAME_SHARES: Final = (0.35, 0.7)
"""Beginning and end of the middle of a match, as shares of its entries."""


def lines(rounds: int) -> list[Figure]:
    """Measure Khan."""
    return [_listing(rounds), *_auditing(rounds)]


def _listing(rounds: int) -> Figure:
    states = list(_middles())
    seconds = []
    for state in states * rounds:
        start = time.perf_counter()
        for actor in KHAN.awaiting(state):
            list(KHAN.legal_moves(state, actor))
        seconds.append(time.perf_counter() - start)
    median = statistics.median(seconds) * 1000
    return Figure("Khan: list all legal moves, mid-game, median", median, "ms", 10.0, at_most=True)


def _middles() -> Iterator[State]:
    """Mid-game positions in which a seat acts, with known or unknown hands."""
    for case in CASES.values():
        played = play(case, case.seed)
        state = KHAN.start(case.setup)
        begin, end = (round(part * len(played.entries)) for part in MID_GAME_SHARES)
        for number, entry in enumerate(played.entries):
            if begin <= number < end and isinstance(state.turn, Acting):
                yield state
            verdict = KHAN.decide(state, *KHAN.notation.read_move(state, entry.text))
            if isinstance(verdict, Illegal):
                raise TypeError(verdict)
            state = KHAN.fold(state, verdict)


def _auditing(rounds: int) -> list[Figure]:
    khan, qin = _records(), [game.entries for game in games()]
    found = measure({"khan": lambda: _audited(khan), "qin": lambda: _audited(qin)}, rounds)
    return [
        Figure("Khan: audit of whole matches, in memory", found.rate("khan"), "entries/s"),
        Figure("Qin: the same", found.rate("qin"), "entries/s"),
        Figure("audit of Khan, to Qin's", found.ratio("khan", "qin"), "x", 0.25),
    ]


def _records() -> list[tuple[Entry, ...]]:
    judged = [judge(path.read_bytes()) for path in sorted(GOLDEN_KHAN.glob("*.shiji"))]
    return [tuple(one.entries) for one in judged if isinstance(one, VerifiedImport)]


def _audited(records: list[tuple[Entry, ...]]) -> int:
    for record in records:
        verdict = audit_record(record[0].match, record).verdict
        if not isinstance(verdict, Verified):
            raise TypeError(verdict)
    return sum(map(len, records))
