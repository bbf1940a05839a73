"""The gate between a match and an answer: who may act in it, and entries as messages for their viewers.

Every message that shows a state, a move, an event or a hash is built from a Viewpoint, here or in
state_messages.py. Only this module and access.py make one, once they know that the caller may have it.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp
from msgspec import Struct
from shiji.record.v1 import entry_pb2 as pb
from shiji.record.v1.evidence_pb2 import Hidden
from shiji.record.v1.record_service_pb2 import Appended as AppendedMessage

from records.codec.concealment import write_commitment
from records.codec.evidence import CorruptEvidence
from records.entry import (
    CHANCE_NUMBER,
    ENTRY_VERSION_1,
    HEADER,
    MOVE,
    Entry,
    EntryKind,
    MatchHeader,
    MatchId,
    actor_number,
    actor_of,
)
from records.evidence.concealment import BadPart, parse_concealed, parse_view
from records.games.candidate import Candidate
from records.games.state import GameState, has_secrets
from records.ledger.results import Appended
from records.log.owners import MatchOwners
from records.replay.disclosure import for_viewer, in_full, may_open, sees_in_full
from records.replay.fold import MatchSnapshot
from records.replay.wording import describe_entry
from records.verdict import (
    named_scores,
)
from rules.kernel.actors import ARBITER, AUDITOR, CHANCE, SPECTATOR, Actor, Office, Seat, Viewer
from rules.kernel.game import Outcome, OutcomeKind
from service.authorization import RECORDING_ROLES, Caller, Role, wrong_role
from service.errors import CallError, Reason, bad_field

_KINDS: Final = {kind.value: pb.EntryKind.Value(f"ENTRY_KIND_{kind.name}") for kind in EntryKind}
_MICROSECONDS_PER_SECOND: Final = 1_000_000
"""Times of entries are in microseconds, those of messages in seconds and nanoseconds."""
_OFFICES: Final = {pb.OFFICE_CHANCE: CHANCE, pb.OFFICE_ARBITER: ARBITER}

_SEAT: Final = Role.SEAT
"""Bound once, as looking up a member of an Enum is slow, and every call does it."""

_OUTCOME_KINDS: Final = {
    OutcomeKind.WON: pb.OUTCOME_KIND_WON,
    OutcomeKind.ALL_WON: pb.OUTCOME_KIND_ALL_WON,
    OutcomeKind.NOBODY_WON: pb.OUTCOME_KIND_NOBODY_WON,
}


class Viewpoint(Struct, frozen=True):
    """The right to see one match as one viewer does."""

    header: MatchHeader
    viewer: Viewer
    parts: Viewer
    """As whom concealed parts of entries are seen: as the viewer until the match is over, then as an auditor.

    Only in version 2; in version 1 always as the viewer."""


class ActorAccess:
    """Decides what each caller may do in each match; access.py adds what it may see."""

    def __init__(self, owners: MatchOwners | None) -> None:
        """Without owners, because the server requires no tokens, all matches are everybody's."""
        self._owners: Final = owners

    def trusts(self, caller: Caller, match: MatchId) -> bool:
        """Whether the caller keeps the record of the match: it acts for every seat and may see every hand."""
        if caller.owner is None:
            return caller.role in RECORDING_ROLES
        return (
            caller.role is Role.RECORDER
            and self._owners is not None
            and self._owners.owned(match, caller.owner)
        )

    def acting(self, caller: Caller, match: MatchId, current: MatchSnapshot, actor: Actor) -> Viewpoint:
        """The viewpoint of an actor that the caller may act as; raises CallError.

        The arbiter and chance see as much as a spectator does.
        """
        if not self.trusts(caller, match):
            _require_may_act(caller, match, current, actor)
        viewer = SPECTATOR if isinstance(actor, Office) else actor
        return Viewpoint(current.header, viewer, viewer)

    def require_at_table(self, caller: Caller, match: MatchId, current: MatchSnapshot) -> None:
        """Raises CallError unless the caller may act as some actor of the game."""
        if caller.role is _SEAT:
            require_own_match(caller, match)
        elif not self.trusts(caller, match):
            _require_may_judge(caller, match, current)


def require_own_match(caller: Caller, match: MatchId) -> None:
    """Raises CallError where the caller is a seat of another match."""
    if caller.role is _SEAT and caller.match != match:
        raise CallError(Reason.NOT_YOUR_SEAT, "the token is for a seat of another match")


def is_over(current: MatchSnapshot) -> bool:
    """Whether the match has ended, or the arbiter has closed it."""
    return current.state.outcome() is not None or current.guards.closed


def hides_hands(current: MatchSnapshot) -> bool:
    """Whether the match is in progress and something in it is hidden."""
    return has_secrets(current.header, current.state) and not is_over(current)


def hashes_hands(header: MatchHeader) -> bool:
    """Whether hashes of the match cover hidden hands without a salt."""
    return header.entry_version == ENTRY_VERSION_1 and not header.pledge


def _require_may_act(caller: Caller, match: MatchId, current: MatchSnapshot, actor: Actor) -> None:
    if caller.role is _SEAT:
        require_own_match(caller, match)
        if actor != caller.seat:
            raise CallError(Reason.NOT_YOUR_SEAT, "the token is for another seat")
    elif actor is ARBITER and caller.role is Role.ADMIN:
        pass
    else:
        _require_may_judge(caller, match, current)


def _require_may_judge(caller: Caller, match: MatchId, current: MatchSnapshot) -> None:
    """Raises CallError where a caller that is no seat may not learn verdicts on moves."""
    if caller.role not in RECORDING_ROLES:
        raise wrong_role("recorder")
    if caller.role is Role.RECORDER:
        raise not_your_match(match)
    if hides_hands(current):
        raise match_not_over(match)


def match_not_over(match: MatchId) -> CallError:
    """The error for what would show hidden hands."""
    return CallError(
        Reason.MATCH_NOT_OVER,
        f"match {match} is not over, and its hands are hidden until it is",
        {"match_id": match},
    )


def not_your_match(match: MatchId) -> CallError:
    """The error for a match of another owner."""
    return CallError(
        Reason.NOT_YOUR_MATCH, f"match {match} belongs to another owner than the token", {"match_id": match}
    )


def conceals(viewpoint: Viewpoint, state: GameState) -> bool:
    """Whether something of the match is hidden from the viewer."""
    return viewpoint.viewer is not AUDITOR and has_secrets(viewpoint.header, state)


def hides_hashes(viewpoint: Viewpoint, state: GameState) -> bool:
    """Whether hashes and digests are hidden from the viewer too.

    There are few kinds of tiles, so a hash may reveal which one was drawn. In version 2 and in a sealed
    match, hashes cover only what everybody sees, and salted digests.
    """
    return hashes_hands(viewpoint.header) and conceals(viewpoint, state)


def entry_message(viewpoint: Viewpoint, before: GameState, entry: Entry) -> pb.Entry:
    """An entry, as the viewer may see it."""
    message = pb.Entry()
    _fill_entry(message, viewpoint, before, entry)
    return message


def state_for(viewpoint: Viewpoint, state: GameState) -> GameState:
    """The state as the viewer sees it, to judge moves by: a verdict must not tell what is hidden."""
    return state.view(viewpoint.viewer) if conceals(viewpoint, state) else state


# Messages inside of messages are filled in place: assigning one to a field would copy it by encoding it.


def _fill_entry(
    into: pb.Entry,
    viewpoint: Viewpoint,
    before: GameState,
    entry: Entry,
    *,
    candidate: Candidate | None = None,
) -> None:
    actor, viewer = actor_of(entry.actor), viewpoint.viewer
    hidden = hides_hashes(viewpoint, before)
    into.match_id = entry.match
    into.sequence = entry.sequence
    into.position = entry.position
    into.kind = _KINDS[entry.kind]
    _fill_actor(into.actor, actor, viewpoint.header.setup.seats)
    move, events = entry.move, entry.events
    if entry.concealed:
        shown = _fill_concealed(into, entry, viewpoint.parts)
    else:
        visible = for_viewer(before, actor, entry, viewer) if entry.secret else entry
        shown = in_full(visible)[0] if visible.secret else move
        into.secret = visible.secret
    if entry.kind == MOVE:
        parsed = candidate or before.parse_bytes(actor, shown)
        if hidden:
            parsed = before.seen_move(parsed, viewer)
            move, events = parsed.data, before.seen_events(events, viewer)
        into.text = before.write_move(parsed)
    elif entry.kind != HEADER:
        into.text = describe_entry(viewpoint.header, before, entry)
    into.move = move
    into.events = events
    if not hidden:
        into.state_digest = entry.state
        into.previous_hash = entry.previous
        into.hash = entry.hash
        into.request_id = entry.request
    fill_time(into.record_time, entry.recorded)
    if entry.signature:
        into.signature = entry.signature


def _fill_concealed(into: pb.Entry, entry: Entry, viewer: Viewer) -> bytes:
    """Fill what everybody sees of the concealed parts of an entry, and those that the viewer sees.

    Returns the move as the viewer sees it; raises CorruptEvidence.
    """
    concealed = entry.concealed
    into.version = concealed[0]
    commitments = parse_concealed(concealed) if len(concealed) > 1 else ()
    into.concealed.extend(map(write_commitment, commitments))
    if not entry.secret:
        return entry.move
    hidden = Hidden.FromString(entry.secret)
    parts = [part for part in hidden.parts if may_open(commitments[part.place], viewer)]
    into.parts.extend(parts)
    if sees_in_full(commitments, viewer):
        into.openings.MergeFrom(hidden.openings)
    try:
        return parse_view(parts[-1].content).move if parts and entry.kind == MOVE else entry.move
    except BadPart as fault:
        raise CorruptEvidence(str(fault)) from fault


def _fill_brief_entry(into: pb.Entry, viewpoint: Viewpoint, before: GameState, entry: Entry) -> None:
    """Fill only what the caller that made the entry does not know already."""
    into.sequence = entry.sequence
    into.position = entry.position
    if not hides_hashes(viewpoint, before):
        into.state_digest = entry.state
        into.hash = entry.hash


def fill_appended(  # noqa: PLR0913 - the entries with their context
    into: AppendedMessage,
    viewpoint: Viewpoint,
    before: GameState,
    appended: Iterable[Appended],
    current: MatchSnapshot | None = None,
    *,
    brief: bool = False,
    asked: Iterable[Candidate] = (),
) -> None:
    """Fill in stored entries and the state after the last; moves in `asked` are not decoded again.

    `current` is needed where nobody is to move: seats may have to open choices, or the match is closed.
    """
    state = fill_entries(into, viewpoint, before, appended, brief=brief, asked=asked)
    fill_last_state(into, viewpoint, state, current, brief=brief)


def fill_entries(  # noqa: PLR0913 - the entries with their context
    into: AppendedMessage,
    viewpoint: Viewpoint,
    before: GameState,
    appended: Iterable[Appended],
    *,
    brief: bool = False,
    asked: Iterable[Candidate] = (),
) -> GameState:
    """Fill in stored entries; returns the state after the last."""
    candidates = {(actor_number(each.actor), each.data): each for each in asked}
    entries = into.entries
    state = before
    for each in appended:
        entry = each.entry
        if brief and entry.actor != CHANCE_NUMBER:
            _fill_brief_entry(entries.add(), viewpoint, state, entry)
        else:
            candidate = candidates.get((entry.actor, entry.move))
            _fill_entry(entries.add(), viewpoint, state, entry, candidate=candidate)
        state = each.state
    return state


def fill_last_state(
    into: AppendedMessage,
    viewpoint: Viewpoint,
    state: GameState,
    current: MatchSnapshot | None,
    *,
    brief: bool = False,
) -> None:
    """Fill in the state after the last entry."""
    if not brief:
        into.position = state_for(viewpoint, state).position()
    for actor in state.awaiting() if current is None else awaited(current, state):
        _fill_actor(into.awaiting.add(), actor, viewpoint.header.setup.seats)
    outcome = state.outcome()
    if outcome is not None:
        into.outcome.MergeFrom(outcome_message(viewpoint.header.setup.seats, outcome))


def awaited(current: MatchSnapshot, state: GameState) -> tuple[Actor, ...]:
    """Who must act in this state of a match; seats that have to open choices, if it is the last."""
    if current.guards.closed:
        return ()
    return current.awaiting() if state == current.state else state.awaiting()


def actor_messages(header: MatchHeader, actors: Iterable[Actor]) -> Iterator[pb.Actor]:
    """The messages for actors of a match."""
    return (actor_message(actor, header.setup.seats) for actor in actors)


@lru_cache(maxsize=256)
def actor_message(actor: Actor, names: tuple[str, ...] = ()) -> pb.Actor:
    """The message for an actor of a match with seats of these names; not to be changed, as it is cached.

    Requests need no names.
    """
    message = pb.Actor()
    _fill_actor(message, actor, names)
    return message


def _fill_actor(into: pb.Actor, actor: Actor, names: tuple[str, ...]) -> None:
    if isinstance(actor, Office):
        into.office = pb.OFFICE_CHANCE if actor is CHANCE else pb.OFFICE_ARBITER
    else:
        into.seat = actor
        if actor < len(names):  # a caller or a damaged record may name a seat that there is not
            into.name = names[actor]


def actor_of_message(message: pb.Actor, path: str) -> Actor:
    """The actor that a message names."""
    match message.WhichOneof("actor"):
        case "seat":
            return Seat(message.seat)
        case "office":
            if message.office not in _OFFICES:
                raise bad_field(f"{path}.office", f"{message.office} is not known")
            return _OFFICES[message.office]
        case None:
            raise bad_field(path, "say which seat or office acts")


def outcome_message(names: tuple[str, ...], outcome: Outcome) -> pb.Outcome:
    """The outcome of a match with seats of these names."""
    return pb.Outcome(
        winners=[names[seat] for seat in sorted(outcome.winners)],
        ranking=[pb.Rank(seats=[names[seat] for seat in level]) for level in outcome.ranking],
        reason=outcome.reason,
        kind=_OUTCOME_KINDS[outcome.kind],
        scores=[
            pb.Score(
                owner=owner,
                points=score.points,
                categories=[pb.CategoryScore(category=name, points=part) for name, part in score.categories],
            )
            for owner, score in named_scores(names, outcome)
        ],
    )


def fill_time(into: Timestamp, microseconds: int) -> None:
    """Fill in a time of the records."""
    into.seconds, rest = divmod(microseconds, _MICROSECONDS_PER_SECOND)
    into.nanos = rest * 1000
