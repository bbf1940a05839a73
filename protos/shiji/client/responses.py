"""Converts response messages to Python values."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

from shiji.client.actors import Actor, Office, Seat
from shiji.client.digests import VERSION_1
from shiji.client.evidence import Commitment, OpenedPlace, Part
from shiji.client.kinds import Chance, EntryKind, OutcomeKind, RetractPolicy, Verdict
from shiji.client.values import (
    Accepted,
    AuditReport,
    Branch,
    Comparison,
    EditionTally,
    Entry,
    ExportPage,
    Illegal,
    Imported,
    Legal,
    LegalMove,
    Match,
    Outcome,
    Progress,
    RulingInForce,
    Score,
    Started,
    State,
    Summary,
    Unjudged,
    Violation,
)
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import evidence_pb2 as evidence
from shiji.record.v1 import header_pb2 as headers
from shiji.record.v1 import record_service_pb2 as pb
from shiji.verdict.v1 import verdict_pb2 as verdicts

_CHANCES: Final = {
    (headers.DRAWS_UNRECORDED, headers.DEALER_UNSPECIFIED): Chance.UNRECORDED,
    (headers.DRAWS_RECORDED, headers.DEALER_UNSPECIFIED): Chance.RECORDED,
    (headers.DRAWS_RECORDED, headers.DEALER_SERVICE): Chance.SERVICE,
}
_RETRACTS: Final = {
    headers.RETRACT_POLICY_ARBITER: RetractPolicy.ARBITER,
    headers.RETRACT_POLICY_NOBODY: RetractPolicy.NOBODY,
    headers.RETRACT_POLICY_ANY_SEAT: RetractPolicy.ANY_SEAT,
}
_OUTCOME_KINDS: Final = {
    entries.OUTCOME_KIND_WON: OutcomeKind.WON,
    entries.OUTCOME_KIND_ALL_WON: OutcomeKind.ALL_WON,
    entries.OUTCOME_KIND_NOBODY_WON: OutcomeKind.NOBODY_WON,
}


def actor(message: entries.Actor) -> Actor:
    """Convert an actor."""
    if message.WhichOneof("actor") == "seat":
        return Seat(message.seat, message.name)
    return Office[entries.Office.Name(message.office).removeprefix("OFFICE_")]


def entry(message: entries.Entry) -> Entry:
    """Convert an entry."""
    return Entry(
        match_id=message.match_id,
        sequence=message.sequence,
        log_number=message.position,
        kind=EntryKind[entries.EntryKind.Name(message.kind).removeprefix("ENTRY_KIND_")],
        actor=actor(message.actor),
        text=message.text,
        move=message.move,
        events=message.events,
        state_digest=message.state_digest,
        previous_hash=message.previous_hash,
        hash=message.hash,
        request_id=message.request_id,
        signature=message.signature,
        secret=message.secret,
        recorded=_time(message.record_time),
        version=message.version or VERSION_1,
        concealed=tuple(Commitment(each.kind, each.audience, each.digest) for each in message.concealed),
        parts=tuple(Part(each.place, each.salt, each.content) for each in message.parts),
        openings=tuple(map(_opened, message.openings)),
    )


def _opened(message: evidence.Opening) -> OpenedPlace:
    return OpenedPlace(message.index, message.token, message.salt, tuple(message.proof), message.deck)


def accepted(message: pb.Appended) -> Accepted:
    """Convert the report of stored entries."""
    return Accepted(
        entries=tuple(map(entry, message.entries)),
        position=message.position,
        awaiting=_actors(message.awaiting),
        outcome=_outcome(message),
    )


def match(message: entries.Match) -> Match:
    """Convert a match."""
    header = message.header
    seats = tuple(seat.name for seat in header.seats)
    return Match(
        id=message.match_id,
        game=header.game,
        edition=header.edition,
        rulings=_pairs(header.rulings),
        options=_pairs(header.options),
        components=header.components,
        seats=seats,
        chance=_CHANCES.get((header.draws, header.dealer), Chance.UNRECORDED),
        retract=_RETRACTS.get(header.retract, RetractPolicy.ARBITER),
        tags=_pairs(header.tags),
        sequence=message.sequence,
        started=_time(message.start_time),
        awaiting=_actors(message.awaiting),
        outcome=_outcome(message),
        people=tuple((Seat(each.seat, seats[each.seat]), each.field, each.value) for each in message.people),
        copy=message.copy,
        closed=message.closed,
        damage=message.damage,
    )


def started(message: pb.StartMatchResponse) -> Started:
    """Convert a started match."""
    return Started(
        match=match(message.match),
        entries=tuple(map(entry, message.entries)),
        position=message.position,
        seat_tokens=tuple(message.seat_tokens),
    )


def checked(message: pb.CheckMoveResponse) -> Legal | Illegal:
    """Convert the verdict of a check."""
    if not message.legal:
        return illegal(message.violations)
    return Legal(
        events=tuple(message.events),
        position=message.position,
        awaiting=_actors(message.awaiting),
        outcome=_outcome(message),
    )


def illegal(violations: Iterable[verdicts.RuleViolation], index: int = 0) -> Illegal:
    """Convert the rules that a move breaks."""
    return Illegal(tuple(map(_violation, violations)), index)


def legal_move(message: pb.LegalMove) -> LegalMove:
    """Convert a legal move."""
    return LegalMove(message.text, message.data)


def state(message: pb.GetStateResponse) -> State:
    """Convert a state."""
    return State(
        match_id=message.match_id,
        sequence=message.sequence,
        position=message.position,
        awaiting=_actors(message.awaiting),
        outcome=_outcome(message),
        turn=message.turn,
        digest=message.state_digest,
        drawing=message.drawing,
        svg=message.svg,
    )


def imported(message: pb.ImportRecordResponse) -> Imported:
    """Convert the result of an import."""
    return Imported(message.match_id, message.entries, message.added, message.copy)


def export_page(message: pb.ExportRecordResponse) -> ExportPage:
    """Convert an exported record."""
    return ExportPage(message.content, message.file_name, message.next_page_token)


def report(message: verdicts.AuditReport) -> AuditReport:
    """Convert the audit report of one record."""
    return AuditReport(
        match_id=message.match_id,
        verdict=Verdict[verdicts.Verdict.Name(message.verdict).removeprefix("VERDICT_")],
        entries=message.entries,
        good=message.good,
        first_bad=message.first_bad if message.HasField("first_bad") else None,
        why=message.why,
        violations=tuple(map(_violation, message.violations)),
        recorded_events=tuple(message.recorded_events),
        ruled_events=tuple(message.ruled_events),
        position=message.position,
        game=message.game,
        edition=message.edition,
        unjudged=tuple(Unjudged(each.sequence, each.why) for each in message.unjudged),
    )


def comparison(message: pb.CompareRecordsResponse) -> Comparison:
    """Convert a comparison of two records."""
    return Comparison(message.common, _branch(message.one), _branch(message.other), message.sentence)


def audit_part(message: pb.AuditArchiveResponse) -> Progress | AuditReport | Summary:
    """Convert one response of an audit of the archive."""
    match message.WhichOneof("part"):
        case "report":
            return report(message.report)
        case "summary":
            return _summary(message.summary)
        case _:
            return Progress(message.progress.done, message.progress.total)


def _branch(message: pb.ComparedBranch) -> Branch:
    return Branch(
        report(message.report),
        message.next,
        message.signed,
        message.in_log,
        message.after_agreement,
        message.next_number if message.HasField("next_number") else None,
        message.proven_log.origin,
    )


def _summary(message: verdicts.AuditSummary) -> Summary:
    return Summary(
        matches=message.matches,
        entries=message.entries,
        log_number=message.position,
        editions=tuple(
            EditionTally(
                game=tally.game,
                edition=tally.edition,
                verified=tally.verified,
                illegal=tally.illegal,
                diverged=tally.diverged,
                corrupt=tally.corrupt,
                as_shown=tally.as_shown,
            )
            for tally in message.editions
        ),
        rules=tuple((tally.rule_id, tally.matches) for tally in message.rules),
        flaws=tuple(message.flaws),
        clean=message.clean,
        not_checked=tuple(message.not_checked),
    )


def _violation(message: verdicts.RuleViolation) -> Violation:
    return Violation(
        rule=message.rule_id,
        title=message.title,
        source=message.source,
        text=message.text,
        why=message.why,
        places=tuple(message.places),
        rulings=tuple(
            RulingInForce(each.name, each.value, each.question, each.meaning) for each in message.rulings
        ),
    )


def _actors(messages: Iterable[entries.Actor]) -> tuple[Actor, ...]:
    return tuple(map(actor, messages))


def _outcome(
    message: pb.Appended | pb.CheckMoveResponse | pb.GetStateResponse | entries.Match,
) -> Outcome | None:
    if not message.HasField("outcome"):
        return None
    outcome = message.outcome
    return Outcome(
        winners=tuple(outcome.winners),
        ranking=tuple(tuple(rank.seats) for rank in outcome.ranking),
        reason=outcome.reason,
        kind=_OUTCOME_KINDS.get(outcome.kind, OutcomeKind.WON),
        scores=tuple(
            Score(score.owner, score.points, tuple((each.category, each.points) for each in score.categories))
            for score in outcome.scores
        ),
    )


def _pairs(messages: Iterable[headers.Ruling | headers.Option | headers.Tag]) -> tuple[tuple[str, str], ...]:
    return tuple((each.name, each.value) for each in messages)


def _time(stamp: Timestamp) -> datetime:
    return stamp.ToDatetime(tzinfo=UTC)
