"""Which owner each match of a PostgreSQL archive belongs to."""

from collections.abc import Iterable
from itertools import islice
from typing import Final

from records.entry import MatchId
from records.log.owners import EVERYBODY, Owned
from records.log.postgres.connection import (
    Held,
    SessionPool,
    Target,
    commit,
    connect_to_write,
    never_held,
    require_not_held,
    rolled_back,
    translated,
)
from records.log.postgres.rows import ask, encoded

_OWNER: Final = "SELECT owner FROM shiji.owner WHERE match = %b"
_EVERYTHING: Final = "SELECT match, owner FROM shiji.owner ORDER BY match"
_COUNT: Final = "SELECT count(*) FROM shiji.owner WHERE owner = %s"
_CLAIM: Final = (
    "INSERT INTO shiji.owner (match, owner) SELECT * FROM unnest(%b::bytea[], %s::text[]) "
    "ON CONFLICT DO NOTHING"
)
_CLAIMED_AT_ONCE: Final = 10_000
"""Owners per statement, in a copy."""

_MAX_KNOWN_OWNERS: Final = 100_000
"""Owners that are kept in memory, which takes about 20 MB; then all are forgotten and read again."""


class PostgresOwners:
    """The owners of matches, in a table that all servers share. A match without one belongs to nobody."""

    def __init__(self, target: Target, held: Held = never_held) -> None:
        """`held` returns why nothing is to be written now."""
        self._target: Final = target
        self._held: Final = held
        self._readers: Final = SessionPool(target, read_only=False)
        self._known: Final[dict[MatchId, str]] = {}

    def owned(self, match: MatchId, owner: str) -> bool:
        """Whether the match belongs to the owner; raises LogFault."""
        return self._find(match) in {owner, EVERYBODY}

    def owner_of(self, match: MatchId) -> str | None:
        """The owner of a match, if this server has had to do with it: it never waits for the database."""
        return self._known.get(match) or None

    def claim(self, match: MatchId, owner: str) -> bool:
        """Record durably that a new match belongs to the owner; False if it belongs to another."""
        if self._find(match) is None:
            self.restore([(match, owner)])
        return self.owned(match, owner)

    def everything(self) -> Iterable[Owned]:
        """All matches that have an owner, by match."""
        found = ask(self._readers, _EVERYTHING)
        return [
            (MatchId(bytes(match).decode()), str(owner)) for match, owner in found if isinstance(match, bytes)
        ]

    def restore(self, owners: Iterable[Owned]) -> None:
        """Keep owners from another archive, in one transaction."""
        require_not_held(self._held)
        with translated(self._target), connect_to_write(self._target, purpose="owners") as session:
            with rolled_back(session):
                session.execute("BEGIN")
                left = iter(owners)
                while some := list(islice(left, _CLAIMED_AT_ONCE)):
                    matches = [match.encode() for match, _ in some]
                    session.execute(_CLAIM, (matches, [owner for _, owner in some]))
            commit(session, self._target)

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
        if len(self._known) >= _MAX_KNOWN_OWNERS:
            self._known.clear()
        self._known[match] = owner
        return owner
