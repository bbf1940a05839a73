"""Methods that read records: ReadRecord, FollowRecord, FollowArchive, ExportRecord."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial

from shiji.record.v1 import record_service_pb2 as pb

from records.entry import Entry, MatchId
from records.files.record_file import write_record
from records.files.transcript import write_transcript
from records.ledger.results import NoSuchEntry
from records.ledger.transfer import as_transcript
from rules.kernel.actors import AUDITOR, SPECTATOR, Viewer
from service.authorization import Caller, require_may_see, require_own_match, require_reader
from service.errors import CallError, Reason, bad_field
from service.feed import PAGE, FeedItem, StateTracker
from service.messages import conceals, hides_hashes
from service.requests import ONLOOKERS, match_id, viewer_of
from service.resources import Resources


async def read_record(
    resources: Resources, caller: Caller, request: pb.ReadRecordRequest
) -> AsyncIterator[pb.ReadRecordResponse]:
    """The entries that there are now."""
    match, viewer = _asked(resources, caller, request)
    walk = StateTracker(resources.ledger)
    cursor, last = request.from_sequence, resources.ledger.current(match).sequence
    while cursor <= last:
        for entry in list(resources.ledger.read(match, cursor, PAGE)):
            yield pb.ReadRecordResponse(entry=walk.link(entry).seen(viewer))
            cursor += 1
        await asyncio.sleep(0)


async def follow_record(
    resources: Resources, caller: Caller, request: pb.FollowRecordRequest
) -> AsyncIterator[pb.FollowRecordResponse]:
    """The entries that there are, and those that come."""
    match, viewer = _asked(resources, caller, request)
    feed, cursor = resources.feed, request.from_sequence
    walk = StateTracker(resources.ledger)
    with feed.follower():
        while True:
            links = feed.of_match(match, cursor)
            if not links:
                links = [walk.link(entry) for entry in resources.ledger.read(match, cursor, PAGE)]
            if resources.shutdown.begun:
                raise _stopping(cursor)
            for link in links:
                last = max(links[-1].entry.sequence, resources.ledger.known(match).sequence)
                yield pb.FollowRecordResponse(entry=link.seen(viewer), last_sequence=last)
                cursor += 1
            if not links:
                await resources.shutdown.wait_for(partial(feed.news, match))


async def follow_archive(
    resources: Resources, caller: Caller, request: pb.FollowArchiveRequest
) -> AsyncIterator[pb.FollowArchiveResponse]:
    """Every entry of the archive, and those that come."""
    require_reader(caller)
    viewer = _onlooker(request)
    feed, log, cursor = resources.feed, resources.ledger.log, request.after_position
    if cursor > log.last_position():
        raise CallError(
            Reason.NO_SUCH_ENTRY,
            f"the archive ends at position {log.last_position()}",
            {"sequence": str(cursor)},
        )
    walk = StateTracker(resources.ledger)
    with feed.follower():
        while True:
            links = feed.of_archive(cursor)
            if not links:
                links = [walk.link(entry) for entry in log.archive(cursor, PAGE)]
            if resources.shutdown.begun:
                raise _stopping(cursor)
            for link in links:
                seen = link.seen(_allowed(resources, caller, link, viewer))
                last = max(feed.position, links[-1].entry.position)
                yield pb.FollowArchiveResponse(entry=seen, last_position=last)
                cursor += 1
            if not links:
                await resources.shutdown.wait_for(partial(feed.news, None))


async def export_record(
    resources: Resources, caller: Caller, request: pb.ExportRecordRequest
) -> pb.ExportRecordResponse:
    """A record as a file."""
    match = match_id(request.match_id)
    require_own_match(caller, match)
    current = resources.ledger.current(match)
    if request.format not in pb.RecordFormat.values():
        raise bad_field("format", f"{request.format} is not known")
    viewer = viewer_of(request.viewer, current.header) if request.HasField("viewer") else AUDITOR
    if viewer is AUDITOR and not conceals(current.state, SPECTATOR):
        viewer = SPECTATOR  # there is nothing to hide
    elif viewer is not AUDITOR and hides_hashes(current.header, current.state, viewer):
        raise bad_field("viewer", "hidden hands that are not sealed are exported to an auditor only")
    require_may_see(caller, match, current, viewer)
    walk, entries = StateTracker(resources.ledger), list(resources.ledger.read(match))
    shown = [walk.link(entry).shown(viewer) for entry in entries]
    whole = request.format == pb.RECORD_FORMAT_RECORD
    content = await asyncio.to_thread(_written, shown, whole=whole)
    if len(content) > resources.largest:
        raise CallError(
            Reason.TOO_LARGE, f"the record has {len(content)} bytes, a message at most {resources.largest}"
        )
    return pb.ExportRecordResponse(content=content, file_name=f"{match}.{'jsonl' if whole else 'shiji'}")


def _written(entries: list[Entry], *, whole: bool) -> bytes:
    return b"".join(write_record(entries)) if whole else write_transcript(as_transcript(entries)).encode()


def _asked(
    resources: Resources, caller: Caller, request: pb.ReadRecordRequest | pb.FollowRecordRequest
) -> tuple[MatchId, Viewer]:
    """Which match, and who looks, if he may and the record goes so far."""
    match = match_id(request.match_id)
    require_own_match(caller, match)
    current = resources.ledger.current(match)
    viewer = viewer_of(request.viewer, current.header)
    require_may_see(caller, match, current, viewer)
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


def _allowed(resources: Resources, caller: Caller, link: FeedItem, viewer: Viewer) -> Viewer:
    """An auditor follows matches with hidden hands as a spectator until they are over."""
    if viewer is not AUDITOR or not conceals(link.before, SPECTATOR):
        return viewer
    try:
        require_may_see(caller, link.entry.match, resources.ledger.known(link.entry.match), AUDITOR)
    except CallError:
        return SPECTATOR
    return AUDITOR


def _stopping(cursor: int) -> CallError:
    return CallError(
        Reason.DRAINING, f"the server is stopping; resume from {cursor}", {"resume_from": str(cursor)}
    )
