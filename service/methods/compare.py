"""CompareRecords: where two records of one match differ, and the evidence for each."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from msgspec import Struct
from shiji.record.v1 import record_service_pb2 as pb

from records.audit.branches import read_branch
from records.audit.compare import Branch, Comparison, compare
from records.audit.comparison_words import comparison_words
from records.audit.record import audit_record
from records.audit.sources import CannotRead
from records.entry import MatchId
from records.ledger.ledger import Ledger
from records.ledger.results import NoSuchMatch
from records.replay.fold import BadRecord
from records.replay.wording import describe_entries
from rules.kernel.actors import AUDITOR
from service.authorization import Caller, require_reader
from service.errors import CallError, Reason, bad_field
from service.messages import Viewpoint
from service.requests import match_id
from service.resources import Resources
from service.state_messages import record_for
from service.verdict_messages import report_message
from service.work_queue import WorkLane, lane_for, lane_for_bytes

Made = TypeVar("Made")


class ComparedRecords(Struct, frozen=True):
    """Two records, and how they compare."""

    one: Branch
    other: Branch
    response: pb.CompareRecordsResponse


async def compare_records(
    resources: Resources, caller: Caller, request: pb.CompareRecordsRequest
) -> pb.CompareRecordsResponse:
    """Where two records of one match differ, and the evidence for each."""
    return await compared(resources, caller, request, _response)


def _response(found: ComparedRecords) -> pb.CompareRecordsResponse:
    return found.response


async def compared(
    resources: Resources,
    caller: Caller,
    request: pb.CompareRecordsRequest,
    make: Callable[[ComparedRecords], Made],
) -> Made:
    """What is made of a comparison, in a process for such work; raises CallError."""
    require_reader(caller)
    one = await resources.off_loop(partial(_record_of, resources, caller, request.one, "one"))
    other = await resources.off_loop(partial(_record_of, resources, caller, request.other, "other"))
    lane = max(_lane_of(one), _lane_of(other), key=lambda lane: lane is WorkLane.LONG)
    work = partial(_compare, one=one, other=other, make=make)
    matches, made = await resources.workers.run(caller.account, work, lane)
    for match in matches:  # only now the ids in files are known
        await resources.off_loop(partial(_require_may_compare, resources, caller, match))
    return made


def _require_may_compare(resources: Resources, caller: Caller, match: MatchId) -> None:
    """Raises CallError where the comparison could confirm a guess of what is hidden in a stored match."""
    try:
        current = resources.ledger.current(match)
    except (NoSuchMatch, BadRecord):
        return
    resources.access.require_hashes(caller, match, current)


class _Stored(Struct, frozen=True):
    """A record in the archive, with as many entries as the caller may compare."""

    match: MatchId
    length: int
    viewpoint: Viewpoint
    """As whom the caller sees it."""


def _record_of(
    resources: Resources, caller: Caller, message: pb.ComparedRecord, field: str
) -> _Stored | bytes:
    """A stored record that the caller may see, or the file in the request; raises CallError."""
    match message.WhichOneof("record"):
        case "match_id":
            match = match_id(message.match_id)
            current = resources.ledger.current(match)
            viewpoint = resources.access.looking(caller, match, current, AUDITOR)
            return _Stored(match, current.sequence + 1, viewpoint)
        case "content":
            return message.content
        case None:
            raise bad_field(field, "give the id of a stored match, or the content of a file")


def _lane_of(record: _Stored | bytes) -> WorkLane:
    if isinstance(record, _Stored):
        return lane_for(record.length)
    return lane_for_bytes(len(record))


def _compare(
    ledger: Ledger,
    *,
    one: _Stored | bytes,
    other: _Stored | bytes,
    make: Callable[[ComparedRecords], Made],
) -> tuple[list[MatchId], Made]:
    """The matches that the records are of, and what is made of their comparison; raises CallError."""
    here, there = _branch(ledger, one, "A"), _branch(ledger, other, "B")
    found = compare(here, there)
    response = pb.CompareRecordsResponse(
        common=found.identical,
        one=_message(ledger, here, found, 0),
        other=_message(ledger, there, found, 1),
        sentence=comparison_words(found, here.report, there.report),
        agreed=found.common,
        settings=[
            pb.ComparedSetting(name=each.name, one=each.one, other=each.other) for each in found.settings
        ],
    )
    matches = [branch.stored[0].match for branch in (here, there) if branch.stored]
    return matches, make(ComparedRecords(here, there, response))


def _branch(ledger: Ledger, record: _Stored | bytes, name: str) -> Branch:
    if not isinstance(record, _Stored):
        try:
            return read_branch(record)
        except CannotRead as fault:
            raise CallError(Reason.UNREADABLE_RECORD, f"record {name} cannot be read: {fault}") from None
    entries = tuple(record_for(record.viewpoint, list(ledger.read(record.match, 0, record.length))))
    return Branch(audit_record(record.match, entries), stored=entries)


def _message(ledger: Ledger, branch: Branch, found: Comparison, side: int) -> pb.ComparedBranch:
    common, entries = found.identical, branch.stored
    stored = list(ledger.log.read(entries[0].match, 0, len(entries))) if entries else []
    in_log = [entry.hash == logged.hash for entry, logged in zip(entries, stored, strict=False)]
    texts = [text or "" for text, _ in describe_entries(entries[: common + 1])] if entries else []
    message = pb.ComparedBranch(
        report=report_message(branch.report, whole=True),
        next=texts[common] if common < len(texts) else "",
        signed=sum(bool(entry.signature) for entry in entries),
        in_log=in_log.index(False) if False in in_log else len(in_log),
        after_agreement=(found.one, found.other)[side] or "",
        agreed_number=found.agreed[side],
        next_number=found.following[side],
    )
    if branch.proven is not None and branch.proven.checkpoint is not None:
        checkpoint = branch.proven.checkpoint
        message.proven_log.CopyFrom(
            pb.ProvenLog(
                origin=checkpoint.origin,
                size=checkpoint.size,
                signers=[f"{each.key.name}+{each.key.id:08x}" for each in branch.proven.signers],
            )
        )
    return message
