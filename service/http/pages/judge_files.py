"""Serves the files with which a browser judges records by itself."""

import asyncio
import gzip
from functools import cache
from importlib.util import find_spec
from typing import Final

from msgspec import Struct, json

from records.browser.files import HOW_TO_GET, judge_files
from service.http.faults import Headers, HttpReason, HttpRefusal
from service.http.requests import HttpRequest, Send
from service.http.responses import JSON, send_body, takes_gzip

ADDRESS: Final = "/judge"
"""Where a page asks for the address of the files, which changes with any of them."""

_FOR_EVER: Final = b"public, max-age=31536000, immutable"
_TYPES: Final = {"mjs": b"text/javascript", "wasm": b"application/wasm", "json": JSON}
_OTHER: Final = b"application/octet-stream"


class _Base(Struct):
    base: str
    """The address of the files, with a slash at its end."""


@cache
def judge_address() -> str:
    """Where pages get the judge; empty where it is not installed."""
    return ADDRESS if find_spec("shiji_judge") is not None else ""


async def send_judge_base(send: Send) -> None:
    """Send the address of the files; raises HttpRefusal where the judge is not installed."""
    found = await asyncio.to_thread(judge_files)
    if found is None:
        raise HttpRefusal(HttpReason.NO_SUCH_PAGE, f"this server has no judge for browsers: {HOW_TO_GET}")
    await send_body(send, JSON, json.encode(_Base(f"{ADDRESS}/{found.name}/")))


async def send_judge_file(request: HttpRequest, send: Send, base: str, name: str) -> None:
    """Send a file; raises HttpRefusal where there is none of this name."""
    found = await asyncio.to_thread(judge_files)
    if found is None or base != found.name or name not in found.files:
        raise HttpRefusal(HttpReason.NO_SUCH_PAGE, f"there is no file {name[:100]!r} of a judge")
    body = found.files[name]
    headers: Headers = [(b"cache-control", _FOR_EVER), (b"vary", b"accept-encoding")]
    as_kept = takes_gzip(request)
    if as_kept:
        headers.append((b"content-encoding", b"gzip"))
    else:
        body = await asyncio.to_thread(gzip.decompress, body)
    kind = _TYPES.get(name.rpartition(".")[2], _OTHER)
    await send_body(send, kind, body, 200, headers, shared=as_kept)
