"""Methods that read records: ReadRecord, FollowRecord, FollowArchive, ExportRecord."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial

from shiji.record.v1 import record_service_pb2 as pb

from records.answers import NoSuchEntry
from records.entry import Entry, MatchId
from records.exchange import as_transcript
from records.record_file import write_record
from records.transcript import write_transcript
from rules.kernel.actors import AUDITOR, SPECTATOR, Viewer
from service.access import Caller, refuse_curious, refuse_other_match, refuse_unless_reader
from service.desk import Desk
from service.errors import Reason, Refused, bad_field
from service.following import PAGE, Link, Walk
from service.messages import conceals, hides_hashes
from service.requests import ONLOOKERS, match_id, viewer_of


async def read_record(
    desk: Desk, caller: Caller, request: pb.ReadRecordRequest
) -> AsyncIterator[pb.ReadRecordResponse]:
    """The entries that there are now."""
    match, viewer = _asked(desk, caller, request)
    walk = Walk(desk.ledger)
    cursor, last = request.from_sequence, desk.ledger.current(match).sequence
    while cursor <= last:
        for entry in list(desk.ledger.read(match, cursor, PAGE)):
            yield pb.ReadRecordResponse(entry=walk.link(entry).seen(viewer))
            cursor += 1
        await asyncio.sleep(0)


async def follow_record(
    desk: Desk, caller: Caller, request: pb.FollowRecordRequest
) -> AsyncIterator[pb.FollowRecordResponse]:
    """The entries that there are, and those that come."""
    match, viewer = _asked(desk, caller, request)
    hub, cursor = desk.hub, request.from_sequence
    walk = Walk(desk.ledger)
    with hub.follower():
        while True:
            links = hub.of_match(match, cursor)
            if not links:
                links = [walk.link(entry) for entry in desk.ledger.read(match, cursor, PAGE)]
            if desk.shutdown.begun:
                raise _stopping(cursor)
            for link in links:
                last = max(links[-1].entry.sequence, desk.ledger.known(match).sequence)
                yield pb.FollowRecordResponse(entry=link.seen(viewer), last_sequence=last)
                cursor += 1
            if not links:
                await desk.shutdown.wait_for(partial(hub.news, match))


async def follow_archive(
    desk: Desk, caller: Caller, request: pb.FollowArchiveRequest
) -> AsyncIterator[pb.FollowArchiveResponse]:
    """Every entry of the archive, and those that come."""
    refuse_unless_reader(caller)
    viewer = _onlooker(request)
    hub, log, cursor = desk.hub, desk.ledger.log, request.after_position
    if cursor > log.last_position():
        raise Refused(
            Reason.NO_SUCH_ENTRY,
            f"the archive ends at position {log.last_position()}",
            {"sequence": str(cursor)},
        )
    walk = Walk(desk.ledger)
    with hub.follower():
        while True:
            links = hub.of_archive(cursor)
            if not links:
                links = [walk.link(entry) for entry in log.archive(cursor, PAGE)]
            if desk.shutdown.begun:
                raise _stopping(cursor)
            for link in links:
                seen = link.seen(_allowed(desk, caller, link, viewer))
                last = max(hub.position, links[-1].entry.position)
                yield pb.FollowArchiveResponse(entry=seen, last_position=last)
                cursor += 1
            if not links:
                await desk.shutdown.wait_for(partial(hub.news, None))


async def export_record(
    desk: Desk, caller: Caller, request: pb.ExportRecordRequest
) -> pb.ExportRecordResponse:
    """A record as a file."""
    match = match_id(request.match_id)
    refuse_other_match(caller, match)
    current = desk.ledger.current(match)
    if request.format not in pb.RecordFormat.values():
        raise bad_field("format", f"{request.format} is not known")
    viewer = viewer_of(request.viewer, current.header) if request.HasField("viewer") else AUDITOR
    if viewer is AUDITOR and not conceals(current.standing, SPECTATOR):
        viewer = SPECTATOR  # there is nothing to hide
    elif viewer is not AUDITOR and hides_hashes(current.header, current.standing, viewer):
        raise bad_field("viewer", "hidden hands that are not sealed are exported to an auditor only")
    refuse_curious(caller, match, current, viewer)
    walk, entries = Walk(desk.ledger), list(desk.ledger.read(match))
    shown = [walk.link(entry).shown(viewer) for entry in entries]
    whole = request.format == pb.RECORD_FORMAT_RECORD
    content = await asyncio.to_thread(_written, shown, whole=whole)
    if len(content) > desk.largest:
        raise Refused(
            Reason.TOO_LARGE, f"the record has {len(content)} bytes, a message at most {desk.largest}"
        )
    return pb.ExportRecordResponse(content=content, file_name=f"{match}.{'jsonl' if whole else 'shiji'}")


def _written(entries: list[Entry], *, whole: bool) -> bytes:
    return b"".join(write_record(entries)) if whole else write_transcript(as_transcript(entries)).encode()


def _asked(
    desk: Desk, caller: Caller, request: pb.ReadRecordRequest | pb.FollowRecordRequest
) -> tuple[MatchId, Viewer]:
    """Which match, and who looks, if he may and the record goes so far."""
    match = match_id(request.match_id)
    refuse_other_match(caller, match)
    current = desk.ledger.current(match)
    viewer = viewer_of(request.viewer, current.header)
    refuse_curious(caller, match, current, viewer)
    if request.from_sequence > current.sequence + 1:
        raise NoSuchEntry(match, request.from_sequence)
    return match, viewer


def _onlooker(request: pb.FollowArchiveRequest) -> Viewer:
    viewer = request.viewer
    if viewer.WhichOneof("viewer") == "seat":
        raise bad_field("viewer.seat", "the archive is followed by a spectator or an auditor")
    if viewer.onlooker not in ONLOOKERS:
        raise bad_field("viewer.onlooker", f"{viewer.onlooker} is not known")
    return ONLOOKERS[viewer.onlooker]


def _allowed(desk: Desk, caller: Caller, link: Link, viewer: Viewer) -> Viewer:
    """An auditor follows matches with hidden hands as a spectator until they are over."""
    if viewer is not AUDITOR or not conceals(link.before, SPECTATOR):
        return viewer
    try:
        refuse_curious(caller, link.entry.match, desk.ledger.known(link.entry.match), AUDITOR)
    except Refused:
        return SPECTATOR
    return AUDITOR


def _stopping(cursor: int) -> Refused:
    return Refused(
        Reason.DRAINING, f"the server is stopping; resume from {cursor}", {"resume_from": str(cursor)}
    )
