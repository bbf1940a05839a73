"""The objects that the methods of the service share."""

from collections.abc import Callable
from dataclasses import dataclass, field

from records.audit.archive import OpenLog
from records.entry import MatchId
from records.evidence.note import SignerKey
from records.index.index import ArchiveIndex
from records.ledger.ledger import Ledger
from records.log.people import Register
from records.log.tree import Tree
from rules.kernel.actors import Seat
from service.access import Access
from service.export_pages import ExportPages
from service.feed import EntryFeed
from service.intake import Intake
from service.shutdown import Shutdown
from service.workers import Workers


@dataclass(frozen=True, slots=True)
class SignedLog:
    """The tree over all entries, and the key that signs its checkpoints."""

    tree: Tree
    key: SignerKey


@dataclass(frozen=True, slots=True)
class Resources:
    """Everything that a method may need; one instance per server."""

    ledger: Ledger
    intake: Intake
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
    start_request: Callable[[str, str], str]
    """The id under which the archive keeps an owner's request to start a match."""
    signed: SignedLog | None = None
    """For checkpoints and proofs; None where the server has no log key."""
    exports: ExportPages = field(default_factory=ExportPages)
    """Exports that are delivered in pages."""
