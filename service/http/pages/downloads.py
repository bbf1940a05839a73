"""What can be downloaded of a match: its transcript, its record, a bundle with all proofs, a page."""

import asyncio
from functools import partial
from typing import Final

from msgspec import Struct
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from records.audit.bundle import CosignedCheckpoint, write_bundle
from records.entry import MatchId
from records.evidence.checkpoint import parse_checkpoint
from records.ledger.ledger import Ledger
from records.log.tree import tree_of
from rules.kernel.actors import AUDITOR
from service.authorization import Caller
from service.messages import Viewpoint, require_own_match
from service.methods.read import export_record
from service.requests import match_id
from service.resources import PageOf, Resources
from service.state_messages import record_for
from service.work_queue import lane_for

FORMS: Final = ("transcript", "record", "bundle", "page")
"""What can be downloaded, by its word in the address."""

_PART_BYTES: Final = 1024 * 1024
"""Size of the parts in which a long file is read and sent."""

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
    signed = await asyncio.to_thread(_signed, resources)
    work = partial(_bundled, match=match, length=length, viewpoint=viewpoint, signed=signed)
    content = await resources.workers.run(caller.account, work, lane_for(length))
    return Download(f"{match}.bundle", _LINES, content)


def _whole_record(resources: Resources, caller: Caller, match: MatchId) -> tuple[int, Viewpoint]:
    """The number of entries, and as whom the caller sees all of them; raises CallError where it may not."""
    current = resources.ledger.current(match)
    return current.sequence + 1, resources.access.looking(caller, match, current, AUDITOR)


def _signed(resources: Resources) -> CosignedCheckpoint | None:
    """A checkpoint of the archive as it is now, or the newest of another server; None if there is none."""
    key, stored = resources.log_key, resources.checkpoints
    if key is None:
        verifier = None if stored is None else stored.verifier()
        newest = None if stored is None or verifier is None else stored.newest()
        return None if newest is None or verifier is None else CosignedCheckpoint(newest, (verifier,))
    note = tree_of(resources.ledger.log).checkpoint(key)
    if stored is not None:
        stored.publish(note)
    return CosignedCheckpoint(note, (key.verifier,))


def _bundled(
    ledger: Ledger, *, match: MatchId, length: int, viewpoint: Viewpoint, signed: CosignedCheckpoint | None
) -> bytes:
    """The bundle, which takes an audit of the whole record; in a worker process."""
    entries = list(ledger.read(match, 0, length))
    if signed is not None and entries[-1].position > parse_checkpoint(signed.note.text).size:
        signed = None  # of another server, which has not published what was added since
    record = record_for(viewpoint, entries)
    return write_bundle(record, signed, tree_of(ledger.log).together)
