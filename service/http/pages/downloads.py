"""What can be downloaded of a match: its transcript, its record, a bundle with all proofs, a page."""

import asyncio
import time
from functools import partial
from typing import Final

from msgspec import Struct
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from records.audit.bundle import CosignedCheckpoint, NotCovered, write_bundle
from records.entry import MatchId
from records.evidence.checkpoint import parse_checkpoint
from records.ledger.ledger import Ledger
from records.log.tree import tree_of
from rules.kernel.actors import AUDITOR
from service.authorization import Caller
from service.errors import CallError, Reason
from service.messages import Viewpoint, require_own_match
from service.methods.proofs import NUMBER_SECONDS, position_of
from service.methods.read import export_record
from service.requests import match_id
from service.resources import PageOf, Resources
from service.state_messages import record_for
from service.work_queue import lane_for

FORMS: Final = ("transcript", "record", "bundle", "page")
"""What can be downloaded, by its word in the address."""

_PART_BYTES: Final = 1024 * 1024
"""Size of the parts in which a long file is read and sent."""

_PUBLISHING_SECONDS: Final = 2.0
"""How long a bundle waits for a checkpoint: the server that numbers entries publishes one every second."""

_PUBLISHED_EVERY_SECONDS: Final = 0.25
"""Time between two looks for one, each of which takes a connection to the database."""

_TEXT: Final = b"text/plain; charset=utf-8"
_LINES: Final = b"application/jsonl"
_PAGE: Final = b"text/html; charset=utf-8"


class Download(Struct, frozen=True):
    """A file to be sent."""

    name: str
    content_type: bytes
    content: bytes
    next_token: str = ""
    """Where the next part of the file begins; empty for the last."""


async def download(  # noqa: PLR0913 - the last one has a default
    resources: Resources,
    caller: Caller,
    *,
    match_text: str,
    form: str,
    viewer: entries.Viewer | None,
    token: str = "",
) -> Download:
    """A file of a match, as the caller may see it, or the part of it after a token; raises CallError."""
    if form == "bundle":
        return await _bundle(resources, caller, match_id(match_text))
    wanted = pb.ExportRecordRequest(
        match_id=match_text,
        viewer=viewer,
        format=pb.RECORD_FORMAT_RECORD,
        max_bytes=_PART_BYTES,
        page_token=token,
    )
    if form == "transcript":
        wanted.format = pb.RECORD_FORMAT_TRANSCRIPT
    file, page_of = await export_record(resources, caller, wanted), resources.page_of
    if form != "page" or page_of is None:
        kind = _TEXT if form == "transcript" else _LINES
        return Download(file.file_name, kind, file.content, file.next_page_token)
    parts = [file.content]
    while file.next_page_token:
        wanted.page_token = file.next_page_token
        file = await export_record(resources, caller, wanted)
        parts.append(file.content)
    work = partial(_page, page_of=page_of, name=file.file_name, content=b"".join(parts))
    current = await resources.off_loop(partial(resources.ledger.current, match_id(match_text)))
    written = await resources.workers.run(caller.account, work, lane_for(current.sequence))
    return Download(f"{match_text}.html", _PAGE, written.encode())


def _page(_: Ledger, *, page_of: PageOf, name: str, content: bytes) -> str:
    return page_of(name, content)


async def _bundle(resources: Resources, caller: Caller, match: MatchId) -> Download:
    """All of a record, with what proves it; it shows every hand."""
    require_own_match(caller, match)
    length, viewpoint = await resources.off_loop(partial(_whole_record, resources, caller, match))
    signed = None
    if await asyncio.to_thread(_has_log, resources):
        last = await resources.off_loop(partial(position_of, resources.ledger.log, match, length - 1))
        signed = await asyncio.to_thread(_signed, resources, last)
    work = partial(_bundled, match=match, length=length, viewpoint=viewpoint, signed=signed)
    try:
        content = await resources.workers.run(caller.account, work, lane_for(length))
    except NotCovered as fault:  # a process that reads a standby, which is behind
        raise CallError(Reason.STORAGE_UNAVAILABLE, str(fault), retry=NUMBER_SECONDS) from None
    return Download(f"{match}.bundle", _LINES, content)


def _whole_record(resources: Resources, caller: Caller, match: MatchId) -> tuple[int, Viewpoint]:
    """The number of entries, and as whom the caller sees all of them; raises CallError where it may not."""
    current = resources.ledger.current(match)
    return current.sequence + 1, resources.access.looking(caller, match, current, AUDITOR)


def _has_log(resources: Resources) -> bool:
    """Whether some server of the archive signs checkpoints; otherwise a bundle proves nothing by a log."""
    stored = resources.checkpoints
    return resources.log_key is not None or (stored is not None and stored.verifier() is not None)


def _signed(resources: Resources, last: int) -> CosignedCheckpoint | None:
    """A checkpoint of the archive that covers this position, signed here or published by another server.

    Raises CallError where no server publishes one in time: a bundle without it proves less than it seems to.
    """
    key, stored = resources.log_key, resources.checkpoints
    if key is not None:
        note = tree_of(resources.ledger.log).checkpoint(key)
        if stored is not None:
            stored.publish(note)
        return CosignedCheckpoint(note, (key.verifier,))
    verifier = None if stored is None else stored.verifier()
    if stored is None or verifier is None:
        return None
    end, size = time.monotonic() + _PUBLISHING_SECONDS, 0
    while True:
        newest = stored.newest()
        if newest is not None and (size := parse_checkpoint(newest.text).size) >= last:
            return CosignedCheckpoint(newest, (verifier,))
        if time.monotonic() >= end:
            message = (
                f"the record ends at entry {last} of the archive, and the newest published checkpoint covers "
                f"{size}: nothing proves the rest yet. Download the record, or ask for the bundle again"
            )
            raise CallError(Reason.STORAGE_UNAVAILABLE, message, retry=NUMBER_SECONDS)
        time.sleep(_PUBLISHED_EVERY_SECONDS)


def _bundled(
    ledger: Ledger, *, match: MatchId, length: int, viewpoint: Viewpoint, signed: CosignedCheckpoint | None
) -> bytes:
    """The bundle, which takes an audit of the whole record; in a worker process."""
    record = record_for(viewpoint, list(ledger.read(match, 0, length)))
    return write_bundle(record, signed, tree_of(ledger.log).together)
