"""Sends requests of the fuzzer over HTTP: JSON, protobuf, JSON with bytes changed, server-sent events."""

import asyncio
import json
import random
from contextlib import suppress
from http import HTTPStatus
from typing import Final

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message_factory import GetMessageClass
from grpc import StatusCode

from service.http.connect import PREFIX
from tests.fuzz.damage import Damage
from tests.fuzz.visits import Visit
from tests.service.http_channel import as_json, events_of

FOLLOW_SECONDS: Final = 0.05
"""How long a stream is followed that does not end by itself."""

_CODES: Final = {code.name.lower(): code for code in StatusCode} | {"canceled": StatusCode.CANCELLED}

_READ_SECONDS: Final = 600.0
"""Limit for every other answer; none gets near it."""


async def answer_over_http(
    address: str, method: MethodDescriptor, data: bytes, token: str, dice: random.Random
) -> tuple[StatusCode, str, bytes]:
    """The code, the reason and the body of the answer to a request; what is not JSON goes as bytes."""
    follows = method.name.startswith("Follow")
    events = events_of(data) if method.name == "FollowRecord" else None
    if events is not None:
        path, more = events
        request = _head("GET", path, token, more)
    else:
        kind, body = as_json(data, GetMessageClass(method.input_type))
        if kind == "application/json" and dice.random() < 0.1:
            body = Damage([body], structured=True).damaged(dice)
        elif method.server_streaming and kind != "application/json":
            kind, body = "application/connect+proto", b"\0" + len(body).to_bytes(4, "big") + body
        more = {"content-type": kind, "content-length": str(len(body))}
        request = _head("POST", f"{PREFIX}{method.name}", token, more) + body
    status, answer = await _exchanged(address, request, FOLLOW_SECONDS if follows else _READ_SECONDS)
    if not status:  # a stream may have been left before it began
        return (StatusCode.OK, "OK", b"") if follows else (StatusCode.UNAVAILABLE, "no answer over HTTP", b"")
    return *_outcome(status, answer), answer


async def answer_to_visit(address: str, visit: Visit) -> tuple[StatusCode, str]:
    """The code and the reason of the answer to a request for a page; UNAVAILABLE if there is none."""
    more = dict(visit.headers)
    if visit.body or visit.verb == "POST":
        more["content-length"] = str(len(visit.body))
    request = _head(visit.verb, visit.path, visit.token, more) + visit.body
    follows = "/events" in visit.path
    status, body = await _exchanged(address, request, FOLLOW_SECONDS if follows else _READ_SECONDS)
    if not status:
        return (StatusCode.OK, "OK") if follows else (StatusCode.UNAVAILABLE, "no answer over HTTP")
    if status < HTTPStatus.INTERNAL_SERVER_ERROR:
        return StatusCode.OK, f"HTTP {status}"
    return _outcome(status, body)


def _head(verb: str, path: str, token: str, more: dict[str, str]) -> bytes:
    headers = {"host": "127.0.0.1", "connection": "close", **more}
    if token:
        headers["authorization"] = f"Bearer {token}"
    lines = [f"{verb} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode("latin-1")


async def _exchanged(address: str, request: bytes, seconds: float) -> tuple[int, bytes]:
    """The status and the body of the answer; a status of 0 if there is none."""
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    received = bytearray()
    try:
        writer.write(request)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while data := await reader.read(65_536):
                    received += data
    except ConnectionError:
        pass  # the server need not read what it refuses
    finally:
        writer.close()
    head, _, body = bytes(received).partition(b"\r\n\r\n")
    words = head.split(b" ", 2)
    return (int(words[1]) if len(words) > 1 else 0), body


def _outcome(status: int, body: bytes) -> tuple[StatusCode, str]:
    if status == 200:
        return StatusCode.OK, "OK"
    try:
        error = json.loads(body[body.find(b"{") : body.rfind(b"}") + 1])
        return _CODES[str(error["code"])], str(error["reason"])
    except (ValueError, KeyError):
        return (StatusCode.INTERNAL if status >= 500 else StatusCode.UNKNOWN), f"HTTP {status}"
