"""How many connections the HTTP port takes, per host and in all."""

import resource
from collections import Counter
from typing import Final

MAX_CONNECTIONS: Final = 4096
MAX_CONNECTIONS_PER_HOST: Final = 1024
"""Connections unless the configuration says something else: a browser has six, a page that follows one."""

_SHARE_OF_FILES: Final = 2
"""The HTTP port takes at most one in this number of the files that the process may open: gRPC and the archive
need some, too."""


class Connections:
    """Counts the open connections. For one event loop."""

    def __init__(
        self, max_total: int = MAX_CONNECTIONS, max_per_host: int = MAX_CONNECTIONS_PER_HOST
    ) -> None:
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        self._max_total: Final = min(max_total, max(files // _SHARE_OF_FILES, 1))
        self._max_per_host: Final = max_per_host
        self._by_host: Final = Counter[str]()
        self.size = 0
        """Connections that are open."""
        self.refused = 0
        """Connections that were refused."""
        self.stalled = 0
        """Connections that were closed because their client stopped in the middle."""

    def open(self, host: str) -> bool:
        """Whether there is room for a connection from a host, which is then counted until it is closed."""
        if self.size >= self._max_total or self._by_host[host] >= self._max_per_host:
            self.refused += 1
            return False
        self._by_host[host] += 1
        self.size += 1
        return True

    def close(self, host: str) -> None:
        """A connection that was counted is closed."""
        self._by_host[host] -= 1
        if not self._by_host[host]:
            del self._by_host[host]
        self.size -= 1
