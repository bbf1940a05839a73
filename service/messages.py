"""Converts values of the records to messages of the service, with only what the viewer may see.

Whatever shows a state, a move, an event or a hash of a stored match is built here, from a Sight (access.py).
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp
from shiji.record.v1 import entry_pb2 as pb
from shiji.record.v1 import record_service_pb2 as service
from shiji.record.v1.evidence_pb2 import Hidden
from shiji.record.v1.header_pb2 import MatchHeader as HeaderMessage
from shiji.record.v1.record_service_pb2 import Appended as AppendedMessage
from shiji.verdict.v1 import verdict_pb2 as verdicts

from records.codec.concealment import write_commitment
from records.codec.evidence import CorruptEvidence
from records.codec.header import encode_header
from records.entry import HEADER, MOVE, Entry, EntryKind, MatchHeader, actor_number, actor_of
from records.evidence.concealment import BadPart, parse_concealed, parse_view
from records.games.candidate import Candidate
from records.games.citations import rulings_for
from records.games.picture import svg
from records.games.registry import find_game
from records.games.state import Applied, GameState
from records.ledger.redaction import redacted
from records.ledger.results import Appended
from records.log.people import Register
from records.replay.disclosure import for_viewer, in_full, may_open, public_digest, sees_in_full
from records.replay.fold import MatchSnapshot
from records.replay.wording import describe_entry
from records.verdict import (
    AuditReport,
    CorruptAt,
    DivergedAt,
    IllegalAt,
    Verified,
    VerifiedAsShown,
    named_scores,
    why,
)
from rules.kernel.actors import ARBITER, AUDITOR, CHANCE, Actor, Office, Seat, Viewer
from rules.kernel.display import Highlights
from rules.kernel.game import Outcome, OutcomeKind
from rules.kernel.rule import Violation
from service.access import Sight, has_secrets, hashes_hands
from service.errors import bad_field

_KINDS: Final = {kind.value: pb.EntryKind.Value(f"ENTRY_KIND_{kind.name}") for kind in EntryKind}
_MICROSECONDS_PER_SECOND: Final = 1_000_000
_OFFICES: Final = {pb.OFFICE_CHANCE: CHANCE, pb.OFFICE_ARBITER: ARBITER}
_BY_CHANCE: Final = actor_number(CHANCE)

_VERDICTS: Final = {
    Verified: verdicts.VERDICT_VERIFIED,
    VerifiedAsShown: verdicts.VERDICT_AS_SHOWN,
    IllegalAt: verdicts.VERDICT_ILLEGAL,
    DivergedAt: verdicts.VERDICT_DIVERGED,
    CorruptAt: verdicts.VERDICT_CORRUPT,
}

_OUTCOME_KINDS: Final = {
    OutcomeKind.WON: pb.OUTCOME_KIND_WON,
    OutcomeKind.ALL_WON: pb.OUTCOME_KIND_ALL_WON,
    OutcomeKind.NOBODY_WON: pb.OUTCOME_KIND_NOBODY_WON,
}

_UNTIL_THE_END: Final = "the reason could reveal hidden hands, and is reported once the match is over"


def conceals(sight: Sight, state: GameState) -> bool:
    """Whether something of the match is hidden from the viewer."""
    return sight.viewer is not AUDITOR and has_secrets(sight.header, state)


def hides_hashes(sight: Sight, state: GameState) -> bool:
    """Whether hashes and digests are hidden from the viewer too.

    There are few kinds of tiles, so a hash may reveal which one was drawn. In version 2 and in a sealed
    match, hashes cover only what everybody sees, and salted digests.
    """
    return hashes_hands(sight.header) and conceals(sight, state)


def entry_message(sight: Sight, before: GameState, entry: Entry) -> pb.Entry:
    """An entry, as the viewer may see it."""
    message = pb.Entry()
    _fill_entry(message, sight, before, entry)
    return message


def record_for(sight: Sight, entries: Sequence[Entry]) -> list[Entry]:
    """The record itself, without what the viewer may not have of it; raises BadRecord or CorruptEvidence."""
    return redacted(entries, sight.parts)


def state_for(sight: Sight, state: GameState) -> GameState:
    """The state as the viewer sees it, to judge moves by: a verdict must not tell what is hidden."""
    return state.view(sight.viewer) if conceals(sight, state) else state


def state_message(
    sight: Sight,
    match: str,
    current: MatchSnapshot,
    sequence: int,
    state: GameState,
) -> service.GetStateResponse:
    """The state of a match after an entry, as the viewer may see it, without pictures."""
    header, visible, outcome = sight.header, state_for(sight, state), state.outcome()
    return service.GetStateResponse(
        match_id=match,
        sequence=sequence,
        position=visible.position(),
        awaiting=map(
            actor_message, awaited(current, state) if sequence == current.sequence else state.awaiting()
        ),
        outcome=None if outcome is None else outcome_message(header.setup.seats, outcome),
        turn=visible.display.turn(),
        state_digest=b"" if hides_hashes(sight, state) else public_digest(header, state),
    )


def fill_state_after(
    into: service.FollowRecordResponse, sight: Sight, current: MatchSnapshot, after: GameState
) -> None:
    """Fill the state after the entry of the response, as the viewer may see it."""
    visible, outcome = state_for(sight, after), after.outcome()
    into.position = visible.position()
    into.turn = visible.display.turn()
    is_last = into.entry.sequence == current.sequence
    into.awaiting.extend(map(actor_message, awaited(current, after) if is_last else after.awaiting()))
    if outcome is not None:
        into.outcome.CopyFrom(outcome_message(sight.header.setup.seats, outcome))


def position_of(sight: Sight, state: GameState) -> str:
    """The position as one line of text, as the viewer may see it."""
    return state_for(sight, state).position()


def drawing_of(sight: Sight, state: GameState) -> str:
    """The picture of a state in plain text, as the viewer may see it."""
    return state_for(sight, state).display.draw()


def svg_of(sight: Sight, state: GameState, sequence: int) -> str:
    """The picture of a state after an entry as SVG, as the viewer may see it."""
    title = f"{sight.header.game}, after entry {sequence}"
    return svg(state_for(sight, state), Highlights(), title)


def legal_message(sight: Sight, before: GameState, applied: Applied) -> service.CheckMoveResponse:
    """The verdict on a legal move, as its actor may see what it would cause."""
    after = applied.after
    outcome = after.outcome()
    return service.CheckMoveResponse(
        legal=True,
        events=[event.text for event in before.display.tell(applied.events)],
        position=state_for(sight, after).position(),
        awaiting=map(actor_message, after.awaiting()),
        outcome=None if outcome is None else outcome_message(sight.header.setup.seats, outcome),
    )


def legal_move_messages(before: GameState, moves: Iterable[Candidate]) -> list[service.LegalMove]:
    """Moves of an actor that the caller may act as."""
    return [service.LegalMove(text=before.write_move(each), data=each.data) for each in moves]


# Messages inside of messages are filled in place: assigning one to a field would copy it by encoding it.


def _fill_entry(
    into: pb.Entry,
    sight: Sight,
    before: GameState,
    entry: Entry,
    *,
    candidate: Candidate | None = None,
) -> None:
    actor, viewer = actor_of(entry.actor), sight.viewer
    hidden = hides_hashes(sight, before)
    into.match_id = entry.match
    into.sequence = entry.sequence
    into.position = entry.position
    into.kind = _KINDS[entry.kind]
    _fill_actor(into.actor, actor)
    move, events = entry.move, entry.events
    if entry.concealed:
        shown = _fill_concealed(into, entry, sight.parts)
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
        into.text = describe_entry(sight.header, before, entry)
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


def _fill_brief_entry(into: pb.Entry, sight: Sight, before: GameState, entry: Entry) -> None:
    """Fill only what the caller that made the entry does not know already."""
    into.sequence = entry.sequence
    into.position = entry.position
    if not hides_hashes(sight, before):
        into.state_digest = entry.state
        into.hash = entry.hash


def fill_appended(  # noqa: PLR0913 - the entries with their context
    into: AppendedMessage,
    sight: Sight,
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
    candidates = {(actor_number(each.actor), each.data): each for each in asked}
    entries = into.entries
    state = before
    for each in appended:
        entry = each.entry
        if brief and entry.actor != _BY_CHANCE:
            _fill_brief_entry(entries.add(), sight, state, entry)
        else:
            candidate = candidates.get((entry.actor, entry.move))
            _fill_entry(entries.add(), sight, state, entry, candidate=candidate)
        state = each.state
    if not brief:
        into.position = state_for(sight, state).position()
    for actor in state.awaiting() if current is None else awaited(current, state):
        _fill_actor(into.awaiting.add(), actor)
    outcome = state.outcome()
    if outcome is not None:
        into.outcome.MergeFrom(outcome_message(sight.header.setup.seats, outcome))


def awaited(current: MatchSnapshot, state: GameState) -> tuple[Actor, ...]:
    """Who must act in this state of a match; seats that have to open choices, if it is the last."""
    if current.guards.closed:
        return ()
    return current.awaiting() if state == current.state else state.awaiting()


@lru_cache(maxsize=64)
def actor_message(actor: Actor) -> pb.Actor:
    """The message for an actor; not to be changed, as it is cached."""
    message = pb.Actor()
    _fill_actor(message, actor)
    return message


def _fill_actor(into: pb.Actor, actor: Actor) -> None:
    if isinstance(actor, Office):
        into.office = pb.OFFICE_CHANCE if actor is CHANCE else pb.OFFICE_ARBITER
    else:
        into.seat = actor


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


def match_message(match: str, current: MatchSnapshot, started: int, register: Register) -> pb.Match:
    """A match with its header and current state, as GetMatch returns it."""
    state = current.state
    outcome = state.outcome()
    message = pb.Match(
        match_id=match,
        header=HeaderMessage.FromString(encode_header(current.header)),
        sequence=current.sequence,
        awaiting=map(actor_message, awaited(current, state)),
        outcome=None if outcome is None else outcome_message(current.header.setup.seats, outcome),
        copy=current.copy,
        closed=current.guards.closed,
        people=known_people(current.header, register),
    )
    fill_time(message.start_time, started)
    return message


def known_people(header: MatchHeader, register: Register) -> Iterator[pb.KnownPerson]:
    """The personal data of the match that has not been deleted."""
    for each in header.people:
        fact = register.recall(each.commitment)
        if fact is not None:
            yield pb.KnownPerson(seat=each.seat, field=fact.field, value=fact.value)


def fill_time(into: Timestamp, microseconds: int) -> None:
    """Fill in a time of the records."""
    into.seconds, rest = divmod(microseconds, _MICROSECONDS_PER_SECOND)
    into.nanos = rest * 1000


def violations_of(header: MatchHeader, violations: Iterable[Violation]) -> Iterator[verdicts.RuleViolation]:
    """Broken rules, each with the rulings in force that concern it."""
    about = find_game(header.game).about
    for violation in violations:
        rule = violation.rule
        yield verdicts.RuleViolation(
            rule_id=rule.id,
            title=rule.title,
            source=rule.source,
            text=rule.text,
            why=violation.why,
            places=violation.places,
            rulings=[
                verdicts.RulingInForce(
                    name=each.ruling.name,
                    value=each.reading.value,
                    question=each.ruling.question,
                    meaning=each.reading.text,
                )
                for each in rulings_for(about, rule, header.setup.rulings)
            ],
        )


def report_message(report: AuditReport, *, whole: bool) -> verdicts.AuditReport:
    """The audit report of a match; unless it is whole, without what could reveal a hidden hand."""
    verdict = report.verdict
    if not whole:
        return verdicts.AuditReport(
            match_id=report.match,
            verdict=_VERDICTS[type(verdict)],
            entries=report.entries,
            good=report.good,
            first_bad=report.first_bad,
            why="" if isinstance(verdict, Verified) else _UNTIL_THE_END,
            game=report.game or "",
            edition=report.edition or "",
        )
    message = verdicts.AuditReport(
        match_id=report.match,
        verdict=_VERDICTS[type(verdict)],
        entries=report.entries,
        good=report.good,
        first_bad=report.first_bad,
        why=why(verdict) or "",
        recorded_events=report.recorded,
        ruled_events=report.ruled,
        position=report.position or "",
        game=report.game or "",
        edition=report.edition or "",
        unjudged=[verdicts.Unjudged(sequence=each.sequence, why=each.why) for each in report.unjudged],
    )
    if report.header is not None and isinstance(verdict, IllegalAt):
        message.violations.extend(violations_of(report.header, verdict.violations))
    return message
