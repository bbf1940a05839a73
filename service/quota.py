"""How many matches an owner may have in the archive."""

from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from records.log.owners import MatchOwners
from service.errors import CallError, Reason

MAX_RECENT_STARTS: Final = 4096
"""Starts of matches that are remembered, so that one that is sent again is answered although the owner has
reached its quota meanwhile."""


class MatchQuota:
    """Bounds the matches of each owner. For one event loop."""

    def __init__(self, owners: MatchOwners | None, max_matches: int) -> None:
        """With 0, or where the server requires no tokens and so knows no owners, there is no bound."""
        self._owners: Final = owners
        self._max_matches: Final = max_matches
        self._starting: Final = Counter[str]()
        """By owner: matches that are being started or imported."""
        self._recent: Final[OrderedDict[tuple[str, str], None]] = OrderedDict()
        """Owners and requests whose match is stored, the oldest first."""

    def stored(self, owner: str | None) -> int | None:
        """The matches of an owner that are stored, if they are bounded; may wait for a network."""
        if self._owners is None or owner is None or not self._max_matches:
            return None
        return self._owners.count(owner)

    @contextmanager
    def new_match(self, owner: str | None, request: str, stored: int | None) -> Iterator[None]:
        """Count a match while it is being stored; raises CallError where the owner has too many."""
        if owner is None or stored is None:
            yield
            return
        again = (owner, request) in self._recent
        held = stored + self._starting[owner]
        if held >= self._max_matches and not again:
            raise CallError(
                Reason.QUOTA_REACHED,
                f"owner {owner} has {held} matches, which is the maximum (max-matches-per-owner)",
                {"limit": "max-matches-per-owner", "owner": owner},
            )
        self._starting[owner] += 1
        try:
            yield
        finally:
            self._starting[owner] -= 1
            if not self._starting[owner]:
                del self._starting[owner]
        self._recent[owner, request] = None
        if len(self._recent) > MAX_RECENT_STARTS:
            self._recent.popitem(last=False)
