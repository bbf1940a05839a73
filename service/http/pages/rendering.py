"""Renders pages from their templates, and serves the files that they use."""

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from service.http.faults import Headers, HttpError, HttpReason, HttpRefusal
from service.http.requests import HttpRequest, Send
from service.http.responses import send_body

HTML: Final = b"text/html; charset=utf-8"

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""What a page may load: only files of this server. Nothing that is written in the page itself is run."""

_TYPES: Final = {
    "css": b"text/css; charset=utf-8",
    "js": b"text/javascript; charset=utf-8",
    "svg": b"image/svg+xml",
}

_PACKAGE: Final = "service.http.pages"

_TEMPLATES: Final = Environment(
    loader=PackageLoader(_PACKAGE),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.globals["version"] = version("shiji")
_TEMPLATES.globals["without"] = lambda filters, name: {k: v for k, v in filters.items() if k != name}


async def send_page(
    send: Send, template: str, values: Mapping[str, object], status: int = 200, more: Headers | None = None
) -> None:
    """Send a page."""
    body = _TEMPLATES.get_template(template).render(values).encode()
    await send_body(send, HTML, body, status, more, policy=_POLICY)


async def send_error_page(send: Send, error: HttpError) -> None:
    """Send an error as a page: what was wrong, and what to do."""
    template = "token.html" if error.status == 401 else "error.html"  # noqa: PLR2004 - as HTTP numbers it
    await send_page(
        send, template, {"error": error.body, "status": error.status}, error.status, error.headers
    )


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
    if request.header("if-none-match") == mark.decode():
        await send_body(send, _TYPES[name.rpartition(".")[2]], b"", 304, caching)
    else:
        await send_body(send, _TYPES[name.rpartition(".")[2]], content, 200, caching)


@cache
def _static_files() -> Mapping[str, tuple[bytes, bytes]]:
    """The content and the ETag of every file, by name."""
    folder = files(_PACKAGE).joinpath("static")
    return {
        each.name: (content, f'"{hashlib.sha256(content).hexdigest()[:16]}"'.encode())
        for each in folder.iterdir()
        if each.name.rpartition(".")[2] in _TYPES
        for content in (each.read_bytes(),)
    }
