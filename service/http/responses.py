"""Responses with one body, and the headers that every response has."""

from typing import Final

from service.http.faults import Headers, HttpError
from service.http.requests import Send

COMMON_HEADERS: Final[Headers] = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]
"""A browser takes a response for what it says, tells no other site of it, and lets no other site use it."""

JSON: Final = b"application/json"

_NO_SCRIPT: Final[Headers] = [(b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")]


async def send_body(
    send: Send, content_type: bytes, body: bytes, status: int = 200, more: Headers | None = None
) -> None:
    """Send a whole response."""
    headers = [
        (b"content-type", content_type),
        (b"content-length", str(len(body)).encode()),
        *COMMON_HEADERS,
        *_NO_SCRIPT,
        *(more or ()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def send_error(send: Send, error: HttpError) -> None:
    """Send an error as JSON."""
    await send_body(send, JSON, error.encoded(), error.status, error.headers)
