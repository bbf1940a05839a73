"""Matches of Qin to test ledgers and audits with."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count

from msgspec import structs

from records.codec.header import Retraction
from records.entry import ENTRY_VERSION_2, Entry, MatchHeader, MatchId, RetractPolicy, with_hash
from records.games.candidate import Candidate
from records.ledger.ledger import Ledger
from records.ledger.notices import retract
from records.ledger.results import Appended
from records.log.memory import MemoryLog
from rules.kernel.actors import ARBITER, Actor
from rules.kernel.edition import EditionKey
from rules.kernel.rule import Illegal
from rules.kernel.setup import GameKey, Setup

QIN = GameKey("qin")
SEATS = ("green", "violet")
MOVES = ("green Re8Re9", "violet Yg8Bh8", "green Yd8Rd9", "violet Yg9Yg10", "green Bi5Bi6")
"""A match on Bird that can go on."""

DISPUTED = ("green Rb2Rc2", "violet Rg2Rh2", "green Rd2Re2", "violet Rf3Be3", "green Yf1Rf2")
"""The last of these is legal only by the ruling major-conflict=major-keeps."""


def header(
    board: str = "bird",
    *,
    retract: RetractPolicy = RetractPolicy.ARBITER,
    rulings: tuple[tuple[str, str], ...] = (),
    tags: tuple[tuple[str, str], ...] = (),
) -> MatchHeader:
    setup = Setup(EditionKey("qin/1"), SEATS, board, rulings=rulings)
    return MatchHeader(QIN, setup, retract, tags, entry_version=ENTRY_VERSION_2)


@dataclass
class Table:
    """A match that is being played."""

    ledger: Ledger
    match: MatchId
    last: int = 0

    @property
    def entries(self) -> list[Entry]:
        return list(self.ledger.log.read(self.match))

    def read(self, text: str) -> Candidate:
        return self.ledger.state_at(self.match).parse_text(text)

    def play(self, *texts: str) -> Appended:
        *before, last = texts
        if before:
            self.play(*before)
        appended = self.ask(last)
        assert isinstance(appended, Appended)
        self.last = appended.entry.sequence
        return appended

    def ask(self, text: str, request: str | None = None, expected: int | None = None) -> Appended | Illegal:
        expected = self.last if expected is None else expected
        return self.ledger.append(self.match, expected, request or f"r{expected + 1}", self.read(text))

    def go_back(self, to_sequence: int, actor: Actor = ARBITER, reason: str = "") -> Appended:
        request = f"r{self.last + 1}"
        appended = retract(
            self.ledger, self.match, self.last, request, actor, Retraction(to_sequence, reason)
        )
        self.last = appended.entry.sequence
        return appended


def begin(ledger: Ledger, with_header: MatchHeader | None = None, request: str = "start") -> Table:
    return Table(ledger, ledger.start(with_header or header(), request).entry.match)


def ledger_in_memory(log: MemoryLog | None = None, kind: type[Ledger] = Ledger) -> Ledger:
    """A ledger whose ids, times and salts are the same in every run."""
    numbers, times, salts = count(1), count(1_700_000_000_000_000), count(1)
    return kind(
        log or MemoryLog(),
        clock=lambda: next(times),
        new_id=lambda: MatchId(f"match-{next(numbers)}"),
        salts=lambda: next(salts).to_bytes(32),
    )


def played(*moves: str, with_header: MatchHeader | None = None, kind: type[Ledger] = Ledger) -> list[Entry]:
    """The record of a match."""
    table = begin(ledger_in_memory(kind=kind), with_header)
    for move in moves:
        table.play(move)
    return table.entries


def renamed(entries: Iterable[Entry], name: str) -> list[Entry]:
    """The record under another id, so that an archive can have both; the hashes are to be recomputed."""
    return [
        structs.replace(entry, match=MatchId(name), request=f"{name} {entry.request}") for entry in entries
    ]


def disputed() -> list[Entry]:
    """The record of a match that other rulings would end sooner."""
    board = "map:........./R.......R/........./.....R..."
    return played(*DISPUTED, with_header=header(board, rulings=(("major-conflict", "major-keeps"),)))


def forged(entries: Iterable[Entry], sequence: int, **changed: object) -> list[Entry]:
    """The record with one entry changed and all hashes recomputed."""
    record: list[Entry] = []
    for entry in entries:
        if entry.sequence == sequence:
            entry = structs.replace(entry, **changed)  # noqa: PLW2901 - the rest of the loop is about the changed one
        record.append(with_hash(structs.replace(entry, previous=record[-1].hash) if record else entry))
    return record
