"""Which page is at which address."""

import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, Protocol, TypeVar
from urllib.parse import quote

from msgspec import Struct, json
from shiji.record.v1 import record_service_pb2 as pb

from service.authorization import Caller
from service.call import Call
from service.http.events import query_of, sequence_of, viewer_named
from service.http.faults import HttpReason, HttpRefusal
from service.http.pages.archive_view import FILTERS, archive_view, require_filters
from service.http.pages.dispute_view import dispute_page
from service.http.pages.match_view import match_page
from service.http.pages.rendering import send_file, send_page
from service.http.requests import HttpRequest, Send
from service.http.responses import JSON, send_body
from service.methods.read import export_record
from service.resources import Resources
from service.rpc import CallHandler

Found = TypeVar("Found")

_READING: Final = ("GET", "HEAD")

_FORMS: Final = {
    "transcript": (pb.RECORD_FORMAT_TRANSCRIPT, b"text/plain; charset=utf-8"),
    "record": (pb.RECORD_FORMAT_RECORD, b"application/jsonl"),
}
"""What can be downloaded of a match: the format, and its content type."""


class ServePage(Protocol):
    """Serves the pages at one kind of address, of which parts are given."""

    def __call__(self, request: HttpRequest, send: Send, /, **parts: str) -> Awaitable[None]:
        """Answer a request."""


class Pages:
    """All pages, each made within the limits and permissions of a call."""

    def __init__(self, handler: CallHandler) -> None:
        self._handler: Final = handler
        self._routes: Final[list[tuple[re.Pattern[str], ServePage]]] = [
            (re.compile(r"/static/(?P<name>[a-z0-9_.-]+)"), self._file),
            (re.compile(r"/(?P<twin>(index\.json)?)"), self._archive),
            (re.compile(r"/matches/(?P<match>[^/]+?)(?P<twin>(\.json)?)"), self._match),
            (re.compile(r"/matches/(?P<match>[^/]+)/dispute(?P<twin>(\.json)?)"), self._dispute),
            (re.compile(r"/matches/(?P<match>[^/]+)/(?P<form>transcript|record)"), self._download),
        ]

    async def __call__(self, request: HttpRequest, send: Send) -> None:
        """Answer a request; raises HttpRefusal where there is no such page, and AbortedCall."""
        for pattern, serve in self._routes:
            if (found := pattern.fullmatch(request.path)) is not None:
                if request.verb not in _READING:
                    message = f"this page takes GET, not {request.verb}"
                    raise HttpRefusal(HttpReason.WRONG_VERB, message, [(b"allow", b"GET, HEAD")])
                await serve(request, send, **found.groupdict())
                return
        raise HttpRefusal(HttpReason.NO_SUCH_PAGE, f"there is nothing at {request.path[:100]!r}")

    async def _made(
        self, request: HttpRequest, method: str, make: Callable[[Resources, Caller], Awaitable[Found]]
    ) -> Found:
        """What a page shows, made as a call of this method would be; raises AbortedCall."""

        async def answer(_: Call, caller: Caller) -> Found:
            await self._handler.resources.intake.turn(caller.account)
            return await make(self._handler.resources, caller)

        return await self._handler.handle(Call(method, request), answer)

    async def _file(self, request: HttpRequest, send: Send, /, **parts: str) -> None:
        await send_file(request, send, parts["name"])

    async def _archive(self, request: HttpRequest, send: Send, /, **parts: str) -> None:
        filters = query_of(request, set(FILTERS))
        require_filters(filters)
        view = await self._made(request, "ListMatches", partial(archive_view, filters=filters))
        if parts["twin"]:
            await _send_twin(send, view)
        else:
            await send_page(send, "archive.html", {"view": view})

    async def _dispute(self, request: HttpRequest, send: Send, /, **parts: str) -> None:
        query_of(request, set())
        page = await self._made(request, "AuditMatch", partial(dispute_page, match_text=parts["match"]))
        if parts["twin"]:
            await _send_twin(send, page.view)
        else:
            await send_page(send, "dispute.html", {"view": page.view, "drawing": page.drawing})

    async def _match(self, request: HttpRequest, send: Send, /, **parts: str) -> None:
        asked = query_of(request, {"entry", "as"})
        sequence = sequence_of(asked["entry"], "entry") if "entry" in asked else None
        viewer = viewer_named(asked["as"]) if "as" in asked else None
        make = partial(match_page, match_text=parts["match"], sequence=sequence, asked=viewer)
        page = await self._made(request, "GetState", make)
        if parts["twin"]:
            await _send_twin(send, page.view)
        else:
            await send_page(send, "match.html", {"view": page.view, "drawing": page.drawing})

    async def _download(self, request: HttpRequest, send: Send, /, **parts: str) -> None:
        asked = query_of(request, {"as"})
        form, kind = _FORMS[parts["form"]]
        wanted = pb.ExportRecordRequest(match_id=parts["match"], format=form)
        if "as" in asked:
            wanted.viewer.CopyFrom(viewer_named(asked["as"]))
        file = await self._made(request, "ExportRecord", partial(export_record, request=wanted))
        name = f"attachment; filename*=UTF-8''{quote(file.file_name, safe='')}"
        await send_body(send, kind, file.content, more=[(b"content-disposition", name.encode())])


async def _send_twin(send: Send, view: Struct) -> None:
    await send_body(send, JSON, json.encode(view))
