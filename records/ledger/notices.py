"""Entries other than moves: retractions, and notices that leave the state as it is."""

from typing import Final

from records.codec.evidence import decode_commitment, decode_request
from records.codec.header import Retraction, encode_retraction
from records.entry import RETRACT, EntryKind, MatchId, actor_number
from records.files.comments import RESULT
from records.files.tags import UNSTATED
from records.ledger.builder import Notice, PreparedAppend
from records.ledger.ledger import Ledger, require_request_id
from records.ledger.results import Appended, NotAllowed, NothingToRetract
from records.ledger.room import require_room
from records.replay.entry_rules import actor_fault
from records.replay.entry_text import check_statement
from records.replay.fold import MatchSnapshot
from records.replay.guards import GuardRejected
from records.replay.policies import crosses_draw, may_not_retract
from records.replay.seals import unopenable
from records.text import BadText
from rules.kernel.actors import Actor

_OWN_USE_CASES: Final = frozenset({EntryKind.OPEN_CHOICE, EntryKind.ANSWER_FOR})
"""Notices that are judged by the rules of the game: see records.ledger.choices."""


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
    current = ledger.playable(match)
    if current.sequence != expected:
        repeat = ledger.repeated(match, request, [(RETRACT, number, move)])
        if repeat:
            return repeat
        current = ledger.at_expected(match, expected, current)
    if dict(current.header.tags).get(RESULT, UNSTATED) != UNSTATED:
        raise GuardRejected(
            "the header states how the match ended, so nothing of it is taken back; "
            "to play on, import its moves without the tag Result"
        )
    violation = may_not_retract(current.header, actor, current.guards.disputes, back_to) or crosses_draw(
        current.header, actor, ledger.read(match, back_to + 1)
    )
    if violation is not None:
        raise NotAllowed(violation)
    require_room(match, current, number, RETRACT)
    run = ledger.builder(match, current, request)
    run.go_back(actor, move, ledger.state_at(match, back_to), signature)
    run.deal()
    return run.ready()


def judge_notice(
    ledger: Ledger, match: MatchId, expected: int, request: str, notice: Notice
) -> PreparedAppend | tuple[Appended, ...]:
    """What add_notice would store, or its result if that was stored before.

    Raises GuardRejected if a guard does not allow it, BadText if its text cannot be stored, and NotAllowed
    for the request of a takeback that nobody can grant.
    """
    require_request_id(request)
    _require_clean_text(notice)
    current = ledger.playable(match)
    stranger = actor_fault(current.header, notice.kind, actor_number(notice.actor))
    if stranger is not None:
        raise GuardRejected(stranger)
    if current.sequence != expected:
        repeat = ledger.repeated(match, request, [(notice.kind, actor_number(notice.actor), notice.content)])
        if repeat:
            return repeat
        current = ledger.at_expected(match, expected, current)
    require_room(match, current, actor_number(notice.actor), notice.kind)
    if notice.kind in _OWN_USE_CASES:
        raise GuardRejected("choices are made and answered one by one, by calls of their own")
    if notice.kind is EntryKind.CLOSE and current.state.outcome() is not None:
        raise GuardRejected("the match is over already")
    _require_openable(current, notice)
    _require_no_draw(ledger, match, current, notice)
    run = ledger.builder(match, current, request)
    run.note(notice)
    run.deal()
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


def _require_no_draw(ledger: Ledger, match: MatchId, current: MatchSnapshot, notice: Notice) -> None:
    """NotAllowed for a request that could not be followed even if all grant it."""
    if notice.kind is not EntryKind.REQUEST_TAKEBACK:
        return
    back_to = decode_request(notice.content).to_sequence
    crossed = crosses_draw(current.header, notice.actor, ledger.read(match, back_to + 1))
    if crossed is not None:
        raise NotAllowed(crossed)
