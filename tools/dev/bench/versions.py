"""Compares audits of the same matches with entries of both versions, and shows what version 2 adds at least.

Matches with recorded draws, dealt by the recorder: version 1 hashes what was drawn as it is, version 2
conceals it in salted parts and has the digest of the state that everybody sees.
"""

from functools import partial
from typing import Final

from records.audit.transcript import OnMove, verify_entries
from records.entry import ENTRY_VERSION_1, ENTRY_VERSION_2, MAX_AUDIENCE_SEATS, Entry, MatchHeader
from records.evidence.concealment import VIEW, Slot, parse_view, view_content
from records.files.tags import read_header
from records.files.transcript import decode, read_transcript
from records.games.candidate import Candidate
from records.games.state import Applied, GameState
from records.ledger.ledger import Ledger
from records.log.memory import MemoryLog
from records.replay.concealing import part_hasher
from records.replay.disclosure import hidden_of
from records.replay.fold import open_record, states_before
from rules.kernel.actors import Seat
from rules.kernel.setup import RECORDED, GameKey, Setup
from tools.dev.bench.games import audited
from tools.dev.bench.report import Figure
from tools.dev.bench.rounds import measure
from tools.dev.golden_matches import GOLDEN

GAMES: Final = ("qin", "khan")
"""The games of which there are matches of version 1."""

TARGET: Final = 0.9

_NOBODY: Final = Seat(MAX_AUDIENCE_SEATS)
"""Sees what a spectator sees, but a state does not keep it."""


def lines(rounds: int) -> list[Figure]:
    """Measure audits of both versions."""
    return [figure for game in GAMES for figure in _game(game, rounds)]


def _game(game: str, rounds: int) -> list[Figure]:
    matches = _matches(game)
    old, new = (
        [_recorded(GameKey(game), setup, moves, version) for setup, moves in matches]
        for version in (ENTRY_VERSION_1, ENTRY_VERSION_2)
    )
    states = [(record, states_before(open_record(record[0]).start, record)) for record in new]
    contenders = {"1": partial(audited, old), "2": partial(audited, new), "least": partial(_least, states)}
    found = measure(contenders, rounds)
    pairs = zip(found.rates["1"], found.rates["least"], strict=True)
    bound = sorted(least / (one + least) for one, least in pairs)[rounds // 2]
    return [
        Figure(f"{game}: audit of version 1, draws recorded", found.rate("1"), "entries/s"),
        Figure(f"{game}: audit of version 2, the same matches", found.rate("2"), "entries/s"),
        Figure(f"{game}: version 2 to version 1", found.ratio("2", "1"), "x", TARGET),
        Figure(f"{game}: if version 2 added only parts and views", bound, "x"),
    ]


def _matches(game: str) -> list[tuple[Setup, list[Candidate]]]:
    """The golden matches with recorded draws."""
    found = []
    for path in sorted((GOLDEN / game).glob("*.shiji")):
        transcript = read_transcript(decode(path.read_bytes()))
        header = read_header(transcript)
        played: list[tuple[Candidate, Applied]] = []
        verify_entries(header, transcript.entries, _into(played))
        if header.start.setup.draws is RECORDED:
            found.append((header.start.setup, [move for move, _ in played]))
    return found


def _into(played: list[tuple[Candidate, Applied]]) -> OnMove:
    return lambda move, applied: played.append((move, applied))


def _recorded(game: GameKey, setup: Setup, moves: list[Candidate], version: int) -> tuple[Entry, ...]:
    ledger = Ledger(MemoryLog())
    begun = ledger.store(ledger.judge_header(MatchHeader(game, setup, entry_version=version), "start"))
    match, state = begun[0].entry.match, begun[0].state
    for sequence, move in enumerate(moves):
        ledger.append(match, sequence, f"move {sequence}", state.parse_bytes(move.actor, move.data))
    return tuple(ledger.log.read(match))


def _least(records: list[tuple[tuple[Entry, ...], list[GameState]]]) -> int:
    """Only what version 2 cannot do without: to open and hash parts, and to view states as all do."""
    for record, states in records:
        for entry, state in zip(record, states, strict=True):
            state.view(_NOBODY)
            for part in hidden_of(entry).parts:
                content = parse_view(part.content)
                slot = Slot(entry.sequence, part.place, VIEW, entry.actor, 1)
                part_hasher(entry.match).digest(slot, part.salt, view_content(content.move, content.events))
    return sum(len(record) for record, _ in records)
