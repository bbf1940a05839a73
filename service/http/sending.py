"""Sends a response in parts, each in time, and counts it until its client has taken it."""

import asyncio
from collections.abc import MutableMapping
from typing import Final, cast

from service.admission import Admission
from service.answers import LARGE_ANSWER_BYTES, counted
from service.authentication import host_of
from service.errors import CallError, slow_consumer
from service.http.faults import AbortedCall
from service.http.requests import HttpRequest, Send

PART_BYTES: Final = 65_536
"""Size of a part of a body: what a connection buffers while its client reads."""

SHARED: Final = "shiji.shared"
"""Key of a part of a body that is kept in memory anyway, for all who ask for it, and so is not counted."""


class BoundedSending:
    """Sends one response; closes the connection of a client that does not take it."""

    def __init__(self, request: HttpRequest, send: Send, admission: Admission, stall_seconds: float) -> None:
        self._request: Final = request
        self._send: Final = send
        self._admission: Final = admission
        self._stall_seconds: Final = stall_seconds
        self._start: MutableMapping[str, object] | None = None
        """The status and headers, which are sent with the first part of the body."""
        self.began = False

    async def __call__(self, message: MutableMapping[str, object]) -> None:
        """As ASGI has it; raises AbortedCall instead of a body for which there is no room."""
        if message["type"] == "http.response.start":
            self._start = message
            return
        body = cast("bytes", message.get("body", b""))
        if len(body) <= LARGE_ANSWER_BYTES or message.get(SHARED):
            await self._send_body(message, body)
            return
        try:
            with counted(self._admission.unsent, self._account(), self._request.peer, len(body)):
                await self._send_body(message, body)
        except CallError as error:
            if self.began:
                raise
            raise AbortedCall(error.status()) from None

    def _account(self) -> str:
        try:
            return self._admission.account_of(self._request)
        except CallError:  # pages that need no token
            return host_of(self._request.peer())

    async def _send_body(self, message: MutableMapping[str, object], body: bytes) -> None:
        if self._start is not None:
            start, self._start, self.began = self._start, None, True
            await self._send_in_time(start)
        for at in range(0, max(len(body), 1), PART_BYTES):
            part: MutableMapping[str, object] = {
                "type": "http.response.body",
                "body": body[at : at + PART_BYTES],
                "more_body": bool(message.get("more_body")) or at + PART_BYTES < len(body),
            }
            await self._send_in_time(part)

    async def _send_in_time(self, message: MutableMapping[str, object]) -> None:
        try:
            async with asyncio.timeout(self._stall_seconds):
                await self._send(message)
        except TimeoutError:
            self._request.abort()
            raise slow_consumer() from None
