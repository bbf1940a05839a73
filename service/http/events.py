"""The entries of a match as server-sent events, at /matches/ID/events.

The id of an event is the sequence of its entry, so that a client that sends the last one as Last-Event-ID
continues with the next, without a gap and without a repetition.
"""

import re
from functools import partial
from typing import Final, cast
from urllib.parse import parse_qsl

from shiji.record.v1.entry_pb2 import ONLOOKER_AUDITOR, ONLOOKER_SPECTATOR, Viewer
from shiji.record.v1.record_service_pb2 import FollowRecordRequest

from service.http.codec import STREAMED_AT_ONCE_BYTES, written_json
from service.http.faults import HttpReason, HttpRefusal
from service.http.requests import HttpRequest, Send
from service.http.streams import EventFraming, StreamContext, stream
from service.method_table import METHODS
from service.rpc import DESCRIPTOR, CallHandler, binary_decoder

_METHOD: Final = DESCRIPTOR.methods_by_name["FollowRecord"]

EVENTS_PATH: Final = re.compile(r"/matches/(?P<match>[^/]+)/events")
"""The path of a match's events."""

_MAX_SEQUENCE_DIGITS: Final = 18
"""Maximum digits of a sequence: every such number fits into 64 bits."""

_MAX_SEAT_DIGITS: Final = 3
"""Maximum digits of a seat's number, far above the seats of any game."""


class EventStreams:
    """Streams the entries of matches, by FollowRecord."""

    def __init__(self, handler: CallHandler) -> None:
        self._handler: Final = handler
        self._serve: Final = METHODS[_METHOD.name](handler, _METHOD.name, binary_decoder(_METHOD))

    async def __call__(self, request: HttpRequest, send: Send, match: str) -> None:
        """Stream the entries of a match; raises HttpRefusal where the request is not one for that."""
        if request.verb != "GET":
            message = f"events take GET, not {request.verb}"
            raise HttpRefusal(HttpReason.WRONG_VERB, message, [(b"allow", b"GET")])
        start, viewer = _asked(request)
        following = FollowRecordRequest(match_id=match, from_sequence=start, viewer=viewer, with_state=True)

        async def receive() -> bytes:
            return following.SerializeToString()

        request.receiver = receive
        encode = partial(written_json, self._handler, request, _METHOD, STREAMED_AT_ONCE_BYTES)
        await stream(self._serve, StreamContext(request, send, EventFraming(), encode))


def _asked(request: HttpRequest) -> tuple[int, Viewer]:
    """The first sequence and the viewer."""
    parameters = query_of(request, {"from", "as"})
    start = sequence_of(parameters.get("from", "0"), "from")
    last = request.header("last-event-id")
    if last:
        start = sequence_of(last, "last-event-id") + 1
    return start, viewer_named(parameters.get("as", "spectator"))


def query_of(request: HttpRequest, known: set[str]) -> dict[str, str]:
    """The parameters of the address; raises HttpRefusal for one that is not known or comes twice."""
    raw = cast("bytes", request.scope["query_string"])
    found = dict[str, str]()
    for name, value in parse_qsl(raw.decode("latin-1"), keep_blank_values=True):
        if name not in known:
            names = ", ".join(sorted(known)) or "no parameters"
            raise HttpRefusal(
                HttpReason.BAD_PARAMETER, f"{name[:100]!r} is not known here; this address takes {names}"
            )
        if name in found:
            raise HttpRefusal(HttpReason.BAD_PARAMETER, f"{name} was given twice")
        found[name] = value
    return found


def sequence_of(text: str, name: str) -> int:
    """The sequence that a parameter gives; raises HttpRefusal."""
    if not (text.isascii() and text.isdigit() and len(text) <= _MAX_SEQUENCE_DIGITS):
        raise HttpRefusal(HttpReason.BAD_PARAMETER, f"{name} takes the sequence of an entry, such as 37")
    return int(text)


def viewer_named(text: str) -> Viewer:
    """The viewer that the parameter `as` gives; raises HttpRefusal."""
    if text.isascii() and text.isdigit() and len(text) <= _MAX_SEAT_DIGITS:
        return Viewer(seat=int(text))
    onlookers = {"spectator": ONLOOKER_SPECTATOR, "auditor": ONLOOKER_AUDITOR}
    if text not in onlookers:
        message = "as takes spectator, auditor, or the number of a seat, from 0 in turn order"
        raise HttpRefusal(HttpReason.BAD_PARAMETER, message)
    return Viewer(onlooker=onlookers[text])
