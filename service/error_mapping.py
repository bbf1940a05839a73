"""Maps exceptions of the records to the errors that callers get."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from shiji.verdict.v1.verdict_pb2 import RuleViolation

from records.codec.shape import CorruptMove
from records.entry import MatchHeader
from records.evidence.merkle import OutsideTree
from records.files.record_file import UnreadableRecord
from records.files.transcript import UnreadableTranscript
from records.games.registry import UnknownGame
from records.ledger.loading import CacheTooSmall
from records.ledger.results import (
    BadRequestId,
    BatchCrossesDraw,
    IllegalAmong,
    NoDealer,
    NoSuchEntry,
    NoSuchMatch,
    NotAllowed,
    NothingToRetract,
    RecordFull,
    RecordIsCopy,
    TooManyNotices,
)
from records.log.contract import (
    LogForbidden,
    LogFull,
    LogReadOnly,
    LogUnavailable,
    LogUnreadable,
    RequestReused,
    SequenceTaken,
)
from records.replay.fold import BadRecord, UnknownEntry
from records.replay.guards import GuardRejected, MatchFrozen, NotSigned
from records.text import BadText
from rules.kernel.edition import UnknownEdition, UnknownOption, UnknownRuling
from rules.kernel.setup import BadSetup
from rules.kernel.text import Unreadable
from service.errors import BadField, CallError, Reason, bad_field
from service.verdict_messages import violations_of

CACHE_RETRY_SECONDS: Final = 1.0
"""When a caller should try again whose record left the cache before it was used."""


def error_for(fault: Exception) -> CallError | None:
    """The error for an exception of the records, with it as the cause; None for an internal error."""
    if isinstance(fault, CallError):
        return fault
    error = _request_error(fault) or _reading_error(fault) or _storage_error(fault)
    if error is not None:
        error.__cause__ = fault
    return error


_ABOUT_A_MATCH: Final[Mapping[type[Exception], Reason]] = MappingProxyType(
    {
        NoSuchMatch: Reason.NO_SUCH_MATCH,
        RecordFull: Reason.RECORD_FULL,
        TooManyNotices: Reason.TOO_MANY_NOTICES,
        RecordIsCopy: Reason.RECORD_IS_COPY,
        NoDealer: Reason.NO_DEALER,
    }
)


def _request_error(fault: Exception) -> CallError | None:
    match fault:
        case NoSuchMatch() | RecordFull() | TooManyNotices() | RecordIsCopy() | NoDealer():
            return CallError(_ABOUT_A_MATCH[type(fault)], str(fault), {"match_id": fault.match})
        case NoSuchEntry():
            metadata = {"match_id": fault.match, "sequence": str(fault.sequence)}
            return CallError(Reason.NO_SUCH_ENTRY, str(fault), metadata)
        case SequenceTaken():
            metadata = {"match_id": fault.match, "actual_sequence": str(fault.actual)}
            return CallError(Reason.SEQUENCE_TAKEN, str(fault), metadata)
        case RequestReused():
            first = fault.first
            metadata = {"match_id": first.match, "sequence": str(first.sequence)}
            return CallError(Reason.REQUEST_REUSED, str(fault), metadata)
        case NothingToRetract():
            return CallError(Reason.NOTHING_TO_RETRACT, str(fault))
        case NotSigned():
            return CallError(Reason.NOT_SIGNED, str(fault))
        case MatchFrozen():
            return CallError(Reason.MATCH_FROZEN, str(fault))
        case GuardRejected():
            return CallError(Reason.NOT_VOUCHED, str(fault))
        case OutsideTree():
            return CallError(Reason.OUTSIDE_LOG, str(fault))
        case BatchCrossesDraw():
            return bad_field(f"moves[{fault.index}]", str(fault))
        case BadRequestId():
            return bad_field("request_id", str(fault))
        case BadText():
            return bad_field(fault.field, fault.why)
        case _:
            return None


def _reading_error(fault: Exception) -> CallError | None:
    match fault:
        case CorruptMove():
            return CallError(Reason.UNREADABLE_MOVE, str(fault))
        case UnreadableTranscript():
            metadata = {"line": str(fault.line), "column": str(fault.column)}
            return CallError(Reason.UNREADABLE_RECORD, str(fault), metadata)
        case UnreadableRecord():
            return CallError(Reason.UNREADABLE_RECORD, str(fault), {"line": str(fault.line)})
        case Unreadable():
            return CallError(
                Reason.UNREADABLE_MOVE,
                f"column {fault.column}: {fault.why}",
                {"column": str(fault.column)},
            )
        case BadSetup():
            return CallError(
                Reason.BAD_SETUP,
                f"{fault.field}: {fault}",
                {"field": fault.field},
                (BadField(fault.field, str(fault)),),
            )
        case UnknownGame():
            return CallError(Reason.UNKNOWN_GAME, str(fault), {"game": fault.game})
        case UnknownEdition():
            return CallError(Reason.UNKNOWN_EDITION, str(fault))
        case UnknownRuling():
            return CallError(Reason.UNKNOWN_RULING, str(fault), {"ruling": fault.name})
        case UnknownOption():
            return CallError(Reason.UNKNOWN_OPTION, str(fault), {"option": fault.name})
        case _:
            return None


def _storage_error(fault: Exception) -> CallError | None:
    """Messages to callers do not name files; the operator's log does."""
    match fault:
        case UnknownEntry():
            metadata = {"match_id": fault.match, "sequence": str(fault.sequence)}
            return CallError(Reason.UNKNOWN_ENTRY, str(fault), metadata)
        case BadRecord():
            metadata = {"match_id": fault.match, "sequence": str(fault.sequence)}
            return CallError(Reason.CORRUPT_RECORD, str(fault), metadata)
        case LogFull():
            return CallError(Reason.STORAGE_FULL, "the disk of the archive is full; nothing was stored")
        case LogForbidden():
            message = "the database refuses this to the server: the operator has to grant it a role"
            return CallError(Reason.STORAGE_FORBIDDEN, message)
        case LogReadOnly():
            message = f"the archive can only be read now, because {fault}; send the request again"
            return CallError(Reason.STORAGE_UNAVAILABLE, message)
        case LogUnavailable():
            return CallError(
                Reason.STORAGE_UNAVAILABLE, "the archive is not available now; send the request again"
            )
        case CacheTooSmall():
            return CallError(
                Reason.TOO_MANY_CALLS,
                f"{fault} (cache-matches)",
                {"limit": "cache-matches"},
                retry=CACHE_RETRY_SECONDS,
            )
        case LogUnreadable():
            return CallError(Reason.CORRUPT_RECORD, "the archive contains something that is not an entry")
        case _:
            return None


def broken_rules(header: MatchHeader, illegal: IllegalAmong) -> CallError:
    """The error for an illegal move."""
    return _broken(violations_of(header, illegal.verdict.violations), {"index": str(illegal.index)})


def not_allowed(header: MatchHeader, fault: NotAllowed) -> CallError:
    """The error for a takeback that the header does not allow."""
    return _broken(violations_of(header, (fault.violation,)), {})


def _broken(violations: Iterable[RuleViolation], metadata: dict[str, str]) -> CallError:
    every = tuple(violations)
    message = "; ".join(f"{each.rule_id}: {each.why}" for each in every)
    rules = ",".join(each.rule_id for each in every)
    return CallError(Reason.RULE_BROKEN, message, {"rules": rules, **metadata}, violations=every)
