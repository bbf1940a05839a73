"""Renders pages from their templates, and serves the files that they use."""

import asyncio
import gzip
import hashlib
from collections.abc import Mapping
from functools import cache, cached_property
from importlib.metadata import version
from importlib.resources import files
from typing import Final, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from records.browser.files import HOW_TO_GET
from records.browser.scripts import MODULES, WORKER, script
from records.games.page_style import NAME, common_style
from records.replay.steps import Steps, at_once
from service.http.faults import Headers, HttpError, HttpReason, HttpRefusal
from service.http.pages.error_words import advice_script, page_error
from service.http.pages.judge_files import judge_address
from service.http.requests import HttpRequest, Send
from service.http.responses import NOTHING, send_body, takes_gzip

HTML: Final = b"text/html; charset=utf-8"

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""What a page may load: only files of this server. Nothing that is written in the page itself is run."""

_WORKER_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; frame-ancestors 'none'"
)
"""What the worker may do that judges records: compile Python for WebAssembly. No page may."""

_TYPES: Final = {
    "css": b"text/css; charset=utf-8",
    "js": b"text/javascript; charset=utf-8",
    "svg": b"image/svg+xml",
}

_COMPRESSION_LEVEL: Final = 5
"""Of gzip: a page of 80 KB becomes a tenth of it in about 2 ms."""

_COMPRESSED_AT_ONCE_BYTES: Final = 131_072
"""Longer pages are compressed by a thread: some milliseconds, for which it needs no interpreter."""

_PACKAGE: Final = "service.http.pages"

_TEMPLATES: Final = Environment(
    loader=PackageLoader(_PACKAGE),
    autoescape=True,
    auto_reload=False,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.globals["version"] = version("shiji")
_TEMPLATES.globals["judge_address"] = judge_address
_TEMPLATES.globals["how_to_get_judge"] = HOW_TO_GET
_TEMPLATES.globals["without"] = lambda filters, name: {k: v for k, v in filters.items() if k != name}


class PageBody:
    """A page as it is sent, plain or compressed."""

    def __init__(self, plain: bytes) -> None:
        self.plain: Final = plain

    @cached_property
    def compressed(self) -> bytes:
        """In gzip's format; the same for the same page."""
        return gzip.compress(self.plain, _COMPRESSION_LEVEL, mtime=0)


def load_templates() -> None:
    """Compile all templates, so that no request has to wait for that."""
    for name in _TEMPLATES.list_templates(["html"]):
        _TEMPLATES.get_template(name)


def rendered(template: str, values: Mapping[str, object], *, reads_only: bool = False) -> PageBody:
    """A page; one that only reads has no links to what would write."""
    return at_once(rendering(template, values, reads_only=reads_only))


def rendering(template: str, values: Mapping[str, object], *, reads_only: bool = False) -> Steps[PageBody]:
    """As rendered, in steps: a page may list thousands of entries."""
    parts = list[str]()
    for part in _TEMPLATES.get_template(template).generate(values, reads_only=reads_only):
        parts.append(part)
        yield
    return PageBody("".join(parts).encode())


async def send_page(
    request: HttpRequest, send: Send, page: PageBody, status: int = 200, more: Headers | None = None
) -> None:
    """Send a page, compressed if the client takes that."""
    encoded = await _encoded_for(request, page)
    headers = [*(more or ()), *encoded.headers]
    await send_body(send, HTML, encoded.body, status, headers, policy=_POLICY)


async def send_error_page(
    request: HttpRequest, send: Send, error: HttpError, *, reads_only: bool = False
) -> None:
    """Send an error as a page: what was wrong, and what to do."""
    shown = page_error(error, has_token=request.header("authorization") is not None)
    template = "token.html" if shown.status == 401 else "error.html"  # noqa: PLR2004 - as HTTP numbers it
    page = rendered(template, {"error": shown}, reads_only=reads_only)
    await send_page(request, send, page, shown.status, error.headers)


class _Encoded(NamedTuple):
    body: bytes
    headers: Headers


async def _encoded_for(request: HttpRequest, page: PageBody) -> _Encoded:
    """The body in the form that the client takes, and the headers that say so."""
    vary = (b"vary", b"accept-encoding")
    if takes_gzip(request):
        if len(page.plain) > _COMPRESSED_AT_ONCE_BYTES:
            await asyncio.to_thread(lambda: page.compressed)
        return _Encoded(page.compressed, [vary, (b"content-encoding", b"gzip")])
    return _Encoded(page.plain, [vary])


def wants_page(request: HttpRequest) -> bool:
    """Whether a browser asks for something to show, rather than a program for JSON."""
    return "text/html" in (request.header("accept") or "") and not request.path.endswith(".json")


async def send_file(request: HttpRequest, send: Send, name: str) -> None:
    """Send a file that pages use; raises HttpRefusal where there is none of this name."""
    found = _static_files().get(name)
    if found is None:
        raise HttpRefusal(HttpReason.NO_SUCH_PAGE, f"there is no file {name[:100]!r}")
    content, mark = found
    caching: Headers = [(b"etag", mark), (b"cache-control", b"no-cache")]
    kind = _TYPES[name.rpartition(".")[2]]
    policy = _WORKER_POLICY if name == WORKER else NOTHING
    if request.header("if-none-match") == mark.decode():
        # A browser replaces the headers of what it has by these.
        await send_body(send, kind, b"", 304, caching, policy=policy)
    else:
        encoded = await _encoded_for(request, content)
        headers = [*caching, *encoded.headers]
        await send_body(send, kind, encoded.body, 200, headers, policy=policy, shared=True)


@cache
def _static_files() -> Mapping[str, tuple[PageBody, bytes]]:
    """The content and the ETag of every file, by name."""
    found = {NAME: common_style().encode(), "advice.js": advice_script().encode()}
    found |= {name: script(name).encode() for name in (*MODULES, WORKER)}
    for each in files(_PACKAGE).joinpath("static").iterdir():
        if each.name.rpartition(".")[2] in _TYPES:
            found[each.name] = each.read_bytes()
    return {
        name: (PageBody(content), f'"{hashlib.sha256(content).hexdigest()[:16]}"'.encode())
        for name, content in found.items()
    }
