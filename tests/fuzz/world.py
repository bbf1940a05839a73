"""A real server in this process with matches under way, and what is known of them."""

import asyncio
import gc
import logging
import os
import random
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from unittest.mock import patch

from grpc import aio

from records.entry import MatchId
from records.evidence.ed25519 import SecretKey
from records.evidence.note import SignatureType, SignerKey
from records.files.key_file import save_secret
from records.ledger.ledger import Ledger
from records.log.sqlite import SqliteLog
from service import method_table
from service.address import Address
from service.config import Config
from service.rpc import CallHandler
from service.server import Listening, serve
from tests.fuzz import openings
from tests.fuzz.direct import DirectCalls
from tests.fuzz.tables import Table, keys_of
from tests.service.tokens import new_token
from tools.page.server_page import page_of

MAX_MATCHES: Final = 120
"""Matches of an owner, which it has towards the end of a part."""

MOST_TABLES: Final = 28
"""Matches that requests are about at a time; a new one takes the place of another."""


class FaultLog(logging.Handler):
    """Keeps what the server and asyncio log as faults."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:  # refusals of damaged records are errors too, but no faults
            self.texts.append(logging.Formatter().format(record))


@dataclass
class World:
    """A server with its archive, its callers and the matches that they play."""

    channel: aio.Channel
    handler: CallHandler
    """What answers its calls, whichever way they come."""
    web: str
    """The address of its HTTP port."""
    ledger: Ledger
    """Reads the server's archive beside it."""
    tokens: Mapping[str, str]
    """By the name of a caller."""
    faults: FaultLog
    dice: random.Random
    tables: list[Table] = field(default_factory=list)
    direct: DirectCalls = field(init=False)
    count: int = 0

    def __post_init__(self) -> None:
        self.direct = DirectCalls(self.handler)

    def new_id(self) -> str:
        self.count += 1
        return f"fuzz {self.count}"

    def refresh(self, table: Table) -> None:
        """Look up how far the match is."""
        table.now = self.ledger.current(table.match)

    def learn(self, match: MatchId, tokens: Sequence[str] = ()) -> None:
        """Know a match that was started or imported, in the place of another if there are enough."""
        now = self.ledger.current(match)
        table = Table(match, len(now.header.setup.seats), tokens, keys_of(now.header), now)
        if len(self.tables) < MOST_TABLES:
            self.tables.append(table)
        else:
            self.tables[self.dice.randrange(MOST_TABLES)] = table


@asynccontextmanager
async def running(folder: Path, seed: str) -> AsyncIterator[World]:
    """A server with tokens and a log key, stopped at the end."""
    tokens = {"": ""} | {
        f"{owner} {role}": new_token(folder / "tokens", f"{owner}-{role}", role, "--owner", owner)
        for owner, role in (
            ("club", "recorder"),
            ("club", "admin"),
            ("club", "auditor"),
            ("rival", "recorder"),
        )
    }
    key = SignerKey("example.com/fuzz", SignatureType.ED25519, SecretKey(bytes(range(32))))
    save_secret(folder / "log.key", key.secret_text)
    config = Config(
        db=folder / "fuzz.db",
        listen=Address("127.0.0.1", 0),
        tokens=folder / "tokens",
        log_key=folder / "log.key",
        worker_processes=2,
        max_matches_per_owner=MAX_MATCHES,
        drain_grace=0.0,
        web=Address("127.0.0.1", 0),
        max_message_bytes=openings.MAX_MESSAGE_BYTES,
    )
    opened = openings.fill(config.db, "club")
    started: asyncio.Future[Listening] = asyncio.get_running_loop().create_future()
    faults = FaultLog()
    logging.getLogger().addHandler(faults)
    handlers, add_to = list[CallHandler](), method_table.add_to

    def note_handler(server: aio.Server, handler: CallHandler) -> None:
        handlers.append(handler)
        add_to(server, handler)

    with patch.object(method_table, "add_to", note_handler):
        server = asyncio.create_task(serve(config, started.set_result, page_of))
        await asyncio.wait((server, started), return_when=asyncio.FIRST_COMPLETED)
    if server.done():
        server.result()
    try:
        options = (("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1))
        listening = await started
        async with aio.insecure_channel(str(listening.grpc), options) as channel:
            with SqliteLog.open(config.db, read_only=True) as log:
                dice = random.Random(seed)  # noqa: S311 - the same each time
                world = World(channel, handlers[0], str(listening.web), Ledger(log), tokens, faults, dice)
                for match in opened:
                    world.learn(match)
                yield world
    finally:
        os.kill(os.getpid(), signal.SIGTERM)
        await server
        logging.getLogger().removeHandler(faults)
        gc.unfreeze()
