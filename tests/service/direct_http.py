"""HTTP without a port: requests are handed to the application in the thread of the test."""

import asyncio
from collections.abc import Iterator, Mapping, MutableMapping
from typing import cast
from urllib.parse import unquote

from service.http.application import HttpApplication
from tests.service.http_channel import Response
from tests.service.own_loop import Loop, first_of

HOST = "127.0.0.1"


class DirectConnection:
    """The part of an http.client.HTTPConnection that is used."""

    def __init__(self, loop: Loop, application: HttpApplication) -> None:
        self._loop, self._application = loop, application
        self._response: DirectResponse | None = None

    def request(
        self, method: str, url: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        """As an HTTPConnection has it."""
        path, _, query = url.partition("?")
        fields = {"host": HOST, "content-length": str(len(body or b"")), **(headers or {})}
        scope: MutableMapping[str, object] = {
            "type": "http",
            "method": method,
            "path": unquote(path),
            "query_string": query.encode(),
            "headers": [(name.lower().encode(), value.encode()) for name, value in fields.items()],
            "client": (HOST, 50422),
            "server": (HOST, 80),
        }
        self._response = DirectResponse(self._loop, self._application, scope, body or b"")

    def getresponse(self) -> Response:
        """As an HTTPConnection has it."""
        assert self._response is not None
        self._response.begin()
        return self._response

    def close(self) -> None:
        """As an HTTPConnection has it."""
        if self._response is not None:
            self._response.close()


class DirectResponse:
    """The part of an http.client.HTTPResponse that is used."""

    def __init__(
        self, loop: Loop, application: HttpApplication, scope: MutableMapping[str, object], body: bytes
    ) -> None:
        self._loop = loop
        self._requests = [{"type": "http.request", "body": body, "more_body": False}]
        self._left, self._arrived = asyncio.Event(), asyncio.Event()
        self._unread = bytearray()
        self.status = 0
        self.headers: dict[str, str] = {}
        self._task = loop.begin(application(scope, self._receive, self._send))

    async def _receive(self) -> MutableMapping[str, object]:
        if self._requests:
            return cast("MutableMapping[str, object]", self._requests.pop())
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: MutableMapping[str, object]) -> None:
        if message["type"] == "http.response.start":
            self.status = cast("int", message["status"])
            sent = cast("list[tuple[bytes, bytes]]", message["headers"])
            self.headers = {name.decode(): value.decode() for name, value in sent}
        else:
            self._unread += cast("bytes", message.get("body", b""))
        self._arrived.set()

    def begin(self) -> None:
        """Wait for the status."""
        while not self.status and self._more():
            pass

    def _more(self) -> bool:
        """Wait until something more has arrived; False if nothing more comes."""
        if self._task.done() and not self._arrived.is_set():
            self._task.result()
            return False
        self._loop.wait(first_of(self._arrived.wait(), task=self._task))
        self._arrived.clear()
        return True

    def read(self, size: int | None = None, /) -> bytes:
        """As an HTTPResponse has it."""
        while (size is None or len(self._unread) < size) and self._more():
            pass
        return self._take(len(self._unread) if size is None else size)

    def __iter__(self) -> Iterator[bytes]:
        while line := self._line():
            yield line

    def _line(self) -> bytes:
        while b"\n" not in self._unread and self._more():
            pass
        end = self._unread.find(b"\n")
        return self._take(len(self._unread) if end < 0 else end + 1)

    def _take(self, size: int) -> bytes:
        taken = bytes(self._unread[:size])
        del self._unread[:size]
        return taken

    def close(self) -> None:
        """The client is gone."""
        self._left.set()
        if not self._task.done():
            self._loop.wait(asyncio.wait({self._task}))
