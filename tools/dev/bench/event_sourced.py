"""Stores the same matches with the `eventsourcing` package in SQLite, for comparison with the ledger."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from records.games.registry import find_game
from records.games.state import GameState
from rules.kernel.rule import Illegal
from tools.dev.bench.qin_records import ActorMove, games


class StoredMatch(Aggregate):
    """A match whose events have the same content as our entries."""

    state: GameState

    @event("Started")
    def __init__(self, number: int) -> None:
        header = games()[number].header
        self.state = find_game(header.game).start(header.setup)

    @event("Moved")
    def moved(self, actor: int, move: str, events: str) -> None:
        """Fold the events of a move, without judging it."""
        del actor, move
        self.state = self.state.fold(bytes.fromhex(events))


class Matches:
    """Matches stored by the package in one file."""

    def __init__(self, application: Application[UUID]) -> None:
        self._application = application

    def start(self, number: int) -> StoredMatch:
        """Start a match of the game with this number."""
        match = StoredMatch(number)
        self._application.save(match)
        return match

    def append(self, match: StoredMatch, encoded: ActorMove) -> None:
        """Judge a move and store it; as with the ledger, the match stays in memory."""
        actor, move = encoded
        verdict = match.state.judge(match.state.parse_bytes(actor, move))
        if isinstance(verdict, Illegal) or not isinstance(actor, int):
            raise TypeError(verdict)
        match.moved(actor, move.hex(), verdict.events.hex())
        self._application.save(match)

    def rebuild(self, match: UUID) -> GameState:
        """The state of a match, read from its stored events."""
        found: StoredMatch = self._application.repository.get(match)
        return found.state


@contextmanager
def opened(path: Path) -> Iterator[Matches]:
    """Open a file."""
    environment = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)}
    application: Application[UUID] = Application(env=environment)
    try:
        yield Matches(application)
    finally:
        application.close()
