"""Methods that read records: ReadRecord, FollowRecord, FollowArchive, ExportRecord."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from functools import partial
from itertools import takewhile
from operator import attrgetter
from typing import Final

from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.entry_pb2 import Entry as EntryMessage

from records.audit.transcript import IllegalMove
from records.codec.evidence import CorruptEvidence
from records.codec.shape import CorruptMove
from records.entry import Entry, MatchId
from records.files.record_file import write_record
from records.files.transcript import write_transcript
from records.games.state import has_secrets
from records.ledger.ledger import Ledger
from records.ledger.results import NoSuchEntry
from records.ledger.transfer import as_transcript
from records.replay.fold import MatchSnapshot
from rules.kernel.actors import AUDITOR, SPECTATOR, Viewer
from service.authorization import Caller, require_reader
from service.errors import CallError, Reason, bad_field, made_room
from service.export_pages import ExportKey, PageToken
from service.feed import LOG_PAGE_ENTRIES, EntryFeed, FeedItem
from service.loop_share import StreamThrottle
from service.messages import Viewpoint, hides_hashes, require_own_match
from service.requests import ONLOOKERS, match_id, viewer_of
from service.resources import Resources
from service.state_messages import fill_state_after, record_for
from service.work_queue import lane_for

_MOST_PAGE_BYTES: Final = 3 * 1024 * 1024
"""Maximum size of one page of an export, in bytes: it fits into a message of 4 MiB, the default of gRPC."""

_POSITION: Final = attrgetter("position")
"""The position of an entry, 0 where it has none yet."""


async def read_record(
    resources: Resources, caller: Caller, request: pb.ReadRecordRequest
) -> AsyncIterator[pb.ReadRecordResponse]:
    """The entries that are stored now."""
    match, viewer = await resources.off_loop(partial(_match_and_viewer, resources, caller, request))
    looking = partial(_looking_now, resources, caller, match, viewer)
    return _stored(resources, resources.throttle(caller), match, request.from_sequence, looking)


async def _stored(
    resources: Resources,
    throttle: StreamThrottle,
    match: MatchId,
    cursor: int,
    looking: Callable[[], Viewpoint],
) -> AsyncIterator[pb.ReadRecordResponse]:
    ledger, tracker = resources.ledger, resources.feed.tracker

    def page() -> list[Entry]:
        return list(ledger.read(match, cursor, LOG_PAGE_ENTRIES))

    def response(entry: Entry) -> pb.ReadRecordResponse:
        return pb.ReadRecordResponse(entry=tracker.track(entry).message_for(looking()))

    last = (await throttle.do(partial(ledger.current, match))).sequence
    while cursor <= last:
        await throttle.begin_page()
        entries = await throttle.do(page)
        for entry in entries:
            yield await throttle.do(partial(response, entry))
            cursor += 1
        await throttle.rest(len(entries))


async def follow_record(
    resources: Resources, caller: Caller, request: pb.FollowRecordRequest
) -> AsyncIterator[pb.FollowRecordResponse]:
    """The entries that are stored, then each new one."""
    match, viewer = await resources.off_loop(partial(_match_and_viewer, resources, caller, request))
    looking = partial(_looking_now, resources, caller, match, viewer)
    return _followed(resources, resources.throttle(caller), match, request, looking)


async def _followed(
    resources: Resources,
    throttle: StreamThrottle,
    match: MatchId,
    request: pb.FollowRecordRequest,
    looking: Callable[[], Viewpoint],
) -> AsyncIterator[pb.FollowRecordResponse]:
    feed, ledger, cursor = resources.feed, resources.ledger, request.from_sequence

    def respond(item: FeedItem, last: int) -> pb.FollowRecordResponse:
        current, viewpoint = ledger.known(match), looking()
        last = max(last, current.sequence)
        response = pb.FollowRecordResponse(entry=item.message_for(viewpoint), last_sequence=last)
        if request.with_state:
            fill_state_after(response, viewpoint, current, item.after)
        return response

    with feed.follower():
        while True:
            items = feed.match_items(match, cursor)
            changed = None if items else feed.changed(match)
            if not items:
                page = partial(ledger.read, match, cursor, LOG_PAGE_ENTRIES)
                await throttle.begin_page()
                items = await throttle.do(partial(_tracked, feed, page))
                await throttle.rest(len(items))
            _require_open(resources, cursor)
            for item in items:
                yield await throttle.do(partial(respond, item, items[-1].entry.sequence))
                cursor += 1
            if changed is not None and not items:
                await resources.shutdown.wait_for(changed.wait)


def _tracked(feed: EntryFeed, page: Callable[[], Iterable[Entry]]) -> list[FeedItem]:
    """Entries from the log with their states, as far as they have positions: followers get them in order."""
    return [feed.tracker.track(entry) for entry in takewhile(_POSITION, page())]


async def follow_archive(
    resources: Resources, caller: Caller, request: pb.FollowArchiveRequest
) -> AsyncIterator[pb.FollowArchiveResponse]:
    """Every entry of the archive, then each new one."""
    require_reader(caller)
    viewer, last = _onlooker(request), await resources.off_loop(resources.ledger.log.last_position)
    if request.after_position > last:
        raise CallError(
            Reason.NO_SUCH_ENTRY,
            f"the archive ends at position {last}",
            {"sequence": str(request.after_position)},
        )
    return _archive(resources, caller, request.after_position, viewer)


async def _archive(
    resources: Resources, caller: Caller, cursor: int, viewer: Viewer
) -> AsyncIterator[pb.FollowArchiveResponse]:
    feed, log, throttle = resources.feed, resources.ledger.log, resources.throttle(caller)

    def message_of(item: FeedItem) -> EntryMessage:
        return item.message_for(_onlooking_now(resources, caller, item, viewer))

    with feed.follower():
        while True:
            items = feed.archive_items(cursor)
            changed = None if items else feed.changed(None)
            if not items:
                page = partial(log.archive, cursor, LOG_PAGE_ENTRIES)
                await throttle.begin_page()
                items = await throttle.do(partial(_tracked, feed, page))
                await throttle.rest(len(items))
            _require_open(resources, cursor)
            for item in items:
                message = await throttle.do(partial(message_of, item))
                last = max(feed.position, items[-1].entry.position)
                yield pb.FollowArchiveResponse(entry=message, last_position=last)
                cursor += 1
            if changed is not None and not items:
                await resources.shutdown.wait_for(changed.wait)


async def export_record(
    resources: Resources, caller: Caller, request: pb.ExportRecordRequest
) -> pb.ExportRecordResponse:
    """A record as a file."""
    match = match_id(request.match_id)
    current, viewpoint = await resources.off_loop(partial(_exported, resources, caller, request, match))
    as_record = request.format == pb.RECORD_FORMAT_RECORD
    name = f"{match}.{'jsonl' if as_record else 'shiji'}"
    token = PageToken.read(request.page_token) if request.page_token else None
    # Not more entries than the viewpoint was decided for: a match that is reopened hides what comes then.
    last = current.sequence if token is None else min(token.last, current.sequence)

    async def content_now() -> bytes:
        work = partial(_write, match=match, length=last + 1, viewpoint=viewpoint, as_record=as_record)
        return await resources.workers.run(caller.account, work, lane_for(last + 1))

    if request.max_bytes or token is not None:
        size = min(request.max_bytes or _MOST_PAGE_BYTES, _MOST_PAGE_BYTES, resources.max_response_bytes)
        key = ExportKey(match, last, viewpoint.viewer, viewpoint.parts, as_record)
        page = resources.exports.page(key, token, size)
        if page is None:  # a thread writes the file and hashes it, which needs no interpreter
            write = partial(resources.exports.page, key, token, size, await content_now())
            page = await asyncio.to_thread(write)
        if page is None:
            raise TypeError("a file that was just written has pages")
        return pb.ExportRecordResponse(content=page.content, file_name=name, next_page_token=page.next_token)
    content = await content_now()
    if len(content) > resources.max_response_bytes:
        raise CallError(
            Reason.TOO_LARGE,
            f"the record has {len(content)} bytes, and a message at most {resources.max_response_bytes}: "
            "ask for it in pages, by max_bytes",
        )
    return pb.ExportRecordResponse(content=content, file_name=name)


def _exported(
    resources: Resources, caller: Caller, request: pb.ExportRecordRequest, match: MatchId
) -> tuple[MatchSnapshot, Viewpoint]:
    """The match as it is now, and the viewpoint that it is exported with; raises CallError."""
    require_own_match(caller, match)
    current = resources.ledger.current(match)
    if request.format not in pb.RecordFormat.values():
        raise bad_field("format", f"{request.format} is not known")
    viewer = viewer_of(request.viewer, current.header) if request.HasField("viewer") else AUDITOR
    if viewer is AUDITOR and not has_secrets(current.header, current.state):
        viewer = SPECTATOR  # there is nothing to hide
    viewpoint = resources.access.looking(caller, match, current, viewer)
    if viewer is not AUDITOR and hides_hashes(viewpoint, current.state):
        raise bad_field(
            "viewer", "hidden hands of version 1 that are not sealed are exported to an auditor only"
        )
    return current, viewpoint


def _write(ledger: Ledger, *, match: MatchId, length: int, viewpoint: Viewpoint, as_record: bool) -> bytes:
    try:
        visible = record_for(viewpoint, list(ledger.read(match, 0, length)))
        return (
            b"".join(write_record(visible))
            if as_record
            else write_transcript(as_transcript(visible)).encode()
        )
    except (IllegalMove, CorruptMove, CorruptEvidence) as fault:
        message = f"match {match} is damaged, and cannot be exported so: {fault}"
        raise CallError(Reason.CORRUPT_RECORD, message, {"match_id": match}) from fault


def _match_and_viewer(
    resources: Resources, caller: Caller, request: pb.ReadRecordRequest | pb.FollowRecordRequest
) -> tuple[MatchId, Viewer]:
    """The match and viewer of a request; raises if the caller may not see it or it starts beyond the end."""
    match = match_id(request.match_id)
    require_own_match(caller, match)
    current = resources.ledger.current(match)
    viewer = viewer_of(request.viewer, current.header)
    resources.access.looking(caller, match, current, viewer)
    if request.from_sequence > current.sequence + 1:
        raise NoSuchEntry(match, request.from_sequence)
    return match, viewer


def _onlooker(request: pb.FollowArchiveRequest) -> Viewer:
    viewer = request.viewer
    if viewer.WhichOneof("viewer") == "seat":
        raise bad_field("viewer.seat", "only a spectator or an auditor follows the archive")
    if viewer.onlooker not in ONLOOKERS:
        raise bad_field("viewer.onlooker", f"{viewer.onlooker} is not known")
    return ONLOOKERS[viewer.onlooker]


def _looking_now(resources: Resources, caller: Caller, match: MatchId, viewer: Viewer) -> Viewpoint:
    """The viewpoint of the viewer at this moment: the match may have been reopened. Raises CallError."""
    ledger = resources.ledger
    # A spectator's viewpoint depends on nothing that can change; for the others, other programs write too.
    current = ledger.known(match) if viewer is SPECTATOR else ledger.current(match)
    return resources.access.looking(caller, match, current, viewer)


def _onlooking_now(resources: Resources, caller: Caller, item: FeedItem, viewer: Viewer) -> Viewpoint:
    """As _looking_now, but a spectator's instead of an auditor's viewpoint where that is not allowed."""
    try:
        return _looking_now(resources, caller, item.entry.match, viewer)
    except CallError:
        return _looking_now(resources, caller, item.entry.match, SPECTATOR)


def _require_open(resources: Resources, cursor: int) -> None:
    """Raises CallError, with where to resume, if the stream is to end."""
    if resources.shutdown.begun:
        raise _stopping(cursor)
    if resources.shutdown.released:
        raise made_room(cursor)


def _stopping(cursor: int) -> CallError:
    return CallError(
        Reason.DRAINING, f"the server is stopping; resume from {cursor}", {"resume_from": str(cursor)}
    )
