"""Which owner each match of a PostgreSQL archive belongs to."""

from typing import Final

from records.entry import MatchId
from records.log.postgres.connection import SessionPool, Target, commit, connect, translated
from records.log.postgres.rows import ask, encoded

_OWNER: Final = "SELECT owner FROM shiji.owner WHERE match = %b"
_COUNT: Final = "SELECT count(*) FROM shiji.owner WHERE owner = %s"
_CLAIM: Final = "INSERT INTO shiji.owner (match, owner) VALUES (%b, %s) ON CONFLICT DO NOTHING"

_MAX_KNOWN: Final = 100_000
"""Owners that are kept in memory, which takes about 20 MB; then all are forgotten and read again."""


class PostgresOwners:
    """The owners of matches, in a table that all servers share. A match without one belongs to nobody."""

    def __init__(self, target: Target) -> None:
        self._target: Final = target
        self._readers: Final = SessionPool(target, read_only=False)
        self._known: Final[dict[MatchId, str]] = {}

    def owned(self, match: MatchId, owner: str) -> bool:
        """Whether the match belongs to the owner; raises LogFault."""
        return self._find(match) == owner

    def owner_of(self, match: MatchId) -> str | None:
        """The owner of a match, if this server has had to do with it: it never waits for the database."""
        return self._known.get(match)

    def claim(self, match: MatchId, owner: str) -> bool:
        """Record durably that a new match belongs to the owner; False if it belongs to another."""
        if self._find(match) is None:
            with translated(self._target), connect(self._target, purpose="owners") as session:
                session.execute("BEGIN")
                session.execute(_CLAIM, (match.encode(), owner))
                commit(session, self._target)
        return self._find(match) == owner

    def count(self, owner: str) -> int:
        """The number of matches that belong to the owner; raises LogFault."""
        found = next((row[0] for row in ask(self._readers, _COUNT, (owner,))), 0)
        return found if isinstance(found, int) else 0

    def close(self) -> None:
        """Close the connections."""
        self._readers.close()

    def _find(self, match: MatchId) -> str | None:
        known = self._known.get(match)
        name = encoded(match)
        if known is not None or name is None:
            return known
        owner = next((row[0] for row in ask(self._readers, _OWNER, (name,))), None)
        if not isinstance(owner, str):
            return None
        if len(self._known) >= _MAX_KNOWN:
            self._known.clear()
        self._known[match] = owner
        return owner
