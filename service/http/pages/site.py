"""Which page is at which address."""

import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, Protocol, TypeVar, cast
from urllib.parse import quote

from google.protobuf.message import Message
from msgspec import Struct, json
from shiji.record.v1 import record_service_pb2 as pb

from service.authorization import Caller
from service.call import Call
from service.http.codec import json_decoder
from service.http.connect import JSON_GROWTH
from service.http.events import query_of, sequence_of, viewer_named
from service.http.faults import AbortedCall, HttpReason, HttpRefusal
from service.http.pages.archive_view import FILTERS, archive_view, require_filters
from service.http.pages.compare_view import RenderedComparison, comparison_page
from service.http.pages.dispute_view import dispute_page
from service.http.pages.downloads import FORMS, download
from service.http.pages.entry_texts import EntryTexts
from service.http.pages.judge_files import send_judge_base, send_judge_file
from service.http.pages.match_request import MatchRequest, match_request
from service.http.pages.match_view import RenderedMatch, match_page
from service.http.pages.preview_view import MovePreview, move_preview
from service.http.pages.rendering import (
    PageBody,
    load_templates,
    rendered,
    rendering,
    send_file,
    send_page,
)
from service.http.pages.sharing import SharedPages
from service.http.pages.start_view import start_view
from service.http.requests import HttpRequest, Send
from service.http.responses import JSON, send_body, send_head, send_part
from service.resources import Resources
from service.rpc import DESCRIPTOR, CallHandler

Found = TypeVar("Found")

PATHS: Final = {
    "file": re.compile(r"/static/(?P<name>[a-z0-9_.-]+)"),
    "judge": re.compile(r"/judge"),
    "judge file": re.compile(r"/judge/(?P<base>[0-9a-f]{1,64})/(?P<name>[a-z_.-]{1,50})"),
    "check": re.compile(r"/check"),
    "archive": re.compile(r"/(?P<twin>(index\.json)?)"),
    "start": re.compile(r"/new(?P<twin>(\.json)?)"),
    "compare": re.compile(r"/compare(?P<twin>(\.json)?)"),
    "preview": re.compile(r"/preview"),
    "match": re.compile(r"/matches/(?P<match>[^/]+?)(?P<twin>(\.json)?)"),
    "dispute": re.compile(r"/matches/(?P<match>[^/]+)/dispute(?P<twin>(\.json)?)"),
    "download": re.compile(rf"/matches/(?P<match>[^/]+)/(?P<form>{'|'.join(FORMS)})"),
}
"""The paths of all pages and files, by what is there."""

_READING: Final = ("GET", "HEAD")

_TAKE_POST: Final = frozenset({"compare", "preview"})
"""Pages of what is sent."""

_JSON_TYPE: Final = "application/json"

_DECODERS: Final = {
    method: json_decoder(DESCRIPTOR.methods_by_name[method]) for method in ("CompareRecords", "CheckMove")
}
"""Of requests that pages send as JSON, by their method."""


class ServePage(Protocol):
    """Serves the pages at one kind of address, of which parts are given."""

    def __call__(self, request: HttpRequest, send: Send, /, **parts: str) -> Awaitable[None]:
        """Answer a request."""


class Pages:
    """All pages, each made within the limits and permissions of a call."""

    def __init__(self, handler: CallHandler, *, writes: bool) -> None:
        load_templates()
        self._handler: Final = handler
        self._writes: Final = writes
        self._rendered: Final = partial(rendered, reads_only=not writes)
        self._shared: Final = SharedPages[tuple[RenderedMatch, PageBody]]()
        self._texts: Final = EntryTexts()
        self._served: Final[dict[str, ServePage]] = {
            "file": self._file,
            "judge": self._judge,
            "judge file": self._judge_file,
            "check": self._check,
            "archive": self._archive,
            "start": self._start,
            "compare": self._compare,
            "preview": self._preview,
            "match": self._match,
            "dispute": self._dispute,
            "download": self._download,
        }

    async def __call__(self, request: HttpRequest, send: Send) -> None:
        """Answer a request; raises HttpRefusal where there is no such page, and AbortedCall."""
        for name, pattern in PATHS.items():
            if (found := pattern.fullmatch(request.path)) is not None:
                if request.verb not in _READING and name not in _TAKE_POST:
                    raise _wrong_verb(request, _READING)
                await self._served[name](request, send, **found.groupdict())
                return
        raise HttpRefusal(HttpReason.NO_SUCH_PAGE, f"there is nothing at {request.path[:100]!r}")

    async def _made(
        self, request: HttpRequest, method: str, make: Callable[[Resources, Caller], Awaitable[Found]]
    ) -> Found:
        """What a page shows, made as a call of this method would be; raises AbortedCall."""

        async def answer(_: Call, caller: Caller) -> Found:
            attempt = partial(make, self._handler.resources, caller)
            return await self._handler.resources.in_turn(caller.account, f"page {method}", attempt)

        return await self._handler.handle(Call(method, request), answer)

    async def _file(self, request: HttpRequest, send: Send, /, **parts: str) -> None:
        await send_file(request, send, parts["name"])

    async def _judge(self, request: HttpRequest, send: Send, /, **_: str) -> None:
        query_of(request, set())
        await send_judge_base(send)

    async def _judge_file(self, request: HttpRequest, send: Send, /, **parts: str) -> None:
        await send_judge_file(request, send, parts["base"], parts["name"])

    async def _check(self, request: HttpRequest, send: Send, /, **_: str) -> None:
        """Needs no token: the browser checks a file of its reader, and asks this server for nothing."""
        query_of(request, set())
        await send_page(request, send, self._rendered("check.html", {}))

    async def _archive(self, request: HttpRequest, send: Send, /, **parts: str) -> None:
        filters = query_of(request, set(FILTERS))
        require_filters(filters)
        view = await self._made(request, "ListMatches", partial(archive_view, filters=filters))
        if parts["twin"]:
            await _send_twin(send, view)
        else:
            await send_page(request, send, self._rendered("archive.html", {"view": view}))

    async def _start(self, request: HttpRequest, send: Send, /, **parts: str) -> None:
        game = query_of(request, {"game"}).get("game", "")
        if not self._writes:
            message = "this archive is only read here: no match can be started"
            raise HttpRefusal(HttpReason.ONLY_READ, message)
        view = await self._made(request, "StartMatch", partial(start_view, game=game))
        if parts["twin"]:
            await _send_twin(send, view)
        else:
            await send_page(request, send, self._rendered("start.html", {"view": view}))

    async def _compare(self, request: HttpRequest, send: Send, /, **parts: str) -> None:
        """Compares two matches of the address, or what is sent as a CompareRecordsRequest in JSON."""
        if request.verb not in {*_READING, "POST"}:
            raise _wrong_verb(request, (*_READING, "POST"))
        given = query_of(request, {"a", "b"})
        if request.verb == "POST":
            page = await self._compared_as_sent(request)
        elif given.get("a") and given.get("b"):
            sides = [pb.ComparedRecord(match_id=given[name]) for name in ("a", "b")]
            wanted = pb.CompareRecordsRequest(one=sides[0], other=sides[1])
            page = await self._made(request, "CompareRecords", partial(comparison_page, request=wanted))
        elif parts["twin"]:
            raise HttpRefusal(HttpReason.BAD_PARAMETER, "give the ids of two matches, as a and b")
        else:
            await send_page(request, send, self._rendered("compare.html", {"view": None, "given": given}))
            return
        if parts["twin"]:
            await _send_twin(send, page.view)
        else:
            await send_page(
                request, send, self._rendered("compare.html", {"view": page.view, "drawings": page.drawings})
            )

    async def _compared_as_sent(self, request: HttpRequest) -> RenderedComparison:
        async def answer(caller: Caller, wanted: Message) -> RenderedComparison:
            asked = cast("pb.CompareRecordsRequest", wanted)
            return await comparison_page(self._handler.resources, caller, request=asked)

        return await self._sent(request, "CompareRecords", answer)

    async def _preview(self, request: HttpRequest, send: Send, /, **_: str) -> None:
        """Draws what the move of a CheckMoveRequest in JSON would lead to."""
        if request.verb != "POST":
            raise _wrong_verb(request, ("POST",))
        query_of(request, set())

        async def answer(caller: Caller, wanted: Message) -> MovePreview:
            asked = cast("pb.CheckMoveRequest", wanted)
            return await move_preview(self._handler.resources, caller, request=asked)

        await _send_twin(send, await self._sent(request, "CheckMove", answer))

    async def _sent(
        self, request: HttpRequest, method: str, answer: Callable[[Caller, Message], Awaitable[Found]]
    ) -> Found:
        """What is made of a request of a method that is sent as JSON; raises AbortedCall and HttpRefusal."""
        if request.content_type != _JSON_TYPE:
            message = f"this page takes {_JSON_TYPE}, not {request.content_type[:100] or 'nothing'}"
            raise HttpRefusal(HttpReason.WRONG_TYPE, message, [(b"accept-post", _JSON_TYPE.encode())])
        request.receiver = partial(request.body, self._handler.resources.max_response_bytes * JSON_GROWTH)

        async def handled(call: Call, caller: Caller) -> Found:
            wanted = await self._handler.request(call, caller, _DECODERS[method])
            attempt = partial(answer, caller, wanted)
            return await self._handler.resources.in_turn(caller.account, f"page {method}", attempt)

        return await self._handler.handle(Call(method, request), handled)

    async def _dispute(self, request: HttpRequest, send: Send, /, **parts: str) -> None:
        query_of(request, set())
        page = await self._made(request, "AuditMatch", partial(dispute_page, match_text=parts["match"]))
        if parts["twin"]:
            await _send_twin(send, page.view)
        else:
            await send_page(
                request, send, self._rendered("dispute.html", {"view": page.view, "drawing": page.drawing})
            )

    async def _match(self, request: HttpRequest, send: Send, /, **parts: str) -> None:
        asked = query_of(request, {"entry", "as"})
        sequence = sequence_of(asked["entry"], "entry") if "entry" in asked else None
        viewer = viewer_named(asked["as"]) if "as" in asked else None
        make = partial(match_request, match_text=parts["match"], sequence=sequence, asked=viewer)

        async def shared(resources: Resources, caller: Caller) -> tuple[RenderedMatch, PageBody]:
            wanted = await resources.off_loop(partial(make, resources, caller))
            make_page = partial(self._render_match, resources, caller, wanted)
            return await self._shared.get(wanted.key, make_page)

        page, body = await self._made(request, "GetState", shared)
        if parts["twin"]:
            await _send_twin(send, page.view)
        else:
            await send_page(request, send, body)

    async def _render_match(
        self, resources: Resources, caller: Caller, wanted: MatchRequest
    ) -> tuple[RenderedMatch, PageBody]:
        page = await match_page(resources, caller, self._texts, wanted)
        values = {"view": page.view, "drawing": page.drawing}
        steps = rendering("match.html", values, reads_only=not self._writes)
        return page, await resources.loop_share.run(caller.account, steps)

    async def _download(self, request: HttpRequest, send: Send, /, **parts: str) -> None:
        asked = query_of(request, {"as"})
        viewer = viewer_named(asked["as"]) if "as" in asked else None
        if parts["form"] == "page" and self._handler.resources.page_of is None:
            message = "this server makes no pages: start it by `shiji serve`, or use `shiji replay --html`"
            raise HttpRefusal(HttpReason.NO_SUCH_PAGE, message)
        make = partial(download, match_text=parts["match"], form=parts["form"], viewer=viewer)
        file = await self._made(request, "ExportRecord", make)
        name = f"attachment; filename*=UTF-8''{quote(file.name, safe='')}"
        headers = [(b"content-disposition", name.encode())]
        if not file.next_token:
            await send_body(send, file.content_type, file.content, more=headers)
            return
        await send_head(send, file.content_type, headers)
        while file.next_token:
            await send_part(send, file.content)
            try:
                file = await self._made(request, "ExportRecord", partial(make, token=file.next_token))
            except AbortedCall:
                request.abort()  # the client sees that the file has no end
                return
        await send_part(send, file.content, last=True)


def _wrong_verb(request: HttpRequest, taken: tuple[str, ...]) -> HttpRefusal:
    message = f"this page takes {' or '.join(taken)}, not {request.verb}"
    return HttpRefusal(HttpReason.WRONG_VERB, message, [(b"allow", ", ".join(taken).encode())])


async def _send_twin(send: Send, view: Struct) -> None:
    await send_body(send, JSON, json.encode(view))
