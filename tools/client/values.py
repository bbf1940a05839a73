"""What a client is told, as values: verdicts, entries, matches, audits."""

import enum
from dataclasses import dataclass
from datetime import datetime

from records.entry import EntryKind, RetractPolicy
from rules.kernel.actors import Actor, Office, Seat


class Chance(enum.Enum):
    """Who tells what chance brings."""

    UNRECORDED = "unrecorded"
    """Nobody: hands are not known to the record."""
    RECORDED = "recorded"
    """The app: it appends every deal and draw as a move of chance."""
    SERVICE = "service"
    """The server: it shuffles, deals and draws by itself, and each viewer sees as much of it as he may."""


class MatchState(enum.Enum):
    """Whether a match goes on."""

    OPEN = "open"
    OVER = "over"


class RecordFormat(enum.Enum):
    """The form of a record in a file."""

    TRANSCRIPT = "transcript"
    """Text for people: the moves that stand."""
    RECORD = "record"
    """Everything, byte by byte, hashes included."""


class Verdict(enum.Enum):
    """What an audit says of a record."""

    VERIFIED = "verified"
    ILLEGAL = "illegal"
    DIVERGED = "diverged"
    CORRUPT = "corrupt"


@dataclass(frozen=True, slots=True)
class EncodedMove:
    """A move as the game's own message, for apps that do not write text."""

    actor: Actor
    data: bytes
    """The bytes of the game's Move message, such as shiji.qin.v1.Move."""


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A stored match, after any of its entries."""

    id: str
    sequence: int | None = None
    """The entry after which; None is the last."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """A match that is sent along as a transcript, tags included."""

    text: str


@dataclass(frozen=True, slots=True)
class Position:
    """A match that is sent along as one line of text."""

    game: str
    line: str


@dataclass(frozen=True, slots=True)
class RulingInForce:
    """A question that the rulebook leaves open, and how this match answers it."""

    name: str
    value: str
    question: str
    meaning: str
    """What the value means."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that a move breaks."""

    rule: str
    """Its permanent id: 'QIN-PLACE-3'."""
    title: str
    source: str
    """Where the rulebook says it."""
    text: str
    """The rule, in Shiji's words."""
    why: str
    """What is wrong with this move, in words that a player would use."""
    places: tuple[str, ...]
    """The cells, cards or tiles concerned."""
    rulings: tuple[RulingInForce, ...]
    """How this match answers what the rulebook leaves open about the rule."""

    def __str__(self) -> str:
        return f"{self.rule}: {self.why}"


@dataclass(frozen=True, slots=True)
class Illegal:
    """The move breaks the rules; nothing is stored."""

    violations: tuple[Violation, ...]
    """Every broken rule of the stage of judging that stopped it."""
    index: int = 0
    """Of several moves sent together, which one, from 0."""

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the broken rules."""
        return tuple(violation.rule for violation in self.violations)

    def __str__(self) -> str:
        return "; ".join(map(str, self.violations))


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended."""

    winners: tuple[str, ...]
    """Their names, in turn order."""
    ranking: tuple[tuple[str, ...], ...]
    """The names of all seats from first to last; those that are level stand together."""
    reason: str


@dataclass(frozen=True, slots=True)
class Legal:
    """The move could be played; nothing is stored."""

    events: tuple[str, ...]
    """What it would cause, in words."""
    position: str
    """How the match would stand, as whoever moves would see it."""
    awaiting: tuple[Actor, ...]
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A numbered item of a record; what its viewer may not see reads as unknown, and hashes are empty."""

    match_id: str
    sequence: int
    """From 0, the header."""
    position: int
    """Its place among all entries of the archive, from 1."""
    kind: EntryKind
    actor: Actor
    text: str
    """A move as a transcript has it; empty for a header."""
    move: bytes
    """What was asked: a MatchHeader, the game's Move message, or another message, such as a Retract."""
    events: bytes
    """What it caused: the game's Events message."""
    state_digest: bytes
    previous_hash: bytes
    hash: bytes
    request_id: str
    signature: bytes
    """By the actor's key, where he has one."""
    secret: bytes
    """Of a draw from a sealed order: a Concealed message, to whoever may see it."""
    recorded: datetime


@dataclass(frozen=True, slots=True)
class Accepted:
    """The moves are stored durably."""

    entries: tuple[Entry, ...]
    """Theirs and, where the server deals, what it drew then, as whoever moved sees them."""
    position: str
    """How the match stands after them."""
    awaiting: tuple[Actor, ...]
    """Who must act now; nobody once the match is over."""
    outcome: Outcome | None
    """How it ended; None while it goes on."""

    @property
    def sequence(self) -> int:
        """The last sequence of the match: what the next move comes after."""
        return self.entries[-1].sequence


@dataclass(frozen=True, slots=True)
class Match:
    """A match and how it stands."""

    id: str
    game: str
    edition: str
    rulings: tuple[tuple[str, str], ...]
    """Those that differ from the edition's default."""
    components: str
    seats: tuple[str, ...]
    """Their names, in turn order."""
    chance: Chance
    retract: RetractPolicy
    tags: tuple[tuple[str, str], ...]
    sequence: int
    """Of its last entry."""
    started: datetime
    awaiting: tuple[Actor, ...]
    outcome: Outcome | None
    people: tuple[tuple[Seat, str, str], ...]
    """Seat, field and value of whatever is known of those who sit there, and not forgotten."""

    def name(self, actor: Actor) -> str:
        """What moves in text call an actor."""
        return actor.value if isinstance(actor, Office) else self.seats[actor]


@dataclass(frozen=True, slots=True)
class Started:
    """A match that has begun."""

    match: Match
    entries: tuple[Entry, ...]
    """The header and, where the server deals, the deals, as a spectator sees them."""
    position: str
    seat_tokens: tuple[str, ...]
    """A bearer token for each seat, where the server asks for credentials: hand each to its player only."""


@dataclass(frozen=True, slots=True)
class LegalMove:
    """A legal move in both forms."""

    text: str
    data: bytes


@dataclass(frozen=True, slots=True)
class State:
    """How a match stood after an entry, as far as the viewer may know."""

    match_id: str
    sequence: int
    position: str
    awaiting: tuple[Actor, ...]
    outcome: Outcome | None
    turn: str
    """Whose turn it is, in words."""
    digest: bytes
    """SHA-256 of the state; empty to whoever may not see all."""
    drawing: str
    """A picture in plain text, if it was asked for."""
    svg: str
    """A vector drawing, if it was asked for."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A record that is stored."""

    match_id: str
    entries: int
    """After its header."""
    added: int
    """How many entries were new; 0 where the archive had the record already."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A record as a file."""

    content: bytes
    file_name: str


@dataclass(frozen=True, slots=True)
class AuditReport:
    """The audit of one record."""

    match_id: str
    verdict: Verdict
    entries: int
    """How many the record has after its header."""
    good: int
    """The last sequence up to which everything is beyond doubt."""
    first_bad: int | None
    why: str
    violations: tuple[Violation, ...]
    recorded_events: tuple[str, ...]
    """Where the events diverge: those that the record tells, each as JSON."""
    ruled_events: tuple[str, ...]
    """Where the events diverge: those that the rules make of the move."""
    position: str
    game: str
    edition: str


@dataclass(frozen=True, slots=True)
class SignedCheckpoint:
    """What a log promises, as docs/evidence.md has it."""

    note: bytes
    verifier_key: str
    """The key that the server says it is signed with; whoever trusts the log has it from elsewhere."""


@dataclass(frozen=True, slots=True)
class InclusionProof:
    """What shows that an entry is in the log."""

    position: int
    """Where the entry stands in the archive, from 1."""
    size: int
    """Of how many entries the log is."""
    hashes: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """What is to be said for one of two records."""

    report: AuditReport
    """The audit of it: whether it is whole, legal, and signed and sealed as its header promises."""
    next: str
    """The first entry that the other does not have, in words; empty where there is none."""
    signed: int
    """How many of its entries are signed."""
    in_log: int
    """How many of its entries, from the first, the archive has just so."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Where two records of one match part."""

    common: int
    """How many entries, from the first, are the same in both; the header counts."""
    one: Branch
    other: Branch


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an audit of the archive is."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class EditionTally:
    """How many matches of an edition got which verdict."""

    game: str
    edition: str
    verified: int
    illegal: int
    diverged: int
    corrupt: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The audit of an archive, summed up."""

    matches: int
    entries: int
    position: int
    """Up to which the archive is audited; the next audit may begin there."""
    editions: tuple[EditionTally, ...]
    rules: tuple[tuple[str, int], ...]
    """Each broken rule, with the number of matches that break it."""
    flaws: tuple[str, ...]
    """What is wrong with the archive itself, beyond any match."""
    clean: bool
