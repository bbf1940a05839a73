"""Matches of version 2 with hidden hands, to audit and to tamper with."""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import count

from msgspec import structs

from records.audit.record import audit_record
from records.entry import Dealer, Entry, MatchHeader, MatchId
from records.ledger.ledger import Ledger
from records.log.memory import MemoryLog
from records.replay.disclosure import for_viewer
from records.replay.fold import open_record
from records.verdict import Verdict
from rules.kernel.actors import CHANCE, Viewer
from rules.kernel.edition import EditionKey
from rules.kernel.setup import RECORDED, GameKey, Setup
from tests.records.matches import header
from tests.records.replay.test_policies import secrets

MATCH = MatchId("concealed")
GAMES = ("qin", "khan")
DEALERS = tuple(Dealer)
START = 1_700_000_000_000_000


def setup(game: str = "qin") -> Setup:
    """Two seats whose hands are recorded."""
    if game == "khan":
        return Setup(EditionKey("khan/1"), ("black", "white"), "khan-reference-0", RECORDED)
    return replace(header().setup, draws=RECORDED)


def hidden_hands(game: str = "qin", dealer: Dealer = Dealer.SERVICE) -> MatchHeader:
    return MatchHeader(GameKey(game), setup(game), dealer=dealer, entry_version=2)


def book(log: MemoryLog, match: MatchId = MATCH) -> Ledger:
    """A ledger that deals, and does the same in every run."""
    times, salts = count(START), count(1)
    return Ledger(
        log,
        secrets=secrets,
        new_id=lambda: match,
        clock=lambda: next(times),
        salts=lambda: next(salts).to_bytes(32),
    )


def play_on(ledger: Ledger, match: MatchId, moves: int, seed: int = 0) -> None:
    """Play random legal moves, chance's too where the recorder deals, until the match is over."""
    dice = random.Random(seed)  # noqa: S311 - tests want the same match again
    for _ in range(moves):
        current = ledger.current(match)
        awaited = current.state.awaiting()
        if not awaited:
            return
        legal = list(current.state.legal_moves(dice.choice(awaited)))
        ledger.append(match, current.sequence, f"move {current.sequence}", dice.choice(legal))


@cache
def record(
    game: str = "qin", dealer: Dealer = Dealer.SERVICE, moves: int = 12, seed: int = 0
) -> tuple[Entry, ...]:
    log = MemoryLog()
    ledger = book(log)
    ledger.start(hidden_hands(game, dealer), "start")
    play_on(ledger, MATCH, moves, seed)
    return tuple(log.read(MATCH))


def whole(game: str = "qin", dealer: Dealer = Dealer.SERVICE) -> tuple[Entry, ...]:
    """A match that is over."""
    return record(game, dealer, 10_000)


def shown(entries: Sequence[Entry], viewer: Viewer) -> list[Entry]:
    """The record as the viewer gets it while the match is under way."""
    start = open_record(entries[0]).start
    return [for_viewer(start, CHANCE, entry, viewer) for entry in entries]


def stripped(entries: Sequence[Entry]) -> list[Entry]:
    """The record without anything that is kept outside of its hashes."""
    return [structs.replace(entry, secret=b"") for entry in entries]


def audited(entries: Sequence[Entry], *, complete: bool = False) -> Verdict:
    return audit_record(entries[0].match, entries, complete=complete).verdict
