"""Khan: listing legal moves mid-game, and auditing whole random matches beside those of Qin."""

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
from tools.dev.bench.report import Line
from tools.dev.bench.rounds import measure
from tools.dev.golden_khan import CASES, play

GOLDEN: Final = Path(__file__).resolve().parents[3] / "tests/records/golden/khan"
MIDDLE: Final = (0.35, 0.7)
"""Of a match, in this part it is in its middle."""


def lines(rounds: int) -> list[Line]:
    """Everything measured of Khan."""
    return [_listing(rounds), *_auditing(rounds)]


def _listing(rounds: int) -> Line:
    states = list(_middles())
    spent = []
    for state in states * rounds:
        begun = time.perf_counter()
        for actor in KHAN.awaiting(state):
            list(KHAN.legal_moves(state, actor))
        spent.append(time.perf_counter() - begun)
    median = statistics.median(spent) * 1000
    return Line("Khan: list all legal moves, mid-game, median", median, "ms", 10.0, at_most=True)


def _middles() -> Iterator[State]:
    """Positions in which a seat is to act, hands known or not."""
    for case in CASES.values():
        played = play(case, case.seed)
        state = KHAN.start(case.setup)
        begin, end = (round(part * len(played.entries)) for part in MIDDLE)
        for number, entry in enumerate(played.entries):
            if begin <= number < end and isinstance(state.turn, Acting):
                yield state
            verdict = KHAN.decide(state, *KHAN.notation.read_move(state, entry.text))
            if isinstance(verdict, Illegal):
                raise TypeError(verdict)
            state = KHAN.fold(state, verdict)


def _auditing(rounds: int) -> list[Line]:
    khan, qin = _records(), [game.entries for game in games()]
    found = measure({"khan": lambda: _audited(khan), "qin": lambda: _audited(qin)}, rounds)
    return [
        Line("Khan: audit of whole matches, in memory", found.rate("khan"), "entries/s"),
        Line("Qin: the same", found.rate("qin"), "entries/s"),
        Line("audit of Khan, to Qin's", found.ratio("khan", "qin"), "x", 0.25),
    ]


def _records() -> list[tuple[Entry, ...]]:
    judged = [judge(path.read_bytes()) for path in sorted(GOLDEN.glob("*.shiji"))]
    return [tuple(one.entries) for one in judged if isinstance(one, VerifiedImport)]


def _audited(records: list[tuple[Entry, ...]]) -> int:
    for record in records:
        verdict = audit_record(record[0].match, record).verdict
        if not isinstance(verdict, Verified):
            raise TypeError(verdict)
    return sum(map(len, records))
