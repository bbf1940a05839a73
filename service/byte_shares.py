"""Counts bytes per account and per host, and says who may have more."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Final


class ByteShares:
    """Bytes of accounts, bounded for each account, for each host and in total. For one event loop."""

    def __init__(self, most: int, most_of_host: int, most_of_account: int) -> None:
        self._most: Final = most
        self._most_of_host: Final = min(most, most_of_host)
        self._most_of_account: Final = min(most, most_of_account)
        self._by_account: Final = Counter[str]()
        self._by_host: Final = defaultdict[str, Counter[str]](Counter)
        """Of each host, by account."""
        self.total = 0

    def take(self, account: str, host: str, size: int) -> None:
        """Count some bytes until give()."""
        self._by_account[account] += size
        self._by_host[host][account] += size
        self.total += size

    def give(self, account: str, host: str, size: int) -> None:
        """Count some bytes no longer."""
        self.total -= size
        for counts in (self._by_account, self._by_host[host]):
            counts[account] -= size
            if not counts[account]:
                del counts[account]
        if not self._by_host[host]:
            del self._by_host[host]

    def has_room(self, account: str, host: str) -> bool:
        """Whether an account may have more: also of what is full, as long as it has less than its share."""
        return (
            self._by_account[account] < self._most_of_account
            and _has_share(self._by_account, account, self._most)
            and _has_share(self._by_host.get(host, {}), account, self._most_of_host)
        )


def _has_share(used: Mapping[str, int], account: str, most: int) -> bool:
    own = used.get(account, 0)
    return sum(used.values()) < most or own < most // (len(used) + (not own))
