"""The objects that the methods of the service share."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, TypeVar

from records.audit.archive import OpenLog
from records.entry import MatchId
from records.evidence.note import Note, SignerKey, VerifierKey
from records.index.index import ArchiveIndex
from records.ledger.ledger import Ledger
from records.log.people import Register
from rules.kernel.actors import Seat
from service.access import Access
from service.authorization import Caller
from service.call_costs import CallCosts
from service.export_pages import ExportPages
from service.feed import EntryFeed
from service.intake import Intake
from service.loop_share import LoopShare, StreamThrottle
from service.quota import MatchQuota
from service.shutdown import Shutdown
from service.workers import Workers

PageOf: TypeAlias = Callable[[str, bytes], str]
"""Makes a page that steps through a record of its own, of its name and its content; picklable."""

Done = TypeVar("Done")


class StoredCheckpoints(Protocol):
    """The published checkpoints of an archive that several servers share; all methods may raise LogFault."""

    def publish(self, note: Note) -> None:
        """Make a checkpoint durable before anybody sees it."""

    def newest(self) -> Note | None:
        """The checkpoint of the largest size that was published."""

    def of_size(self, size: int) -> Note | None:
        """The checkpoint of this size, if one was published."""

    def verifier(self) -> VerifierKey | None:
        """The key that verifies them; None if no server has had the log's key yet."""


@dataclass(frozen=True, slots=True)
class Resources:
    """Everything that a method may need; one instance per server."""

    ledger: Ledger
    intake: Intake
    loop_share: LoopShare
    workers: Workers
    feed: EntryFeed
    shutdown: Shutdown
    open_log: OpenLog
    """Opens another connection to the archive, for reading."""
    max_response_bytes: int
    """Maximum size of a response, so that clients do not refuse it."""
    stall_seconds: float
    """Time for a client to take one response of a stream before the stream is ended."""
    register: Register
    """Personal data of the people in matches."""
    seat_token: Callable[[MatchId, Seat], str] | None
    """Makes the token of a seat; None where the server does not require tokens."""
    index: ArchiveIndex
    """What the archive holds, for lists of matches."""
    access: Access
    """Decides who may do and see what."""
    quota: MatchQuota
    """Bounds the matches of each owner."""
    start_request: Callable[[str, str], str]
    """The id under which the archive keeps an owner's request to start a match."""
    log_key: SignerKey | None = None
    """Signs checkpoints; a server with None can only show those of others."""
    checkpoints: StoredCheckpoints | None = None
    """Stores a checkpoint before it is shown, where several servers share the archive."""
    costs: CallCosts = field(default_factory=CallCosts)
    """What calls take of the event loop."""
    exports: ExportPages = field(default_factory=ExportPages)
    """Exports that are delivered in pages."""
    page_of: PageOf | None = None
    """Makes pages to download; None where the program that serves has none."""
    readers: Executor | None = None
    """Threads that read the archive where reading it waits for a network; None where the event loop may."""

    def throttle(self, caller: Caller) -> StreamThrottle:
        """Charges the caller for what it reads from the archive in the event loop."""
        return StreamThrottle(self.loop_share, caller.account, self.off_loop)

    async def in_turn(self, account: str, method: str, attempt: Callable[[], Awaitable[Done]]) -> Done:
        """What a call returns that is made when it is the account's turn, after long records are read."""
        if self.intake.is_alone(account):
            return await self.loop_share.attempt(account, attempt)
        await self.intake.turn(account, self.costs.moves(account, method))
        return await self.costs.measured(account, method, self.loop_share.attempt(account, attempt))

    async def off_loop(self, work: Callable[[], Done]) -> Done:
        """What the work returns, which may read the archive; the event loop never waits for a network."""
        if self.readers is None:
            return work()
        return await asyncio.get_running_loop().run_in_executor(self.readers, work)
