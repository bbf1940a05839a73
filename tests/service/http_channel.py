"""A channel that makes its calls as JSON over HTTP, so that tests of the service run over both transports.

Matches are followed by server-sent events.
"""

import base64
import http.client
import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias, cast
from urllib.parse import quote

import grpc
from google.protobuf.json_format import MessageToJson, Parse, SerializeToJsonError
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc.status_pb2 import Status
from grpc import StatusCode
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from service.http.port import KEEP_ALIVE_SECONDS
from service.rpc import DESCRIPTOR

Metadata: TypeAlias = Iterable[tuple[str, str]] | None
Serialize: TypeAlias = Callable[[object], bytes]
Deserialize: TypeAlias = Callable[[bytes], object]

SLACK_SECONDS = 30.0
"""Time that a response may take beyond the timeout of its call."""

MOST_IDLE_SECONDS = KEEP_ALIVE_SECONDS / 2
"""After this time a connection is not used again: the server may close it at that very moment."""

_CODES = {code.name.lower(): code for code in StatusCode} | {"canceled": StatusCode.CANCELLED}


class UnaryCall(Protocol):
    """Makes a call with one response."""

    def __call__(
        self, request: object, timeout: float | None = None, metadata: Metadata = None
    ) -> object: ...


class StreamCall(Protocol):
    """Makes a call with a stream of responses."""

    def __call__(
        self, request: object, timeout: float | None = None, metadata: Metadata = None
    ) -> "HttpStream": ...


class HttpFault(grpc.RpcError, grpc.Call):
    """An error over HTTP, in the form of gRPC's."""

    def __init__(self, error: dict[str, object], status: int) -> None:
        super().__init__(error)
        self.error = error
        self.status = status
        self._code = _CODES[str(error["code"])]

    def code(self) -> StatusCode:
        return self._code

    def details(self) -> str:
        return str(self.error["message"])

    def trailing_metadata(self) -> tuple[tuple[str, bytes], ...]:  # type: ignore[override]  # always known
        details = self.error.get("details")
        if not isinstance(details, list):
            return ()
        status = Status(code=self._code.value[0], message=self.details())
        for each in details:
            value = each["value"]
            status.details.add(
                type_url=f"type.googleapis.com/{each['type']}",
                value=base64.b64decode(value + "=" * (-len(value) % 4)),
            )
        return (("grpc-status-details-bin", status.SerializeToString()),)

    def initial_metadata(self) -> tuple[tuple[str, str], ...]:
        return ()

    def is_active(self) -> bool:
        return False

    def time_remaining(self) -> float:
        return 0.0

    def cancel(self) -> bool:
        return False

    def add_callback(self, callback: Callable[[], None]) -> bool:  # noqa: ARG002 - it has ended
        return False


def raise_for(status: int, body: bytes) -> None:
    """Raises the error that a response contains."""
    if status != http.client.OK:
        raise HttpFault(json.loads(body), status)


class Response(Protocol):
    """The part of an HTTP response that is used."""

    status: int

    @property
    def headers(self) -> Mapping[str, str]: ...

    def read(self, size: int = ..., /) -> bytes: ...

    def __iter__(self) -> Iterator[bytes]: ...

    def close(self) -> None: ...


class Connection(Protocol):
    """The part of an HTTP connection that is used."""

    def request(
        self, method: str, url: str, body: bytes | None = None, headers: Mapping[str, str] = ...
    ) -> None: ...

    def getresponse(self) -> Response: ...

    def close(self) -> None: ...


def http_connection(address: str, timeout: float | None) -> Connection:
    """A connection to a server, for a call with this timeout."""
    connection = http.client.HTTPConnection(address, timeout=(timeout or 0) + SLACK_SECONDS)
    return cast("Connection", connection)


@dataclass
class HttpChannel:
    """The part of a grpc.Channel that stubs and tests use; Play goes over gRPC."""

    connect: Callable[[float | None], Connection]
    """Makes a connection for a call with this timeout."""
    grpc_channel: grpc.Channel

    def __post_init__(self) -> None:
        self._local = threading.local()
        self._connections = list[Connection]()

    def close(self) -> None:
        """Close all connections of calls that have ended."""
        for connection in self._connections:
            connection.close()

    def unary_unary(
        self, path: str, request_serializer: Serialize, response_deserializer: Deserialize, **_: object
    ) -> UnaryCall:
        """As a grpc.Channel has it."""
        method = DESCRIPTOR.methods_by_name[path.rpartition("/")[2]]

        def call(request: object, timeout: float | None = None, metadata: Metadata = None) -> object:
            kind, body = as_json(request_serializer(request), GetMessageClass(method.input_type))
            headers = headers_of(timeout, metadata) | {"content-type": kind}
            status, answer = self.exchange("POST", path, body, headers)
            raise_for(status, answer)
            if kind != "application/json":
                return response_deserializer(answer)
            message = Parse(answer, GetMessageClass(method.output_type)())
            return response_deserializer(message.SerializeToString())

        return call

    def unary_stream(
        self, path: str, request_serializer: Serialize, response_deserializer: Deserialize, **_: object
    ) -> StreamCall:
        """As a grpc.Channel has it."""
        method = DESCRIPTOR.methods_by_name[path.rpartition("/")[2]]
        output = GetMessageClass(method.output_type)

        def call(request: object, timeout: float | None = None, metadata: Metadata = None) -> HttpStream:
            data, headers = request_serializer(request), headers_of(timeout, metadata)
            connection = self.connect(timeout)
            events = events_of(data) if method.name == "FollowRecord" else None
            if events is not None:
                connection.request("GET", events[0], headers=headers | events[1])
            else:
                kind, body = as_json(data, GetMessageClass(method.input_type))
                if kind != "application/json":
                    kind, body = "application/connect+proto", b"\0" + len(body).to_bytes(4, "big") + body
                connection.request("POST", path, body, headers | {"content-type": kind})
            return HttpStream(connection, output, response_deserializer)

        return call

    def stream_stream(
        self, path: str, request_serializer: Serialize, response_deserializer: Deserialize, **_: object
    ) -> object:
        """As a grpc.Channel has it: HTTP has no stream in both directions."""
        return self.grpc_channel.stream_stream(path, request_serializer, response_deserializer)

    def exchange(
        self, verb: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> tuple[int, bytes]:
        """The status and the body of the response, over a connection that the calls of a thread share."""
        connection: Connection | None = getattr(self._local, "connection", None)
        if connection is None or time.monotonic() - self._local.used > MOST_IDLE_SECONDS:
            connection = self._local.connection = self.connect(None)
            self._connections.append(connection)
        connection.request(verb, path, body, headers)
        response = connection.getresponse()
        content = response.read()
        self._local.used = time.monotonic()
        return response.status, content


def as_json(data: bytes, kind: type[Message]) -> tuple[str, bytes]:
    """The content type and body of a request: JSON, or where the bytes are no message, the bytes."""
    try:
        return "application/json", MessageToJson(kind.FromString(data), indent=None).encode()
    except (DecodeError, SerializeToJsonError):  # a time out of range, for instance, has no JSON
        return "application/proto", data


def headers_of(timeout: float | None, metadata: Metadata) -> dict[str, str]:
    """The headers for a timeout and metadata of gRPC."""
    headers = dict(metadata or ())
    if timeout is not None:
        headers["connect-timeout-ms"] = str(round(timeout * 1000))
    return headers


def events_of(data: bytes) -> tuple[str, dict[str, str]] | None:
    """The path and headers of the stream of events that such a request asks for, if there can be one."""
    try:
        request = pb.FollowRecordRequest.FromString(data)
    except DecodeError:
        return None
    viewer = request.viewer
    if not request.match_id or viewer.onlooker not in entries.Onlooker.values():
        return None
    names = {entries.ONLOOKER_UNSPECIFIED: "", entries.ONLOOKER_SPECTATOR: "?as=spectator"}
    name = names.get(viewer.onlooker, "?as=auditor")
    if viewer.WhichOneof("viewer") == "seat":
        name = f"?as={viewer.seat}"
    headers = {"last-event-id": str(request.from_sequence - 1)} if request.from_sequence else {}
    return f"/matches/{quote(request.match_id, safe='')}/events{name}", headers


class HttpStream:
    """The responses of a stream."""

    def __init__(self, connection: Connection, kind: type[Message], read: Deserialize) -> None:
        self._connection = connection
        self._kind = kind
        self._read = read
        self._response = connection.getresponse()
        self._fault: HttpFault | None = None
        if self._response.status != http.client.OK:
            self._fault = HttpFault(json.loads(self._response.read()), self._response.status)
            self.cancel()
        self._messages = self._all()

    def initial_metadata(self) -> None:
        """Returns once the stream has begun, which it has."""
        if self._fault is not None:
            raise self._fault

    def cancel(self) -> None:
        """Close the connection."""
        self._response.close()
        self._connection.close()

    def __iter__(self) -> Iterator[object]:
        return self

    def __next__(self) -> object:
        return next(self._messages)

    def _all(self) -> Iterator[object]:
        self.initial_metadata()
        parse = {
            "application/x-ndjson": self._lines,
            "text/event-stream": self._events,
            "application/connect+proto": self._envelopes,
        }[str(self._response.headers["content-type"])]
        try:
            yield from parse()
        finally:
            self.cancel()

    def _message(self, text: str) -> object:
        return self._read(Parse(text, self._kind()).SerializeToString())

    def _lines(self) -> Iterator[object]:
        for line in self._response:
            content = json.loads(line)
            if "error" in content:
                raise HttpFault(content["error"], http.client.OK)
            yield self._message(line.decode())

    def _events(self) -> Iterator[object]:
        fields = dict[str, str]()
        for line in self._response:
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if value:
                fields[name] = value
            elif fields:
                if fields["event"] == "error":
                    raise HttpFault(json.loads(fields["data"]), http.client.OK)
                assert fields["id"] == json.loads(fields["data"])["entry"].get("sequence", "0")
                yield self._message(fields["data"])
                fields = {}

    def _envelopes(self) -> Iterator[object]:
        while head := self._response.read(5):
            content = self._response.read(int.from_bytes(head[1:], "big"))
            if head[0]:
                error = json.loads(content).get("error")
                if error is not None:
                    raise HttpFault(error, http.client.OK)
                return
            yield self._read(content)
