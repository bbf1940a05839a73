"""The values that the client takes and returns: moves, verdicts, entries, matches, audits."""

from dataclasses import dataclass
from datetime import datetime

from shiji.client.actors import Actor, Office, Seat
from shiji.client.evidence import Commitment, OpenedPlace, Part
from shiji.client.kinds import Chance, EntryKind, OutcomeKind, RetractPolicy, Verdict


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A stored match after one of its entries."""

    id: str
    sequence: int | None = None
    """The sequence of the entry; None is the last one."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """A match given as a transcript, tags included."""

    text: str


@dataclass(frozen=True, slots=True)
class Position:
    """A match given as a position, one line of text."""

    game: str
    line: str


@dataclass(frozen=True, slots=True)
class RulingInForce:
    """A question that the rulebook leaves open, and the answer that this match uses."""

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
    """Where the rulebook states it."""
    text: str
    """The rule, in Shiji's words."""
    why: str
    """What is wrong with this move, in words that a player would use."""
    places: tuple[str, ...]
    """The cells, cards or tiles concerned."""
    rulings: tuple[RulingInForce, ...]
    """The rulings of this match that concern the rule."""

    def __str__(self) -> str:
        return f"{self.rule}: {self.why}"


@dataclass(frozen=True, slots=True)
class Illegal:
    """A move that breaks the rules; nothing is stored."""

    violations: tuple[Violation, ...]
    """Every broken rule of the stage in which judging stopped."""
    index: int = 0
    """The index of the illegal move, from 0, if several were sent together."""

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the broken rules."""
        return tuple(violation.rule for violation in self.violations)

    def __str__(self) -> str:
        return "; ".join(map(str, self.violations))


@dataclass(frozen=True, slots=True)
class Score:
    """The points of a seat, or of an owner that is no seat, at the end of a match."""

    owner: str
    """The name of the seat, or of the automaton or clan without a seat."""
    points: int
    categories: tuple[tuple[str, int], ...]
    """Name and points of each category that the points are the sum of; empty if the game has none."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a match."""

    winners: tuple[str, ...]
    """The names of the winners, in turn order; empty if nobody won."""
    ranking: tuple[tuple[str, ...], ...]
    """The names of all seats from first to last; tied seats share a rank."""
    reason: str
    kind: OutcomeKind
    """Whether there are winners, and whether they beat each other or the game."""
    scores: tuple[Score, ...]
    """The seats in turn order, then owners that are no seats; empty if the game has no points."""


@dataclass(frozen=True, slots=True)
class Legal:
    """A legal move that was only checked; nothing is stored."""

    events: tuple[str, ...]
    """The events that the move would cause, in words."""
    position: str
    """The position after the move, as the actor would see it."""
    awaiting: tuple[Actor, ...]
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A numbered item of a record; what the viewer may not see is unknown.

    Of version 1, the hashes are then empty unless an order is sealed.
    """

    match_id: str
    sequence: int
    """Its number in the record; 0 is the header."""
    log_number: int
    """Its number among the entries of all matches of the archive, from 1."""
    kind: EntryKind
    actor: Actor
    text: str
    """The move as in a transcript; empty for a header."""
    move: bytes
    """The serialized request: a MatchHeader, the game's Move, or another message such as a Retract."""
    events: bytes
    """The serialized Events message of the game."""
    state_digest: bytes
    previous_hash: bytes
    hash: bytes
    request_id: str
    signature: bytes
    """The signature of the actor, if they have a key."""
    secret: bytes
    """Of version 1: a Concealed message, for a draw from a sealed order that the viewer may see."""
    recorded: datetime
    version: int
    """The version of the entry, which decides what its hash and signatures cover."""
    concealed: tuple[Commitment, ...]
    """Of version 2: what the hash covers of each concealed part."""
    parts: tuple[Part, ...]
    """Of version 2: the concealed parts that the viewer may see."""
    openings: tuple[OpenedPlace, ...]
    """Of version 2: the places of sealed orders that it drew, if the viewer may see the entry in full."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """Moves that are durably stored."""

    entries: tuple[Entry, ...]
    """The entries of the moves and of any draws by the server, as the actor sees them."""
    position: str
    """The position after them."""
    awaiting: tuple[Actor, ...]
    """Who must act next; empty once the match is over."""
    outcome: Outcome | None
    """None while the match is in progress."""

    @property
    def sequence(self) -> int:
        """The last sequence of the match, to pass as `after` of the next move."""
        return self.entries[-1].sequence


@dataclass(frozen=True, slots=True)
class Match:
    """A match and its current state."""

    id: str
    game: str
    edition: str
    rulings: tuple[tuple[str, str], ...]
    """Name and value of each ruling that differs from the edition's default."""
    options: tuple[tuple[str, str], ...]
    """Name and value of each option of the rulebook that differs from its default."""
    components: str
    seats: tuple[str, ...]
    """The names of the seats, in turn order."""
    chance: Chance
    retract: RetractPolicy
    tags: tuple[tuple[str, str], ...]
    sequence: int
    """The sequence of the last entry."""
    started: datetime
    awaiting: tuple[Actor, ...]
    outcome: Outcome | None
    people: tuple[tuple[Seat, str, str], ...]
    """Seat, field and value of each fact about the players that has not been erased."""
    copy: bool = False
    """Whether it was imported with concealed parts left out; nothing can be appended to it."""
    closed: bool = False
    """Whether the arbiter has ended it without a result."""
    damage: str = ""
    """Why the record cannot be read; empty unless it is damaged. Then only id, game, edition, seats and start
    are known."""

    def name(self, actor: Actor) -> str:
        """The name of an actor in the text of moves."""
        return actor.value if isinstance(actor, Office) else self.seats[actor]


@dataclass(frozen=True, slots=True)
class Started:
    """A match that was started."""

    match: Match
    entries: tuple[Entry, ...]
    """The header and, if the server deals, the deals, as a spectator sees them."""
    position: str
    seat_tokens: tuple[str, ...]
    """One bearer token per seat, if the server requires tokens: give each only to its player."""


@dataclass(frozen=True, slots=True)
class LegalMove:
    """A legal move, as text and as the game's own message."""

    text: str
    data: bytes


@dataclass(frozen=True, slots=True)
class State:
    """The state of a match after an entry, as the viewer may see it."""

    match_id: str
    sequence: int
    position: str
    awaiting: tuple[Actor, ...]
    outcome: Outcome | None
    turn: str
    """Whose turn it is, in words."""
    digest: bytes
    """SHA-256 of the state; empty for viewers who may not see all of it."""
    drawing: str
    """A picture in plain text, if it was requested."""
    svg: str
    """A picture as SVG, if it was requested."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A record that was imported."""

    match_id: str
    entries: int
    """Number of entries, without the header."""
    added: int
    """Number of new entries; 0 if the archive already had the record."""
    copy: bool = False
    """Whether the archive has it as a copy, which lacks concealed parts and is only read."""


@dataclass(frozen=True, slots=True)
class ExportPage:
    """A part of a record in a file format."""

    content: bytes
    file_name: str
    next_page_token: str
    """Empty for the last part."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A record in a file format."""

    content: bytes
    file_name: str


@dataclass(frozen=True, slots=True)
class Unjudged:
    """An entry that could not be judged in full."""

    sequence: int
    why: str
    """What is left out of it, in words."""


@dataclass(frozen=True, slots=True)
class AuditReport:
    """The result of auditing one record."""

    match_id: str
    verdict: Verdict
    entries: int
    """Number of entries, without the header."""
    good: int
    """The last sequence before anything is in doubt."""
    first_bad: int | None
    why: str
    violations: tuple[Violation, ...]
    recorded_events: tuple[str, ...]
    """If the events diverge: the recorded ones, each as JSON."""
    ruled_events: tuple[str, ...]
    """If the events diverge: those that follow from the rules, each as JSON."""
    position: str
    game: str
    edition: str
    unjudged: tuple[Unjudged, ...] = ()
    """The entries that were judged only as far as they are shown; empty unless the verdict is AS_SHOWN."""


@dataclass(frozen=True, slots=True)
class SignedCheckpoint:
    """A signed checkpoint of the log; docs/evidence.md describes it."""

    note: bytes
    verifier_key: str
    """The public key that the server names; to trust the log, get the key from another source."""


@dataclass(frozen=True, slots=True)
class InclusionProof:
    """A proof that an entry is in the log."""

    log_number: int
    """Of the entry, from 1."""
    size: int
    """Number of entries in the log."""
    hashes: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """The evidence for one of two records."""

    report: AuditReport
    """Its audit: whether it is complete, legal, and signed and sealed as its header requires."""
    next: str
    """The first entry that the other record lacks, in words; empty if there is none."""
    signed: int
    """Number of signed entries."""
    in_log: int
    """Number of entries, from the first, that are the same in the archive."""
    after_agreement: str = ""
    """Its first entry after those in which the records agree, in words; empty if there is none."""
    next_number: int | None = None
    """The number of that entry in this record; a transcript numbers only moves that were not taken back."""
    log: str = ""
    """The log that a bundle proves to hold every entry; empty for other records."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of two records of one match."""

    common: int
    """Number of entries, from the first, that are the same in both, header included."""
    one: Branch
    other: Branch
    sentence: str = ""
    """What it comes to, as one sentence that calls the records A and B."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of an audit of the archive, in entries."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class EditionTally:
    """Number of matches of an edition per verdict."""

    game: str
    edition: str
    verified: int
    illegal: int
    diverged: int
    corrupt: int
    as_shown: int = 0
    """Verified as far as they are shown."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary of an audit of the archive."""

    matches: int
    entries: int
    log_number: int
    """Of the last audited entry; the next audit can start there."""
    editions: tuple[EditionTally, ...]
    rules: tuple[tuple[str, int], ...]
    """The id of each broken rule, with the number of matches that break it."""
    flaws: tuple[str, ...]
    """Problems of the archive itself rather than of one match."""
    clean: bool
    not_checked: tuple[str, ...] = ()
    """What of the storage the server could not check, and why."""
