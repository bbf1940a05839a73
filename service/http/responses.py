"""Responses with one body, and the headers that every response has."""

from typing import Final

from service.http.faults import Headers, HttpError
from service.http.requests import HttpRequest, Send
from service.http.sending import SHARED

COMMON_HEADERS: Final[Headers] = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]
"""A browser takes a response for what it says, names it to no other site, and lets no other site use it."""

JSON: Final = b"application/json"

NOTHING: Final = "default-src 'none'; frame-ancestors 'none'"
"""What a response may load that is no page."""


def takes_gzip(request: HttpRequest) -> bool:
    """Whether the client takes a body that is compressed by gzip."""
    return "gzip" in {
        part.partition(";")[0].strip() for part in (request.header("accept-encoding") or "").split(",")
    }


async def send_body(  # noqa: PLR0913 - all but the first three have defaults
    send: Send,
    content_type: bytes,
    body: bytes,
    status: int = 200,
    more: Headers | None = None,
    *,
    policy: str = NOTHING,
    shared: bool = False,
) -> None:
    """Send a whole response; a further header replaces the usual one of its name.

    A `shared` body is in memory anyway, for all who ask for it.
    """
    length = (b"content-length", str(len(body)).encode())
    await send_head(send, content_type, [length, *(more or ())], status, policy=policy)
    await send({"type": "http.response.body", "body": body, SHARED: shared})


async def send_head(
    send: Send, content_type: bytes, more: Headers, status: int = 200, *, policy: str = NOTHING
) -> None:
    """Send the status and the headers; a further header replaces the usual one of its name."""
    headers = dict(COMMON_HEADERS) | {
        b"content-type": content_type,
        b"content-security-policy": policy.encode(),
        **dict(more),
    }
    await send({"type": "http.response.start", "status": status, "headers": list(headers.items())})


async def send_part(send: Send, body: bytes, *, last: bool = False) -> None:
    """Send a part of a body whose length was not known at its head."""
    await send({"type": "http.response.body", "body": body, "more_body": not last})


async def send_error(send: Send, error: HttpError) -> None:
    """Send an error as JSON."""
    await send_body(send, JSON, error.encoded(), error.status, error.headers)
