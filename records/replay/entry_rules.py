"""Who may make which kind of entry, and which content it may have."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from records.entry import (
    ENTRY_VERSION_1,
    ENTRY_VERSION_2,
    MAX_AUDIENCE_SEATS,
    Entry,
    EntryKind,
    MatchHeader,
    actor_number,
    entry_version,
)
from records.evidence.concealment import (
    CHOICE,
    VIEW,
    BadConcealed,
    BadPart,
    Commitment,
    Part,
    PartHasher,
    Slot,
    lowest_seat,
    parse_concealed,
)
from rules.kernel.actors import ARBITER, CHANCE

_CHANCE: Final = actor_number(CHANCE)
_ARBITER: Final = actor_number(ARBITER)


class _Parts(enum.Enum):
    """The concealed parts that a kind of entry may have."""

    NONE = enum.auto()
    VIEWS = enum.auto()
    """As many as are due."""
    OWN_CHOICE = enum.auto()
    """One CHOICE, for the seat itself."""
    OWN_VIEW = enum.auto()
    """One VIEW, for the seat itself."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """A line of the table."""

    what: str
    seats: bool = False
    sharers: bool = False
    """Of the seats, only those that have a share of the seed."""
    chance: bool = False
    game: bool = False
    events: bool = False
    parts: _Parts = _Parts.NONE
    since: int = ENTRY_VERSION_1
    """The first version of entries that has it."""


_TABLE: Final[dict[int, _Rule]] = {
    EntryKind.HEADER: _Rule("a header", game=True),
    EntryKind.MOVE: _Rule("a move", seats=True, chance=True, events=True, parts=_Parts.VIEWS),
    EntryKind.RETRACT: _Rule("a retraction", seats=True, game=True),
    EntryKind.ROTATE_KEY: _Rule("a change of keys", seats=True, game=True),
    EntryKind.SEAL: _Rule("a seal", chance=True),
    EntryKind.REVEAL_SHARE: _Rule("a revealed share", sharers=True),
    EntryKind.UNSEAL: _Rule("an unsealing", chance=True),
    EntryKind.OPEN_DISPUTE: _Rule("a dispute", seats=True, game=True),
    EntryKind.RESOLVE_DISPUTE: _Rule("the settlement of a dispute", game=True),
    EntryKind.REQUEST_TAKEBACK: _Rule("a request for a takeback", seats=True),
    EntryKind.GRANT_TAKEBACK: _Rule("a granted takeback", seats=True),
    EntryKind.COMMIT_SHARE: _Rule("a commitment to a share", sharers=True),
    EntryKind.CHOOSE: _Rule(
        "a sealed choice", seats=True, events=True, parts=_Parts.OWN_CHOICE, since=ENTRY_VERSION_2
    ),
    EntryKind.OPEN_CHOICE: _Rule(
        "an opened choice", seats=True, parts=_Parts.OWN_VIEW, since=ENTRY_VERSION_2
    ),
    EntryKind.REVEAL_CHOICES: _Rule(
        "the reveal of choices", chance=True, events=True, parts=_Parts.VIEWS, since=ENTRY_VERSION_2
    ),
    EntryKind.ANSWER_FOR: _Rule("an answer for a seat", game=True, since=ENTRY_VERSION_2),
    EntryKind.CLOSE: _Rule("the close of a match", game=True, since=ENTRY_VERSION_2),
}


def actor_fault(header: MatchHeader, kind: int, actor: int) -> str | None:
    """Why the actor, by number, cannot make an entry of this kind in the match; None if it can."""
    rule = _TABLE.get(kind)
    if rule is None or rule.since > header.entry_version:
        return f"no entry of this match is of kind {kind}"
    if actor == _CHANCE:
        return None if rule.chance else _only(rule)
    if actor == _ARBITER:
        return None if rule.game else _only(rule)
    seats = len(header.setup.seats)
    if not 0 <= actor < seats:
        return f"there is no seat {actor}: the match has seats 0 to {seats - 1}"
    allowed = rule.seats or (rule.sharers and actor in header.sharers)
    return None if allowed else _only(rule)


def _only(rule: _Rule) -> str:
    """What is said to any other actor."""
    who = [
        name
        for name, may in (
            ("a seat", rule.seats),
            ("a seat that the header names as a sharer", rule.sharers),
            ("chance", rule.chance),
            ("the arbiter", rule.game),
        )
        if may
    ]
    return f"only {' or '.join(who)} makes {rule.what}"


def entry_fault(header: MatchHeader, entry: Entry) -> str | None:
    """What the entry has that none of its kind has in this match; None where it is as it may be.

    Whether moves, events and parts are the right ones is for the rules to judge.
    """
    if why := actor_fault(header, entry.kind, entry.actor):
        return why
    rule = _TABLE[entry.kind]
    version = entry_version(entry)
    if version != header.entry_version:
        return other_version(header, entry)
    if entry.events and not rule.events:
        return f"{rule.what} causes nothing, and this one has events"
    if version == ENTRY_VERSION_1:
        return _secret_fault(header, rule, entry)
    try:
        commitments = parse_concealed(entry.concealed)
    except BadConcealed as bad:
        return str(bad)
    if entry.secret and rule.parts is _Parts.NONE:
        return f"{rule.what} conceals nothing, and this one has a secret"
    return _parts_fault(rule, entry.actor, len(header.setup.seats), commitments)


def other_version(header: MatchHeader, entry: Entry) -> str:
    """What is wrong with an entry of another version than its match."""
    return f"the entry is of version {entry_version(entry)}, and the match of version {header.entry_version}"


def hidden_fault(hasher: PartHasher, entry: Entry, parts: Sequence[Part]) -> str | None:
    """Which of the parts kept beside an entry is not one that it commits to; None where all are.

    Parts that are not there are no fault here: an export leaves out what its reader may not see.
    """
    commitments = parse_concealed(entry.concealed)
    for part in parts:
        if not 0 <= part.place < len(commitments):
            return f"part {part.place} is none of the {len(commitments)} that the entry commits to"
        commitment = commitments[part.place]
        slot = Slot(entry.sequence, part.place, commitment.kind, entry.actor, commitment.audience)
        try:
            hasher.check(slot, part, commitment)
        except BadPart as fault:
            return str(fault)
    return None


def _secret_fault(header: MatchHeader, rule: _Rule, entry: Entry) -> str | None:
    """What is wrong with the secret of an entry of version 1."""
    if not entry.secret or (entry.kind == EntryKind.MOVE and entry.actor == _CHANCE and header.pledge):
        return None
    return f"{rule.what} has a secret, and no seal vouches for it"


def _parts_fault(rule: _Rule, actor: int, seats: int, commitments: Sequence[Commitment]) -> str | None:
    match rule.parts:
        case _Parts.NONE:
            return f"{rule.what} conceals nothing, and this one has parts" if commitments else None
        case _Parts.VIEWS:
            return _views_fault(rule, seats, commitments)
        case _Parts.OWN_CHOICE:
            return _own_part_fault(rule, actor, CHOICE, commitments)
        case _Parts.OWN_VIEW:
            return _own_part_fault(rule, actor, VIEW, commitments)


def _own_part_fault(rule: _Rule, seat: int, kind: int, commitments: Sequence[Commitment]) -> str | None:
    if [(each.kind, each.audience) for each in commitments] == [(kind, 1 << seat)]:
        return None
    return f"{rule.what} has one concealed part, for the seat itself"


def _views_fault(rule: _Rule, seats: int, commitments: Sequence[Commitment]) -> str | None:
    """Each seat is in one audience at most; they are ordered by lowest seat, but the full view comes last."""
    seen, lowest, last = 0, -1, len(commitments) - 1
    for place, each in enumerate(commitments):
        if each.kind != VIEW:
            return f"part {place}: {rule.what} conceals views, and no choice"
        if each.audience >> seats:
            return f"part {place} is for a seat that the match does not have"
        if each.audience & seen:
            return f"part {place} is for a seat that another part is for"
        if place < last and lowest_seat(each.audience) <= lowest:
            return f"part {place}: views are ordered by their lowest seat, but for the last"
        seen, lowest = seen | each.audience, lowest_seat(each.audience)
    return None


def seats_fault(header: MatchHeader) -> str | None:
    """Why a match of its version cannot have that many seats; None if it can."""
    seats = len(header.setup.seats)
    if header.entry_version >= ENTRY_VERSION_2 and seats > MAX_AUDIENCE_SEATS:
        return f"a match has at most {MAX_AUDIENCE_SEATS} seats, and this one {seats}"
    return None
