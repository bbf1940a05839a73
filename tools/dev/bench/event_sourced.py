"""The same matches kept with the `eventsourcing` package in SQLite, for measuring beside the ledger."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from records.games.registry import find_game
from records.games.state import GameState
from rules.kernel.rule import Illegal
from tools.dev.bench.qin_records import Asked, games


class Match(Aggregate):
    """A match whose events carry what our entries do."""

    state: GameState

    @event("Started")
    def __init__(self, number: int) -> None:
        header = games()[number].header
        self.state = find_game(header.game).start(header.setup)

    @event("Moved")
    def moved(self, actor: int, move: str, events: str) -> None:
        """Take what a move caused as it is."""
        del actor, move
        self.state = self.state.fold(bytes.fromhex(events))


class Matches:
    """Matches in a file of that package."""

    def __init__(self, application: Application[UUID]) -> None:
        self._application = application

    def start(self, number: int) -> Match:
        """A match of the game with this number."""
        match = Match(number)
        self._application.save(match)
        return match

    def append(self, match: Match, asked: Asked) -> None:
        """Judge a move and store it; the match is kept in memory, as the ledger does."""
        actor, move = asked
        verdict = match.state.judge(match.state.parse_bytes(actor, move))
        if isinstance(verdict, Illegal) or not isinstance(actor, int):
            raise TypeError(verdict)
        match.moved(actor, move.hex(), verdict.events.hex())
        self._application.save(match)

    def rebuild(self, match: UUID) -> GameState:
        """How a match stands, by its events and nothing else."""
        found: Match = self._application.repository.get(match)
        return found.state


@contextmanager
def opened(path: Path) -> Iterator[Matches]:
    """Matches in this file."""
    environment = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)}
    application: Application[UUID] = Application(env=environment)
    try:
        yield Matches(application)
    finally:
        application.close()
