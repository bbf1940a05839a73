"""Messages of the service as JSON: compact, with the names of proto3's JSON form, unknown fields refused."""

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.json_format import MessageToDict, Parse, ParseError
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from msgspec import json

from service.call import Call
from service.errors import CallError, Reason
from service.rpc import Decode


def json_decoder(method: MethodDescriptor) -> Decode:
    """Decodes the requests of a method from JSON."""
    kind = GetMessageClass(method.input_type)
    name = kind.DESCRIPTOR.name

    def decode(call: Call, data: bytes) -> Message:
        try:
            call.request = request = Parse(data.decode(), kind())
        # Beside its own error, the parser lets through what it did not foresee in a value.
        except (ParseError, ValueError, TypeError, AttributeError, KeyError, RecursionError) as fault:
            why = " ".join(str(fault).split())
            message = f"the body is not a {name} in JSON: {why}"
            raise CallError(Reason.UNREADABLE_REQUEST, message) from None
        return request

    return decode


def to_json(message: Message) -> bytes:
    """The message as compact JSON."""
    return json.encode(MessageToDict(message))
