"""Messages of the service as JSON: compact, with the names of proto3's JSON form, unknown fields refused.

Protobuf reads and writes JSON in Python, field by field, so that processes do it for longer messages.
"""

import re
from contextlib import suppress
from functools import partial
from typing import Final

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.json_format import MessageToDict, ParseDict, ParseError
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from msgspec import json

from records.ledger.ledger import Ledger
from service.bounds import MAX_REQUEST_FIELDS, bounds_check
from service.call import Call, Context
from service.errors import CallError, Reason, bad_field
from service.http.json_faults import json_fault
from service.rpc import DESCRIPTOR, SMALL_REQUEST_BYTES, CallHandler, Decode, DecodeApart, binary_decoder
from service.work_queue import lane_for_bytes
from service.worker_process import Work

AT_ONCE_BYTES: Final = 4096
"""Messages up to this size are read and written in the event loop: at most some milliseconds, if they consist
of nothing but small fields."""

STREAMED_AT_ONCE_BYTES: Final = 16_384
"""The same for a message of a stream: an entry as we write it has few small fields, and all who follow a
match get one at the same time."""

_STRING: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)


def json_decoder(method: MethodDescriptor) -> Decode:
    """Decodes the requests of a method from JSON, within the same bounds as from protobuf."""
    kind, require_bounds = GetMessageClass(method.input_type), bounds_check(method.input_type)
    decode_binary = binary_decoder(method)

    def decode(call: Call, data: bytes) -> Message:
        if len(data) > AT_ONCE_BYTES:
            work = partial(_to_binary, method=method.name, data=data)
            raise DecodeApart(work, lane_for_bytes(len(data)), decode_binary)
        request = _parsed(kind, data)
        if len(data) > SMALL_REQUEST_BYTES:
            require_bounds(request.SerializeToString())
        call.request = request
        return request

    return decode


def _to_binary(_: Ledger, *, method: str, data: bytes) -> bytes:
    """The request of a method in protobuf's binary form; in a worker process."""
    if len(data) > MAX_REQUEST_FIELDS:
        _require_few_values(data)
    return _parsed(GetMessageClass(DESCRIPTOR.methods_by_name[method].input_type), data).SerializeToString()


async def written_json(
    handler: CallHandler,
    context: Context,
    method: MethodDescriptor,
    at_once: int,
    response: Message,
) -> bytes:
    """A response as JSON; one of more bytes than are written at once is written by a worker process."""
    if (size := response.ByteSize()) > at_once:
        work: Work[bytes] = partial(_written, method=method.name, data=response.SerializeToString())
        with suppress(CallError):  # too much waits, but what was asked for is done
            account = handler.admission.account_of(context)
            return await handler.resources.workers.run(account, work, lane_for_bytes(size))
    return to_json(response)


def _written(_: Ledger, *, method: str, data: bytes) -> bytes:
    return to_json(GetMessageClass(DESCRIPTOR.methods_by_name[method].output_type).FromString(data))


def _parsed(kind: type[Message], data: bytes) -> Message:
    try:
        value = json.decode(data, type=dict[str, object])
        if len(data) > SMALL_REQUEST_BYTES:
            _require_few(value, MAX_REQUEST_FIELDS)
        return ParseDict(value, kind())
    # Beside its own error, the parser lets through what it did not foresee in a value.
    except (ParseError, ValueError, TypeError, AttributeError, KeyError, RecursionError) as fault:
        raise CallError(Reason.UNREADABLE_REQUEST, json_fault(kind, fault)) from None


def _require_few_values(data: bytes) -> None:
    """Raises CallError where there are too many values to read them at all: each takes up to 64 bytes."""
    if _STRING.sub(b"", data).count(b",") > MAX_REQUEST_FIELDS:
        raise _too_many_fields()


def _require_few(value: object, most: int) -> int:
    """Returns how many more values there may be; raises CallError where there are too many.

    Parsing a value takes a hundred times as long as counting it.
    """
    most -= 1
    if most < 0:
        raise _too_many_fields()
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inner:
        most = _require_few(each, most)
    return most


def _too_many_fields() -> CallError:
    return bad_field("request", f"it has more than {MAX_REQUEST_FIELDS} fields in all")


def to_json(message: Message) -> bytes:
    """The message as compact JSON."""
    return json.encode(MessageToDict(message))
