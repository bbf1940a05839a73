"""Entries other than moves: retractions, and notices that leave the state as it is."""

from typing import Final

from records.codec.evidence import decode_commitment, decode_request
from records.codec.header import Retraction, encode_retraction
from records.entry import MOVE, RETRACT, EntryKind, MatchId, TakebackPolicy, actor_number
from records.ledger.builder import EntryBuilder, Notice, PreparedAppend
from records.ledger.ledger import Ledger, require_request_id
from records.ledger.results import Appended, NotAllowed, NothingToRetract, RecordFull
from records.replay.entry_rules import actor_fault
from records.replay.entry_text import check_statement
from records.replay.fold import MOST_ENTRIES, MatchSnapshot
from records.replay.guards import GuardRejected
from records.replay.policies import TAKEBACK_1, may_not_retract
from records.replay.sealed_draws import unopenable
from records.text import BadText
from rules.kernel.actors import CHANCE, Actor, Office
from rules.kernel.rule import Violation

_BY_CHANCE: Final = actor_number(CHANCE)


def add_notice(ledger: Ledger, match: MatchId, expected: int, request: str, notice: Notice) -> Appended:
    """Append a notice, such as a key rotation; raises GuardRejected."""
    judged = judge_notice(ledger, match, expected, request, notice)
    return (ledger.store(judged) if isinstance(judged, PreparedAppend) else judged)[0]


def retract(  # noqa: PLR0913, PLR0917 - an entry has many parts
    ledger: Ledger, match: MatchId, expected: int, request: str, actor: Actor, retraction: Retraction
) -> Appended:
    """Return to the state after an earlier entry, by a further entry; nothing is deleted.

    Raises NotAllowed if the header does not allow it to the actor, NothingToRetract and BadText.
    """
    judged = judge_retract(ledger, match, expected, request, actor, retraction)
    return (ledger.store(judged) if isinstance(judged, PreparedAppend) else judged)[0]


def judge_retract(  # noqa: PLR0913, PLR0917 - an entry has many parts
    ledger: Ledger,
    match: MatchId,
    expected: int,
    request: str,
    actor: Actor,
    retraction: Retraction,
    *,
    signature: bytes = b"",
) -> PreparedAppend | tuple[Appended, ...]:
    """What retract would store, or its result if that was stored before.

    If the service deals and a draw is taken back, the same tiles are drawn again.
    """
    require_request_id(request)
    back_to = retraction.to_sequence
    if not 0 <= back_to < expected:
        raise NothingToRetract(f"from entry {expected} nothing goes back to entry {back_to}")
    number, move = actor_number(actor), encode_retraction(retraction)
    check_statement(RETRACT, move)
    current = ledger.known(match)
    if current.sequence != expected:
        repeat = ledger.repeated(match, request, [(RETRACT, number, move)])
        if repeat:
            return repeat
        current = ledger.at_expected(match, expected, current)
    violation = may_not_retract(current.header, actor, current.guards.disputes, back_to) or _crosses_draw(
        ledger, match, current, actor, back_to
    )
    if violation is not None:
        raise NotAllowed(violation)
    if expected >= MOST_ENTRIES:
        raise RecordFull(match, MOST_ENTRIES)
    run = EntryBuilder(match, current, request, ledger.clock())
    run.go_back(actor, move, ledger.state_at(match, back_to), signature)
    secret = ledger.secret(current.header, match)
    if secret is not None:
        run.deal(secret)
    return run.ready()


def _crosses_draw(
    ledger: Ledger, match: MatchId, current: MatchSnapshot, actor: Actor, back_to: int
) -> Violation | None:
    """Why a seat may not take back this far: it would choose again, knowing what was drawn.

    Records from before this rule may have such retractions, so audits do not ask for it.
    """
    if isinstance(actor, Office) or current.header.takebacks is TakebackPolicy.PAST_REVEALED:
        return None
    for entry in ledger.read(match, back_to + 1):
        if entry.kind == MOVE and entry.actor == _BY_CHANCE:
            return Violation(
                TAKEBACK_1,
                f"a seat does not take back past the draw in entry {entry.sequence}, which has shown "
                "something; the arbiter may",
            )
    return None


def judge_notice(
    ledger: Ledger, match: MatchId, expected: int, request: str, notice: Notice
) -> PreparedAppend | tuple[Appended, ...]:
    """What add_notice would store, or its result if that was stored before.

    Raises GuardRejected if a guard does not allow it, BadText if its text cannot be stored, and NotAllowed
    for the request of a takeback that nobody can grant.
    """
    require_request_id(request)
    _require_clean_text(notice)
    current = ledger.known(match)
    stranger = actor_fault(current.header, notice.kind, actor_number(notice.actor))
    if stranger is not None:
        raise GuardRejected(stranger)
    if current.sequence != expected:
        repeat = ledger.repeated(match, request, [(notice.kind, actor_number(notice.actor), notice.content)])
        if repeat:
            return repeat
        current = ledger.at_expected(match, expected, current)
    if notice.kind is EntryKind.REQUEST_TAKEBACK:
        back_to = decode_request(notice.content).to_sequence
        violation = _crosses_draw(ledger, match, current, notice.actor, back_to)
        if violation is not None:
            raise NotAllowed(violation)
    if expected >= MOST_ENTRIES:
        raise RecordFull(match, MOST_ENTRIES)
    _require_openable(current, notice)
    run = EntryBuilder(match, current, request, ledger.clock())
    run.note(notice)
    secret = ledger.secret(current.header, match)
    if secret is not None:
        run.deal(secret)
    return run.ready()


def _require_clean_text(notice: Notice) -> None:
    try:
        check_statement(notice.kind, notice.content)
    except BadText:
        raise
    except ValueError as fault:
        raise GuardRejected(str(fault)) from fault


def _require_openable(current: MatchSnapshot, notice: Notice) -> None:
    sealing = current.guards.sealing
    if notice.kind is EntryKind.COMMIT_SHARE and sealing is not None:
        why = unopenable(sealing, actor_number(notice.actor), decode_commitment(notice.content))
        if why is not None:
            raise GuardRejected(why)
