"""Plain HTTP requests to test the HTTP port with."""

import http.client
import json
import socket
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass

from service.http.connect import PREFIX

TIMEOUT_SECONDS = 30.0
JSON = "application/json"


@dataclass(frozen=True)
class Reply:
    """A response."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> dict[str, object]:
        """The body, which is one JSON object."""
        found = json.loads(self.body)
        assert isinstance(found, dict)
        return found


def ask(
    address: str,
    path: str,
    body: bytes | str | None = None,
    *,
    verb: str = "",
    kind: str = JSON,
    **headers: str,
) -> Reply:
    """The response to a request; header names are given with underscores."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if body is not None:
        sent.setdefault("content-type", kind)
    with closing(http.client.HTTPConnection(address, timeout=TIMEOUT_SECONDS)) as connection:
        connection.request(verb or ("GET" if body is None else "POST"), path, body, sent)
        response = connection.getresponse()
        return Reply(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())


def call(address: str, method: str, request: object, **headers: str) -> Reply:
    """The response of a method to a request as JSON."""
    return ask(address, f"{PREFIX}{method}", json.dumps(request), **headers)


def connected(address: str) -> socket.socket:
    """A connection to the HTTP port."""
    host, _, port = address.rpartition(":")
    return socket.create_connection((host, int(port)), TIMEOUT_SECONDS)
