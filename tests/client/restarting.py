"""A server that can be killed and restarted on the same port."""

import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.service.servers import Running, serving


class Server:
    def __init__(self, db: Path) -> None:
        self._db = db
        self._process = ExitStack()
        self.target = "127.0.0.1:0"
        self.start()

    def start(self) -> None:
        """Start it, on the same port from the second time on."""
        self._running: Running = self._process.enter_context(serving(self._db, listen=self.target))
        self.target = self._running.address

    def stop(self) -> None:
        """Have it shut down by itself."""
        self._running.signal(signal.SIGTERM)
        self._running.exit_code()
        self.kill()

    def kill(self) -> None:
        """End it as a power cut would."""
        self._process.close()

    def restart(self) -> None:
        """Kill it and start it again."""
        self.kill()
        self.start()


@contextmanager
def restarting(db: Path) -> Iterator[Server]:
    server = Server(db)
    try:
        yield server
    finally:
        server.kill()
