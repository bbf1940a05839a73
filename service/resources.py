"""What every method of the service works with."""

from collections.abc import Callable
from dataclasses import dataclass

from records.audit.archive import OpenLog
from records.entry import MatchId
from records.evidence.note import SignerKey
from records.ledger.ledger import Ledger
from records.log.people import Register
from records.log.tree import Tree
from rules.kernel.actors import Seat
from service.feed import EntryFeed
from service.import_workers import ImportWorkers
from service.intake import Intake
from service.shutdown import Shutdown


@dataclass(frozen=True, slots=True)
class SignedLog:
    """The tree over all entries, and the key that signs its checkpoints."""

    tree: Tree
    key: SignerKey


@dataclass(frozen=True, slots=True)
class Resources:
    """The records, and whoever follows them."""

    ledger: Ledger
    intake: Intake
    import_workers: ImportWorkers
    feed: EntryFeed
    shutdown: Shutdown
    open_log: OpenLog
    """Opens the archive once more, for reading."""
    largest: int
    """So many bytes an answer may have."""
    stall: float
    """So many seconds a follower may take for one entry."""
    register: Register
    """Who people are."""
    seat_token: Callable[[MatchId, Seat], str] | None
    """The token of a seat, where the server asks for credentials."""
    signed: SignedLog | None = None
    """What the log promises and proves; None where the server has no key to sign it with."""
