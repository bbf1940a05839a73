"""Run in a network of its own: the machine of a primary vanishes, and its standby is promoted.

The primary is reached at an address of its own. From some moment on, packets to it are dropped, as if its
machine had lost its power: nobody learns that connections are gone.
"""

import subprocess
import threading
from contextlib import ExitStack, suppress

from records.log.contract import LogFault
from records.log.postgres.connection import Target
from records.log.postgres.log import PostgresLog
from records.log.postgres.migrations import migrate
from tests.postgres import QUICK, Cluster
from tests.records.log.making import RecordWriter

ADDRESS = "127.0.0.9"
WAIT_SECONDS = 90.0
"""Far above what connections take to end, and far below what they take by default."""


def main() -> None:
    """Print STORED if a log that had a connection to the vanished machine can be written to again."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)  # noqa: S607 - where it is installed
    with ExitStack() as stack:
        primary = Cluster.create({**QUICK, "listen_addresses": "0.0.0.0"})  # noqa: S104 - its own network
        stack.callback(primary.remove)
        primary.start()
        primary.execute("CREATE DATABASE shiji")
        migrate(Target.parse(primary.address("shiji")))
        standby = Cluster.standby_of(primary)
        stack.callback(standby.remove)
        standby.start()
        primary.waits_for_standby()
        url = f"postgresql://owner@{ADDRESS}:{primary.port},127.0.0.1:{standby.port}/shiji"
        log = PostgresLog.open(Target.parse(url), sequence=False)
        writer = RecordWriter("m")
        writer.write(log)
        subprocess.run(["ip", "route", "add", "blackhole", f"{ADDRESS}/32", "table", "local"], check=True)  # noqa: S607 - where it is installed
        standby.promote()
        append, stored = writer.next(), threading.Event()

        def write() -> None:
            while not stored.is_set():
                with suppress(LogFault):
                    log.write([append])
                    stored.set()

        threading.Thread(target=write, daemon=True).start()  # it may wait for ever
        if stored.wait(WAIT_SECONDS):
            print("STORED", [entry.sequence for entry in log.read(append.match)], flush=True)  # noqa: T201 - read by the test


if __name__ == "__main__":
    main()
