"""Messages of the service as JSON: compact, with the names of proto3's JSON form, unknown fields refused."""

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.json_format import MessageToDict, ParseDict, ParseError
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from msgspec import json

from service.bounds import MAX_REQUEST_FIELDS, bounds_check
from service.call import Call
from service.errors import CallError, Reason, bad_field
from service.rpc import SMALL_REQUEST_BYTES, Decode


def json_decoder(method: MethodDescriptor) -> Decode:
    """Decodes the requests of a method from JSON, within the same bounds as from protobuf."""
    kind, require_bounds = GetMessageClass(method.input_type), bounds_check(method.input_type)

    def decode(call: Call, data: bytes) -> Message:
        try:
            value = json.decode(data, type=dict[str, object])
            if len(data) > SMALL_REQUEST_BYTES:
                _require_few(value, MAX_REQUEST_FIELDS)
            request = ParseDict(value, kind())
        # Beside its own error, the parser lets through what it did not foresee in a value.
        except (ParseError, ValueError, TypeError, AttributeError, KeyError, RecursionError) as fault:
            raise CallError(Reason.UNREADABLE_REQUEST, _explained(kind.DESCRIPTOR.name, fault)) from None
        if len(data) > SMALL_REQUEST_BYTES:
            require_bounds(request.SerializeToString())
        call.request = request
        return request

    return decode


def _require_few(value: object, most: int) -> int:
    """Returns how many more values there may be; raises CallError where there are too many.

    Parsing a value takes a hundred times as long as counting it.
    """
    most -= 1
    if most < 0:
        raise bad_field("request", f"it has more than {MAX_REQUEST_FIELDS} fields in all")
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inner:
        most = _require_few(each, most)
    return most


def _explained(name: str, fault: Exception) -> str:
    """What is wrong with the JSON of a request, in one line."""
    why = "it is nested too deeply" if isinstance(fault, RecursionError) else " ".join(str(fault).split())
    return f"the body is not a {name} in JSON: {why}"


def to_json(message: Message) -> bytes:
    """The message as compact JSON."""
    return json.encode(MessageToDict(message))
